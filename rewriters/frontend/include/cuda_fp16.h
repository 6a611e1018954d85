// 16-bit floating point: __half and __half2 over Clang's _Float16.
#pragma once
#define __CUDA_FP16_H__ // NVIDIA's guards, so that a toolkit's copy of this header adds nothing
#define __CUDA_FP16_HPP__
#define __CUDA_FP16_TYPES_EXIST__

#include "cuda_runtime.h"
#include "neuronify/begin_library.h"

#define NEURONIFY_H __half
#define NEURONIFY_H2 __half2
#define NEURONIFY_RAW __half_raw
#define NEURONIFY_RAW2 __half2_raw
#define NEURONIFY_SCALAR _Float16
#include "neuronify/half_type.inc"
#undef NEURONIFY_H
#undef NEURONIFY_H2
#undef NEURONIFY_RAW
#undef NEURONIFY_RAW2
#undef NEURONIFY_SCALAR

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

NEURONIFY_FN __half __float2half(const float a) { return __half(a); }
NEURONIFY_FN __half __float2half_rn(const float a) { return __half(a); }
NEURONIFY_FN __half __double2half(const double a) { return __half(a); }
NEURONIFY_FN float __half2float(const __half a) { return (float)a; }
NEURONIFY_FN __half2 __half2half2(const __half a) { return {a, a}; }
NEURONIFY_FN __half2 __halves2half2(const __half a, const __half b) { return {a, b}; }
NEURONIFY_FN __half2 make_half2(const __half a, const __half b) { return {a, b}; }
NEURONIFY_FN __half __low2half(const __half2 a) { return a.x; }
NEURONIFY_FN __half __high2half(const __half2 a) { return a.y; }
NEURONIFY_FN __half2 __low2half2(const __half2 a) { return {a.x, a.x}; }
NEURONIFY_FN __half2 __high2half2(const __half2 a) { return {a.y, a.y}; }
NEURONIFY_FN __half2 __lows2half2(const __half2 a, const __half2 b) { return {a.x, b.x}; }
NEURONIFY_FN __half2 __highs2half2(const __half2 a, const __half2 b) { return {a.y, b.y}; }
NEURONIFY_FN __half2 __lowhigh2highlow(const __half2 a) { return {a.y, a.x}; }
NEURONIFY_FN float __low2float(const __half2 a) { return (float)a.x; }
NEURONIFY_FN float __high2float(const __half2 a) { return (float)a.y; }
NEURONIFY_FN __half2 __float2half2_rn(const float a) { return {__half(a), __half(a)}; }
NEURONIFY_FN __half2 __floats2half2_rn(const float a, const float b) {
  return {__half(a), __half(b)};
}
NEURONIFY_FN __half2 __float22half2_rn(const float2 a) { return {__half(a.x), __half(a.y)}; }
NEURONIFY_FN float2 __half22float2(const __half2 a) { return {(float)a.x, (float)a.y}; }
NEURONIFY_FN unsigned short __half_as_ushort(const __half a) {
  return __builtin_bit_cast(unsigned short, a.value);
}
NEURONIFY_FN short __half_as_short(const __half a) { return __builtin_bit_cast(short, a.value); }
NEURONIFY_FN __half __ushort_as_half(const unsigned short a) {
  return __half(__builtin_bit_cast(_Float16, a));
}
NEURONIFY_FN __half __short_as_half(const short a) {
  return __half(__builtin_bit_cast(_Float16, a));
}

// Every integer up to 64 bits is converted exactly or rounded once.
#define NEURONIFY_CONVERT(name, type)                                                              \
  NEURONIFY_FN __half __##name##2half_rn(const type a) { return __half((_Float16)a); }             \
  NEURONIFY_FN type __half2##name##_rz(const __half a) { return (type)(float)a; }                  \
  NEURONIFY_FN type __half2##name##_rn(const __half a) { return (type)rintf((float)a); }           \
  NEURONIFY_FN type __half2##name##_rd(const __half a) { return (type)floorf((float)a); }          \
  NEURONIFY_FN type __half2##name##_ru(const __half a) { return (type)ceilf((float)a); }
NEURONIFY_CONVERT(int, int)
NEURONIFY_CONVERT(uint, unsigned int)
NEURONIFY_CONVERT(short, short)
NEURONIFY_CONVERT(ushort, unsigned short)
NEURONIFY_CONVERT(ll, long long)
NEURONIFY_CONVERT(ull, unsigned long long)
#undef NEURONIFY_CONVERT

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#undef NEURONIFY_FN
#undef NEURONIFY_DEVICE_FN

#include "neuronify/end_library.h"
