// What the registrations of a program add up to: stubs, variables, and the original's device IR.
#pragma once

#include "host/device_memory.h"
#include "host/registry.h"
#include "reference/reference.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace neuronify {

/// One translation unit of the original program.
struct Unit {
  std::string device_ir_folder, device_ir;
  std::vector<KernelStub> kernels;
  struct Variable {
    DeviceSymbol symbol;
    std::string name;                         ///< as a person writes it
    const DeviceAllocation *memory = nullptr; ///< null until it is first needed
  };
  std::vector<Variable> variables;

  // The reference, loaded at the first launch that is compared.
  bool reference_tried = false;
  std::unique_ptr<reference::Module> reference;
  std::string reference_error;
};

class Registry {
public:
  Unit *add(std::unique_ptr<Unit> unit);
  void remove(Unit *unit, DeviceMemory &memory);

  struct Entry {
    Unit *unit = nullptr;
    const Kernel *kernel = nullptr;
    unsigned parameters = 0;
  };
  /// The kernel of a stub; null members where no registration knows it.
  Entry find(const void *stub) const;
  /// What find() takes for the kernel with this key (see kernel_key.h), which has so many
  /// parameters; null where no registration knows it, or two kernels have it.
  const void *stub_of(const std::string &key, unsigned parameters);

  struct Symbol {
    Unit *unit = nullptr;
    Unit::Variable *variable = nullptr;
  };
  Symbol find_shadow(const volatile void *shadow) const;
  /// A variable by mangled name: the unit's own first, then any other unit's.
  Symbol find_mangled(Unit *unit, std::string_view mangled) const;

  /// Gives every variable its device copy, which holds the shadow's value. False: out of memory.
  bool materialize(DeviceMemory &memory);
  /// Managed variables are device memory from their registration on, at their own address.
  void adopt_managed(DeviceMemory &memory);
  /// After the device was reset: variables start anew.
  void forget_memory();

private:
  std::vector<std::unique_ptr<Unit>> units_;
  void index(Unit &unit);

  std::unordered_map<const void *, Entry> stubs_;
  struct Key {
    const void *address; ///< in stubs_; null where two kernels have the key
    const Kernel *kernel;
  };
  std::unordered_map<std::string, Key> keys_;
};

} // namespace neuronify
