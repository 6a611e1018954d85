// Stacks, and switching between them: the threads of a block that wait for each other.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

namespace neuronify::reference {

/// Stacks side by side, each with an unmapped page below it. Pages are taken when touched, and
/// kept, so that the next block and the next launch find them warm.
class Stacks {
public:
  Stacks() = default;
  ~Stacks();
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;

  /// Makes at least `count` stacks of at least `bytes`. False where the system gives no memory.
  bool reserve(size_t count, size_t bytes);
  /// One past the highest byte of stack `index`.
  std::byte *top(size_t index) const { return base_ + (index + 1) * stride_; }
  size_t bytes() const { return bytes_; }
  /// All stacks as one stretch of memory.
  const std::byte *begin() const { return base_; }
  size_t size() const { return count_ * stride_; }

private:
  void release();

  std::byte *base_ = nullptr;
  size_t count_ = 0, bytes_ = 0, stride_ = 0;
};

/// A place where execution can be continued. The fiber that runs is known to its owner only.
struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
  Fiber *next = nullptr;              ///< the one it was left for
  const void *stack_bottom = nullptr; ///< for the address sanitizer
  size_t stack_bytes = 0;
  void *sanitizer_state = nullptr;
  void (*body)(void *owner) = nullptr;
  void *owner = nullptr;
};

/// Prepares `fiber` to call body(owner) on stack `index` when first switched to. `body` never
/// returns.
void prepare(Fiber &fiber, const Stacks &stacks, size_t index, void (*body)(void *owner));
/// Goes on in `to`; returns when somebody switches back to `from`, the running fiber. A fiber that
/// leaves `for_good` is never switched to again (before it is prepared anew).
void switchFiber(Fiber &from, Fiber &to, bool for_good = false);

} // namespace neuronify::reference
