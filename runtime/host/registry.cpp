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
  index(*added);
  return added;
}

/// Of equal instantiations in several units, the first stays.
void Registry::index(Unit &unit) {
  for (const KernelStub &stub : unit.kernels) {
    // A kernel without a stub that can be named goes by its own address.
    const void *address = stub.stub ? stub.stub : stub.kernel;
    stubs_.emplace(address, Entry{&unit, stub.kernel, stub.parameters});
    if (stub.key.empty())
      continue;
    auto [place, added] = keys_.emplace(stub.key, Key{address, stub.kernel});
    const Kernel &first = *place->second.kernel;
    if (!added && (first.line != stub.kernel->line || std::strcmp(first.file, stub.kernel->file)))
      place->second.address = nullptr; // two kernels of one name: better none than the wrong one
  }
}

void Registry::remove(Unit *unit, DeviceMemory &memory) {
  std::erase_if(stubs_, [&](const auto &entry) { return entry.second.unit == unit; });
  keys_.clear();
  for (Unit::Variable &variable : unit->variables)
    if (variable.memory)
      memory.release(variable.memory->start, variable.memory->kind);
  std::erase_if(units_, [&](const auto &owned) { return owned.get() == unit; });
  // An instantiation that another unit registered too is that unit's now.
  for (const auto &other : units_)
    index(*other);
}

Registry::Entry Registry::find(const void *stub) const {
  auto found = stubs_.find(stub);
  return found == stubs_.end() ? Entry() : found->second;
}

const void *Registry::stub_of(const std::string &key, unsigned parameters) {
  auto found = keys_.find(key);
  if (found == keys_.end() || !found->second.address)
    return nullptr;
  stubs_[found->second.address].parameters = parameters;
  return found->second.address;
}

Registry::Symbol Registry::find_shadow(const volatile void *shadow) const {
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
      std::memcpy(variable.memory->start, const_cast<const void *>(variable.symbol.shadow),
                  variable.symbol.size);
    }
  return true;
}

void Registry::adopt_managed(DeviceMemory &memory) {
  for (const auto &unit : units_)
    for (Unit::Variable &variable : unit->variables)
      if (variable.symbol.managed && !variable.memory)
        variable.memory = memory.adopt(const_cast<void *>(variable.symbol.shadow),
                                       variable.symbol.size, variable.name);
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
  runtime.registry.adopt_managed(runtime.memory);
}

Registration::~Registration() {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  runtime.registry.remove(static_cast<Unit *>(unit_), runtime.memory);
}

} // namespace neuronify
