// fp16 and bf16: conversions and fused operations, each rounded once.
#pragma once
#include "approximate.h"

typedef _Float16 half2 __attribute__((ext_vector_type(2)));

// Rounding to odd keeps what a second rounding needs to know, so narrowing twice is correct.
static inline float roundedToOdd(double x) {
  float f = (float)x;
  if (isnan(x) || (double)f == x)
    return f;
  uint32_t pattern = bits<uint32_t>(f);
  if (pattern & 1)
    return f;
  return bits<float>(__builtin_fabs((double)f) > __builtin_fabs(x) ? pattern - 1 : pattern + 1);
}
// x*y + z, x*y exact in double, rounded to odd.
static inline double fusedToOdd(double x, double y, double z) {
  double product = x * y, sum = product + z;
  if (!isfinite(sum))
    return sum;
  double part = sum - product;
  double error = (product - (sum - part)) + (z - part);
  uint64_t pattern = bits<uint64_t>(sum);
  if (error == 0 || (pattern & 1))
    return sum;
  return bits<double>((error > 0) == (sum > 0) ? pattern + 1 : pattern - 1);
}

static inline uint16_t bfloatBits(float x) {
  uint32_t pattern = bits<uint32_t>(x);
  if (isnan(x))
    return (uint16_t)(pattern >> 16 | 0x40);
  return (uint16_t)((pattern + 0x7fff + (pattern >> 16 & 1)) >> 16);
}
static inline float bfloatValue(uint16_t pattern) { return bits<float>((uint32_t)pattern << 16); }
static inline float bfloatValue(__bf16 x) { return bfloatValue(bits<uint16_t>(x)); }
static inline __bf16 toBfloat(float x) { return bits<__bf16>(bfloatBits(x)); }

// What `fptrunc` becomes where the host has no instruction for it.
DEVICE uint16_t neuronify_float_to_bfloat(float x) { return bfloatBits(x); }
DEVICE uint16_t neuronify_double_to_bfloat(double x) { return bfloatBits(roundedToOdd(x)); }
DEVICE _Float16 neuronify_double_to_half(double x) { return (_Float16)roundedToOdd(x); }
DEVICE _Float16 neuronify_fma_half(_Float16 a, _Float16 b, _Float16 c) {
  return (_Float16)roundedToOdd(fusedToOdd(a, b, c));
}
DEVICE __bf16 neuronify_fma_bfloat(__bf16 a, __bf16 b, __bf16 c) {
  return toBfloat(roundedToOdd(fusedToOdd(bfloatValue(a), bfloatValue(b), bfloatValue(c))));
}

DEVICE uint16_t __nv_float2half_rn(float x) { return bits<uint16_t>((_Float16)x); }
DEVICE float __nv_half2float(uint16_t x) { return (float)bits<_Float16>(x); }
NVVM(uint16_t, "f2h.rn", (float x), __nv_float2half_rn(x))
NVVM(uint16_t, "f2h.rn.ftz", (float x), __nv_float2half_rn(flushed(x)))
NVVM(float, "h2f", (uint16_t x), __nv_half2float(x))
NVVM(uint16_t, "bf2h.rn", (__bf16 x), __nv_float2half_rn(bfloatValue(x)))

static inline float positive(float x) { return greatest(x, 0.0f); }
static inline uint16_t truncatedBfloat(float x) {
  return isnan(x) ? bfloatBits(x) : (uint16_t)(bits<uint32_t>(x) >> 16);
}
static inline _Float16 truncatedHalf(float x) {
  _Float16 h = (_Float16)x;
  if (isnan(x) || __builtin_fabsf((float)h) <= __builtin_fabsf(x))
    return h;
  return bits<_Float16>((uint16_t)(bits<uint16_t>(h) - 1));
}
NVVM(__bf16, "f2bf16.rn", (float x), toBfloat(x))
NVVM(__bf16, "f2bf16.rn.relu", (float x), toBfloat(positive(x)))
NVVM(__bf16, "f2bf16.rz", (float x), bits<__bf16>(truncatedBfloat(x)))
NVVM(__bf16, "f2bf16.rz.relu", (float x), bits<__bf16>(truncatedBfloat(positive(x))))
NVVM(_Float16, "f2f16.rn", (float x), (_Float16)x)
NVVM(_Float16, "f2f16.rn.relu", (float x), (_Float16)positive(x))
NVVM(_Float16, "f2f16.rz", (float x), truncatedHalf(x))
// The first operand becomes the upper half of the pair.
NVVM(uint32_t, "ff2bf16x2.rn", (float hi, float lo),
     (uint32_t)bfloatBits(hi) << 16 | bfloatBits(lo))
NVVM(uint32_t, "ff2bf16x2.rn.relu", (float hi, float lo),
     (uint32_t)bfloatBits(positive(hi)) << 16 | bfloatBits(positive(lo)))
NVVM(uint32_t, "ff2bf16x2.rz", (float hi, float lo),
     (uint32_t)truncatedBfloat(hi) << 16 | truncatedBfloat(lo))
NVVM(half2, "ff2f16x2.rn", (float hi, float lo), half2{(_Float16)lo, (_Float16)hi})
NVVM(half2, "ff2f16x2.rn.relu", (float hi, float lo),
     half2{(_Float16)positive(lo), (_Float16)positive(hi)})
NVVM(half2, "ff2f16x2.rz", (float hi, float lo), half2{truncatedHalf(lo), truncatedHalf(hi)})

// tf32 keeps ten bits of mantissa.
static inline int tf32(float x, uint32_t half) {
  return isnan(x) || isinf(x) ? bits<int>(x) : (int)((bits<uint32_t>(x) + half) & 0xffffe000u);
}
NVVM(int, "f2tf32.rna", (float x), tf32(x, 0x1000))
NVVM(int, "f2tf32.rn", (float x), tf32(x, 0xfff + (bits<uint32_t>(x) >> 13 & 1)))
NVVM(int, "f2tf32.rz", (float x), tf32(x, 0))

// Packed bf16 pairs travel as 32-bit words here.
template <class F> static inline uint32_t eachBfloat(uint32_t a, uint32_t b, uint32_t c, F f) {
  uint32_t lo = bits<uint16_t>(
      f(bits<__bf16>((uint16_t)a), bits<__bf16>((uint16_t)b), bits<__bf16>((uint16_t)c)));
  uint32_t hi =
      bits<uint16_t>(f(bits<__bf16>((uint16_t)(a >> 16)), bits<__bf16>((uint16_t)(b >> 16)),
                       bits<__bf16>((uint16_t)(c >> 16))));
  return hi << 16 | lo;
}
template <class F> static inline half2 eachHalf(half2 a, half2 b, half2 c, F f) {
  return half2{f(a.x, b.x, c.x), f(a.y, b.y, c.y)};
}
static inline _Float16 reluHalf(_Float16 x) { return greatest(x, (_Float16)0); }
static inline __bf16 reluBfloat(__bf16 x) { return toBfloat(positive(bfloatValue(x))); }
static inline _Float16 unitHalf(_Float16 x) { return least(greatest(x, (_Float16)0), (_Float16)1); }
static inline __bf16 unitBfloat(__bf16 x) { return toBfloat(__nv_saturatef(bfloatValue(x))); }

#define FUSED(suffix, of_half, of_bfloat)                                                          \
  NVVM(_Float16, "fma.rn." suffix "f16", (_Float16 a, _Float16 b, _Float16 c),                     \
       of_half(neuronify_fma_half(a, b, c)))                                                       \
  NVVM(half2, "fma.rn." suffix "f16x2", (half2 a, half2 b, half2 c),                               \
       eachHalf(a, b, c,                                                                           \
                [](auto x, auto y, auto z) { return of_half(neuronify_fma_half(x, y, z)); }))      \
  NVVM(__bf16, "fma.rn." suffix "bf16", (__bf16 a, __bf16 b, __bf16 c),                            \
       of_bfloat(neuronify_fma_bfloat(a, b, c)))                                                   \
  NVVM(uint32_t, "fma.rn." suffix "bf16x2", (uint32_t a, uint32_t b, uint32_t c),                  \
       eachBfloat(a, b, c, [](auto x, auto y, auto z) {                                            \
         return of_bfloat(neuronify_fma_bfloat(x, y, z));                                          \
       }))
#define AS_IS(x) x
FUSED("", AS_IS, AS_IS)
FUSED("relu.", reluHalf, reluBfloat)
FUSED("sat.", unitHalf, unitBfloat)

#define NARROW_MINIMUM(operation, function)                                                        \
  NVVM(__bf16, operation ".bf16", (__bf16 a, __bf16 b),                                            \
       toBfloat(function(bfloatValue(a), bfloatValue(b))))                                         \
  NVVM(uint32_t, operation ".bf16x2", (uint32_t a, uint32_t b),                                    \
       eachBfloat(a, b, b, [](auto x, auto y, auto) {                                              \
         return toBfloat(function(bfloatValue(x), bfloatValue(y)));                                \
       }))
NARROW_MINIMUM("fmin", least)
NARROW_MINIMUM("fmax", greatest)
NARROW_MINIMUM("fmin.nan", leastOrNan)
NARROW_MINIMUM("fmax.nan", greatestOrNan)
NVVM(half2, "fmin.f16x2", (half2 a, half2 b), least(a, b))
NVVM(half2, "fmax.f16x2", (half2 a, half2 b), greatest(a, b))
NVVM(half2, "fmin.nan.f16x2", (half2 a, half2 b), leastOrNan(a, b))
NVVM(half2, "fmax.nan.f16x2", (half2 a, half2 b), greatestOrNan(a, b))
NVVM(_Float16, "ex2.approx.f16", (_Float16 x), (_Float16)exp2((double)x))
NVVM(_Float16, "tanh.approx.f16", (_Float16 x), (_Float16)tanh((double)x))
NVVM(__bf16, "neg.bf16", (__bf16 x), bits<__bf16>((uint16_t)(bits<uint16_t>(x) ^ 0x8000)))
NVVM(uint32_t, "neg.bf16x2", (uint32_t x), x ^ 0x80008000u)
NVVM(_Float16, "fabs.f16", (_Float16 x), magnitude(x))
NVVM(half2, "fabs.v2f16", (half2 x), half2{magnitude(x.x), magnitude(x.y)})
NVVM(__bf16, "fabs.bf16", (__bf16 x), bits<__bf16>((uint16_t)(bits<uint16_t>(x) & 0x7fff)))
NVVM(uint32_t, "fabs.v2bf16", (uint32_t x), x & 0x7fff7fffu)
