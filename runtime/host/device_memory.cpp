#include "host/device_memory.h"

#include "nki/error.h"

#include <cstdio>
#include <cstring>

namespace neuronify {

namespace {

/// Allocations from this size on are weighed against the memory that this machine has left, because
/// filling them would otherwise end the process instead of giving the program an error.
constexpr size_t kWeighed = size_t(64) << 20;

size_t available_bytes() {
  std::FILE *file = std::fopen("/proc/meminfo", "r");
  if (!file)
    return SIZE_MAX;
  char line[128];
  unsigned long long kibibytes = 0;
  bool found = false;
  while (!found && std::fgets(line, sizeof line, file))
    found = std::sscanf(line, "MemAvailable: %llu kB", &kibibytes) == 1;
  std::fclose(file);
  return found ? size_t(kibibytes) * 1024 : SIZE_MAX;
}

/// Whole words first, then the first bytes of one more.
void fill_fresh(char *start, size_t size) {
  uint32_t pattern = DeviceMemory::kFresh;
  size_t words = size / 4;
  for (size_t i = 0; i < words; ++i)
    std::memcpy(start + 4 * i, &pattern, 4);
  std::memcpy(start + 4 * words, &pattern, size % 4);
}

} // namespace

std::string DeviceAllocation::describe() const {
  std::string bytes = " (" + std::to_string(size) + " bytes)";
  if (!name.empty())
    return "variable '" + name + "'" + bytes;
  return "allocation " + std::to_string(number) + bytes;
}

const DeviceAllocation *DeviceMemory::allocate(size_t size, MemoryKind kind, std::string name) {
  if (size >= kWeighed && size > available_bytes() / 10 * 9)
    return nullptr;
  char *start;
  try {
    start = static_cast<char *>(hbm_.allocate(size));
  } catch (const nki::Error &) {
    return nullptr;
  }
  fill_fresh(start, size);
  DeviceAllocation allocation{start, size, kind, 0, std::move(name), 0};
  if (kind != MemoryKind::symbol)
    allocation.number = ++numbers_;
  auto [position, fresh] =
      allocations_.insert_or_assign(reinterpret_cast<uintptr_t>(start), std::move(allocation));
  return &position->second;
}

const DeviceAllocation *DeviceMemory::adopt(void *start, size_t size, std::string name) {
  hbm_.adopt(start, size);
  DeviceAllocation allocation{
      static_cast<char *>(start), size, MemoryKind::managed, 0, std::move(name), 0};
  return &allocations_.insert_or_assign(reinterpret_cast<uintptr_t>(start), std::move(allocation))
              .first->second;
}

bool DeviceMemory::release(const void *pointer, MemoryKind kind) {
  auto found = allocations_.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == allocations_.end() || found->second.kind != kind)
    return false;
  hbm_.release(found->second.start);
  allocations_.erase(found);
  return true;
}

const DeviceAllocation *DeviceMemory::find(const void *address) const {
  auto key = reinterpret_cast<uintptr_t>(address);
  auto next = allocations_.upper_bound(key);
  if (next == allocations_.begin())
    return nullptr;
  const auto &[start, allocation] = *std::prev(next);
  return key - start < allocation.size ? &allocation : nullptr;
}

std::vector<const DeviceAllocation *> DeviceMemory::all() const {
  std::vector<const DeviceAllocation *> result;
  result.reserve(allocations_.size());
  for (const auto &[start, allocation] : allocations_)
    result.push_back(&allocation);
  return result;
}

void DeviceMemory::set_flags(const void *pointer, unsigned flags) {
  auto found = allocations_.find(reinterpret_cast<uintptr_t>(pointer));
  if (found != allocations_.end())
    found->second.flags = flags;
}

void DeviceMemory::clear() {
  for (auto it = allocations_.begin(); it != allocations_.end();) {
    if (it->second.kind == MemoryKind::symbol) {
      ++it;
      continue;
    }
    hbm_.release(it->second.start);
    it = allocations_.erase(it);
  }
}

} // namespace neuronify
