#include "reference_for_test.h"

#include <dlfcn.h>

#include <fstream>
#include <sstream>

namespace neuronify::reference {

Memory DeviceForTest::memory() const {
  Memory memory;
  memory.symbol = [this](std::string_view name) -> void * {
    auto found = variables_.find(std::string(name));
    return found == variables_.end() ? nullptr : found->second;
  };
  memory.allocation = [this](const void *address) -> std::pair<const void *, size_t> {
    auto *byte = static_cast<const std::byte *>(address);
    auto after = allocations_.upper_bound(byte);
    if (after == allocations_.begin())
      return {nullptr, 0};
    auto [start, size] = *--after;
    return byte < start + size ? std::pair<const void *, size_t>{start, size}
                               : std::pair<const void *, size_t>{nullptr, 0};
  };
  return memory;
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string bitcodePath(const std::string &name) {
  return NEURONIFY_TEST_BITCODE "/" + name + ".bc";
}

std::unique_ptr<Module> load(const std::string &bitcode, std::string &error) {
  // Loaded as the runtime loads it, and kept: code of its modules may still run.
  static void *library = dlopen(NEURONIFY_REFERENCE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    error = dlerror();
    return nullptr;
  }
  auto function = reinterpret_cast<LoadFunction>(dlsym(library, "neuronify_reference_load"));
  return function(bitcode.data(), bitcode.size(), &error);
}

Module &kernels(const std::string &name) {
  static std::map<std::string, std::unique_ptr<Module>> modules;
  std::unique_ptr<Module> &module = modules[name];
  if (!module) {
    std::string error;
    module = load(readFile(bitcodePath(name)), error);
    if (!module) {
      fprintf(stderr, "%s: %s\n", name.c_str(), error.c_str());
      abort();
    }
  }
  return *module;
}

} // namespace neuronify::reference
