// Comparisons on the chip, as masks.
#include "lanes/ops.h"

#include "lanes/tiles.h"

namespace nki {

namespace {

/// Integers of `type` are compared on GpSimdE, exactly.
Mask compare_integers(const Wave &wave, const IntOperand &a, const IntOperand &b, DType type,
                      nl::Op op) {
  Tensor result = wave.tile(DType::uint32);
  auto tile_of = [&](const IntOperand &x) {
    return x.tile ? tiles::as(x.tile, type) : tiles::numbers_like(result, uint32_t(x.value), type);
  };
  nisa::tensor_tensor(result, tile_of(a), tile_of(b), op);
  return Mask(wave, result);
}

bool are_numbers(const IntOperand &a, const IntOperand &b) { return !a.tile && !b.tile; }

} // namespace

Mask eq(const Wave &wave, const IntOperand &a, const IntOperand &b) {
  if (are_numbers(a, b))
    return Mask(wave, a.value == b.value);
  return compare_integers(wave, a, b, DType::int32, nl::equal);
}
Mask ne(const Wave &wave, const IntOperand &a, const IntOperand &b) {
  if (are_numbers(a, b))
    return Mask(wave, a.value != b.value);
  return compare_integers(wave, a, b, DType::int32, nl::not_equal);
}
Mask slt(const Wave &wave, const IntOperand &a, const IntOperand &b) {
  if (are_numbers(a, b))
    return Mask(wave, a.value < b.value);
  return compare_integers(wave, a, b, DType::int32, nl::less);
}
Mask sle(const Wave &wave, const IntOperand &a, const IntOperand &b) {
  if (are_numbers(a, b))
    return Mask(wave, a.value <= b.value);
  return compare_integers(wave, a, b, DType::int32, nl::less_equal);
}
Mask ult(const Wave &wave, const IntOperand &a, const IntOperand &b) {
  if (are_numbers(a, b))
    return Mask(wave, uint32_t(a.value) < uint32_t(b.value));
  return compare_integers(wave, a, b, DType::uint32, nl::less);
}
Mask ule(const Wave &wave, const IntOperand &a, const IntOperand &b) {
  if (are_numbers(a, b))
    return Mask(wave, uint32_t(a.value) <= uint32_t(b.value));
  return compare_integers(wave, a, b, DType::uint32, nl::less_equal);
}

Mask test_bit(const Wave &wave, const Tensor &a, int bit) {
  Tensor result = wave.tile(DType::uint32);
  nisa::tensor_scalar(result, tiles::as(a, DType::uint32), nl::right_shift, bit, false,
                      nl::bitwise_and, 1);
  return Mask(wave, result);
}

namespace {

/// The engine's comparisons are ordered (false on NaN), but for not_equal.
struct Lowered {
  nl::Op op;
  bool negated;
};

Lowered lower(FloatCompare predicate) {
  switch (predicate) {
  case FloatCompare::oeq:
    return {nl::equal, false};
  case FloatCompare::ogt:
    return {nl::greater, false};
  case FloatCompare::oge:
    return {nl::greater_equal, false};
  case FloatCompare::olt:
    return {nl::less, false};
  case FloatCompare::ole:
    return {nl::less_equal, false};
  case FloatCompare::une:
    return {nl::not_equal, false};
  case FloatCompare::ugt:
    return {nl::less_equal, true};
  case FloatCompare::uge:
    return {nl::less, true};
  case FloatCompare::ult:
    return {nl::greater_equal, true};
  case FloatCompare::ule:
    return {nl::greater, true};
  default:
    return {nl::bypass, false};
  }
}

FloatOperand float_view(const FloatOperand &a) {
  return a.tile ? FloatOperand(tiles::as(a.tile, DType::float32)) : a;
}

/// One comparison of two operands, at least one a tile.
void compare_once(const Tensor &result, const FloatOperand &a, const FloatOperand &b, Lowered how) {
  if (a.tile && b.tile) {
    nisa::tensor_tensor(result, a.tile, b.tile, how.op);
    if (how.negated)
      nisa::tensor_scalar(result, result, nl::bitwise_xor, 1);
    return;
  }
  // Comparing the result with 0 negates it in the same instruction.
  const Tensor &tile = a.tile ? a.tile : b.tile;
  float number = a.tile ? b.value : a.value;
  if (how.negated)
    nisa::tensor_scalar(result, tile, how.op, number, !a.tile, nl::equal, 0.0f);
  else
    nisa::tensor_scalar(result, tile, how.op, number, !a.tile);
}

bool compare_numbers(FloatCompare predicate, float a, float b) {
  bool unordered = a != a || b != b;
  switch (predicate) {
  case FloatCompare::oeq:
    return a == b;
  case FloatCompare::ogt:
    return a > b;
  case FloatCompare::oge:
    return a >= b;
  case FloatCompare::olt:
    return a < b;
  case FloatCompare::ole:
    return a <= b;
  case FloatCompare::one:
    return !unordered && a != b;
  case FloatCompare::ord:
    return !unordered;
  case FloatCompare::ueq:
    return unordered || a == b;
  case FloatCompare::ugt:
    return !(a <= b);
  case FloatCompare::uge:
    return !(a < b);
  case FloatCompare::ult:
    return !(a >= b);
  case FloatCompare::ule:
    return !(a > b);
  case FloatCompare::une:
    return a != b;
  case FloatCompare::uno:
    return unordered;
  }
  return false;
}

} // namespace

Mask compare(const Wave &wave, FloatCompare predicate, const FloatOperand &left,
             const FloatOperand &right) {
  if (!left.tile && !right.tile)
    return Mask(wave, compare_numbers(predicate, left.value, right.value));
  FloatOperand a = float_view(left), b = float_view(right);
  auto test = [&](const FloatOperand &x, const FloatOperand &y, nl::Op op, bool negated) {
    Tensor tile = wave.tile(DType::uint32);
    compare_once(tile, x, y, {op, negated});
    return Mask(wave, tile);
  };
  switch (predicate) {
  case FloatCompare::one: // less or greater
    return test(a, b, nl::less, false) | test(a, b, nl::greater, false);
  case FloatCompare::ueq: // neither less nor greater
    return test(a, b, nl::less, true) & test(a, b, nl::greater, true);
  case FloatCompare::ord:
  case FloatCompare::uno: {
    bool ordered = predicate == FloatCompare::ord;
    auto half = [&](const FloatOperand &x) {
      return x.tile ? test(x, x, ordered ? nl::equal : nl::not_equal, false)
                    : Mask(wave, (x.value == x.value) == ordered);
    };
    return ordered ? half(a) & half(b) : half(a) | half(b);
  }
  default: {
    Lowered how = lower(predicate);
    return test(a, b, how.op, how.negated);
  }
  }
}

} // namespace nki
