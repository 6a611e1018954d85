// Atomic operations on 16 bits, in lane order (lanes/atomics.h): additions to 16-bit floats, each
// rounded as the original's, and compare-and-swap.
//
// A sum that is rounded at every step cannot be combined. So lanes that name one place take turns:
// in round k the k-th of them, for all places at the same time. Places that only the chip knows may
// all be one; there each lane has a round of its own.
#pragma once

#include "lanes/half.h"

namespace nki {

/// *place += value for the lanes of `mask`; values are numbers of the format, in fp32. `old` gets
/// what each lane found, likewise.
void atomic_fadd_half(const Wave &wave, const Place &place, const FloatOperand &value,
                      const Mask &mask);
void atomic_fadd_bfloat(const Wave &wave, const Place &place, const FloatOperand &value,
                        const Mask &mask);
void fetch_fadd_half(const Wave &wave, const Tensor &old, const Place &place,
                     const FloatOperand &value, const Mask &mask);
void fetch_fadd_bfloat(const Wave &wave, const Tensor &old, const Place &place,
                       const FloatOperand &value, const Mask &mask);

/// The 16 bits of `value` where the place holds those of `compare`; `old` gets the bits that each
/// lane found, without sign. Taken in turns like the sums.
void atomic_cas16(const Wave &wave, const Place &place, const IntOperand &compare,
                  const IntOperand &value, const Mask &mask);
void fetch_cas16(const Wave &wave, const Tensor &old, const Place &place, const IntOperand &compare,
                 const IntOperand &value, const Mask &mask);

} // namespace nki
