#include "frontend/toolchain.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <vector>

namespace neuronify::frontend {

namespace {

using llvm::StringRef;
namespace path = llvm::sys::path;

/// The first of `folders` that has `file`, without ".." in it; "" where none has.
std::string first_with(const std::vector<std::string> &folders, StringRef file) {
  for (const std::string &folder : folders) {
    llvm::SmallString<256> probe(folder);
    path::append(probe, file);
    if (folder.empty() || !llvm::sys::fs::is_regular_file(probe))
      continue;
    llvm::SmallString<256> real;
    return llvm::sys::fs::real_path(folder, real) ? folder : real.str().str();
  }
  return "";
}

/// `relative` to the folder of a program.
std::string beside(StringRef program, StringRef relative) {
  llvm::SmallString<256> folder(path::parent_path(program));
  if (folder.empty())
    return "";
  path::append(folder, relative);
  return folder.str().str();
}

std::string this_program() {
  // Any address inside the program serves where /proc is not there.
  return llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&this_program));
}

} // namespace

std::string resource_directory() {
  std::vector<std::string> folders = {NEURONIFY_CLANG_RESOURCE_DIR};
  for (const char *name : {"clang-22", "clang++-22", "clang"}) {
    const auto found = llvm::sys::findProgramByName(name);
    llvm::SmallString<256> real;
    if (found && !llvm::sys::fs::real_path(*found, real))
      folders.push_back(beside(real, "../lib/clang/22"));
  }
  for (const char *prefix : {"/usr/lib/llvm-22", "/usr/local", "/usr"})
    folders.push_back(std::string(prefix) + "/lib/clang/22");
  return first_with(folders, "include/stddef.h");
}

std::string header_directory() {
  return first_with(
      {beside(this_program(), NEURONIFY_CUDA_HEADERS_FROM_BIN), NEURONIFY_CUDA_HEADERS_SOURCE_DIR},
      "cuda_runtime.h");
}

} // namespace neuronify::frontend
