// Kernels over tiles and what they are defined as, element by element, for all copies.

#include "chip/kernels/kernels.h"
#include "chip/numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <vector>

namespace nki::chip {
namespace {

template <class F> void for_all_copies(F &&f) {
  AllKernels all = all_kernels();
  for (int i = 0; i < all.count; ++i) {
    SCOPED_TRACE(all.entries[i].name);
    f(*all.entries[i].table);
  }
}

uint32_t scrambled(size_t i) { return uint32_t(i + 1) * 2654435761u ^ uint32_t(i) << 13; }

/// Numbers with NaN, zeros of both signs and infinities among them.
std::vector<float> numbers(size_t count, bool special) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = std::ldexp(float(int32_t(scrambled(i))), int(i % 7) - 40);
  for (size_t i = 5; special && i < count; i += 61)
    values[i] = i % 2 ? NAN : i % 3 ? -0.0f : INFINITY;
  return values;
}

bool same(float a, float b) { return std::memcmp(&a, &b, 4) == 0 || (a != a && b != b); }

TEST(TileKernels, ColumnsAreReducedInTheOrderOfTheRows) {
  for_all_copies([](const Kernels &table) {
    for (int64_t columns : {1, 127, 128, 200, 515})
      for (int64_t rows : {1, 2, 33})
        for (Op op : {Op::add, Op::subtract, Op::maximum, Op::minimum, Op::abs_max})
          for (bool special : {false, true}) {
            const int64_t pitch = columns + 3;
            std::vector<float> in = numbers(size_t(rows * pitch), special);
            std::vector<float> out(size_t(columns), 7.0f);
            table.reduce_columns[int(op)][0](out.data(), in.data(), pitch, rows, columns);
            for (int64_t c = 0; c < columns; ++c) {
              float expected = in[size_t(c)];
              for (int64_t r = 1; r < rows; ++r)
                table.float_binary[int(op)][0](&expected, &expected, &in[size_t(r * pitch + c)], 1);
              ASSERT_TRUE(same(out[size_t(c)], expected)) << c << " of " << columns;
            }
          }
  });
}

TEST(TileKernels, ExtremesOfZerosKeepTheSignThatTheOrderGives) {
  for_all_copies([](const Kernels &table) {
    for (Op op : {Op::maximum, Op::minimum})
      for (int64_t length : {31, 32, 77, 512}) {
        std::vector<float> row(size_t(length), -0.0f), ascending(size_t(length), -1.0f);
        row[size_t(length) / 2] = 0.0f;
        ascending.back() = 2.5f;
        std::vector<const float *> rows(kRows, row.data());
        rows[1] = ascending.data();
        std::vector<float> state(kRows, -0.0f), expected = state;
        table.reduce_rows[int(op)][0](rows.data(), length, state.data());
        for (size_t r = 0; r < size_t(kRows); ++r)
          for (int64_t i = 0; i < length; ++i)
            table.float_binary[int(op)][0](&expected[r], &expected[r], rows[r] + i, 1);
        for (size_t r = 0; r < size_t(kRows); ++r)
          EXPECT_TRUE(same(state[r], expected[r])) << r << " " << length;
      }
  });
}

TEST(TileKernels, HalvesAreTransposedBitForBit) {
  for_all_copies([](const Kernels &table) {
    for (auto [rows, columns] : {std::pair<int64_t, int64_t>{1, 1}, {7, 9}, {8, 8}, {33, 50}}) {
      const int64_t from_pitch = columns + 1, to_pitch = rows + 2;
      std::vector<uint16_t> in(size_t(rows * from_pitch)), out(size_t(columns * to_pitch), 5);
      for (size_t i = 0; i < in.size(); ++i)
        in[i] = uint16_t(scrambled(i));
      table.transpose16(out.data(), to_pitch, in.data(), from_pitch, rows, columns);
      for (int64_t c = 0; c < columns; ++c)
        for (int64_t r = 0; r < to_pitch; ++r)
          ASSERT_EQ(out[size_t(c * to_pitch + r)],
                    r < rows ? in[size_t(r * from_pitch + c)] : uint16_t(5));
    }
  });
}

TEST(TileKernels, TheEightLargestOfLongRows) {
  for_all_copies([](const Kernels &table) {
    for (size_t length : {size_t(8), size_t(127), size_t(128), size_t(300), size_t(512)})
      for (int kind = 0; kind < 3; ++kind) {
        std::vector<float> row = numbers(length, kind == 1);
        for (size_t i = 0; kind == 2 && i < length; ++i)
          row[i] = float(i % 3) - 1; // ties
        std::vector<float> best(8, -INFINITY), expected;
        table.max8(best.data(), row.data(), int64_t(length));
        std::copy_if(row.begin(), row.end(), std::back_inserter(expected),
                     [](float x) { return x == x; });
        std::sort(expected.begin(), expected.end(), std::greater<>());
        expected.resize(8, -INFINITY);
        for (size_t i = 0; i < 8; ++i)
          EXPECT_TRUE(same(best[i], expected[i])) << i << " of " << length;
      }
  });
}

TEST(TileKernels, RandomBitsBecomeStatesAndChoices) {
  for_all_copies([](const Kernels &table) {
    std::vector<uint32_t> mixed(37), in(37), out(37);
    table.mix(mixed.data(), 0xfffffffffull, 37);
    for (size_t i = 0; i < 37; ++i) {
      uint64_t value = 0xfffffffffull + i + 0x9e3779b97f4a7c15;
      value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
      value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
      EXPECT_EQ(mixed[i], uint32_t((value ^ (value >> 31)) >> 32));
      in[i] = scrambled(i);
    }
    for (uint32_t limit : {0u, 1u << 23, mixed[3] >> 8, (mixed[3] >> 8) + 1, 1u << 24}) {
      table.keep(out.data(), mixed.data(), limit, in.data(), 37);
      for (size_t i = 0; i < 37; ++i)
        EXPECT_EQ(out[i], mixed[i] >> 8 >= limit ? in[i] : 0u);
    }
  });
}

TEST(TileKernels, BFloat16RoundsAsItsFormatSays) {
  for_all_copies([](const Kernels &table) {
    std::vector<uint16_t> out(1000);
    std::vector<float> in(1000), back(1000);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = __builtin_bit_cast(float, i % 5 ? scrambled(i) : uint32_t(i) << 16 | 0x8000u);
    in[7] = __builtin_bit_cast(float, 0x7f800001u); // a NaN whose upper half is infinite
    in[8] = __builtin_bit_cast(float, 0xffffffffu);
    for (size_t count : {size_t(5), size_t(31), size_t(1000)}) {
      table.store_floats[int(DType::bfloat16)](reinterpret_cast<uint8_t *>(out.data()), 2,
                                               in.data(), int64_t(count));
      table.load_floats[int(DType::bfloat16)](
          back.data(), reinterpret_cast<const uint8_t *>(out.data()), 2, int64_t(count));
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(out[i], BFloat16Format::from_float(in[i])) << i;
        uint32_t bits = uint32_t(out[i]) << 16;
        ASSERT_EQ(std::memcmp(&back[i], &bits, 4), 0);
      }
    }
  });
}

/// One group of 8 rows: scales and elements by their definition.
template <class Format> void expect_quantized(const Kernels &table, int type, int most) {
  constexpr int64_t columns = 37, width = 4 * columns;
  std::vector<float> in = numbers(size_t(8 * width), false), spare(width);
  for (size_t i = 0; i < in.size(); ++i) // as wide as bfloat16
    in[i] = std::ldexp(BFloat16Format::to_float(BFloat16Format::from_float(in[i])),
                       int(i / 4 % columns) * 6 - 120);
  for (int64_t r = 0; r < 8; ++r) // a group of zeros, one with an infinity, one with a NaN
    std::fill_n(&in[size_t(r * width)], 4, 0.0f);
  in[size_t(3 * width + 4)] = INFINITY;
  in[size_t(5 * width + 9)] = -NAN;
  std::vector<std::vector<uint8_t>> out(8, std::vector<uint8_t>(width));
  uint8_t *to[8];
  for (size_t r = 0; r < 8; ++r)
    to[r] = out[r].data();
  std::vector<uint32_t> scales(columns);
  table.quantize_mx[type](in.data(), width, columns, to, scales.data(), spare.data());
  for (int64_t c = 0; c < columns; ++c) {
    float largest = 0;
    bool finite = true;
    for (int64_t i = 0; i < 32; ++i) {
      float x = in[size_t(i / 4 * width + 4 * c + i % 4)];
      finite &= std::isfinite(x);
      largest = std::max(largest, std::fabs(x));
    }
    int scale = largest == 0 ? 0 : std::max(std::ilogb(largest) - (most - 1), -127) + 127;
    ASSERT_EQ(scales[size_t(c)], finite ? uint32_t(scale) : 255u) << c;
    for (int64_t i = 0; finite && i < 32; ++i) {
      double x = in[size_t(i / 4 * width + 4 * c + i % 4)];
      ASSERT_EQ(out[size_t(i / 4)][size_t(4 * c + i % 4)],
                Format::from_float(float(std::ldexp(x, 127 - scale))))
          << c;
    }
  }
}

TEST(TileKernels, GroupsAreQuantizedByTheirLargest) {
  for_all_copies([](const Kernels &table) {
    expect_quantized<Float8E4M3FnFormat>(table, 0, 8);
    expect_quantized<Float8E5M2Format>(table, 1, 15);
  });
}

TEST(TileKernels, PackedElementsAreMultipliedByTheirScale) {
  static constexpr float fp4[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  for_all_copies([](const Kernels &table) {
    constexpr size_t n = 300;
    std::vector<uint32_t> packed(n), scales(n);
    for (size_t i = 0; i < n; ++i) {
      packed[i] = scrambled(i);
      scales[i] = uint32_t(i % 256);
    }
    for (DType type : {DType::float8_e5m2_x4, DType::float8_e4m3fn_x4, DType::float4_e2m1fn_x4}) {
      std::vector<float> out(4 * n);
      table.dequantize_mx[int(type)](out.data(), n, packed.data(), scales.data(), n);
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < 4; ++j) {
          uint32_t nibble = packed[i] >> (4 * j) & 15;
          uint8_t byte = uint8_t(packed[i] >> (8 * j));
          float value = type == DType::float4_e2m1fn_x4
                            ? (nibble & 8 ? -fp4[nibble & 7] : fp4[nibble & 7])
                        : type == DType::float8_e5m2_x4 ? Float8E5M2Format::to_float(byte)
                                                        : Float8E4M3FnFormat::to_float(byte);
          float expected = value * Float8E8M0Format::to_float(uint8_t(scales[i]));
          ASSERT_TRUE(same(out[j * n + i], expected)) << i << " " << j;
        }
    }
  });
}

} // namespace
} // namespace nki::chip
