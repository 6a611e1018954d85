#include "chip/hbm.h"

#include "nki/error.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <sys/mman.h>

namespace nki::chip {

namespace {

constexpr size_t kAlignment = 256;
/// Blocks of this size and more come zeroed and untouched from the system.
constexpr size_t kMapThreshold = size_t(1) << 20;

size_t padded(size_t size) { return (size + kAlignment) / kAlignment * kAlignment; }

void *obtain(size_t size) {
  if (padded(size) >= kMapThreshold) {
    void *pointer = mmap(nullptr, padded(size), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pointer == MAP_FAILED)
      return nullptr;
    madvise(pointer, padded(size), MADV_HUGEPAGE); // far fewer faults on first use
    return pointer;
  }
  void *pointer = std::aligned_alloc(kAlignment, padded(size));
  if (pointer)
    std::memset(pointer, 0, padded(size));
  return pointer;
}

void give_back(void *pointer, size_t size) {
  if (padded(size) >= kMapThreshold)
    munmap(pointer, padded(size));
  else
    std::free(pointer);
}

} // namespace

Hbm::~Hbm() {
  for (auto [start, size] : allocations_)
    give_back(reinterpret_cast<void *>(start), size);
}

void *Hbm::allocate(size_t size) {
  std::unique_lock lock(mutex_);
  void *pointer = size <= capacity_ && used_ <= capacity_ - size ? obtain(size) : nullptr;
  if (!pointer)
    throw Error("device memory", "out of memory: " + std::to_string(size) + " bytes wanted, " +
                                     std::to_string(used_) + " of " + std::to_string(capacity_) +
                                     " bytes in use");
  allocations_.emplace(reinterpret_cast<uintptr_t>(pointer), size);
  used_ += size;
  return pointer;
}

void Hbm::release(void *pointer) {
  std::unique_lock lock(mutex_);
  auto found = allocations_.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == allocations_.end())
    throw Error("device memory", "released pointer is not the start of a live allocation");
  give_back(pointer, found->second);
  used_ -= found->second;
  allocations_.erase(found);
}

std::optional<Allocation> Hbm::find(const void *address) const {
  std::shared_lock lock(mutex_);
  auto key = reinterpret_cast<uintptr_t>(address);
  auto next = allocations_.upper_bound(key);
  if (next == allocations_.begin())
    return std::nullopt;
  auto [start, size] = *std::prev(next);
  if (key - start >= size)
    return std::nullopt;
  return Allocation{reinterpret_cast<void *>(start), size};
}

size_t Hbm::used() const {
  std::shared_lock lock(mutex_);
  return used_;
}

} // namespace nki::chip
