// Integer functions, bit tricks, and conversions between integers and floats.
#pragma once
#include "functions.h"

DEVICE int __nv_abs(int x) { return (int)(x < 0 ? 0u - (uint32_t)x : (uint32_t)x); }
DEVICE int64_t __nv_llabs(int64_t x) { return (int64_t)(x < 0 ? 0u - (uint64_t)x : (uint64_t)x); }
DEVICE int __nv_min(int a, int b) { return a < b ? a : b; }
DEVICE int __nv_max(int a, int b) { return a > b ? a : b; }
DEVICE uint32_t __nv_umin(uint32_t a, uint32_t b) { return a < b ? a : b; }
DEVICE uint32_t __nv_umax(uint32_t a, uint32_t b) { return a > b ? a : b; }
DEVICE int64_t __nv_llmin(int64_t a, int64_t b) { return a < b ? a : b; }
DEVICE int64_t __nv_llmax(int64_t a, int64_t b) { return a > b ? a : b; }
DEVICE uint64_t __nv_ullmin(uint64_t a, uint64_t b) { return a < b ? a : b; }
DEVICE uint64_t __nv_ullmax(uint64_t a, uint64_t b) { return a > b ? a : b; }

DEVICE int __nv_clz(int x) { return x ? __builtin_clz((uint32_t)x) : 32; }
DEVICE int __nv_clzll(int64_t x) { return x ? __builtin_clzll((uint64_t)x) : 64; }
DEVICE int __nv_popc(uint32_t x) { return __builtin_popcount(x); }
DEVICE int __nv_popcll(uint64_t x) { return __builtin_popcountll(x); }
DEVICE int __nv_ffs(int x) { return __builtin_ffs(x); }
DEVICE int __nv_ffsll(int64_t x) { return __builtin_ffsll(x); }
DEVICE int __nv_brev(int x) { return (int)__builtin_bitreverse32((uint32_t)x); }
DEVICE int64_t __nv_brevll(int64_t x) { return (int64_t)__builtin_bitreverse64((uint64_t)x); }

DEVICE int __nv_mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
DEVICE uint32_t __nv_umulhi(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }
DEVICE int64_t __nv_mul64hi(int64_t a, int64_t b) { return (int64_t)((__int128)a * b >> 64); }
DEVICE uint64_t __nv_umul64hi(uint64_t a, uint64_t b) {
  return (uint64_t)((unsigned __int128)a * b >> 64);
}
static inline int low24(int x) { return (int)((uint32_t)x << 8) >> 8; }
DEVICE int __nv_mul24(int a, int b) { return (int)((uint32_t)low24(a) * (uint32_t)low24(b)); }
DEVICE uint32_t __nv_umul24(uint32_t a, uint32_t b) { return (a & 0xffffff) * (b & 0xffffff); }

DEVICE int __nv_hadd(int a, int b) { return (int)(((int64_t)a + b) >> 1); }
DEVICE int __nv_rhadd(int a, int b) { return (int)(((int64_t)a + b + 1) >> 1); }
DEVICE uint32_t __nv_uhadd(uint32_t a, uint32_t b) { return (uint32_t)(((uint64_t)a + b) >> 1); }
DEVICE uint32_t __nv_urhadd(uint32_t a, uint32_t b) {
  return (uint32_t)(((uint64_t)a + b + 1) >> 1);
}
DEVICE uint32_t __nv_sad(int a, int b, uint32_t c) {
  return c + (a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a);
}
DEVICE uint32_t __nv_usad(uint32_t a, uint32_t b, uint32_t c) {
  return c + (a > b ? a - b : b - a);
}

// Byte i of the result is byte selector[4i+2..4i] of {b, a}; the selector's fourth bit spreads the
// sign of that byte instead.
DEVICE uint32_t __nv_byte_perm(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t source = (uint64_t)b << 32 | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t choice = selector >> 4 * i;
    uint32_t byte = (uint32_t)(source >> 8 * (choice & 7)) & 0xff;
    if (choice & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}
NVVM(uint32_t, "prmt", (uint32_t a, uint32_t b, uint32_t c), __nv_byte_perm(a, b, c))

NVVM(int, "mulhi.i", (int a, int b), __nv_mulhi(a, b))
NVVM(uint32_t, "mulhi.ui", (uint32_t a, uint32_t b), __nv_umulhi(a, b))
NVVM(int64_t, "mulhi.ll", (int64_t a, int64_t b), __nv_mul64hi(a, b))
NVVM(uint64_t, "mulhi.ull", (uint64_t a, uint64_t b), __nv_umul64hi(a, b))
NVVM(int16_t, "mulhi.s", (int16_t a, int16_t b), (int16_t)(a * b >> 16))
NVVM(uint16_t, "mulhi.us", (uint16_t a, uint16_t b), (uint16_t)((uint32_t)a * b >> 16))
NVVM(int, "mul24.i", (int a, int b), __nv_mul24(a, b))
NVVM(uint32_t, "mul24.ui", (uint32_t a, uint32_t b), __nv_umul24(a, b))
NVVM(uint32_t, "sad.i", (int a, int b, uint32_t c), __nv_sad(a, b, c))
NVVM(uint32_t, "sad.ui", (uint32_t a, uint32_t b, uint32_t c), __nv_usad(a, b, c))

// Position of the most significant bit that differs from the sign.
NVVM(int, "flo.u.i32", (uint32_t x, bool shift),
     !x      ? -1
     : shift ? __builtin_clz(x)
             : 31 - __builtin_clz(x))
NVVM(int, "flo.s.i32", (int x, bool shift),
     !(x ^ x >> 31) ? -1
     : shift        ? __builtin_clz((uint32_t)(x ^ x >> 31))
                    : 31 - __builtin_clz((uint32_t)(x ^ x >> 31)))

// The n-th set bit of mask, counted from `base` upwards (n > 0) or downwards.
static inline uint32_t nthSet(uint32_t mask, uint32_t base, int n) {
  int step = n < 0 ? -1 : 1;
  int left = n < 0 ? -n : n;
  for (int64_t at = base; at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && --left <= 0)
      return n || at == (int64_t)base ? (uint32_t)at : 0xffffffffu;
    else if (n == 0)
      break;
  return 0xffffffffu;
}
NVVM(uint32_t, "fns", (uint32_t mask, uint32_t base, int n), nthSet(mask, base, n))

// Funnel shifts whose amount is clamped at 32 instead of wrapping.
NVVM(uint32_t, "fshl.clamp.i32", (uint32_t hi, uint32_t lo, uint32_t n),
     n >= 32 ? lo : (uint32_t)(((uint64_t)hi << 32 | lo) << n >> 32))
NVVM(uint32_t, "fshr.clamp.i32", (uint32_t hi, uint32_t lo, uint32_t n),
     n >= 32 ? hi : (uint32_t)(((uint64_t)hi << 32 | lo) >> n))

// Dot products of packed bytes, and of packed halves with bytes.
template <class A, class B> static inline uint32_t dot4(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 4; ++i)
    c += (uint32_t)((A)(a >> 8 * i) * (B)(b >> 8 * i));
  return c;
}
template <class A, class B>
static inline uint32_t dot2(uint32_t a, uint32_t b, bool high, uint32_t c) {
  for (int i = 0; i < 2; ++i)
    c += (uint32_t)((int)(A)(a >> 16 * i) * (int)(B)(b >> 8 * (i + 2 * high)));
  return c;
}
#define DOT(suffix, narrow_a, wide_a, narrow_b)                                                    \
  NVVM(uint32_t, "idp4a." suffix, (uint32_t a, uint32_t b, uint32_t c),                            \
       dot4<narrow_a, narrow_b>(a, b, c))                                                          \
  NVVM(uint32_t, "idp2a." suffix, (uint32_t a, uint32_t b, bool high, uint32_t c),                 \
       dot2<wide_a, narrow_b>(a, b, high, c))
DOT("s.s", int8_t, int16_t, int8_t)
DOT("s.u", int8_t, int16_t, uint8_t)
DOT("u.s", uint8_t, uint16_t, int8_t)
DOT("u.u", uint8_t, uint16_t, uint8_t)

// Bit patterns.
DEVICE float __nv_int_as_float(int x) { return bits<float>(x); }
DEVICE float __nv_uint_as_float(uint32_t x) { return bits<float>(x); }
DEVICE int __nv_float_as_int(float x) { return bits<int>(x); }
DEVICE uint32_t __nv_float_as_uint(float x) { return bits<uint32_t>(x); }
DEVICE double __nv_longlong_as_double(int64_t x) { return bits<double>(x); }
DEVICE int64_t __nv_double_as_longlong(double x) { return bits<int64_t>(x); }
DEVICE int __nv_double2hiint(double x) { return (int)(bits<uint64_t>(x) >> 32); }
DEVICE int __nv_double2loint(double x) { return (int)bits<uint64_t>(x); }
DEVICE double __nv_hiloint2double(int hi, int lo) {
  return bits<double>((uint64_t)(uint32_t)hi << 32 | (uint32_t)lo);
}
NVVM(int, "d2i.hi", (double x), __nv_double2hiint(x))
NVVM(int, "d2i.lo", (double x), __nv_double2loint(x))
NVVM(double, "lohi.i2d", (int lo, int hi), __nv_hiloint2double(hi, lo))

// Classification.
DEVICE int __nv_isnanf(float x) { return isnan(x); }
DEVICE int __nv_isnand(double x) { return isnan(x); }
DEVICE int __nv_isinff(float x) { return isinf(x); }
DEVICE int __nv_isinfd(double x) { return isinf(x); }
DEVICE int __nv_finitef(float x) { return isfinite(x); }
DEVICE int __nv_isfinited(double x) { return isfinite(x); }
DEVICE int __nv_signbitf(float x) { return signbit(x); }
DEVICE int __nv_signbitd(double x) { return signbit(x); }

// Float to integer. The library is compiled so that a cast saturates and makes a NaN zero, as PTX
// does (-fno-strict-float-cast-overflow); to 64 bits a NaN becomes 2^63.
template <class T, class S> static T to_integer(S x) {
  if (sizeof(T) == 8 && isnan(x))
    return (T)((uint64_t)1 << 63);
  return (T)x;
}
#define TO_INTEGER(source, S, target, T, nvvm)                                                     \
  DEVICE T __nv_##source##2##target##_rn(S x) {                                                    \
    return to_integer<T>(__builtin_elementwise_rint(x));                                           \
  }                                                                                                \
  DEVICE T __nv_##source##2##target##_rz(S x) { return to_integer<T>(x); }                         \
  DEVICE T __nv_##source##2##target##_rd(S x) {                                                    \
    return to_integer<T>(__builtin_elementwise_floor(x));                                          \
  }                                                                                                \
  DEVICE T __nv_##source##2##target##_ru(S x) {                                                    \
    return to_integer<T>(__builtin_elementwise_ceil(x));                                           \
  }                                                                                                \
  NVVM(T, nvvm ".rn", (S x), __nv_##source##2##target##_rn(x))                                     \
  NVVM(T, nvvm ".rz", (S x), __nv_##source##2##target##_rz(x))                                     \
  NVVM(T, nvvm ".rm", (S x), __nv_##source##2##target##_rd(x))                                     \
  NVVM(T, nvvm ".rp", (S x), __nv_##source##2##target##_ru(x))
TO_INTEGER(float, float, int, int, "f2i")
TO_INTEGER(float, float, uint, uint32_t, "f2ui")
TO_INTEGER(float, float, ll, int64_t, "f2ll")
TO_INTEGER(float, float, ull, uint64_t, "f2ull")
TO_INTEGER(double, double, int, int, "d2i")
TO_INTEGER(double, double, uint, uint32_t, "d2ui")
TO_INTEGER(double, double, ll, int64_t, "d2ll")
TO_INTEGER(double, double, ull, uint64_t, "d2ull")

DEVICE int64_t __nv_llrint(double x) { return to_integer<int64_t>(__builtin_rint(x)); }
DEVICE int64_t __nv_llrintf(float x) { return to_integer<int64_t>(__builtin_rintf(x)); }
DEVICE int64_t __nv_llround(double x) { return to_integer<int64_t>(__builtin_round(x)); }
DEVICE int64_t __nv_llroundf(float x) { return to_integer<int64_t>(__builtin_roundf(x)); }

DEVICE double __nv_int2double_rn(int x) { return x; }
DEVICE double __nv_uint2double_rn(uint32_t x) { return x; }
NVVM(double, "i2d.rn", (int x), x)
NVVM(double, "ui2d.rn", (uint32_t x), x)

// Bit by bit, the row of the table that the three bits name.
static inline uint32_t lookUpBits(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (int bit = 0; bit < 32; ++bit)
    result |= (table >> ((a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1)) & 1) << bit;
  return result;
}
NVVM(uint32_t, "lop3", (uint32_t a, uint32_t b, uint32_t c, uint32_t table),
     lookUpBits(a, b, c, table))
