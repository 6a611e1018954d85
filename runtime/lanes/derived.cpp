#include "lanes/element.h"

#include "nki/language.h"

namespace nki {
namespace {

Tensor like(const Tensor &tile, DType type) {
  return language::ndarray({tile.partitions(), tile.elements_per_partition()}, type);
}

} // namespace

Index lane_id(const Wave &wave) {
  const Dim3 &block = wave.launch().blockDim;
  const Index linear = wave.threadIdx.x + wave.threadIdx.y * Index(block.x) +
                       wave.threadIdx.z * Index(block.x * block.y);
  return linear & Index(31);
}

void ffs(const Tensor &dst, const Tensor &a) {
  // The lowest set bit alone is a & -a; 32 - clz counts it from 1, and gives 0 for 0.
  Tensor bit = like(a, DType::int32);
  isub(bit, 0, a);
  iand(bit, bit, a);
  clz(bit, bit);
  isub(dst, 32, bit);
}

void ctz(const Tensor &dst, const Tensor &a) {
  // The bits below the lowest set one are those of (a & -a) - 1.
  Tensor bit = like(a, DType::int32);
  isub(bit, 0, a);
  iand(bit, bit, a);
  iadd(bit, bit, -1);
  popc(dst, bit);
}

void fshl(const Tensor &dst, const IntOperand &a, const IntOperand &b, const IntOperand &count) {
  Tensor low = like(dst, DType::int32), back = like(dst, DType::int32),
         high = like(dst, DType::int32);
  // (b >> 1) >> (31 - count): never a shift by 32.
  iand(back, count, 31);
  isub(back, 31, back);
  lshr(low, b, 1);
  lshr(low, low, back);
  shl(high, a, count);
  ior(dst, high, low);
}

void fshr(const Tensor &dst, const IntOperand &a, const IntOperand &b, const IntOperand &count) {
  Tensor low = like(dst, DType::int32), back = like(dst, DType::int32),
         high = like(dst, DType::int32);
  iand(back, count, 31);
  isub(back, 31, back);
  shl(high, a, 1);
  shl(high, high, back);
  lshr(low, b, count);
  ior(dst, high, low);
}

void copysign(const Tensor &dst, const FloatOperand &magnitude, const FloatOperand &sign) {
  auto bits = [](const FloatOperand &x) {
    return x.tile ? IntOperand(x.tile.view(DType::int32))
                  : IntOperand(std::bit_cast<int32_t>(x.value));
  };
  Tensor size = like(dst, DType::int32), mark = like(dst, DType::int32);
  iand(size, bits(magnitude), 0x7fffffff);
  iand(mark, bits(sign), int32_t(0x80000000u));
  ior(dst.view(DType::int32), size, mark);
}

void saturate(const Tensor &dst, const Tensor &a) {
  fmax(dst, a, 0.0f); // drops NaN
  fmin(dst, dst, 1.0f);
}

void float_to_int_rn(const Tensor &dst, const Tensor &a) {
  Tensor whole = like(a, DType::float32);
  rint(whole, a);
  float_to_int(dst, whole);
}

void float_to_uint_rn(const Tensor &dst, const Tensor &a) {
  Tensor whole = like(a, DType::float32);
  rint(whole, a);
  float_to_uint(dst, whole);
}

void float_to_int_rd(const Tensor &dst, const Tensor &a) {
  Tensor whole = like(a, DType::float32);
  floor(whole, a);
  float_to_int(dst, whole);
}

void float_to_int_ru(const Tensor &dst, const Tensor &a) {
  Tensor whole = like(a, DType::float32);
  ceil(whole, a);
  float_to_int(dst, whole);
}

} // namespace nki
