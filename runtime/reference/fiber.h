// Stacks, and switching between them: the threads of a block that wait for each other.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NEURONIFY_ADDRESS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define NEURONIFY_ADDRESS_SANITIZER
#endif
#ifdef NEURONIFY_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace neuronify::reference {

/// Stacks side by side, each with an unmapped page below it (unless there are very many). Pages are
/// taken when touched, and kept, so that the next block and the next launch find them warm.
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
inline void switchFiber(Fiber &from, Fiber &to, bool for_good = false);

// --- Inline, since a thread switches at every barrier ---

/// What the fiber that runs now does first: `from` has just been left.
inline void arriveFrom(Fiber &from, boost::context::detail::fcontext_t left) {
  from.context = left;
#ifdef NEURONIFY_ADDRESS_SANITIZER
  const void *bottom = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(from.next->sanitizer_state, &bottom, &bytes);
  if (!from.stack_bottom) {
    from.stack_bottom = bottom;
    from.stack_bytes = bytes;
  }
#endif
}

inline void switchFiber(Fiber &from, Fiber &to, [[maybe_unused]] bool for_good) {
  from.next = &to;
#ifdef NEURONIFY_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(for_good ? nullptr : &from.sanitizer_state, to.stack_bottom,
                                 to.stack_bytes);
#endif
  boost::context::detail::transfer_t back =
      boost::context::detail::jump_fcontext(to.context, &from);
  arriveFrom(*static_cast<Fiber *>(back.data), back.fctx);
}

} // namespace neuronify::reference
