// DPX: sums, minima and maxima in one function, on 32-bit integers and on pairs of 16-bit ones.
#pragma once

#define NEURONIFY_DPX static __host__ __device__ __forceinline__

#define NEURONIFY_DPX_SCALAR(suffix, type)                                                         \
  NEURONIFY_DPX type __vimax3_##suffix(type a, type b, type c) { return max(max(a, b), c); }       \
  NEURONIFY_DPX type __vimin3_##suffix(type a, type b, type c) { return min(min(a, b), c); }       \
  NEURONIFY_DPX type __viaddmax_##suffix(type a, type b, type c) {                                 \
    return max((type)((unsigned)a + (unsigned)b), c);                                              \
  }                                                                                                \
  NEURONIFY_DPX type __viaddmin_##suffix(type a, type b, type c) {                                 \
    return min((type)((unsigned)a + (unsigned)b), c);                                              \
  }                                                                                                \
  NEURONIFY_DPX type __vibmax_##suffix(type a, type b, bool *first) {                              \
    *first = a >= b;                                                                               \
    return max(a, b);                                                                              \
  }                                                                                                \
  NEURONIFY_DPX type __vibmin_##suffix(type a, type b, bool *first) {                              \
    *first = a <= b;                                                                               \
    return min(a, b);                                                                              \
  }
NEURONIFY_DPX_SCALAR(s32, int)
NEURONIFY_DPX_SCALAR(u32, unsigned)
#undef NEURONIFY_DPX_SCALAR

NEURONIFY_DPX int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
NEURONIFY_DPX int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
NEURONIFY_DPX int __vimax3_s32_relu(int a, int b, int c) { return max(__vimax3_s32(a, b, c), 0); }
NEURONIFY_DPX int __vimin3_s32_relu(int a, int b, int c) { return max(__vimin3_s32(a, b, c), 0); }
NEURONIFY_DPX int __viaddmax_s32_relu(int a, int b, int c) {
  return max(__viaddmax_s32(a, b, c), 0);
}
NEURONIFY_DPX int __viaddmin_s32_relu(int a, int b, int c) {
  return max(__viaddmin_s32(a, b, c), 0);
}

// One half of a pair, widened, and two halves put together.
#define NEURONIFY_LOW(half, value) ((int)(half)(value))
#define NEURONIFY_HIGH(half, value) ((int)(half)((value) >> 16))
#define NEURONIFY_PAIR(low, high)                                                                  \
  ((unsigned)(unsigned short)(low) | (unsigned)(unsigned short)(high) << 16)

#define NEURONIFY_DPX_PAIR(suffix, half)                                                           \
  NEURONIFY_DPX unsigned __vimax3_##suffix(unsigned a, unsigned b, unsigned c) {                   \
    return NEURONIFY_PAIR(                                                                         \
        max(max(NEURONIFY_LOW(half, a), NEURONIFY_LOW(half, b)), NEURONIFY_LOW(half, c)),          \
        max(max(NEURONIFY_HIGH(half, a), NEURONIFY_HIGH(half, b)), NEURONIFY_HIGH(half, c)));      \
  }                                                                                                \
  NEURONIFY_DPX unsigned __vimin3_##suffix(unsigned a, unsigned b, unsigned c) {                   \
    return NEURONIFY_PAIR(                                                                         \
        min(min(NEURONIFY_LOW(half, a), NEURONIFY_LOW(half, b)), NEURONIFY_LOW(half, c)),          \
        min(min(NEURONIFY_HIGH(half, a), NEURONIFY_HIGH(half, b)), NEURONIFY_HIGH(half, c)));      \
  }                                                                                                \
  NEURONIFY_DPX unsigned __viaddmax_##suffix(unsigned a, unsigned b, unsigned c) {                 \
    return NEURONIFY_PAIR(                                                                         \
        max((int)(half)(NEURONIFY_LOW(half, a) + NEURONIFY_LOW(half, b)), NEURONIFY_LOW(half, c)), \
        max((int)(half)(NEURONIFY_HIGH(half, a) + NEURONIFY_HIGH(half, b)),                        \
            NEURONIFY_HIGH(half, c)));                                                             \
  }                                                                                                \
  NEURONIFY_DPX unsigned __viaddmin_##suffix(unsigned a, unsigned b, unsigned c) {                 \
    return NEURONIFY_PAIR(                                                                         \
        min((int)(half)(NEURONIFY_LOW(half, a) + NEURONIFY_LOW(half, b)), NEURONIFY_LOW(half, c)), \
        min((int)(half)(NEURONIFY_HIGH(half, a) + NEURONIFY_HIGH(half, b)),                        \
            NEURONIFY_HIGH(half, c)));                                                             \
  }                                                                                                \
  NEURONIFY_DPX unsigned __vibmax_##suffix(unsigned a, unsigned b, bool *first_high,               \
                                           bool *first_low) {                                      \
    *first_high = NEURONIFY_HIGH(half, a) >= NEURONIFY_HIGH(half, b);                              \
    *first_low = NEURONIFY_LOW(half, a) >= NEURONIFY_LOW(half, b);                                 \
    return NEURONIFY_PAIR(*first_low ? a : b, (*first_high ? a : b) >> 16);                        \
  }                                                                                                \
  NEURONIFY_DPX unsigned __vibmin_##suffix(unsigned a, unsigned b, bool *first_high,               \
                                           bool *first_low) {                                      \
    *first_high = NEURONIFY_HIGH(half, a) <= NEURONIFY_HIGH(half, b);                              \
    *first_low = NEURONIFY_LOW(half, a) <= NEURONIFY_LOW(half, b);                                 \
    return NEURONIFY_PAIR(*first_low ? a : b, (*first_high ? a : b) >> 16);                        \
  }
NEURONIFY_DPX_PAIR(s16x2, short)
NEURONIFY_DPX_PAIR(u16x2, unsigned short)
#undef NEURONIFY_DPX_PAIR

// The same with negative halves replaced by zero.
#define NEURONIFY_RELU(value)                                                                      \
  NEURONIFY_PAIR(max(NEURONIFY_LOW(short, value), 0), max(NEURONIFY_HIGH(short, value), 0))
#define NEURONIFY_DPX_RELU(name)                                                                   \
  NEURONIFY_DPX unsigned name##_relu(unsigned a, unsigned b, unsigned c) {                         \
    const unsigned value = name(a, b, c);                                                          \
    return NEURONIFY_RELU(value);                                                                  \
  }
NEURONIFY_DPX_RELU(__vimax3_s16x2)
NEURONIFY_DPX_RELU(__vimin3_s16x2)
NEURONIFY_DPX_RELU(__viaddmax_s16x2)
NEURONIFY_DPX_RELU(__viaddmin_s16x2)
#undef NEURONIFY_DPX_RELU
#define NEURONIFY_DPX_RELU(name, function)                                                         \
  NEURONIFY_DPX unsigned name(unsigned a, unsigned b) {                                            \
    const unsigned value =                                                                         \
        NEURONIFY_PAIR(function(NEURONIFY_LOW(short, a), NEURONIFY_LOW(short, b)),                 \
                       function(NEURONIFY_HIGH(short, a), NEURONIFY_HIGH(short, b)));              \
    return NEURONIFY_RELU(value);                                                                  \
  }
NEURONIFY_DPX_RELU(__vimax_s16x2_relu, max)
NEURONIFY_DPX_RELU(__vimin_s16x2_relu, min)
#undef NEURONIFY_DPX_RELU

#undef NEURONIFY_RELU
#undef NEURONIFY_PAIR
#undef NEURONIFY_HIGH
#undef NEURONIFY_LOW
#undef NEURONIFY_DPX
