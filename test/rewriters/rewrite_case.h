// Runs the front end and the host rewriters on one file.
#pragma once

#include "host/rewrite.h"

#include <string>

namespace neuronify::rewrite {

/// Rewrites a file of CUDA; all its kernels count as ported. Fails the current test where the file
/// does not compile.
Result rewrite_file(const std::string &path, const std::vector<std::string> &extra_args = {});

/// A folder for one test, gone with the object.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  const std::string &path() const { return path_; }
  /// Writes a file of this name and returns its path.
  std::string write(const std::string &name, const std::string &text) const;

private:
  std::string path_;
};

/// Rewrites `code` as the file input.cu in a folder of its own.
Result rewrite_code(const std::string &code);

/// The text of a file, or "".
std::string read_text(const std::string &path);

} // namespace neuronify::rewrite
