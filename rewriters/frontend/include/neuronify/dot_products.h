// Products of the bytes or halves of integers, summed onto a third operand.
#pragma once

#define NEURONIFY_BYTE(type, value, n) ((type)((value) >> 8 * (n)))
#define NEURONIFY_HALF(type, value, n) ((type)((value) >> 16 * (n)))

#define NEURONIFY_DOT(result, byte, half)                                                          \
  static __device__ __forceinline__ result __dp4a(result a, result b, result c) {                  \
    return c + (result)NEURONIFY_BYTE(byte, a, 0) * NEURONIFY_BYTE(byte, b, 0) +                   \
           (result)NEURONIFY_BYTE(byte, a, 1) * NEURONIFY_BYTE(byte, b, 1) +                       \
           (result)NEURONIFY_BYTE(byte, a, 2) * NEURONIFY_BYTE(byte, b, 2) +                       \
           (result)NEURONIFY_BYTE(byte, a, 3) * NEURONIFY_BYTE(byte, b, 3);                        \
  }                                                                                                \
  /* two halves of a with the two low (lo) or high (hi) bytes of b */                              \
  static __device__ __forceinline__ result __dp2a_lo(result a, result b, result c) {               \
    return c + (result)NEURONIFY_HALF(half, a, 0) * NEURONIFY_BYTE(byte, b, 0) +                   \
           (result)NEURONIFY_HALF(half, a, 1) * NEURONIFY_BYTE(byte, b, 1);                        \
  }                                                                                                \
  static __device__ __forceinline__ result __dp2a_hi(result a, result b, result c) {               \
    return c + (result)NEURONIFY_HALF(half, a, 0) * NEURONIFY_BYTE(byte, b, 2) +                   \
           (result)NEURONIFY_HALF(half, a, 1) * NEURONIFY_BYTE(byte, b, 3);                        \
  }
NEURONIFY_DOT(int, signed char, short)
NEURONIFY_DOT(unsigned, unsigned char, unsigned short)
#undef NEURONIFY_DOT
#undef NEURONIFY_HALF
#undef NEURONIFY_BYTE

static __device__ __forceinline__ int __dp4a(char4 a, char4 b, int c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
static __device__ __forceinline__ unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return c + (unsigned)a.x * b.x + (unsigned)a.y * b.y + (unsigned)a.z * b.z + (unsigned)a.w * b.w;
}
