// Counting and reversing bits, narrow integers, minima and maxima of 32-bit integers.
#include "lanes/ops.h"

#include "lanes/tiles.h"

#include <algorithm>
#include <bit>

namespace nki {

namespace {

Tensor as_int(const Tensor &tile) { return tiles::as(tile, DType::int32); }
Tensor as_uint(const Tensor &tile) { return tiles::as(tile, DType::uint32); }

/// ((x >> shift) & mask)
void shifted_part(const Tensor &dst, const Tensor &x, int shift, uint32_t mask) {
  nisa::tensor_scalar(as_uint(dst), as_uint(x), nl::right_shift, shift, false, nl::bitwise_and,
                      mask);
}

/// Minimum or maximum of integers of `type`.
void extremum(const Tensor &dst, const IntOperand &a, const IntOperand &b, DType type, nl::Op op) {
  auto tile_of = [&](const IntOperand &x) {
    return x.tile ? tiles::as(x.tile, type) : tiles::numbers_like(dst, uint32_t(x.value), type);
  };
  nisa::tensor_tensor(tiles::as(dst, type), tile_of(a), tile_of(b), op);
}

} // namespace

void smin(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  extremum(dst, a, b, DType::int32, nl::minimum);
}
void smax(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  extremum(dst, a, b, DType::int32, nl::maximum);
}
void umin(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  extremum(dst, a, b, DType::uint32, nl::minimum);
}
void umax(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  extremum(dst, a, b, DType::uint32, nl::maximum);
}

void iabs(const Tensor &dst, const Tensor &a) {
  // (x ^ s) - s with s all ones for negative x: INT_MIN stays INT_MIN.
  Tensor signs = tiles::like(dst, DType::int32);
  nisa::tensor_scalar(as_uint(signs), as_uint(a), nl::right_shift, 31);
  isub(signs, 0, signs);
  ixor(dst, a, signs);
  isub(dst, dst, signs);
}

void popc(const Tensor &dst, const Tensor &a) {
  // Sums of neighbouring fields of 1, 2, 4 bits, then the bytes through one product.
  Tensor x = tiles::like(dst, DType::int32), part = tiles::like(dst, DType::int32);
  shifted_part(part, a, 1, 0x55555555u);
  isub(x, as_int(a), part);
  shifted_part(part, x, 2, 0x33333333u);
  iand(x, x, int32_t(0x33333333));
  iadd(x, x, part);
  shifted_part(part, x, 4, 0x0f0f0f0fu);
  iand(x, x, int32_t(0x0f0f0f0f));
  iadd(x, x, part);
  imul(x, x, int32_t(0x01010101));
  lshr(dst, x, 24);
}

void clz(const Tensor &dst, const Tensor &a) {
  // Every bit below the highest one is set; the zeros that are left are counted.
  Tensor x = tiles::like(dst, DType::int32), part = tiles::like(dst, DType::int32);
  nisa::tensor_copy(x, as_int(a));
  for (int distance = 1; distance < 32; distance *= 2) {
    lshr(part, x, distance);
    ior(x, x, part);
  }
  ixor(x, x, -1);
  popc(dst, x);
}

void brev(const Tensor &dst, const Tensor &a) {
  Tensor x = tiles::like(dst, DType::uint32), part = tiles::like(dst, DType::uint32);
  nisa::tensor_copy(x, as_uint(a));
  // Swaps neighbouring fields of 1, 2, 4, 8 and 16 bits.
  for (auto [distance, mask] :
       {std::pair{1, 0x55555555u}, std::pair{2, 0x33333333u}, std::pair{4, 0x0f0f0f0fu},
        std::pair{8, 0x00ff00ffu}, std::pair{16, 0x0000ffffu}}) {
    shifted_part(part, x, distance, mask);
    nisa::tensor_scalar(x, x, nl::bitwise_and, mask, false, nl::left_shift, distance);
    nisa::tensor_tensor(x, x, part, nl::bitwise_or);
  }
  nisa::tensor_copy(as_uint(dst), x);
}

void zext(const Tensor &dst, const Tensor &a, int bits) {
  iand(dst, a, bits >= 32 ? -1 : int32_t((1u << bits) - 1));
}

void sext(const Tensor &dst, const Tensor &a, int bits) {
  if (bits >= 32)
    return iand(dst, a, -1);
  // ((x & mask) ^ sign) - sign
  uint32_t sign = 1u << (bits - 1), mask = (sign << 1) - 1;
  Tensor x = tiles::like(dst, DType::int32);
  nisa::tensor_scalar(as_uint(x), as_uint(a), nl::bitwise_and, mask, false, nl::bitwise_xor, sign);
  if (bits <= 24) // exact in fp32
    nisa::tensor_scalar(as_int(dst), x, nl::subtract, float(sign));
  else
    isub(dst, x, int32_t(sign));
}

} // namespace nki
