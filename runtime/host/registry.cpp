#include "host/registry.h"

#include "host/registry_table.h"
#include "host/runtime.h"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>

namespace neuronify {

namespace {

std::string demangle(const char *mangled) {
  int status = 0;
  char *text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : mangled;
  std::free(text);
  return result;
}

} // namespace

Unit *Registry::add(std::unique_ptr<Unit> unit) {
  Unit *added = unit.get();
  units_.push_back(std::move(unit));
  for (const KernelStub &stub : added->kernels)
    stubs_.emplace(stub.stub, Entry{added, stub.kernel,
                                    stub.parameters}); // the first of equal instantiations stays
  return added;
}

void Registry::remove(Unit *unit, DeviceMemory &memory) {
  std::erase_if(stubs_, [&](const auto &entry) { return entry.second.unit == unit; });
  for (Unit::Variable &variable : unit->variables)
    if (variable.memory)
      memory.release(variable.memory->start, MemoryKind::symbol);
  std::erase_if(units_, [&](const auto &owned) { return owned.get() == unit; });
  // An instantiation that another unit registered too is that unit's now.
  for (const auto &other : units_)
    for (const KernelStub &stub : other->kernels)
      stubs_.emplace(stub.stub, Entry{other.get(), stub.kernel, stub.parameters});
}

Registry::Entry Registry::find(const void *stub) const {
  auto found = stubs_.find(stub);
  return found == stubs_.end() ? Entry() : found->second;
}

Registry::Symbol Registry::find_shadow(const void *shadow) const {
  for (const auto &unit : units_)
    for (Unit::Variable &variable : unit->variables)
      if (variable.symbol.shadow == shadow)
        return {unit.get(), &variable};
  return {};
}

Registry::Symbol Registry::find_mangled(Unit *own, std::string_view mangled) const {
  auto search = [&](Unit *unit) -> Symbol {
    for (Unit::Variable &variable : unit->variables)
      if (variable.symbol.mangled == mangled)
        return {unit, &variable};
    return {};
  };
  if (Symbol symbol = search(own); symbol.variable)
    return symbol;
  for (const auto &unit : units_)
    if (Symbol symbol = search(unit.get()); symbol.variable)
      return symbol;
  return {};
}

bool Registry::materialize(DeviceMemory &memory) {
  for (const auto &unit : units_)
    for (Unit::Variable &variable : unit->variables) {
      if (variable.memory)
        continue;
      variable.memory = memory.allocate(variable.symbol.size, MemoryKind::symbol, variable.name);
      if (!variable.memory)
        return false;
      std::memcpy(variable.memory->start, variable.symbol.shadow, variable.symbol.size);
    }
  return true;
}

void Registry::forget_memory() {
  for (const auto &unit : units_)
    for (Unit::Variable &variable : unit->variables)
      variable.memory = nullptr;
}

Registration::Registration(const char *device_ir_folder, const char *device_ir,
                           std::initializer_list<KernelStub> kernels,
                           std::initializer_list<DeviceSymbol> symbols) {
  auto unit = std::make_unique<Unit>();
  unit->device_ir_folder = device_ir_folder ? device_ir_folder : "";
  unit->device_ir = device_ir ? device_ir : "";
  unit->kernels = kernels;
  for (const DeviceSymbol &symbol : symbols)
    unit->variables.push_back({symbol, symbol.name ? symbol.name : demangle(symbol.mangled)});
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  unit_ = runtime.registry.add(std::move(unit));
}

Registration::~Registration() {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  runtime.registry.remove(static_cast<Unit *>(unit_), runtime.memory);
}

} // namespace neuronify
