// The words that emitted kernels use on top of places, masks and operations: indexing as in the
// original, and overloads that let an operand be a tile or a number.
#pragma once

#include "lanes/memory.h"
#include "lanes/ops.h"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace nki {

// ---- places
// --------------------------------------------------------------------------------------

/// `index` as 64 bits; narrower ones are signed.
inline Index wide(const Index &index) { return index.bits() < 64 ? sext(index, 64) : index; }

inline Place Place::at(const Index &element, int64_t bytes) const {
  return *this + wide(element) * Index(bytes);
}
template <class T> Place hbm<T>::operator[](const Index &element) const {
  return nki::at(*this).at(element, sizeof(T));
}
template <class T> Place hbm<T>::operator[](const Tensor &element) const {
  return nki::at(*this).plus(element, sizeof(T));
}
template <class T> Place hbm<T>::byte(const Index &offset) const {
  return nki::at(*this) + wide(offset);
}

/// The number of an address in device memory.
template <class T> int64_t address(hbm<T> p) { return reinterpret_cast<int64_t>(p.pointer); }

/// Position of a lane in its warp: threads count x fastest.
Index lane_id(const Wave &wave);

// ---- select and assign of tiles of any type
// ------------------------------------------------------

/// A long is the literal -2147483648.
template <class T>
concept WholeNumber = std::same_as<T, int> || std::same_as<T, long>;
template <class T>
concept TileOrNumber = std::same_as<T, Tensor> || std::same_as<T, float> || WholeNumber<T>;

/// dst = mask ? a : b, for operands of dst's type.
template <TileOrNumber A, TileOrNumber B>
void select(const Tensor &dst, const Mask &mask, const A &a, const B &b) {
  auto whole = [](const auto &x) {
    if constexpr (WholeNumber<std::remove_cvref_t<decltype(x)>>)
      return IntOperand(int32_t(x));
    else
      return IntOperand(x);
  };
  if constexpr (std::same_as<A, float> || std::same_as<B, float>)
    select(dst, mask, FloatOperand(a), FloatOperand(b));
  else if constexpr (WholeNumber<A> || WholeNumber<B>)
    select(dst, mask, whole(a), whole(b));
  else if (dst.dtype() == DType::float32)
    select(dst, mask, FloatOperand(a), FloatOperand(b));
  else
    select(dst, mask, whole(a), whole(b));
}

// ---- derived operations
// ----------------------------------------------------------------------------

void ffs(const Tensor &dst, const Tensor &a); ///< position of the lowest set bit from 1; 0 for 0
void ctz(const Tensor &dst, const Tensor &a); ///< zeros below the lowest set bit; 32 for 0
/// Funnel shifts: the high / low word of (a:b) shifted by count modulo 32.
void fshl(const Tensor &dst, const IntOperand &a, const IntOperand &b, const IntOperand &count);
void fshr(const Tensor &dst, const IntOperand &a, const IntOperand &b, const IntOperand &count);
void copysign(const Tensor &dst, const FloatOperand &magnitude, const FloatOperand &sign);
void saturate(const Tensor &dst, const Tensor &a); ///< clamp to [0, 1]; NaN gives 0
void float_to_int_rn(const Tensor &dst, const Tensor &a);
void float_to_uint_rn(const Tensor &dst, const Tensor &a);
void float_to_int_rd(const Tensor &dst, const Tensor &a);
void float_to_int_ru(const Tensor &dst, const Tensor &a);

// ---- host scalars, with CUDA's meaning where C++ leaves it open
// ------------------------------------

/// Division that is defined where the original's would not be reached.
template <std::integral T> T sdiv(T a, T b) {
  return b == 0 ? T(0) : b == T(-1) ? T(0 - std::make_unsigned_t<T>(a)) : T(a / b);
}
template <std::integral T> T srem(T a, T b) { return b == 0 || b == T(-1) ? T(0) : T(a % b); }
template <std::integral T> T udiv(T a, T b) { return b == 0 ? T(0) : T(a / b); }
template <std::integral T> T urem(T a, T b) { return b == 0 ? T(0) : T(a % b); }
template <std::integral T> T shl(T a, T count) {
  return T(std::make_unsigned_t<T>(a) << (count & T(8 * sizeof(T) - 1)));
}
template <std::integral T> T lshr(T a, T count) {
  return T(std::make_unsigned_t<T>(a) >> (count & T(8 * sizeof(T) - 1)));
}
template <std::integral T> T ashr(T a, T count) {
  return T(std::make_signed_t<T>(a) >> (count & T(8 * sizeof(T) - 1)));
}
template <std::integral T> T smin(T a, T b) { return a < b ? a : b; }
template <std::integral T> T smax(T a, T b) { return a < b ? b : a; }
template <std::integral T> T umin(T a, T b) { return a < b ? a : b; }
template <std::integral T> T umax(T a, T b) { return a < b ? b : a; }
template <std::integral T> T iabs(T a) { return a < 0 ? T(0 - std::make_unsigned_t<T>(a)) : a; }
template <std::floating_point T> bool ord(T a, T b) { return !std::isnan(a) && !std::isnan(b); }
template <std::floating_point T> bool uno(T a, T b) { return !ord(a, b); }
template <std::floating_point T> bool one(T a, T b) { return ord(a, b) && a != b; }
template <std::floating_point T> bool ueq(T a, T b) { return !one(a, b); }
/// Truncates toward zero and saturates; NaN gives 2^63, as PTX's cvt to 64 bits, of which narrower
/// integers keep their zeros.
template <std::floating_point T> int64_t float_to_int(T a) {
  if (std::isnan(a))
    return std::numeric_limits<int64_t>::min();
  constexpr T kLimit = 9223372036854775808.0f;
  return a >= kLimit   ? std::numeric_limits<int64_t>::max()
         : a < -kLimit ? std::numeric_limits<int64_t>::min()
                       : int64_t(a);
}
template <std::floating_point T> uint64_t float_to_uint(T a) {
  if (std::isnan(a))
    return uint64_t(1) << 63;
  if (a <= 0)
    return 0;
  return a >= 18446744073709551616.0f ? std::numeric_limits<uint64_t>::max() : uint64_t(a);
}
/// Lanes per segment from the control word of a shuffle instruction.
inline int shuffle_width(int control) { return 32 - ((control >> 8) & 31); }

} // namespace nki
