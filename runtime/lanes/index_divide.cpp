// Division, remainder, shifts and bit operations of launch-known integers.
#include "lanes/index_form.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace nki {

namespace {

/// a = quotient * divisor + remainder for every lane, 0 <= remainder < divisor, both affine.
struct Split {
  Index quotient, remainder;
};

/// Splits an affine integer by a positive divisor where quotient and remainder are affine. `range`
/// is the exact range of `a`, whose constant it replaces; floors, so it fits >> of negatives.
std::optional<Split> split(const Index &a, const Range &range, Int128 divisor) {
  std::array<int64_t, kAxes> multiples, rests;
  Int128 low = 0, high = 0;
  auto floor_div = [&](Int128 value) {
    return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
  };
  Int128 whole = floor_div(range.constant), rest = range.constant - whole * divisor;
  low = high = rest;
  for (int axis = 0; axis < kAxes; ++axis) {
    Int128 coefficient = a.coefficient(Axis(axis));
    // Towards zero, so that i - 1 keeps its -1 and 2 * i mod 1024 its 2.
    multiples[axis] = int64_t(coefficient / divisor);
    rests[axis] = int64_t(coefficient % divisor);
    if (rests[axis] == 0)
      continue;
    Int128 first = Int128(rests[axis]) * a.wave()->first(Axis(axis));
    Int128 last = Int128(rests[axis]) * a.wave()->last(Axis(axis));
    low += std::min(first, last);
    high += std::max(first, last);
  }
  Int128 carry = floor_div(low);
  if (carry != floor_div(high))
    return {};
  return Split{IndexOps::affine(a.wave(), a.bits(), uint64_t(whole + carry), multiples),
               IndexOps::affine(a.wave(), a.bits(), uint64_t(rest - carry * divisor), rests)};
}

enum class Part : uint8_t { quotient, remainder };

int64_t divide(int64_t a, int64_t b, int bits, bool is_signed, Part part) {
  if (b == 0)
    return 0;
  if (!is_signed) {
    uint64_t x = low_bits(uint64_t(a), bits), y = low_bits(uint64_t(b), bits);
    if ((x | y) >> 32 == 0)
      return part == Part::quotient ? uint32_t(x) / uint32_t(y) : uint32_t(x) % uint32_t(y);
    return int64_t(part == Part::quotient ? x / y : x % y);
  }
  if (b == -1)
    return part == Part::quotient ? int64_t(0 - uint64_t(a)) : 0;
  return part == Part::quotient ? a / b : a % b;
}

Index division(const Index &left, const Index &right, bool is_signed, Part part) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  int bits = a.bits();
  if (a.is_uniform() && b.is_uniform())
    return IndexOps::uniform(wave, bits,
                             uint64_t(divide(a.constant(), b.constant(), bits, is_signed, part)));
  std::optional<Range> range = IndexOps::exact(a, is_signed);
  if (b.is_uniform() && range && range->low >= 0) {
    Int128 divisor =
        is_signed ? Int128(b.constant()) : Int128(low_bits(uint64_t(b.constant()), bits));
    if (divisor > 0)
      if (std::optional<Split> parts = split(a, *range, divisor))
        return part == Part::quotient ? parts->quotient : parts->remainder;
  }
  return map_lanes(*wave, a, b,
                   [=](int64_t x, int64_t y) { return divide(x, y, bits, is_signed, part); });
}

/// a & (2^count - 1), affine where all lanes lie between the same two multiples of 2^count.
std::optional<Index> low_part(const Index &a, int count) {
  Range r = IndexOps::range(a);
  if (std::optional<Split> parts = split(a, r, Int128(1) << count))
    return parts->remainder;
  return {};
}

template <class Op> Index bitwise(const Wave *wave, const Index &a, const Index &b, Op op) {
  if (a.is_uniform() && b.is_uniform())
    return IndexOps::uniform(wave, a.bits(), op(uint64_t(a.constant()), uint64_t(b.constant())));
  return map_lanes(*wave, a, b, op);
}

/// Are all values of `a` multiples of 2^count, as far as its form shows?
bool low_bits_are_zero(const Index &a, int count) {
  uint64_t all = uint64_t(a.constant());
  for (int axis = 0; axis < kAxes; ++axis)
    all |= uint64_t(a.coefficient(Axis(axis)));
  return a.is_affine() && std::countr_zero(all | uint64_t(1) << 63) >= count;
}

Index shift_right(const Index &left, const Index &right, bool is_signed) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  int bits = a.bits();
  auto shift = [=](int64_t x, int64_t y) -> uint64_t {
    uint64_t count = low_bits(uint64_t(y), bits);
    if (is_signed)
      return uint64_t(x >> std::min<uint64_t>(count, 63));
    return count < uint64_t(bits) ? low_bits(uint64_t(x), bits) >> count : 0;
  };
  if (a.is_uniform() && b.is_uniform())
    return IndexOps::uniform(wave, bits, shift(a.constant(), b.constant()));
  uint64_t count = low_bits(uint64_t(b.constant()), bits);
  if (b.is_uniform() && count < uint64_t(bits))
    if (std::optional<Range> range = IndexOps::exact(a, is_signed))
      if (std::optional<Split> parts = split(a, *range, Int128(1) << count))
        return parts->quotient;
  return map_lanes(*wave, a, b, shift);
}

} // namespace

Index sdiv(const Index &a, const Index &b) { return division(a, b, true, Part::quotient); }
Index udiv(const Index &a, const Index &b) { return division(a, b, false, Part::quotient); }
Index srem(const Index &a, const Index &b) { return division(a, b, true, Part::remainder); }
Index urem(const Index &a, const Index &b) { return division(a, b, false, Part::remainder); }
Index ashr(const Index &a, const Index &b) { return shift_right(a, b, true); }
Index lshr(const Index &a, const Index &b) { return shift_right(a, b, false); }

Index operator<<(const Index &left, const Index &right) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  int bits = a.bits();
  auto shift = [=](uint64_t x, uint64_t y) {
    uint64_t count = low_bits(y, bits);
    return count < uint64_t(bits) ? x << count : 0;
  };
  if (b.is_uniform())
    return a * IndexOps::uniform(wave, bits, shift(1, uint64_t(b.constant())));
  return map_lanes(*wave, a, b, shift);
}

Index operator&(const Index &left, const Index &right) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  if (a.is_uniform())
    std::swap(a, b);
  if (a.is_affine() && !a.is_uniform() && b.is_uniform()) {
    uint64_t mask = uint64_t(b.constant());
    // 00..011..1 keeps the low part, 11..100..0 removes it.
    int ones = std::countr_one(mask), zeros = std::countr_zero(mask);
    if (ones == 64)
      return a;
    if (mask == 0)
      return b;
    if (std::has_single_bit(mask + 1))
      if (std::optional<Index> low = low_part(a, ones))
        return *low;
    if (std::has_single_bit(0 - mask))
      if (std::optional<Index> low = low_part(a, zeros))
        return a - *low;
  }
  return bitwise(wave, a, b, std::bit_and<uint64_t>());
}

Index operator|(const Index &left, const Index &right) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  if (a.is_uniform())
    std::swap(a, b);
  if (b.is_uniform() && low_bits_are_zero(a, std::bit_width(uint64_t(b.constant()))))
    return a + b;
  return bitwise(wave, a, b, std::bit_or<uint64_t>());
}

Index operator^(const Index &left, const Index &right) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  if (a.is_uniform())
    std::swap(a, b);
  if (b.is_uniform() && b.constant() == -1)
    return ~a;
  if (b.is_uniform() && low_bits_are_zero(a, std::bit_width(uint64_t(b.constant()))))
    return a + b;
  return bitwise(wave, a, b, std::bit_xor<uint64_t>());
}

} // namespace nki
