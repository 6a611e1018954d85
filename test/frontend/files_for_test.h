// Files that live as long as a test, and what the front end makes of them.
#pragma once

#include "frontend/frontend.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace neuronify::frontend {

/// A folder of its own, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  /// Writes a file, with the folders above it, and returns its name.
  std::string write(std::string_view name, std::string_view text) const;
  std::string name(std::string_view name) const { return (folder / name).string(); }

  std::filesystem::path folder;
};

/// Reads source text as the file "test.cu".
Unit read_text(std::string_view source, const Options &options = {});

/// All messages, one a line, as Clang writes them, files without their folders.
std::string text_of(const Unit &unit);

/// The first kernel of that name; fails the test and returns an empty one where there is none.
Kernel kernel_named(const Unit &unit, std::string_view name);

} // namespace neuronify::frontend
