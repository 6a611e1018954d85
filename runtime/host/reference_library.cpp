#include "host/reference_library.h"

#include <cstdio>
#include <dlfcn.h>
#include <optional>
#include <unistd.h>
#include <vector>

namespace neuronify {

namespace {

std::string folder_of(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::optional<std::string> read_file(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return std::nullopt;
  std::string bytes;
  char piece[1 << 16];
  while (size_t n = std::fread(piece, 1, sizeof piece, file))
    bytes.append(piece, n);
  bool good = !std::ferror(file);
  std::fclose(file);
  return good ? std::optional(std::move(bytes)) : std::nullopt;
}

/// Where the runner may be: as the environment says; where this library was built or installed; in
/// the usual places of the system.
std::vector<std::string> library_paths(const Environment &environment) {
  if (!environment.reference.empty())
    return {environment.reference};
  std::vector<std::string> paths;
  for (const char *path : {NEURONIFY_REFERENCE_BUILD, NEURONIFY_REFERENCE_INSTALL})
    if (access(path, R_OK) == 0)
      paths.push_back(path);
  paths.push_back("libneuronify-reference.so");
  return paths;
}

} // namespace

reference::LoadFunction ReferenceLibrary::library(std::string &error) {
  if (!tried_) {
    tried_ = true;
    void *handle = nullptr;
    std::string path;
    for (const std::string &candidate : library_paths(environment_)) {
      path = candidate;
      if ((handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)))
        break;
      error_ = dlerror();
    }
    if (!handle)
      error_ = "cannot load the reference runner: " + error_ +
               "; NEURONIFY_REFERENCE names libneuronify-reference.so";
    else if (void *symbol = dlsym(handle, "neuronify_reference_load"))
      function_ = reinterpret_cast<reference::LoadFunction>(symbol);
    else
      error_ = path + " is not a reference runner: it has no neuronify_reference_load";
  }
  error = error_;
  return function_;
}

reference::Module *ReferenceLibrary::load(Unit &unit, std::string &error) {
  if (!unit.reference_tried) {
    unit.reference_tried = true;
    if (reference::LoadFunction load = library(unit.reference_error)) {
      std::vector<std::string> paths;
      for (const std::string &folder :
           {environment_.device_ir, unit.device_ir_folder, folder_of(executable_path())})
        if (!folder.empty())
          paths.push_back(folder + "/" + unit.device_ir);
      std::optional<std::string> bitcode;
      for (size_t i = 0; i < paths.size() && !bitcode; ++i)
        bitcode = read_file(paths[i]);
      if (bitcode)
        unit.reference = load(bitcode->data(), bitcode->size(), &unit.reference_error);
      else
        unit.reference_error = "cannot read the original's device IR '" + unit.device_ir +
                               "'; NEURONIFY_DEVICE_IR names its folder";
    }
  }
  error = unit.reference_error;
  return unit.reference.get();
}

} // namespace neuronify
