#include "chip/hbm.h"

#include "nki/error.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <sys/mman.h>

namespace nki::chip {

namespace {

constexpr size_t kAlignment = 256, kPage = 4096;
/// Blocks of this size and more consist of whole pages, which go back to the system.
constexpr size_t kLarge = size_t(1) << 20;
/// Address space becomes accessible in steps of this size.
constexpr size_t kStep = size_t(16) << 20;

size_t alignment(size_t size) { return size + kAlignment >= kLarge ? kPage : kAlignment; }
size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }
/// What a block takes: one byte more at least, so that its end is no other's start.
size_t padded(size_t size) { return round_up(size + 1, alignment(size)); }

char *pointer_to(uintptr_t address) { return reinterpret_cast<char *>(address); }

/// Zeroes what somebody else has used before.
void clear(char *start, size_t size) {
  if (size >= kLarge)
    madvise(start, size, MADV_DONTNEED);
  else
    std::memset(start, 0, size);
}

} // namespace

Hbm::~Hbm() {
  for (const auto &[start, region] : regions_)
    munmap(pointer_to(start), region.size);
}

/// A block in `region`, in the first gap that is large enough, or behind all others; or null.
void *Hbm::place(uintptr_t start, Region &region, size_t size) {
  const size_t need = padded(size), align = alignment(size);
  for (auto [gap, length] : region.gaps) {
    const size_t at = round_up(gap, align);
    if (at + need > gap + length)
      continue;
    region.gaps.erase(gap);
    if (at > gap)
      region.gaps.emplace(gap, at - gap);
    if (at + need < gap + length)
      region.gaps.emplace(at + need, gap + length - at - need);
    clear(pointer_to(start + at), need);
    return pointer_to(start + at);
  }
  const size_t at = round_up(region.top, align), end = at + need;
  if (end > region.size)
    return nullptr;
  if (end > region.committed) {
    const size_t committed = std::min(region.size, round_up(end, kStep));
    if (mprotect(pointer_to(start), committed, PROT_READ | PROT_WRITE) != 0)
      return nullptr;
    region.committed = committed;
  }
  if (at > region.top)
    region.gaps.emplace(region.top, at - region.top);
  region.top = end;
  if (need >= kLarge)
    madvise(pointer_to(start + at), need, MADV_HUGEPAGE); // far fewer faults on first use
  return pointer_to(start + at);
}

void *Hbm::obtain(size_t size) {
  if (size > SIZE_MAX / 2)
    return nullptr;
  for (auto &[start, region] : regions_)
    if (void *pointer = place(start, region, size))
      return pointer;
  Region region;
  region.size = std::max(kRegion, padded(size));
  void *space =
      mmap(nullptr, region.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED)
    return nullptr;
  auto [position, fresh] = regions_.emplace(reinterpret_cast<uintptr_t>(space), std::move(region));
  return place(position->first, position->second, size);
}

void Hbm::give_back(uintptr_t start, size_t size) {
  auto position = std::prev(regions_.upper_bound(start));
  Region &region = position->second;
  size_t at = start - position->first, length = padded(size);
  if (length >= kLarge)
    madvise(pointer_to(start), length, MADV_DONTNEED);
  auto next = region.gaps.lower_bound(at);
  if (next != region.gaps.end() && next->first == at + length) {
    length += next->second;
    next = region.gaps.erase(next);
  }
  if (next != region.gaps.begin())
    if (auto before = std::prev(next); before->first + before->second == at) {
      at = before->first;
      length += before->second;
      region.gaps.erase(before);
    }
  region.gaps.emplace(at, length);
  if (length == region.top && region.size > kRegion) {
    munmap(pointer_to(position->first), region.size);
    regions_.erase(position);
  }
}

void *Hbm::allocate(size_t size) {
  std::unique_lock lock(mutex_);
  void *pointer = size <= capacity_ && used_ <= capacity_ - size ? obtain(size) : nullptr;
  if (!pointer)
    throw Error("device memory", "out of memory: " + std::to_string(size) + " bytes wanted, " +
                                     std::to_string(used_) + " of " + std::to_string(capacity_) +
                                     " bytes in use");
  allocations_.emplace(reinterpret_cast<uintptr_t>(pointer), Block{size, false});
  used_ += size;
  return pointer;
}

void Hbm::adopt(void *start, size_t size) {
  std::unique_lock lock(mutex_);
  allocations_.insert_or_assign(reinterpret_cast<uintptr_t>(start), Block{size, true});
}

void Hbm::release(void *pointer) {
  std::unique_lock lock(mutex_);
  auto found = allocations_.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == allocations_.end())
    throw Error("device memory", "released pointer is not the start of a live allocation");
  if (!found->second.adopted) {
    give_back(found->first, found->second.size);
    used_ -= found->second.size;
  }
  allocations_.erase(found);
}

std::optional<Allocation> Hbm::find(const void *address) const {
  std::shared_lock lock(mutex_);
  auto key = reinterpret_cast<uintptr_t>(address);
  auto next = allocations_.upper_bound(key);
  if (next == allocations_.begin())
    return std::nullopt;
  const auto &[start, block] = *std::prev(next);
  if (key - start >= block.size)
    return std::nullopt;
  return Allocation{pointer_to(start), block.size};
}

std::vector<Allocation> Hbm::windows() const {
  std::shared_lock lock(mutex_);
  std::vector<Allocation> result;
  auto add = [&](uintptr_t start, size_t size) {
    for (size_t done = 0; done < size; done += kRegion)
      result.push_back({pointer_to(start + done), std::min(kRegion, size - done)});
  };
  for (const auto &[start, region] : regions_)
    if (region.top)
      add(start, region.top);
  uintptr_t first = 0, end = 0; // of adopted memory that goes together
  for (const auto &[start, block] : allocations_) {
    if (!block.adopted || block.size == 0)
      continue;
    if (end && start + block.size - first > kRegion) {
      add(first, end - first);
      end = 0;
    }
    if (!end)
      first = start;
    end = std::max(end, start + block.size);
  }
  if (end)
    add(first, end - first);
  std::sort(result.begin(), result.end(),
            [](const Allocation &a, const Allocation &b) { return std::less<>()(a.base, b.base); });
  return result;
}

size_t Hbm::used() const {
  std::shared_lock lock(mutex_);
  return used_;
}

} // namespace nki::chip
