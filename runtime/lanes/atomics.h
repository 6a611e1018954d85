// Atomic operations: a read-modify-write per lane, as if the lanes did it one after the other in
// lane order.
//
// CUDA leaves the order of atomics open; lane order is one legal order, it never depends on timing,
// and it is the order in which the reference runs threads, so that what a lane finds compares too.
// No instruction is atomic between cores: kernels with atomics on device memory run with
// Order::sequential. How conflicts inside of a wave are resolved depends on the places
// (docs/design.md, "Atomics").
#pragma once

#include "lanes/launch.h"
#include "lanes/memory.h"

#include <bit>

namespace nki {

/// What happens to the 32-bit word. Integers wrap; f operations are on float.
enum class Atomic : uint8_t {
  add,
  sub,
  exchange,
  smin,
  smax,
  umin,
  umax,
  bit_and,
  bit_or,
  bit_xor,
  increment, ///< old >= value ? 0 : old + 1, unsigned
  decrement, ///< old == 0 || old > value ? value : old - 1, unsigned
  fadd,
  fsub,
  fmin, ///< the other operand where one is NaN
  fmax,
  compare_swap, ///< old == compare ? value : old
};

/// A tile of 32-bit elements {P, F}, or one number for all lanes, by its bits.
struct Word {
  Word(const Tensor &tile) : tile(tile) {}
  Word(int32_t value) : bits(uint32_t(value)) {}
  Word(uint32_t value) : bits(value) {}
  Word(float value) : bits(std::bit_cast<uint32_t>(value)) {}
  Tensor tile;
  uint32_t bits = 0;
};

/// One operation per lane of `mask` on the word at `place`. `old`, {P, F}, gets what each lane of
/// the mask found there; without a tile nobody asks. `compare` is for compare_swap.
/// Lanes of a launch-known mask at a launch-known place outside of all allocations are an error;
/// places that the chip computes are skipped there. `old` may be a tile of `value` or `compare`.
void atomic(const Wave &wave, Atomic op, const Tensor &old, const Place &place, const Word &value,
            const Mask &mask, const Word &compare = 0);

// The words of emitted kernels, without and with the old value.
#define NEURONIFY_ATOMIC(name, op)                                                                 \
  inline void atomic_##name(const Wave &wave, const Place &place, const Word &value,               \
                            const Mask &mask) {                                                    \
    atomic(wave, Atomic::op, {}, place, value, mask);                                              \
  }                                                                                                \
  inline void fetch_##name(const Wave &wave, const Tensor &old, const Place &place,                \
                           const Word &value, const Mask &mask) {                                  \
    atomic(wave, Atomic::op, old, place, value, mask);                                             \
  }
NEURONIFY_ATOMIC(add, add)
NEURONIFY_ATOMIC(sub, sub)
NEURONIFY_ATOMIC(exch, exchange)
NEURONIFY_ATOMIC(min, smin)
NEURONIFY_ATOMIC(max, smax)
NEURONIFY_ATOMIC(umin, umin)
NEURONIFY_ATOMIC(umax, umax)
NEURONIFY_ATOMIC(and, bit_and)
NEURONIFY_ATOMIC(or, bit_or)
NEURONIFY_ATOMIC(xor, bit_xor)
NEURONIFY_ATOMIC(inc, increment)
NEURONIFY_ATOMIC(dec, decrement)
NEURONIFY_ATOMIC(fadd, fadd)
NEURONIFY_ATOMIC(fsub, fsub)
NEURONIFY_ATOMIC(fmin, fmin)
NEURONIFY_ATOMIC(fmax, fmax)
#undef NEURONIFY_ATOMIC
inline void atomic_cas(const Wave &wave, const Place &place, const Word &compare, const Word &value,
                       const Mask &mask) {
  atomic(wave, Atomic::compare_swap, {}, place, value, mask, compare);
}
inline void fetch_cas(const Wave &wave, const Tensor &old, const Place &place, const Word &compare,
                      const Word &value, const Mask &mask) {
  atomic(wave, Atomic::compare_swap, old, place, value, mask, compare);
}

} // namespace nki
