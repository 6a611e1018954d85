// Device memory and launches for the reference's tests.
#pragma once

#include "reference/reference.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace neuronify::reference {

/// Device memory as the runtime has it: allocations in host memory, and variables by name.
class DeviceForTest {
public:
  void add(const void *start, size_t size) {
    allocations_[static_cast<const std::byte *>(start)] = size;
  }
  template <class T> void add(const std::vector<T> &data) {
    add(data.data(), data.size() * sizeof(T));
  }
  void addVariable(const std::string &name, void *address, size_t size) {
    variables_[name] = address;
    add(address, size);
  }
  Memory memory() const;

private:
  std::map<const std::byte *, size_t> allocations_;
  std::map<std::string, void *> variables_;
};

/// A bitcode file of kernels/, loaded. Dies with a message where that fails.
Module &kernels(const std::string &name);
std::string readFile(const std::string &path);
std::string bitcodePath(const std::string &name);
std::unique_ptr<Module> load(const std::string &bitcode, std::string &error);

inline Checks allChecks() { return {true, true, true, true}; }

/// Runs a kernel with arguments as CUDA programs have them.
template <class... Arguments>
Result launch(Module &module, const char *kernel, Dim3 grid, Dim3 block, size_t shared,
              const DeviceForTest &device, const Checks &checks, Arguments... arguments) {
  void *addresses[] = {static_cast<void *>(&arguments)..., nullptr};
  return module.run(kernel, grid, block, uint32_t(shared), {addresses, sizeof...(arguments)},
                    device.memory(), checks);
}
/// The same without checks, and expected to succeed.
template <class... Arguments>
void runPlain(Module &module, const char *kernel, Dim3 grid, Dim3 block, Arguments... arguments) {
  Result result = launch(module, kernel, grid, block, 0, DeviceForTest(), Checks(), arguments...);
  ASSERT_TRUE(result.ok) << result.error;
  EXPECT_TRUE(result.findings.empty()) << result.findings[0].message;
}

} // namespace neuronify::reference
