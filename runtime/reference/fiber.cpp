#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

namespace neuronify::reference {

using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

Stacks::~Stacks() { release(); }

void Stacks::release() {
  if (base_)
    munmap(base_, count_ * stride_);
  base_ = nullptr;
  count_ = bytes_ = stride_ = 0;
}

bool Stacks::reserve(size_t count, size_t bytes) {
  if (count <= count_ && bytes <= bytes_)
    return true;
  count = count > count_ ? count : count_;
  bytes = bytes > bytes_ ? bytes : bytes_;
  release();
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  bytes = (bytes + page - 1) / page * page;
  // A process may have some 65,000 stretches of memory; as many stacks go without pages between.
  constexpr size_t most_guarded = 16384;
  const bool guarded = count <= most_guarded;
  const size_t stride = bytes + page;
  void *base = mmap(nullptr, count * stride, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (base == MAP_FAILED)
    return false;
  base_ = static_cast<std::byte *>(base);
  count_ = count;
  bytes_ = bytes;
  stride_ = stride;
  for (size_t i = 0; guarded && i < count; ++i)
    if (mprotect(base_ + i * stride, page, PROT_NONE) != 0)
      return false;
  return true;
}

namespace {

void enter(transfer_t transfer) {
  Fiber &from = *static_cast<Fiber *>(transfer.data);
  Fiber &self = *from.next;
  arriveFrom(from, transfer.fctx);
  self.body(self.owner);
}

} // namespace

void prepare(Fiber &fiber, const Stacks &stacks, size_t index, void (*body)(void *owner)) {
  // Tops at different distances from a page keep threads out of each other's cache lines.
  constexpr size_t colours = 32, step = 192;
  std::byte *top = stacks.top(index) - index % colours * step;
  fiber.stack_bytes = stacks.bytes() - index % colours * step;
  fiber.stack_bottom = top - fiber.stack_bytes;
  fiber.sanitizer_state = nullptr;
  fiber.body = body;
  fiber.context = make_fcontext(top, fiber.stack_bytes, enter);
}

} // namespace neuronify::reference
