#include "chip/memory.h"

#include "chip/generations.h"
#include "chip/storage.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <tuple>

namespace nki::chip {

namespace {

constexpr int64_t kPage = 4096, kLine = 64, kHugePage = int64_t(2) << 20;

int64_t block_size(int64_t bytes) {
  return (std::max<int64_t>(bytes, 1) + kPage - 1) / kPage * kPage;
}

/// The address sanitizer should see where a tile ends.
constexpr bool kOneByOne =
#if __has_feature(address_sanitizer)
    true;
#else
    false;
#endif

} // namespace

CoreMemory::CoreMemory(int64_t sbuf_bytes, int64_t psum_bytes) {
  sbuf_.capacity = sbuf_.fresh = sbuf_bytes;
  psum_.capacity = psum_.fresh = psum_bytes;
}

CoreMemory::~CoreMemory() {
  for (void *slab : slabs_)
    std::free(slab);
}

uint8_t *CoreMemory::host_block(int64_t bytes) {
  std::vector<uint8_t *> &idle = idle_[block_size(bytes)];
  if (!idle.empty()) {
    uint8_t *base = idle.back();
    idle.pop_back();
    return base;
  }
  // Starts are spread over the lines of a page: tiles that start alike would make the host's loads
  // wait for stores that only look as if they overlapped.
  uint8_t *block = carve(block_size(bytes) + kPage);
  if (!block)
    return nullptr;
  next_colour_ = (next_colour_ + 11) % int(kPage / kLine);
  return block + next_colour_ * kLine;
}

uint8_t *CoreMemory::carve(int64_t bytes) {
  if (bytes > slab_left_) {
    // Huge pages, where the host has them, lie in its caches without conflicts.
    int64_t size = kOneByOne ? bytes : (bytes + 2 * kHugePage - 1) / kHugePage * kHugePage;
    void *slab = std::aligned_alloc(size_t(kOneByOne ? kPage : kHugePage), size_t(size));
    if (!slab)
      return nullptr;
    if (!kOneByOne)
      madvise(slab, size_t(size), MADV_HUGEPAGE);
    slabs_.push_back(slab);
    slab_ = static_cast<uint8_t *>(slab);
    slab_left_ = size;
  }
  uint8_t *start = slab_;
  slab_ += bytes;
  slab_left_ -= bytes;
  return start;
}

CoreMemory::Block CoreMemory::take(Buffer buffer, int64_t row_bytes, int64_t host_bytes,
                                   const std::string &name) {
  std::lock_guard lock(mutex_);
  Space &space = buffer == Buffer::psum ? psum_ : sbuf_;
  if (row_bytes > space.capacity - space.used)
    return {nullptr, 0};
  uint8_t *base = host_block(host_bytes);
  if (!base)
    return {nullptr, 0};
  space.used += row_bytes;
  space.peak = std::max(space.peak, space.used);
  ++space.live[{name, row_bytes}];

  double available_at = 0;
  int64_t wanted = row_bytes;
  int64_t fresh = std::min(space.fresh, wanted);
  space.fresh -= fresh;
  wanted -= fresh;
  while (wanted > 0 && !space.freed.empty()) {
    Space::Freed &oldest = space.freed.front();
    int64_t bytes = std::min(oldest.bytes, wanted);
    available_at = std::max(available_at, oldest.at);
    oldest.bytes -= bytes;
    wanted -= bytes;
    if (oldest.bytes == 0)
      space.freed.pop_front();
  }
  return {base, available_at};
}

void CoreMemory::put(Buffer buffer, uint8_t *base, int64_t row_bytes, int64_t host_bytes,
                     const std::string &name, double free_at) {
  std::lock_guard lock(mutex_);
  Space &space = buffer == Buffer::psum ? psum_ : sbuf_;
  space.used -= row_bytes;
  --space.live[{name, row_bytes}];
  if (row_bytes > 0)
    space.freed.push_back({row_bytes, free_at});
  idle_[block_size(host_bytes)].push_back(base);
}

uint8_t *CoreMemory::arena(Buffer buffer) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<uint8_t[]> &arena = buffer == Buffer::psum ? psum_arena_ : sbuf_arena_;
  const int64_t bytes = kPartitions * (buffer == Buffer::psum ? psum_ : sbuf_).capacity;
  if (!arena) {
    arena = std::make_unique_for_overwrite<uint8_t[]>(size_t(bytes));
    std::memset(arena.get(), 0xff, size_t(bytes)); // NaN in every float
  }
  return arena.get();
}

double CoreMemory::place(Storage &tile, int64_t partition) {
  std::lock_guard lock(mutex_);
  double free_at = 0;
  for (const Storage *other : placed_)
    if (other->buffer == tile.buffer && other->partitions > partition &&
        other->placed_byte < tile.placed_byte + tile.row_bytes &&
        tile.placed_byte < other->placed_byte + other->row_bytes)
      free_at = std::max({free_at, other->written_at, other->read_until});
  placed_.push_back(&tile);
  return free_at;
}

void CoreMemory::lift(Storage &tile) {
  std::lock_guard lock(mutex_);
  std::erase(placed_, &tile);
}

void CoreMemory::over_placed(const Storage &tile, const std::function<void(Storage &)> &f) {
  std::lock_guard lock(mutex_);
  for (Storage *other : placed_)
    if (other != &tile && other->buffer == tile.buffer)
      f(*other);
}

std::string CoreMemory::largest(Buffer buffer) const {
  constexpr size_t kMost = 5; // groups that are listed
  std::lock_guard lock(mutex_);
  const Space &space = buffer == Buffer::psum ? psum_ : sbuf_;
  struct Group {
    int64_t bytes;
    std::string text;
  };
  std::vector<Group> groups;
  for (const auto &[key, count] : space.live) {
    const auto &[name, bytes] = key;
    if (count == 0)
      continue;
    std::string text = name.empty()
                           ? std::to_string(count) + (count == 1 ? " tile of " : " tiles of ") +
                                 std::to_string(bytes)
                           : "'" + name + "' " + std::to_string(bytes);
    if (!name.empty() && count > 1)
      text += " (" + std::to_string(count) + " times)";
    groups.push_back({bytes * count, std::move(text)});
  }
  std::sort(groups.begin(), groups.end(), [](const Group &a, const Group &b) {
    return std::tie(b.bytes, a.text) < std::tie(a.bytes, b.text);
  });
  std::string text;
  for (size_t i = 0; i < std::min(groups.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + groups[i].text;
  return text;
}

CoreMemory::Space CoreMemory::space(Buffer buffer) const {
  std::lock_guard lock(mutex_);
  return buffer == Buffer::psum ? psum_ : sbuf_;
}

} // namespace nki::chip
