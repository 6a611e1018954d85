// 64-bit integers on the chip: a pair of int32 tiles per value, because no engine knows wider ones.
//
// Every operation is a sequence of exact 32-bit instructions (lanes/ops.h) and gives C's result
// modulo 2^64 for all inputs. `dst` may be the same pair as a source. A pair's two tiles are
// allocations of their own. Numbers for all lanes are given by value; where a word of such a number
// is 0 or all ones, what it would cost is left out.
#pragma once

#include "lanes/launch.h"
#include "lanes/memory.h"
#include "lanes/ops.h"

#include <concepts>
#include <cstdint>

namespace nki {

/// One 64-bit integer per lane: int32 tiles {P, F} with the bits below and from 2^32 on.
struct Wide {
  Tensor low, high;
  explicit operator bool() const { return bool(low); }
};

/// A pair of tiles, or one number for all lanes.
struct WideOperand { // not inline: see IntOperand
  WideOperand(const Wide &tile);
  WideOperand(const WideOperand &other);
  WideOperand &operator=(const WideOperand &) = default;
  ~WideOperand();
  template <std::integral T> WideOperand(T value) : value(int64_t(value)) {}
  bool is_number() const { return !tile; }
  IntOperand low() const { return tile ? IntOperand(tile.low) : IntOperand(int32_t(value)); }
  IntOperand high() const {
    return tile ? IntOperand(tile.high) : IntOperand(int32_t(value >> 32));
  }
  Wide tile;
  int64_t value = 0;
};

// ---- moving values -----------------------------------------------------------------------------
void fill(const Wide &dst, int64_t value);
void copy(const Wide &dst, const Wide &a);
/// Launch-known integers, sign-extended to 64 bits where they have fewer.
void materialize(const Wide &dst, const Index &value);
void assign(const Wide &variable, const WideOperand &value, const Mask &mask);
void select(const Wide &dst, const Mask &mask, const WideOperand &a, const WideOperand &b);
/// high * 2^32 + low, both as bits.
void words(const Wide &dst, const IntOperand &low, const IntOperand &high);

/// Addresses of device memory that the chip has loaded or computed.
Place at_address(const Wide &address);

/// dst = *place, store: *place = src, as for 32-bit tiles (lanes/memory.h) with 8 bytes each,
/// aligned to 4 bytes or more.
void load(const Wide &dst, const Place &place, int element_bytes, const Mask &mask);
void store(const Place &place, const WideOperand &src, int element_bytes, const Mask &mask);

// ---- arithmetic
// ----------------------------------------------------------------------------------
void iadd(const Wide &dst, const WideOperand &a, const WideOperand &b);
void isub(const Wide &dst, const WideOperand &a, const WideOperand &b);
void imul(const Wide &dst, const WideOperand &a, const WideOperand &b);
void smulhi(const Wide &dst, const WideOperand &a, const WideOperand &b); ///< high 64 bits
void umulhi(const Wide &dst, const WideOperand &a, const WideOperand &b);
/// The whole product of two 32-bit integers.
void smul_wide(const Wide &dst, const IntOperand &a, const IntOperand &b);
void umul_wide(const Wide &dst, const IntOperand &a, const IntOperand &b);
void sdiv(const Wide &dst, const WideOperand &a, const WideOperand &b); ///< b = 0: unspecified
void udiv(const Wide &dst, const WideOperand &a, const WideOperand &b);
void srem(const Wide &dst, const WideOperand &a, const WideOperand &b);
void urem(const Wide &dst, const WideOperand &a, const WideOperand &b);
void iabs(const Wide &dst, const Wide &a); ///< INT64_MIN stays what it is
void smin(const Wide &dst, const WideOperand &a, const WideOperand &b);
void smax(const Wide &dst, const WideOperand &a, const WideOperand &b);
void umin(const Wide &dst, const WideOperand &a, const WideOperand &b);
void umax(const Wide &dst, const WideOperand &a, const WideOperand &b);

// ---- bits
// ----------------------------------------------------------------------------------------
void iand(const Wide &dst, const WideOperand &a, const WideOperand &b);
void ior(const Wide &dst, const WideOperand &a, const WideOperand &b);
void ixor(const Wide &dst, const WideOperand &a, const WideOperand &b);
/// Shifts. A count for all lanes of 64 and more is clamped, as PTX does; per lane its result is
/// unspecified.
void shl(const Wide &dst, const WideOperand &a, const IntOperand &count);
void lshr(const Wide &dst, const WideOperand &a, const IntOperand &count);
void ashr(const Wide &dst, const WideOperand &a, const IntOperand &count);
/// Funnel shifts: the high / low 64 bits of (a:b) shifted by count modulo 64.
void fshl(const Wide &dst, const WideOperand &a, const WideOperand &b, const IntOperand &count);
void fshr(const Wide &dst, const WideOperand &a, const WideOperand &b, const IntOperand &count);
void popc(const Tensor &dst, const Wide &a);
void clz(const Tensor &dst, const Wide &a); ///< 64 for 0
void ffs(const Tensor &dst, const Wide &a); ///< from 1; 0 for 0
void ctz(const Tensor &dst, const Wide &a); ///< 64 for 0
void brev(const Wide &dst, const Wide &a);
/// Extends the low `bits` (1 to 32) of each lane to 64.
void sext(const Wide &dst, const Tensor &a, int bits);
void zext(const Wide &dst, const Tensor &a, int bits);
/// Extends the low `bits` (33 to 64) of a pair.
void sext(const Wide &dst, const Wide &a, int bits);
void zext(const Wide &dst, const Wide &a, int bits);

// ---- comparisons
// -----------------------------------------------------------------------------------
Mask eq(const Wave &wave, const WideOperand &a, const WideOperand &b);
Mask ne(const Wave &wave, const WideOperand &a, const WideOperand &b);
Mask slt(const Wave &wave, const WideOperand &a, const WideOperand &b);
Mask sle(const Wave &wave, const WideOperand &a, const WideOperand &b);
Mask ult(const Wave &wave, const WideOperand &a, const WideOperand &b);
Mask ule(const Wave &wave, const WideOperand &a, const WideOperand &b);

// ---- conversions
// -------------------------------------------------------------------------------------
/// To float, rounded once, to nearest even.
void int_to_float(const Tensor &dst, const Wide &a);
void uint_to_float(const Tensor &dst, const Wide &a);
/// Truncates toward zero and saturates; NaN gives 2^63, as PTX's cvt to 64 bits.
void float_to_int(const Wide &dst, const Tensor &a);
void float_to_uint(const Wide &dst, const Tensor &a);
/// The same after rounding to nearest even, down, up.
void float_to_int_rn(const Wide &dst, const Tensor &a);
void float_to_int_rd(const Wide &dst, const Tensor &a);
void float_to_int_ru(const Wide &dst, const Tensor &a);
void float_to_uint_rn(const Wide &dst, const Tensor &a);

// ---- across lanes of a warp
// ----------------------------------------------------------------------------
void shfl_up(const Wave &wave, const Wide &dst, const Wide &a, const Index &delta, int width);
void shfl_down(const Wave &wave, const Wide &dst, const Wide &a, const Index &delta, int width);
void shfl_xor(const Wave &wave, const Wide &dst, const Wide &a, const Index &lane_mask, int width);
void shfl(const Wave &wave, const Wide &dst, const Wide &a, const Index &source, int width);
void shfl(const Wave &wave, const Wide &dst, const Wide &a, const Tensor &source, int width);

} // namespace nki
