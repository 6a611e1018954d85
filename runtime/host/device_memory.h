// The allocations of a program: what lives where, how large, and whose.
#pragma once

#include "chip/hbm.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace neuronify {

enum class MemoryKind : uint8_t {
  device,  ///< malloc, mallocPitch, mallocAsync
  managed, ///< mallocManaged
  host,    ///< mallocHost, hostAlloc: pinned, and visible to kernels
  symbol,  ///< a `__device__` or `__constant__` variable
};

struct DeviceAllocation {
  char *start = nullptr;
  size_t size = 0;
  MemoryKind kind = MemoryKind::device;
  uint64_t number = 0; ///< counts the program's allocations from 1; 0 for variables
  std::string name;    ///< the variable's; empty for others
  unsigned flags = 0;  ///< as given to hostAlloc
  /// "allocation 3 (4096 bytes)" or "variable 'coefficients' (36 bytes)"
  std::string describe() const;
};

/// Bookkeeping over the arena of the chip model. Not thread safe: the runtime locks.
class DeviceMemory {
public:
  /// The pattern of memory that nobody has written.
  static constexpr uint32_t kFresh = 0x7FFD7FFD;

  explicit DeviceMemory(size_t capacity) : hbm_(capacity) {}

  /// Fresh memory aligned to 256 bytes, or null where the device or this machine has no room.
  const DeviceAllocation *allocate(size_t size, MemoryKind kind, std::string name = {});
  /// A `__managed__` variable: memory of the program's own that is device memory, too.
  const DeviceAllocation *adopt(void *start, size_t size, std::string name);
  /// False where `pointer` is not the start of a live allocation of that kind.
  bool release(const void *pointer, MemoryKind kind);
  /// The live allocation that contains `address`, or null.
  const DeviceAllocation *find(const void *address) const;
  /// All live allocations, in order of address.
  std::vector<const DeviceAllocation *> all() const;
  void set_flags(const void *pointer, unsigned flags);
  /// Releases everything but variables.
  void clear();

  nki::chip::Hbm &hbm() { return hbm_; }
  const nki::chip::Hbm &hbm() const { return hbm_; }
  size_t used() const { return hbm_.used(); }
  size_t capacity() const { return hbm_.capacity(); }

private:
  nki::chip::Hbm hbm_;
  std::map<uintptr_t, DeviceAllocation> allocations_; // by start
  uint64_t numbers_ = 0;
};

} // namespace neuronify
