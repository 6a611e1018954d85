// Atomic operations on 64-bit integers, as lanes/atomics.h has them for 32-bit words.
#pragma once

#include "lanes/atomics.h"
#include "lanes/wide.h"

namespace nki {

/// `op` is one for integers that CUDA has for 64 bits: all but increment and decrement.
void atomic(const Wave &wave, Atomic op, const Wide &old, const Place &place,
            const WideOperand &value, const Mask &mask, const WideOperand &compare = 0);

#define NEURONIFY_ATOMIC(name, op)                                                                 \
  inline void atomic_##name##64(const Wave &wave, const Place &place, const WideOperand &value,    \
                                const Mask &mask) {                                                \
    atomic(wave, Atomic::op, Wide(), place, value, mask);                                          \
  }                                                                                                \
  inline void fetch_##name##64(const Wave &wave, const Wide &old, const Place &place,              \
                               const WideOperand &value, const Mask &mask) {                       \
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
#undef NEURONIFY_ATOMIC
inline void atomic_cas64(const Wave &wave, const Place &place, const WideOperand &compare,
                         const WideOperand &value, const Mask &mask) {
  atomic(wave, Atomic::compare_swap, Wide(), place, value, mask, compare);
}
inline void fetch_cas64(const Wave &wave, const Wide &old, const Place &place,
                        const WideOperand &compare, const WideOperand &value, const Mask &mask) {
  atomic(wave, Atomic::compare_swap, old, place, value, mask, compare);
}

} // namespace nki
