#include "chip/scratch.h"

#include <array>
#include <cstdlib>
#include <new>
#include <utility>

namespace nki::chip {

namespace {

constexpr size_t kLine = 64, kMaxKept = size_t(4) << 20;

/// In front of each block.
struct alignas(kLine) Header {
  size_t bytes;
};

/// Spare blocks of one thread; freed with it.
class Spare {
public:
  ~Spare() {
    for (Header *block : blocks_)
      std::free(block);
  }
  /// The smallest that is large enough, or null.
  Header *take(size_t bytes) {
    Header **best = nullptr;
    for (Header *&block : blocks_)
      if (block && block->bytes >= bytes && (!best || block->bytes < (*best)->bytes))
        best = &block;
    return best ? std::exchange(*best, nullptr) : nullptr;
  }
  bool put(Header *header) {
    for (Header *&block : blocks_)
      if (!block && header->bytes <= kMaxKept) {
        block = header;
        return true;
      }
    return false;
  }

private:
  std::array<Header *, 8> blocks_{};
};

thread_local Spare spare; // scratch memory only: no result depends on it

} // namespace

void *take_scratch(size_t bytes) {
  bytes = (bytes + 4 * kLine - 1) / (4 * kLine) * (4 * kLine);
  Header *header = spare.take(bytes);
  if (!header) {
    header = static_cast<Header *>(std::aligned_alloc(kLine, sizeof(Header) + bytes));
    if (!header)
      throw std::bad_alloc();
    header->bytes = bytes;
  }
  return header + 1;
}

void put_scratch(void *block) {
  Header *header = static_cast<Header *>(block) - 1;
  if (!spare.put(header))
    std::free(header);
}

} // namespace nki::chip
