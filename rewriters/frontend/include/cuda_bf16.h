// bfloat16: __nv_bfloat16 and __nv_bfloat162 over Clang's __bf16.
#pragma once
#define __CUDA_BF16_H__ // NVIDIA's guards, so that a toolkit's copy of this header adds nothing
#define __CUDA_BF16_HPP__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_runtime.h"
#include "neuronify/begin_library.h"

#define NEURONIFY_H __nv_bfloat16
#define NEURONIFY_H2 __nv_bfloat162
#define NEURONIFY_RAW __nv_bfloat16_raw
#define NEURONIFY_RAW2 __nv_bfloat162_raw
#define NEURONIFY_SCALAR __bf16
#define __neuronify_clamp01 __neuronify_clamp01_bf16
#include "neuronify/half_type.inc"
#undef __neuronify_clamp01
#undef NEURONIFY_H
#undef NEURONIFY_H2
#undef NEURONIFY_RAW
#undef NEURONIFY_RAW2
#undef NEURONIFY_SCALAR

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

NEURONIFY_FN __nv_bfloat16 __float2bfloat16(const float a) { return __nv_bfloat16(a); }
NEURONIFY_FN __nv_bfloat16 __float2bfloat16_rn(const float a) { return __nv_bfloat16(a); }
NEURONIFY_FN __nv_bfloat16 __double2bfloat16(const double a) { return __nv_bfloat16(a); }
NEURONIFY_FN float __bfloat162float(const __nv_bfloat16 a) { return (float)a; }
NEURONIFY_FN __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a) { return {a, a}; }
NEURONIFY_FN __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b) {
  return {a, b};
}
NEURONIFY_FN __nv_bfloat162 make_bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b) {
  return {a, b};
}
NEURONIFY_FN __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 a) { return a.x; }
NEURONIFY_FN __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 a) { return a.y; }
NEURONIFY_FN float __low2float(const __nv_bfloat162 a) { return (float)a.x; }
NEURONIFY_FN float __high2float(const __nv_bfloat162 a) { return (float)a.y; }
NEURONIFY_FN __nv_bfloat162 __float2bfloat162_rn(const float a) {
  return {__nv_bfloat16(a), __nv_bfloat16(a)};
}
NEURONIFY_FN __nv_bfloat162 __floats2bfloat162_rn(const float a, const float b) {
  return {__nv_bfloat16(a), __nv_bfloat16(b)};
}
NEURONIFY_FN __nv_bfloat162 __float22bfloat162_rn(const float2 a) {
  return {__nv_bfloat16(a.x), __nv_bfloat16(a.y)};
}
NEURONIFY_FN float2 __bfloat1622float2(const __nv_bfloat162 a) { return {(float)a.x, (float)a.y}; }
NEURONIFY_FN unsigned short __bfloat16_as_ushort(const __nv_bfloat16 a) {
  return __builtin_bit_cast(unsigned short, a.value);
}
NEURONIFY_FN __nv_bfloat16 __ushort_as_bfloat16(const unsigned short a) {
  return __nv_bfloat16(__builtin_bit_cast(__bf16, a));
}

#define NEURONIFY_CONVERT(name, type)                                                              \
  NEURONIFY_FN __nv_bfloat16 __##name##2bfloat16_rn(const type a) {                                \
    return __nv_bfloat16((__bf16)a);                                                               \
  }                                                                                                \
  NEURONIFY_FN type __bfloat162##name##_rz(const __nv_bfloat16 a) { return (type)(float)a; }       \
  NEURONIFY_FN type __bfloat162##name##_rn(const __nv_bfloat16 a) { return (type)rintf((float)a); }
NEURONIFY_CONVERT(int, int)
NEURONIFY_CONVERT(uint, unsigned int)
NEURONIFY_CONVERT(short, short)
NEURONIFY_CONVERT(ushort, unsigned short)
NEURONIFY_CONVERT(ll, long long)
NEURONIFY_CONVERT(ull, unsigned long long)
#undef NEURONIFY_CONVERT

#undef NEURONIFY_FN
#undef NEURONIFY_DEVICE_FN

#include "neuronify/end_library.h"
