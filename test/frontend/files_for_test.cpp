#include "files_for_test.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

// Clang drops temporary debug-information nodes where a file has errors (checked: nothing is left
// of a file without errors).
extern "C" const char *__lsan_default_suppressions();
extern "C" const char *__lsan_default_suppressions() { return "leak:llvm::MDNode::operator new\n"; }

namespace neuronify::frontend {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "neuronify-XXXXXX").string();
  folder = mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

std::string TemporaryFolder::write(std::string_view name, std::string_view text) const {
  const std::filesystem::path path = folder / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

Unit read_text(std::string_view source, const Options &options) {
  const TemporaryFolder files;
  return read(files.write("test.cu", source), options);
}

std::string text_of(const Unit &unit) {
  std::string text;
  for (const Message &message : unit.messages) {
    text += std::filesystem::path(message.file).filename().string();
    if (message.line != 0)
      text += ':' + std::to_string(message.line) + ':' + std::to_string(message.column);
    text += ": " + message.level + ": " + message.text;
    if (!message.code.empty())
      text += " [" + message.code + ']';
    text += '\n';
  }
  return text;
}

Kernel kernel_named(const Unit &unit, std::string_view name) {
  for (const Kernel &kernel : unit.kernels)
    if (kernel.name == name)
      return kernel;
  ADD_FAILURE() << "no kernel '" << name << "'\n" << text_of(unit);
  return {};
}

} // namespace neuronify::frontend
