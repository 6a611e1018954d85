// SIMD within a word: two halves or four bytes at a time (`__vadd2`, `__vmaxu4`, …).
#pragma once
#include "definitions.h"

// Applies f to each field of type T of a and b; the result of f is cut to the field.
template <class T, class F> static inline uint32_t eachField(uint32_t a, uint32_t b, F f) {
  const int width = 8 * sizeof(T);
  const uint32_t field = width == 16 ? 0xffff : 0xff;
  uint32_t result = 0;
  for (int at = 0; at < 32; at += width)
    result |= ((uint32_t)f((int)(T)(a >> at), (int)(T)(b >> at)) & field) << at;
  return result;
}
template <class T> static inline int saturated(int x) {
  const int width = 8 * sizeof(T);
  const int low = (T)-1 < 0 ? -(1 << (width - 1)) : 0;
  const int high = (T)-1 < 0 ? (1 << (width - 1)) - 1 : (1 << width) - 1;
  return x < low ? low : x > high ? high : x;
}
template <class T> static inline uint32_t sumOfDifferences(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (unsigned at = 0; at < 32; at += 8 * sizeof(T)) {
    int x = (T)(a >> at), y = (T)(b >> at);
    sum += (uint32_t)(x > y ? x - y : y - x);
  }
  return sum;
}

#define PACKED(name, T, ...)                                                                       \
  DEVICE uint32_t __nv_v##name(uint32_t a, uint32_t b) {                                           \
    return eachField<T>(a, b, [](int x, int y) -> int { return __VA_ARGS__; });                    \
  }
#define PACKED_UNARY(name, T, ...)                                                                 \
  DEVICE uint32_t __nv_v##name(uint32_t a) {                                                       \
    return eachField<T>(a, 0, [](int x, int) -> int { return __VA_ARGS__; });                      \
  }
#define PACKED_COMPARE(name, n, T, op)                                                             \
  PACKED(cmp##name##n, T, x op y ? -1 : 0)                                                         \
  PACKED(set##name##n, T, x op y)
#define PACKED_ALL(n, S, U)                                                                        \
  PACKED(add##n, U, x + y)                                                                         \
  PACKED(addss##n, S, saturated<S>(x + y))                                                         \
  PACKED(addus##n, U, saturated<U>(x + y))                                                         \
  PACKED(sub##n, U, x - y)                                                                         \
  PACKED(subss##n, S, saturated<S>(x - y))                                                         \
  PACKED(subus##n, U, saturated<U>(x - y))                                                         \
  PACKED(avgs##n, S, (x + y + (x + y >= 0)) >> 1)                                                  \
  PACKED(avgu##n, U, (x + y + 1) >> 1)                                                             \
  PACKED(haddu##n, U, (x + y) >> 1)                                                                \
  PACKED(maxs##n, S, x > y ? x : y)                                                                \
  PACKED(maxu##n, U, x > y ? x : y)                                                                \
  PACKED(mins##n, S, x < y ? x : y)                                                                \
  PACKED(minu##n, U, x < y ? x : y)                                                                \
  PACKED(absdiffs##n, S, x > y ? x - y : y - x)                                                    \
  PACKED(absdiffu##n, U, x > y ? x - y : y - x)                                                    \
  PACKED_UNARY(abs##n, S, x < 0 ? -x : x)                                                          \
  PACKED_UNARY(absss##n, S, saturated<S>(x < 0 ? -x : x))                                          \
  PACKED_UNARY(neg##n, S, -x)                                                                      \
  PACKED_UNARY(negss##n, S, saturated<S>(-x))                                                      \
  DEVICE uint32_t __nv_vsads##n(uint32_t a, uint32_t b) { return sumOfDifferences<S>(a, b); }      \
  DEVICE uint32_t __nv_vsadu##n(uint32_t a, uint32_t b) { return sumOfDifferences<U>(a, b); }      \
  PACKED_COMPARE(eq, n, U, ==)                                                                     \
  PACKED_COMPARE(ne, n, U, !=)                                                                     \
  PACKED_COMPARE(ges, n, S, >=)                                                                    \
  PACKED_COMPARE(geu, n, U, >=)                                                                    \
  PACKED_COMPARE(gts, n, S, >)                                                                     \
  PACKED_COMPARE(gtu, n, U, >)                                                                     \
  PACKED_COMPARE(les, n, S, <=)                                                                    \
  PACKED_COMPARE(leu, n, U, <=)                                                                    \
  PACKED_COMPARE(lts, n, S, <)                                                                     \
  PACKED_COMPARE(ltu, n, U, <)
PACKED_ALL(2, int16_t, uint16_t)
PACKED_ALL(4, int8_t, uint8_t)
