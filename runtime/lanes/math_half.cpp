// Conversions to and from 16-bit floats, and their fused multiply-add.
#include "lanes/half.h"
#include "lanes/math_tiles.h"

namespace nki {

using namespace math;

namespace {

/// The low 16 bits of each lane as a 16-bit type.
Tensor low_halves(const Tensor &tile, DType type) {
  Dim dims[] = {tile.dims()[0], {2 * tile.dims()[1].stride, tile.dims()[1].count}};
  return Tensor(tile.storage(), type, dims, tile.start_partition(), tile.offset_bytes());
}

void widen(const Tensor &dst, const Tensor &a, DType type) {
  auto convert = [type](const Tensor &to, const Tensor &from) {
    // Source and destination elements lie at the same bytes when the tiles are the same.
    nisa::tensor_copy(float_of(to), low_halves(from, type));
  };
  in_stretches(kWide, convert, dst, a);
}

void narrow(const Tensor &dst, const Tensor &a, DType type) {
  auto convert = [type](const Tensor &to, const Tensor &from) {
    nisa::tensor_copy(bits_of(to), cast(from, type).view(DType::uint16));
  };
  in_stretches(kWide, convert, dst, a);
}

void round_to(const Tensor &dst, const Tensor &a, DType type) {
  auto round = [type](const Tensor &to, const Tensor &from) {
    nisa::tensor_copy(to, cast(from, type));
  };
  in_stretches(kWide, round, dst, a);
}

/// a * b + c rounded to `type`, for a product that is exact in fp32.
void add_product(const Tensor &dst, const Tensor &product, const Tensor &c, DType type) {
  const Sum sum = exact_sum(product, c);
  // Nothing is lost next to an infinity; what is computed there is NaN.
  const Tensor inexact = scalar(sum.low, nl::abs, {}, nl::greater, 0.0f);
  nisa::tensor_copy(dst, cast(to_odd(sum, inexact), type));
}

/// The exact product of two bf16 numbers where it does not overflow. One so small that it is lost
/// next to any bf16 number, but for its sign, becomes 2^-135 of that sign: fp32 would drop bits.
Tensor bfloat_product(const Tensor &a, const Tensor &b) {
  const Tensor product = pair(a, nl::multiply, b);
  const Tensor factors =
      combine(a, nl::not_equal, 0.0f, nl::multiply, scalar(b, nl::not_equal, 0.0f));
  const Tensor tiny =
      pair(scalar(product, nl::abs, {}, nl::less, 0x1p-134f), nl::multiply, factors, DType::uint8);
  const Tensor smallest = bitwise(product, nl::bitwise_and, kSignBit, nl::bitwise_or,
                                  std::bit_cast<uint32_t>(0x1p-135f));
  nisa::tensor_copy_predicated(product, float_of(smallest), tiny);
  return product;
}

} // namespace

void half_to_float(const Tensor &dst, const Tensor &a) { widen(dst, a, DType::float16); }
void float_to_half(const Tensor &dst, const Tensor &a) { narrow(dst, a, DType::float16); }
void round_half(const Tensor &dst, const Tensor &a) { round_to(dst, a, DType::float16); }
void bfloat_to_float(const Tensor &dst, const Tensor &a) { widen(dst, a, DType::bfloat16); }
void float_to_bfloat(const Tensor &dst, const Tensor &a) { narrow(dst, a, DType::bfloat16); }
void round_bfloat(const Tensor &dst, const Tensor &a) { round_to(dst, a, DType::bfloat16); }

void fma_half(const Tensor &dst, const FloatOperand &a, const FloatOperand &b,
              const FloatOperand &c) {
  auto compute = [](const Tensor &to, const FloatOperand &x, const FloatOperand &y,
                    const FloatOperand &z) {
    // 22 bits, and far from fp32's bounds.
    const Tensor product = pair(tile_of(x, to), nl::multiply, tile_of(y, to));
    add_product(to, product, tile_of(z, to), DType::float16);
  };
  in_stretches(kNarrow, compute, dst, a, b, c);
}

void fma_bfloat(const Tensor &dst, const FloatOperand &a, const FloatOperand &b,
                const FloatOperand &c) {
  auto compute = [](const Tensor &to, const FloatOperand &a, const FloatOperand &b,
                    const FloatOperand &c) {
    const Tensor x = tile_of(a, to), y = tile_of(b, to), z = tile_of(c, to);
    // Where the product overflows, the sum may not: both factors are at least 1 then, and are
    // computed with as 2^-65 of themselves. What this takes from c does not matter.
    const Tensor infinite = scalar(pair(x, nl::multiply, y), nl::abs, {}, nl::equal, kInfinity);
    const Tensor overflows =
        combine(pair(x, nl::abs_max, y), nl::less, kInfinity, nl::multiply, infinite);
    const Tensor smaller = power_of_two(scalar(overflows, nl::multiply, -65.0f, DType::int32));
    const Tensor larger = power_of_two(scalar(overflows, nl::multiply, 65.0f, DType::int32));
    const Tensor product =
        bfloat_product(pair(x, nl::multiply, smaller), pair(y, nl::multiply, smaller));
    const Sum sum = exact_sum(product, pair(pair(z, nl::multiply, smaller), nl::multiply, smaller));
    const Tensor inexact = scalar(sum.low, nl::abs, {}, nl::greater, 0.0f);
    const Tensor odd = pair(pair(to_odd(sum, inexact), nl::multiply, larger), nl::multiply, larger);
    nisa::tensor_copy(to, cast(odd, DType::bfloat16));
  };
  in_stretches(kNarrow, compute, dst, a, b, c);
}

namespace {

/// The float nearest to an integer and what is missing to it, which is less than 2^8.
void convert_to_odd(const Tensor &dst, const Tensor &a, DType integer) {
  auto convert = [integer](const Tensor &to, const Tensor &from) {
    const Tensor exact = from.view(integer), nearest = cast(exact, DType::float32);
    const Tensor lost = tile_like(from, DType::int32);
    isub(lost, bits_of(exact), bits_of(cast(nearest, integer)));
    nisa::tensor_copy(float_of(to), to_odd({nearest, lost}, scalar(lost, nl::not_equal, 0.0f)));
  };
  in_stretches(kWide, convert, dst, a);
}

} // namespace

void int_to_float_odd(const Tensor &dst, const Tensor &a) { convert_to_odd(dst, a, DType::int32); }
void uint_to_float_odd(const Tensor &dst, const Tensor &a) {
  convert_to_odd(dst, a, DType::uint32);
}

} // namespace nki
