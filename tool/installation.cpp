#include "installation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>
#include <filesystem>

namespace neuronify::tool {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const char *list) {
  std::vector<std::string> out;
  for (llvm::StringRef part : llvm::split(list, ';'))
    if (!part.empty())
      out.push_back(part.str());
  return out;
}

/// The prefix that the running program is installed under; "" in a build tree.
fs::path prefix() {
  static int anchor; // an address inside this program
  const fs::path program = llvm::sys::fs::getMainExecutable("neuronify", &anchor);
  const fs::path root = program.parent_path().parent_path();
  return fs::exists(root / NEURONIFY_INSTALL_INCLUDE / "neuronify.h") ? root : fs::path();
}

} // namespace

Installation find_installation() {
  Installation found;
  found.compiler = NEURONIFY_COMPILER;
  found.flags = split(NEURONIFY_RUNTIME_FLAGS);
  const char *python = std::getenv("NEURONIFY_PYTHON");
  found.python = python && *python ? python : NEURONIFY_PYTHON_PROGRAM;
  if (const fs::path root = prefix(); !root.empty()) {
    found.diagnostics = root / NEURONIFY_INSTALL_DATA / "diagnostics";
    found.lanes_package = root / NEURONIFY_INSTALL_DATA / "neuronify_lanes";
    found.include = {(root / NEURONIFY_INSTALL_INCLUDE).string()};
    for (const std::string &library : split(NEURONIFY_RUNTIME_LIBRARIES))
      found.libraries.push_back(root / NEURONIFY_INSTALL_LIB / fs::path(library).filename());
    if (const fs::path python = root / NEURONIFY_INSTALL_DATA / "python"; fs::exists(python))
      found.python_path = python;
    found.reference = root / NEURONIFY_INSTALL_LIB / "libneuronify-reference.so";
  } else {
    found.diagnostics = NEURONIFY_SOURCE_DIR "/docs/diagnostics";
    found.lanes_package = NEURONIFY_SOURCE_DIR "/runtime/lanes/python/neuronify_lanes";
    found.include = {NEURONIFY_SOURCE_DIR "/runtime"};
    found.libraries = split(NEURONIFY_RUNTIME_LIBRARIES);
    if (fs::exists(NEURONIFY_BUILD_PYTHON "/neuronify_nki"))
      found.python_path = NEURONIFY_BUILD_PYTHON;
    found.reference = NEURONIFY_BUILD_LIB "/libneuronify-reference.so";
  }
  for (const std::string &library : split(NEURONIFY_SYSTEM_LIBRARIES))
    found.libraries.push_back(library);
  return found;
}

} // namespace neuronify::tool
