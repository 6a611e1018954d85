// fp16 and bf16 as arithmetic types of host code: each operation rounds once.
#pragma once

#include "lanes/half_bits.h"

#include <cmath>
#include <type_traits>

namespace neuronify::halves {

/// The operations that differ between the two formats; on floats that are numbers of the format.
struct Half {
  static constexpr uint16_t bits(auto x) { return uint16_t(nki::float_to_half(x)); }
  static constexpr float value(uint16_t bits) { return nki::half_to_float(int16_t(bits)); }
  static constexpr float fma(float a, float b, float c) { return nki::fma_half(a, b, c); }
};
struct Bfloat {
  static constexpr uint16_t bits(auto x) { return uint16_t(nki::float_to_bfloat(x)); }
  static constexpr float value(uint16_t bits) { return nki::bfloat_to_float(int16_t(bits)); }
  static constexpr float fma(float a, float b, float c) { return nki::fma_bfloat(a, b, c); }
};

template <class Format> struct Scalar {
  uint16_t bits;

  Scalar() = default;
  constexpr explicit Scalar(float x) : bits(Format::bits(x)) {}
  constexpr explicit Scalar(double x) : bits(Format::bits(x)) {}
  template <class T>
    requires std::is_integral_v<T>
  constexpr explicit Scalar(T x) : bits(Format::bits(double(x))) {}
  constexpr explicit operator float() const { return Format::value(bits); }

  // A float has more than twice the digits, so rounding its result rounds once.
  friend constexpr Scalar operator+(Scalar a, Scalar b) { return Scalar(float(a) + float(b)); }
  friend constexpr Scalar operator-(Scalar a, Scalar b) { return Scalar(float(a) - float(b)); }
  friend constexpr Scalar operator*(Scalar a, Scalar b) { return Scalar(float(a) * float(b)); }
  friend constexpr Scalar operator/(Scalar a, Scalar b) { return Scalar(float(a) / float(b)); }
  friend constexpr Scalar operator-(Scalar a) {
    a.bits ^= 0x8000;
    return a;
  }
  friend constexpr bool operator==(Scalar a, Scalar b) { return float(a) == float(b); }
  friend constexpr bool operator!=(Scalar a, Scalar b) { return float(a) != float(b); }
  friend constexpr bool operator<(Scalar a, Scalar b) { return float(a) < float(b); }
  friend constexpr bool operator<=(Scalar a, Scalar b) { return float(a) <= float(b); }
  friend constexpr bool operator>(Scalar a, Scalar b) { return float(a) > float(b); }
  friend constexpr bool operator>=(Scalar a, Scalar b) { return float(a) >= float(b); }
};

template <class F> constexpr Scalar<F> fma(Scalar<F> a, Scalar<F> b, Scalar<F> c) {
  return Scalar<F>(F::fma(float(a), float(b), float(c)));
}
template <class F> constexpr Scalar<F> abs(Scalar<F> a) {
  a.bits &= 0x7fff;
  return a;
}
template <class F> Scalar<F> sqrt(Scalar<F> a) { return Scalar<F>(std::sqrt(float(a))); }

} // namespace neuronify::halves
