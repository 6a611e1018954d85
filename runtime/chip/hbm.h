// Device memory: one arena of host memory that all cores share.
//
// Pointers into it mean the same to the host, to the reference runner and to the chip model, so
// pointers stored in device memory keep working.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>

namespace nki::chip {

struct Allocation {
  void *base = nullptr;
  size_t size = 0;
};

class Hbm {
public:
  /// `capacity` in bytes; the default is no limit.
  explicit Hbm(size_t capacity = SIZE_MAX) : capacity_(capacity) {}
  ~Hbm();
  Hbm(const Hbm &) = delete;
  Hbm &operator=(const Hbm &) = delete;

  /// Zeroed memory, aligned to 256 bytes. Size 0 gives a distinct pointer. Throws nki::Error with
  /// the sizes when the capacity is exceeded.
  void *allocate(size_t size);
  /// Throws nki::Error for anything that is not the start of a live allocation.
  void release(void *pointer);
  /// The live allocation that contains `address`; none for one past the end.
  std::optional<Allocation> find(const void *address) const;
  size_t used() const;
  size_t capacity() const { return capacity_; }

private:
  mutable std::shared_mutex mutex_;
  std::map<uintptr_t, size_t> allocations_; // start, size
  size_t used_ = 0;
  size_t capacity_;
};

} // namespace nki::chip
