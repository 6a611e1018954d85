// Room for intermediate results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace nki::chip {

/// Takes a block of the calling thread's spare ones, or a new one. Blocks start on a cache line.
void *take_scratch(size_t bytes);
/// Keeps the block for the thread's next use, or frees it.
void put_scratch(void *block);

struct PutScratch {
  void operator()(void *block) const { put_scratch(block); }
};
template <class T> using Scratch = std::unique_ptr<T[], PutScratch>;

/// `count` elements, not initialised. Large blocks from the host's allocator would be unmapped and
/// faulted in again by every instruction.
template <class T> Scratch<T> scratch(int64_t count) {
  return Scratch<T>(static_cast<T *>(take_scratch(size_t(count) * sizeof(T))));
}

} // namespace nki::chip
