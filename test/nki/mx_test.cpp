// Microscaling formats: quantisation and products.

#include "chip_for_test.h"

namespace nki {
namespace {

class Mx : public ChipTest {
protected:
  static Tensor psum(int64_t p, int64_t f, DType type = nl::float32) {
    return nl::ndarray({p, f}, type, nl::psum);
  }
  static Tensor packed(int64_t p, int64_t f, DType type, uint32_t seed) {
    std::vector<uint32_t> bits;
    for (uint32_t i = 0; i < p * f; ++i) {
      uint32_t value = (i + seed) * 2654435761u;
      // No NaN or infinity: the top exponent bit of every byte is clear.
      bits.push_back(type == nl::float4_e2m1fn_x4 ? value : value & 0xbfbfbfbfu);
    }
    Tensor result = tile(p, f, type);
    put_bits(result, bits);
    return result;
  }
  /// Scales around 1, everywhere.
  static Tensor scales(int64_t p, int64_t f, DType type = nl::float8_e8m0fnu) {
    std::vector<uint32_t> bits;
    for (uint32_t i = 0; i < p * f; ++i)
      bits.push_back(124 + i * 7 % 6);
    Tensor result = tile(p, f, type);
    put_bits(result, bits);
    return result;
  }
  /// Element j of a packed value, decoded by the definition of its format.
  static float element(DType type, uint32_t bits, unsigned j) {
    unsigned width = type == nl::float4_e2m1fn_x4 ? 4 : 8;
    unsigned mantissa_bits = type == nl::float8_e5m2_x4 ? 2 : type == nl::float8_e4m3fn_x4 ? 3 : 1;
    unsigned value = bits >> (width * j) & ((1u << width) - 1);
    unsigned exponent_bits = width - 1 - mantissa_bits;
    int exponent = int(value >> mantissa_bits & ((1u << exponent_bits) - 1));
    int bias = (1 << (exponent_bits - 1)) - 1;
    float fraction = std::ldexp(float(value & ((1u << mantissa_bits) - 1)), -int(mantissa_bits));
    float size =
        exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
    return value >> (width - 1) & 1 ? -size : size;
  }
};
class Trn2Mx : public ChipTest {
protected:
  Trn2Mx() : ChipTest("trn2") {}
};

TEST_F(Mx, QuantizesGroupsOfEightPartitionsByFour) {
  for (DType from : {nl::bfloat16, nl::float16})
    for (DType to : {nl::float8_e4m3fn_x4, nl::float8_e5m2_x4})
      for (int64_t partitions : {32, 96, 128}) {
        const int64_t columns = 5;
        std::vector<float> x;
        for (int64_t i = 0; i < partitions * columns * 4; ++i)
          x.push_back(std::ldexp(float(i * 7919 % 2003) - 1001, int(i / 64 % 9) - 14));
        std::fill(x.begin(), x.begin() + 4, 0.0f);
        Tensor src = tile_of(x, partitions, columns * 4, from), dst = tile(partitions, columns, to);
        for (int64_t p = 0; p < 8; ++p) // one group of zeros
          nisa::memset(src.slice(0, 0, 32).slice(1, 16, 20), 0.0f);
        Tensor scale = tile(partitions, columns, nl::float8_e8m0fnu);
        nisa::quantize_mx(dst, src, scale);
        x = get(src);
        std::vector<uint32_t> bits = get_bits(dst);
        for (int64_t group = 0; group < partitions / 8; ++group)
          for (int64_t c = 0; c < columns; ++c) {
            float largest = 0;
            auto value = [&](int64_t p, int64_t j) {
              return x[size_t(((group * 8 + p) * columns + c) * 4 + j)];
            };
            for (int64_t i = 0; i < 32; ++i)
              largest = std::max(largest, std::fabs(value(i / 4, i % 4)));
            int most = to == nl::float8_e4m3fn_x4 ? 8 : 15;
            int exponent = largest == 0 ? -127 : std::max(std::ilogb(largest) - most + 1, -127);
            int64_t row = group / 4 * 32 + group % 4;
            uint8_t got = *address_of(scale, row * columns + c);
            ASSERT_EQ(int(got) - 127, exponent) << group << " " << c;
            for (int64_t i = 0; i < 32; ++i) {
              uint32_t word = bits[size_t((group * 8 + i / 4) * columns + c)];
              float expected = std::ldexp(value(i / 4, i % 4), -exponent);
              uint32_t rounded = 0;
              chip::store_float(to == nl::float8_e4m3fn_x4 ? nl::float8_e4m3fn : nl::float8_e5m2,
                                &rounded, expected);
              ASSERT_EQ(word >> (8 * (i % 4)) & 0xff, rounded);
            }
          }
      }
}

TEST_F(Mx, LeavesTheOtherPartitionsOfTheScaleTileAlone) {
  Tensor src = tile_of({1.5f, -3}, 64, 8, nl::bfloat16), dst = tile(64, 2, nl::float8_e4m3fn_x4);
  Tensor scale = tile(128, 4, nl::uint8);
  nisa::memset(scale, 9);
  nisa::quantize_mx(dst, src, scale.slice(0, 4, 128).slice(1, 1, 4));
  std::vector<uint32_t> bits = get_bits(scale);
  for (size_t p = 0; p < 128; ++p)
    for (size_t c = 0; c < 4; ++c) {
      bool written = p < 64 && p % 32 >= 4 && p % 32 < 8 && (c == 1 || c == 2);
      EXPECT_EQ(bits[p * 4 + c], written ? 127u + 1 - 7 : 9u) << p << " " << c;
    }
}

TEST_F(Mx, ANumberThatIsNotFiniteMakesItsGroupNan) {
  std::vector<float> x(32 * 4, 1.0f);
  x[5] = INFINITY;
  Tensor src = tile_of(x, 32, 4, nl::bfloat16), dst = tile(32, 1, nl::float8_e5m2_x4);
  Tensor scale = tile(4, 1, nl::uint8);
  nisa::quantize_mx(dst, src, scale);
  EXPECT_EQ(get_bits(scale), (std::vector<uint32_t>{255, 127 - 14, 127 - 14, 127 - 14}));
}

TEST_F(Mx, ProductsOfEveryPairOfTypes) {
  const DType types[] = {nl::float8_e5m2_x4, nl::float8_e4m3fn_x4, nl::float4_e2m1fn_x4};
  for (DType left : types)
    for (DType right : types)
      for (auto [depth, rows, columns] :
           {std::array<int64_t, 3>{32, 2, 1}, {64, 18, 33}, {128, 128, 65}}) {
        Tensor a = packed(depth, rows, left, 1), b = packed(depth, columns, right, 99);
        Tensor sa = scales(depth, rows), sb = scales(depth, columns, nl::uint8);
        Tensor c = psum(rows, columns);
        nisa::nc_matmul_mx(c, a, b, sa, sb);
        nisa::nc_matmul_mx(c, a, b, sa, sb); // accumulates
        std::vector<uint32_t> x = get_bits(a), y = get_bits(b), s = get_bits(sa), t = get_bits(sb);
        std::vector<float> z = get(c);
        for (int64_t m = 0; m < rows; m += 7)
          for (int64_t n = 0; n < columns; n += 5) {
            float sum = 0;
            for (int64_t k = 0; k < depth; ++k) {
              int64_t row = k / 32 * 32 + k % 32 / 8;
              int u = int(s[size_t(row * rows + m)]) - 127,
                  v = int(t[size_t(row * columns + n)]) - 127;
              for (unsigned j = 0; j < 4; ++j)
                sum = std::fma(std::ldexp(element(left, x[size_t(k * rows + m)], j), u),
                               std::ldexp(element(right, y[size_t(k * columns + n)], j), v), sum);
            }
            ASSERT_EQ(z[size_t(m * columns + n)], sum + sum) << m << " " << n;
          }
      }
}

TEST_F(Mx, WhatQuantizeWritesMultipliesBack) {
  std::vector<float> x, y;
  for (int i = 0; i < 64 * 8 * 4; ++i) {
    x.push_back(float(i % 13 - 6));
    y.push_back(float(i % 5 - 2));
  }
  Tensor a = tile_of(x, 64, 32, nl::bfloat16), b = tile_of(y, 64, 32, nl::bfloat16);
  Tensor qa = tile(64, 8, nl::float8_e4m3fn_x4), qb = tile(64, 8, nl::float8_e4m3fn_x4);
  Tensor both = tile(64, 8, nl::float8_e8m0fnu); // two tensors' scales in one tile
  Tensor sa = both, sb = both.slice(0, 4, 64);
  nisa::quantize_mx(qa, a, sa);
  nisa::quantize_mx(qb, b, sb);
  Tensor c = psum(8, 8);
  nisa::nc_matmul_mx(c, qa, qb, sa, sb);
  std::vector<float> z = get(c);
  for (size_t m = 0; m < 8; ++m)
    for (size_t n = 0; n < 8; ++n) {
      float sum = 0; // small integers: exact
      for (size_t k = 0; k < 64; ++k)
        for (size_t j = 0; j < 4; ++j)
          sum += x[k * 32 + m * 4 + j] * y[k * 32 + n * 4 + j];
      EXPECT_EQ(z[m * 8 + n], sum);
    }
}

TEST_F(Mx, Rules) {
  Tensor a = packed(64, 8, nl::float8_e5m2_x4, 1), b = packed(64, 6, nl::float8_e4m3fn_x4, 2);
  Tensor sa = scales(64, 8), sb = scales(64, 6), c = psum(8, 6);
  auto product = [&](const Tensor &dst, const Tensor &s, const Tensor &m, const Tensor &ss,
                     const Tensor &ms, const nisa::MatmulMxOptions &options = {}) {
    nisa::nc_matmul_mx(dst, s, m, ss, ms, options);
  };
  EXPECT_RULE(product(tile(8, 6), a, b, sa, sb), "dst must be in PSUM");
  EXPECT_RULE(product(psum(8, 6, nl::float16), a, b, sa, sb), "float32 or");
  EXPECT_RULE(product(psum(6, 8), a, b, sa, sb), "[M, N]");
  EXPECT_RULE(product(c, tile_of({1}, 64, 8, nl::float8_e5m2), b, sa, sb), "_x4");
  EXPECT_RULE(product(c, a, b.slice(0, 0, 32), sa, sb), "as many partitions");
  EXPECT_RULE(product(c, a.slice(0, 0, 16), b.slice(0, 0, 16), sa, sb), "multiple of 32");
  EXPECT_RULE(product(psum(7, 6), a.slice(1, 0, 7), b, sa, sb), "even number");
  EXPECT_RULE(product(c, a, b, tile_of({1}, 64, 8), sb), "float8_e8m0fnu or uint8");
  EXPECT_RULE(product(c, a, b, psum(64, 8, nl::float8_e8m0fnu), sb), "must be in SBUF");
  EXPECT_RULE(product(c, a, b, sa.slice(0, 0, 32), sb), "needs 36 partitions");
  EXPECT_RULE(product(c, a, b, sa, sb.slice(1, 0, 5)), "one element per partition and group");
  Tensor all = scales(128, 8);
  EXPECT_RULE(product(c, a, b, all.slice(0, 16, 128), sb), "0, 4, 8 or 12");
  EXPECT_RULE(product(c, a, b, all.slice(0, 2, 128), sb), "0, 4, 8 or 12");
  EXPECT_RULE(product(c, a, b, all.slice(0, 32, 128), sb), "quadrant of its data");
  EXPECT_RULE(product(c, a, b, tile(64, 8, nl::uint8), sb), "never written");
  EXPECT_RULE(product(c, a, b, sa, sb, {.accumulate = true}), "never written");
  EXPECT_RULE(product(c, a, b, sa, sb, {.tile_position = {{0, 0}}}), "go together");
  EXPECT_RULE(product(c, a, b, sa, sb, {.tile_position = {{0, 0}}, .tile_size = {{64, 64}}}),
              "only rows are tiled");
  EXPECT_RULE(product(c, a, b, sa, sb, {.tile_position = {{0, 0}}, .tile_size = {{32, 128}}}),
              "fit");

  Tensor src = tile_of({1}, 64, 8, nl::bfloat16), dst = tile(64, 2, nl::float8_e5m2_x4);
  Tensor scale = tile(64, 2, nl::uint8);
  EXPECT_RULE(nisa::quantize_mx(dst, tile_of({1}, 64, 8), scale), "float16 or bfloat16");
  EXPECT_RULE(nisa::quantize_mx(tile(64, 2, nl::float4_e2m1fn_x4), src, scale),
              "float8_e5m2_x4 or");
  EXPECT_RULE(nisa::quantize_mx(dst, src.slice(1, 0, 6), scale), "multiple of 4");
  EXPECT_RULE(nisa::quantize_mx(dst.slice(1, 0, 1), src, scale), "a quarter");
  EXPECT_RULE(nisa::quantize_mx(dst.slice(0, 0, 31), src.slice(0, 0, 31), scale), "multiple of 32");
  EXPECT_RULE(nisa::quantize_mx(psum(64, 2, nl::float8_e5m2_x4), src, scale), "must be in SBUF");
  EXPECT_RULE(nisa::quantize_mx(dst, src, tile(64, 2, nl::int8)), "float8_e8m0fnu or uint8");
  Tensor torn = tile(64, 8, nl::bfloat16);
  nisa::memset(torn.slice(1, 0, 7), 1.0f);
  EXPECT_RULE(nisa::quantize_mx(dst, torn, scale), "never written");
}

TEST_F(Trn2Mx, ExistsFromV4On) {
  Tensor a = tile(32, 2, nl::float8_e5m2_x4), scale = tile(32, 2, nl::uint8);
  EXPECT_RULE(nisa::quantize_mx(a, tile_of({1}, 32, 8, nl::bfloat16), scale), "NeuronCore-v4");
  EXPECT_RULE(nisa::nc_matmul_mx(nl::ndarray({2, 2}, nl::float32, nl::psum), a, a, scale, scale),
              "NeuronCore-v4");
}

} // namespace
} // namespace nki
