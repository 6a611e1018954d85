#include "checker.h"
#include "device/operations.h"

#include <algorithm>
#include <iterator>

namespace neuronify::reference {

Checker::Checker(const Checks &checks, const Memory &memory, Findings &findings, Range shared,
                 uint32_t threads)
    : checks_(checks), memory_(memory), findings_(findings), shared_(shared),
      shadow_(checks, findings, shared.begin, size_t(shared.end - shared.begin), threads) {}

bool Checker::access(uint32_t thread, uint32_t site, const std::byte *address, size_t size,
                     uint32_t flags, const void *value) {
  if (size == 0)
    return true;
  if (shared_.contains(address, size)) {
    shadow_.access(thread, site, address, size, flags, value);
    return true;
  }
  if (checks_.watched && flags & AccessWrite)
    watch(thread, site, address, size);
  if (!checks_.out_of_bounds || inBounds(address, size))
    return true;
  if (findings_.isNew("out of bounds", site))
    findings_.add("out of bounds", thread, site,
                  describeOutside(thread, address, size, flags & AccessWrite));
  return false;
}

void Checker::watch(uint32_t thread, uint32_t site, const std::byte *address, size_t size) {
  auto *watched = static_cast<const std::byte *>(checks_.watched);
  if (address + size <= watched || address >= watched + checks_.watched_bytes)
    return;
  const Site place = findings_.site(site);
  writer_ = Writer{findings_.block(), findings_.threadAt(thread), place.file, place.line,
                   writer_ ? writer_->writes + 1 : 1};
}

bool Checker::inBounds(const std::byte *address, size_t size) {
  for (size_t i = 0; i < std::size(recent_); ++i)
    if (recent_[i].contains(address, size)) {
      std::rotate(recent_, recent_ + i, recent_ + i + 1);
      return true;
    }
  for (const Range &range : always_)
    if (range.contains(address, size))
      return true;
  auto [start, bytes] = memory_.allocation(address);
  Range range{static_cast<const std::byte *>(start), static_cast<const std::byte *>(start) + bytes};
  if (!bytes || !range.contains(address, size))
    return false;
  std::move_backward(recent_, std::end(recent_) - 1, std::end(recent_));
  recent_[0] = range;
  return true;
}

std::string Checker::describeOutside(uint32_t thread, const std::byte *address, size_t size,
                                     bool writes) {
  std::string message = findings_.thread(thread) + " of block " + text(findings_.block()) +
                        (writes ? " writes " : " reads ") + std::to_string(size) + " bytes ";
  if (uintptr_t(address) < 4096)
    return message + "through a null pointer";
  // The nearest allocation tells most: look for one at growing distances.
  for (size_t distance = 0; distance <= 1 << 20; distance = distance ? distance * 2 : 1)
    for (int side : {-1, 1}) {
      if (side < 0 && uintptr_t(address) < distance)
        continue;
      const std::byte *near = side < 0 ? address - distance : address + distance;
      auto [start, bytes] = memory_.allocation(near);
      if (!bytes)
        continue;
      const std::byte *begin = static_cast<const std::byte *>(start), *end = begin + bytes;
      std::string of = " an allocation of " + std::to_string(bytes) + " bytes";
      if (address < begin)
        return message + std::to_string(begin - address) + " bytes before" + of;
      if (address < end)
        return message + "across the end of" + of;
      return message + std::to_string(address - end) + " bytes past the end of" + of;
    }
  return message + "outside every allocation";
}

} // namespace neuronify::reference
