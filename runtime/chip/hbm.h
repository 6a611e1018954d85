// Device memory: one arena of host memory that all cores share.
//
// Pointers into it mean the same to the host, to the reference runner and to the chip model, so
// pointers stored in device memory keep working. Allocations lie in few regions of address space
// that are reserved at once, as they would lie in one tensor over a chip's memory: an address that
// a kernel has loaded is an index into one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace nki::chip {

struct Allocation {
  void *base = nullptr;
  size_t size = 0;
};

class Hbm {
public:
  /// Bytes of a region; an allocation that is larger gets one of its own.
  static constexpr size_t kRegion = size_t(2) << 30;

  /// `capacity` in bytes; the default is no limit.
  explicit Hbm(size_t capacity = SIZE_MAX) : capacity_(capacity) {}
  ~Hbm();
  Hbm(const Hbm &) = delete;
  Hbm &operator=(const Hbm &) = delete;

  /// Zeroed memory, aligned to 256 bytes. Size 0 gives a distinct pointer. Throws nki::Error with
  /// the sizes when the capacity is exceeded.
  void *allocate(size_t size);
  /// Makes memory of somebody else, which outlives this, device memory as it is: a variable that
  /// host and device code share. It does not count towards the capacity.
  void adopt(void *start, size_t size);
  /// Throws nki::Error for anything that is not the start of a live allocation.
  void release(void *pointer);
  /// The live allocation that contains `address`; none for one past the end.
  std::optional<Allocation> find(const void *address) const;
  /// Stretches of at most kRegion bytes, in order of address, that hold all live allocations and
  /// what lies between them.
  std::vector<Allocation> windows() const;
  size_t used() const;
  size_t capacity() const { return capacity_; }

private:
  struct Block {
    size_t size; ///< as asked for
    bool adopted;
  };
  /// Reserved address space, filled from below. The blocks in use and the gaps make up [0, top).
  struct Region {
    size_t size = 0, top = 0;
    size_t committed = 0;          ///< bytes from the start on that may be accessed
    std::map<size_t, size_t> gaps; ///< start, size
  };
  void *obtain(size_t size);
  void *place(uintptr_t start, Region &region, size_t size);
  void give_back(uintptr_t start, size_t size);

  mutable std::shared_mutex mutex_;
  std::map<uintptr_t, Block> allocations_; // by start
  std::map<uintptr_t, Region> regions_;    // by start
  size_t used_ = 0;
  size_t capacity_;
};

} // namespace nki::chip
