// SIMD within a word: two halves or four bytes at a time (`__vadd2`, `__vmaxu4`, …), as operations
// on whole words. Where fields meet, their highest bits are kept apart: `high` has a one in the
// highest bit of every field.
#pragma once
#include "definitions.h"

namespace {

template <int Width> struct Fields {
  static constexpr uint32_t high = Width == 16 ? 0x80008000u : 0x80808080u;
  static constexpr uint32_t rest = ~high;
  static constexpr uint32_t ones = high >> (Width - 1);

  /// All bits of the fields whose highest bit is set.
  static INLINE uint32_t filled(uint32_t x) {
    const uint32_t top = x & high;
    return (top << 1) - (top >> (Width - 1));
  }
  static INLINE uint32_t either(uint32_t mask, uint32_t a, uint32_t b) {
    return (a & mask) | (b & ~mask);
  }

  static INLINE uint32_t add(uint32_t a, uint32_t b) {
    return ((a & rest) + (b & rest)) ^ ((a ^ b) & high);
  }
  static INLINE uint32_t sub(uint32_t a, uint32_t b) {
    return ((a | high) - (b & rest)) ^ ((a ^ ~b) & high);
  }

  // Comparisons: the highest bit of a field is the answer.
  static INLINE uint32_t below(uint32_t a, uint32_t b) { // unsigned
    return ((~a & b) | (~(a ^ b) & sub(a, b))) & high;
  }
  static INLINE uint32_t less(uint32_t a, uint32_t b) { return below(a ^ high, b ^ high); }
  static INLINE uint32_t differ(uint32_t a, uint32_t b) {
    const uint32_t x = a ^ b;
    return (((x & rest) + rest) | x) & high;
  }

  // The largest or smallest number with the sign of x.
  static INLINE uint32_t extreme(uint32_t x) { return rest + ((x & high) >> (Width - 1)); }

  static INLINE uint32_t add_signed(uint32_t a, uint32_t b) {
    const uint32_t sum = add(a, b);
    return either(filled(~(a ^ b) & (a ^ sum)), extreme(a), sum);
  }
  static INLINE uint32_t sub_signed(uint32_t a, uint32_t b) {
    const uint32_t difference = sub(a, b);
    return either(filled((a ^ b) & (a ^ difference)), extreme(a), difference);
  }
  static INLINE uint32_t add_unsigned(uint32_t a, uint32_t b) {
    const uint32_t sum = add(a, b);
    return sum | filled((a & b) | ((a | b) & ~sum));
  }
  static INLINE uint32_t sub_unsigned(uint32_t a, uint32_t b) {
    return sub(a, b) & ~filled(below(a, b));
  }

  static INLINE uint32_t half_sum(uint32_t a, uint32_t b) { // rounded down
    return (a & b) + (((a ^ b) & ~ones) >> 1);
  }
  static INLINE uint32_t half_sum_up(uint32_t a, uint32_t b) {
    return (a | b) - (((a ^ b) & ~ones) >> 1);
  }
  /// Halves of signed sums go away from zero: up from zero on, down below.
  static INLINE uint32_t average(uint32_t a, uint32_t b) {
    const uint32_t down = half_sum(a ^ high, b ^ high) ^ high;
    return add(down, (a ^ b) & ones & ~(down >> (Width - 1)));
  }

  static INLINE uint32_t absolute(uint32_t a) {
    const uint32_t negative = filled(a);
    return sub(a ^ negative, negative);
  }
  static INLINE uint32_t far(uint32_t less, uint32_t a, uint32_t b) {
    const uint32_t swap = filled(less);
    return sub(either(swap, b, a), either(swap, a, b));
  }
  static INLINE uint32_t total(uint32_t x) {
    if (Width == 16)
      return (x & 0xffffu) + (x >> 16);
    x = (x & 0x00ff00ffu) + ((x >> 8) & 0x00ff00ffu);
    return (x & 0xffffu) + (x >> 16);
  }
};

} // namespace

#define PACKED(name, n, ...)                                                                       \
  LIBRARY uint32_t __nv_v##name##n(uint32_t a, uint32_t b) {                                       \
    typedef Fields<32 / n> F;                                                                      \
    return __VA_ARGS__;                                                                            \
  }
#define PACKED_UNARY(name, n, ...)                                                                 \
  LIBRARY uint32_t __nv_v##name##n(uint32_t a) {                                                   \
    typedef Fields<32 / n> F;                                                                      \
    return __VA_ARGS__;                                                                            \
  }
// Fields of ones, and fields that are one.
#define PACKED_COMPARE(name, n, ...)                                                               \
  PACKED(cmp##name, n, F::filled(__VA_ARGS__))                                                     \
  PACKED(set##name, n, ((__VA_ARGS__) & F::high) >> (32 / n - 1))
#define PACKED_ALL(n)                                                                              \
  PACKED(add, n, F::add(a, b))                                                                     \
  PACKED(addss, n, F::add_signed(a, b))                                                            \
  PACKED(addus, n, F::add_unsigned(a, b))                                                          \
  PACKED(sub, n, F::sub(a, b))                                                                     \
  PACKED(subss, n, F::sub_signed(a, b))                                                            \
  PACKED(subus, n, F::sub_unsigned(a, b))                                                          \
  PACKED(avgs, n, F::average(a, b))                                                                \
  PACKED(avgu, n, F::half_sum_up(a, b))                                                            \
  PACKED(haddu, n, F::half_sum(a, b))                                                              \
  PACKED(maxs, n, F::either(F::filled(F::less(a, b)), b, a))                                       \
  PACKED(maxu, n, F::either(F::filled(F::below(a, b)), b, a))                                      \
  PACKED(mins, n, F::either(F::filled(F::less(a, b)), a, b))                                       \
  PACKED(minu, n, F::either(F::filled(F::below(a, b)), a, b))                                      \
  PACKED(absdiffs, n, F::far(F::less(a, b), a, b))                                                 \
  PACKED(absdiffu, n, F::far(F::below(a, b), a, b))                                                \
  PACKED_UNARY(abs, n, F::absolute(a))                                                             \
  PACKED_UNARY(absss, n, F::sub(F::absolute(a), (F::absolute(a) & F::high) >> (32 / n - 1)))       \
  PACKED_UNARY(neg, n, F::sub(0, a))                                                               \
  PACKED_UNARY(negss, n, F::sub_signed(0, a))                                                      \
  PACKED(sads, n, F::total(F::far(F::less(a, b), a, b)))                                           \
  PACKED(sadu, n, F::total(F::far(F::below(a, b), a, b)))                                          \
  PACKED_COMPARE(eq, n, ~F::differ(a, b))                                                          \
  PACKED_COMPARE(ne, n, F::differ(a, b))                                                           \
  PACKED_COMPARE(ges, n, ~F::less(a, b))                                                           \
  PACKED_COMPARE(geu, n, ~F::below(a, b))                                                          \
  PACKED_COMPARE(gts, n, F::less(b, a))                                                            \
  PACKED_COMPARE(gtu, n, F::below(b, a))                                                           \
  PACKED_COMPARE(les, n, ~F::less(b, a))                                                           \
  PACKED_COMPARE(leu, n, ~F::below(b, a))                                                          \
  PACKED_COMPARE(lts, n, F::less(a, b))                                                            \
  PACKED_COMPARE(ltu, n, F::below(a, b))
PACKED_ALL(2)
PACKED_ALL(4)
