// All copies of the kernels compute the same bits, and the functions keep their error bounds.

#include "chip/kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

namespace nki::chip {
namespace {

std::vector<float> inputs(size_t count, unsigned seed) {
  std::vector<float> values = {0.0f,       -0.0f,       INFINITY,  -INFINITY, NAN,
                               1.0f,       -1.0f,       0x1p-149f, 88.8f,     -104.0f,
                               3.1415927f, -3.1415927f, 9.0f,      0.625f,    0.7f};
  std::mt19937 random(seed);
  while (values.size() < count)
    values.push_back(random() % 3 ? std::ldexp(float(int32_t(random())), int(random() % 24) - 40)
                                  : __builtin_bit_cast(float, uint32_t(random())));
  return values;
}

/// Equal bit for bit; NaNs may differ in sign and payload.
void expect_same(const std::vector<float> &a, const std::vector<float> &b,
                 const std::string &what) {
  for (size_t i = 0; i < a.size(); ++i) {
    bool equal = std::memcmp(&a[i], &b[i], 4) == 0 || (std::isnan(a[i]) && std::isnan(b[i]));
    ASSERT_TRUE(equal) << what << " " << i << " " << a[i] << " " << b[i];
  }
}

TEST(Kernels, CopiesForAllHostsAgree) {
  AllKernels all = all_kernels();
  if (all.count < 2)
    GTEST_SKIP() << "this host runs one copy only";
  const Kernels &x = *all.entries[0].table, &y = *all.entries[1].table;
  for (size_t n : {size_t(1), size_t(7), size_t(1000), size_t(4099)}) {
    std::vector<float> a = inputs(n, 1), b = inputs(n, 2), p(n), q(n);
    a.resize(n);
    b.resize(n);
    for (int op = 0; op < kOps; ++op) {
      std::string what = std::string(language::name_of(Op(op)));
      for (int rule = 0; rule < 2; ++rule) {
        if (!x.float_binary[op][rule])
          continue;
        x.float_binary[op][rule](p.data(), a.data(), b.data(), int64_t(n));
        y.float_binary[op][rule](q.data(), a.data(), b.data(), int64_t(n));
        expect_same(p, q, what);
        x.float_scalar_reverse[op][rule](p.data(), a.data(), 1.7f, int64_t(n));
        y.float_scalar_reverse[op][rule](q.data(), a.data(), 1.7f, int64_t(n));
        expect_same(p, q, what);
      }
      for (int kind = 0; kind < 4; ++kind) {
        if (!x.activation[op][kind / 2][kind % 2])
          continue;
        x.activation[op][kind / 2][kind % 2](p.data(), a.data(), 1.3f, 0.1f, int64_t(n));
        y.activation[op][kind / 2][kind % 2](q.data(), a.data(), 1.3f, 0.1f, int64_t(n));
        expect_same(p, q, what);
      }
    }
    for (int type = 0; type < int(DType::float8_e5m2_x4); ++type) { // packed types have no values
      std::vector<uint8_t> u(4 * n), v(4 * n);
      x.store_floats[type](u.data(), int64_t(size_of(DType(type))), a.data(), int64_t(n));
      y.store_floats[type](v.data(), int64_t(size_of(DType(type))), a.data(), int64_t(n));
      ASSERT_EQ(u, v) << name_of(DType(type));
      x.load_floats[type](p.data(), u.data(), int64_t(size_of(DType(type))), int64_t(n));
      y.load_floats[type](q.data(), u.data(), int64_t(size_of(DType(type))), int64_t(n));
      expect_same(p, q, std::string(name_of(DType(type))));
    }
  }
  std::vector<float> l(100 * 77), r(100 * 45), p(77 * 45), q(77 * 45);
  for (size_t i = 0; i < l.size(); ++i)
    l[i] = std::sin(float(i));
  for (size_t i = 0; i < r.size(); ++i)
    r[i] = std::cos(float(i));
  x.matmul(p.data(), l.data(), r.data(), 100, 77, 45);
  y.matmul(q.data(), l.data(), r.data(), 100, 77, 45);
  expect_same(p, q, "matmul");
}

// ---- loops over rows, against one element after the other --------------------------------------

constexpr int64_t kLengths[] = {1, 7, 8, 9, 31, 64, 333};

std::vector<std::vector<float>> rows_of(int64_t length, unsigned seed) {
  std::vector<std::vector<float>> rows;
  for (unsigned r = 0; r < unsigned(kRows); ++r) {
    std::vector<float> row = inputs(size_t(length) + 15, seed + r);
    // The odd values at the beginning are left to every other row, and moved about.
    if (r % 2)
      row.erase(row.begin(), row.begin() + 15);
    row.resize(size_t(length));
    std::rotate(row.begin(), row.begin() + int64_t(r) % length, row.end());
    rows.push_back(row);
  }
  return rows;
}
template <class T> std::vector<T *> pointers(std::vector<std::vector<float>> &rows) {
  std::vector<T *> result;
  for (auto &row : rows)
    result.push_back(row.data());
  return result;
}
/// f(table) for all copies.
template <class F> void for_all_copies(F &&f) {
  AllKernels all = all_kernels();
  for (int i = 0; i < all.count; ++i) {
    SCOPED_TRACE(all.entries[i].name);
    f(*all.entries[i].table);
  }
}

TEST(RowKernels, ReduceInTheOrderOfTheElements) {
  for_all_copies([](const Kernels &table) {
    for (int64_t length : kLengths)
      for (int op = 0; op < kOps; ++op)
        for (int rule = 0; rule < 2; ++rule) {
          if (!table.reduce_rows[op][rule])
            continue;
          auto rows = rows_of(length, 7);
          std::vector<float> state = inputs(kRows, 3), expected = state;
          table.reduce_rows[op][rule](pointers<const float>(rows).data(), length, state.data());
          for (size_t r = 0; r < size_t(kRows); ++r)
            for (float x : rows[r])
              table.float_binary[op][rule](&expected[r], &expected[r], &x, 1);
          expect_same(state, expected, std::string(language::name_of(Op(op))));
        }
  });
}

TEST(RowKernels, CumulateAndScanInTheOrderOfTheElements) {
  const Op pairs[][2] = {{Op::multiply, Op::add},
                         {Op::subtract, Op::maximum},
                         {Op::add, Op::multiply},
                         {Op::minimum, Op::subtract}};
  for_all_copies([&](const Kernels &table) {
    for (int64_t length : kLengths) {
      auto a = rows_of(length, 11), b = rows_of(length, 12), out = a, expected = a;
      for (Op op : {Op::add, Op::subtract, Op::multiply, Op::maximum, Op::minimum}) {
        std::vector<float> state = inputs(kRows, 3), at = state;
        table.cumulate_rows[int(op)][0](pointers<float>(out).data(),
                                        pointers<const float>(a).data(), length, state.data());
        for (size_t r = 0; r < size_t(kRows); ++r)
          for (size_t i = 0; i < size_t(length); ++i) {
            table.float_binary[int(op)][0](&at[r], &a[r][i], &at[r], 1);
            expected[r][i] = at[r];
          }
        for (size_t r = 0; r < size_t(kRows); ++r)
          expect_same(out[r], expected[r], "cumulate " + std::string(language::name_of(op)));
        expect_same(state, at, "state");
      }
      for (const auto &[op0, op1] : pairs)
        for (int reversed = 0; reversed < 4; ++reversed) {
          std::vector<float> state = inputs(kRows, 3), at = state;
          table.scan_rows[0](pointers<float>(out).data(), pointers<const float>(a).data(),
                             pointers<const float>(b).data(), length, state.data(), op0, op1,
                             reversed & 1, reversed & 2);
          for (size_t r = 0; r < size_t(kRows); ++r)
            for (size_t i = 0; i < size_t(length); ++i) {
              float middle = 0;
              auto step = [&](Op op, float &result, float left, float right, bool swapped) {
                table.float_binary[int(op)][0](&result, swapped ? &right : &left,
                                               swapped ? &left : &right, 1);
              };
              // Products and sums commute, so that they may be told in any order.
              step(op0, middle, a[r][i], at[r], reversed & 1);
              step(op1, at[r], middle, b[r][i], reversed & 2);
              expected[r][i] = at[r];
            }
          for (size_t r = 0; r < size_t(kRows); ++r)
            expect_same(out[r], expected[r], "scan " + std::string(language::name_of(op0)));
        }
    }
  });
}

TEST(RowKernels, StatisticsAddInTheOrderOfTheElements) {
  for_all_copies([](const Kernels &table) {
    for (int64_t length : kLengths) {
      auto rows = rows_of(length, 21);
      float mean[2][kRows], spread[2][kRows];
      table.statistics(pointers<const float>(rows).data(), length, mean, spread);
      for (size_t r = 0; r < size_t(kRows); ++r)
        for (size_t parity = 0; parity < 2; ++parity) {
          float count = 0, sum = 0, distances = 0;
          for (size_t i = parity; i < rows[r].size(); i += 2, ++count)
            sum += rows[r][i];
          const float middle = count > 0 ? sum / count : 0.0f;
          for (size_t i = parity; i < rows[r].size(); i += 2)
            distances += (rows[r][i] - middle) * (rows[r][i] - middle);
          expect_same({mean[parity][r], spread[parity][r]}, {middle, distances}, "statistics");
        }
    }
  });
}

TEST(RowKernels, SearchesFindEveryElement) {
  for_all_copies([](const Kernels &table) {
    for (int64_t length : kLengths) {
      std::vector<float> row = inputs(size_t(length) + 15, 5), wanted = inputs(8, 1);
      wanted.resize(8);
      for (size_t i = 3; i < row.size(); i += 5)
        row[i] = wanted[i % 8];
      std::vector<uint32_t> hits(row.size()), expected;
      const int64_t found =
          table.equal_any8(row.data(), int64_t(row.size()), wanted.data(), hits.data());
      for (uint32_t i = 0; i < row.size(); ++i)
        if (std::any_of(wanted.begin(), wanted.end(), [&](float x) { return x == row[i]; }))
          expected.push_back(i);
      hits.resize(size_t(found));
      EXPECT_EQ(hits, expected);
      for (float limit : {-1.0f, 0.0f, 1e9f, float(INFINITY), float(NAN)}) {
        int64_t first = 2;
        while (first < int64_t(row.size()) && !(row[size_t(first)] > limit))
          ++first;
        EXPECT_EQ(table.find_above(row.data(), 2, int64_t(row.size()), limit), first) << limit;
      }
    }
  });
}

TEST(RowKernels, ChoicesAndRanges) {
  for_all_copies([](const Kernels &table) {
    for (int64_t length : kLengths) {
      const size_t n = size_t(length);
      std::vector<float> in = inputs(n + 15, 8), out(n);
      in.resize(n);
      for (int first = 0; first < kComparisons; ++first)
        for (int second = 0; second < kComparisons; ++second) {
          table.select_range[first][second](out.data(), in.data(), 3, 5, 20, -7, length);
          for (size_t i = 0; i < n; ++i) {
            const float index = 3 + float(i), five = 5, twenty = 20;
            float one = 0, two = 0;
            table.float_binary[int(Op::equal) + first][0](&one, &index, &five, 1);
            table.float_binary[int(Op::equal) + second][0](&two, &index, &twenty, 1);
            expect_same({out[i]}, {one * two != 0 ? in[i] : -7.0f}, "range");
          }
        }
      std::vector<uint32_t> take(n), a(n), b(n), chosen(n), from(n * 3);
      for (size_t i = 0; i < n; ++i)
        take[i] = i % 3 == 0 ? 0 : uint32_t(i) << 20, a[i] = uint32_t(i), b[i] = ~uint32_t(i);
      table.select(chosen.data(), take.data(), a.data(), b.data(), length);
      for (size_t i = 0; i < n; ++i)
        EXPECT_EQ(chosen[i], take[i] ? a[i] : b[i]);
      table.select_scalars(chosen.data(), take.data(), a.data(), 99, length);
      for (size_t i = 0; i < n; ++i)
        EXPECT_EQ(chosen[i], take[i] ? a[i] : 99u);
      std::vector<uint32_t> matrix(n * 19), turned(n * 21, 5);
      for (size_t i = 0; i < matrix.size(); ++i)
        matrix[i] = 0x7f800001u + uint32_t(i); // patterns of NaNs stay what they are
      table.transpose(turned.data(), 21, matrix.data(), length, 19, length);
      for (size_t c = 0; c < n; ++c)
        for (size_t r = 0; r < 21; ++r)
          ASSERT_EQ(turned[c * 21 + r], r < 19 ? matrix[r * n + c] : 5u);
    }
  });
}

TEST(RowKernels, GeneratorsDrawTheirOwnNumbers) {
  for_all_copies([](const Kernels &table) {
    GeneratorStates states;
    for (uint32_t word = 0; word < kGeneratorWords; ++word)
      for (uint32_t g = 0; g < kGenerators; ++g)
        states.words[word][g] = 0x9e3779b9u * (word * kGenerators + g + 1);
    GeneratorStates at = states;
    std::vector<std::vector<uint32_t>> out(kGenerators / 4, std::vector<uint32_t>(4 * 9));
    std::vector<uint32_t *> to;
    for (auto &row : out)
      to.push_back(row.data());
    GeneratorStates pair[2] = {states, states};
    std::vector<std::vector<uint32_t>> both(kGenerators / 2, std::vector<uint32_t>(4 * 9)),
        single(kGenerators, std::vector<uint32_t>(9));
    std::vector<uint32_t *> to_both, to_single;
    for (auto &row : both)
      to_both.push_back(row.data());
    for (auto &row : single)
      to_single.push_back(row.data());
    table.draw[1](pair, to_both.data(), 9);
    GeneratorStates alone = states;
    table.draw_single(&alone, to_single.data(), 9);
    table.draw[0](&states, to.data(), 9);
    EXPECT_EQ(std::memcmp(&pair[0], &states, sizeof states), 0);
    EXPECT_EQ(std::memcmp(&pair[1], &states, sizeof states), 0);
    EXPECT_EQ(std::memcmp(&alone, &states, sizeof states), 0);
    for (size_t row = 0; row < out.size(); ++row) {
      EXPECT_EQ(both[row], out[row]);
      EXPECT_EQ(both[row + out.size()], out[row]);
      for (size_t i = 0; i < out[row].size(); ++i)
        EXPECT_EQ(single[4 * row + i % 4][i / 4], out[row][i]);
    }
    for (size_t g = 0; g < size_t(kGenerators); ++g)
      for (size_t step = 0; step < 9; ++step) {
        auto &w = at.words;
        const uint32_t t = w[0][g] ^ (w[0][g] >> 2);
        for (int i = 0; i < 4; ++i)
          w[i][g] = w[i + 1][g];
        w[4][g] = (w[4][g] ^ (w[4][g] << 4)) ^ (t ^ (t << 1));
        w[5][g] += 362437;
        EXPECT_EQ(out[g / 4][4 * step + g % 4], w[5][g] + w[4][g]);
      }
    EXPECT_EQ(std::memcmp(&states, &at, sizeof states), 0);
    std::vector<float> numbers(36);
    table.uniform(numbers.data(), out[0].data(), -1.5f, 3.25f, 36);
    for (size_t i = 0; i < 36; ++i)
      EXPECT_EQ(numbers[i], -1.5f + 3.25f * (float(out[0][i] >> 8) * 0x1p-24f));
  });
}

TEST(RowKernels, ElementsApartInMemory) {
  for_all_copies([](const Kernels &table) {
    std::vector<uint8_t> bytes(4096);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = uint8_t(i * 37 + i / 256);
    for (int type = 0; type < int(DType::float8_e5m2_x4); ++type)
      for (int64_t step : {0, 1, 2, 3, 5})
        for (int64_t count : kLengths) {
          const int64_t size = int64_t(size_of(DType(type)));
          if (step * size * count > 4000)
            continue;
          std::vector<float> all(static_cast<size_t>(count)), single = all;
          table.load_floats[type](all.data(), bytes.data(), step * size, count);
          std::vector<uint32_t> bits(static_cast<size_t>(count)), one = bits;
          table.load_bits[size](bits.data(), bytes.data(), step * size, count);
          for (int64_t i = 0; i < count; ++i) {
            table.load_floats[type](&single[size_t(i)], bytes.data() + i * step * size, size, 1);
            table.load_bits[size](&one[size_t(i)], bytes.data() + i * step * size, size, 1);
          }
          expect_same(all, single, std::string(name_of(DType(type))));
          EXPECT_EQ(bits, one);
        }
  });
}

TEST(RowKernels, Float16IsRoundedAlikeInRunsAndAlone) {
  for_all_copies([](const Kernels &table) {
    const int type = int(DType::float16);
    std::vector<float> values;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) // and both sides of every boundary
      for (int32_t off : {-1, 0, 1})
        values.push_back(__builtin_bit_cast(float, (bits << 16 | 0x1000) + uint32_t(off)));
    std::vector<uint16_t> all(values.size()), single = all;
    table.store_floats[type](reinterpret_cast<uint8_t *>(all.data()), 2, values.data(),
                             int64_t(values.size()));
    for (size_t i = 0; i < values.size(); ++i)
      table.store_floats[type](reinterpret_cast<uint8_t *>(&single[i]), 2, &values[i], 1);
    EXPECT_EQ(all, single);
    std::vector<uint16_t> patterns(0x10000);
    for (size_t i = 0; i < patterns.size(); ++i)
      patterns[i] = uint16_t(i);
    std::vector<uint32_t> wide(patterns.size()), alone = wide;
    table.load_floats[type](reinterpret_cast<float *>(wide.data()),
                            reinterpret_cast<const uint8_t *>(patterns.data()), 2, 0x10000);
    for (size_t i = 0; i < patterns.size(); ++i)
      table.load_floats[type](reinterpret_cast<float *>(&alone[i]),
                              reinterpret_cast<const uint8_t *>(&patterns[i]), 2, 1);
    EXPECT_EQ(wide, alone);
  });
}

/// Distance in units in the last place of the exact result; infinite where the kinds differ.
double ulps(float got, double exact) {
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(float(exact)) || std::isinf(got))
    return float(exact) == got ? 0 : INFINITY;
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::fabs(double(got) - exact) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

struct Function {
  Op op;
  std::function<double(double)> exact;
  double low, high;
  bool outside; ///< the setting that continues outside of the documented range
};

double normal_cdf(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }
/// x times something that vanishes, also for infinite x.
double times(double x, double y) { return y == 0 ? std::copysign(0.0, x) : x * y; }

TEST(Math, FunctionsAreWithinTwoUlp) {
  const double inf = INFINITY, pi = double(float(M_PI));
  const double tanh_factor = 2 * std::sqrt(2 / M_PI);
  const Function functions[] = {
      {Op::exp, [](double x) { return std::exp(x); }, -inf, inf, false},
      {Op::log, [](double x) { return std::log(x); }, 0x1p-64, 0x1p64, false},
      {Op::log, [](double x) { return std::log(x); }, -inf, inf, true},
      {Op::sin, [](double x) { return std::sin(x); }, -pi, pi, false},
      {Op::tanh, [](double x) { return std::tanh(x); }, -inf, inf, false},
      {Op::arctan, [](double x) { return std::atan(x); }, -pi / 2, pi / 2, false},
      {Op::arctan, [](double x) { return std::atan(x); }, -inf, inf, true},
      {Op::sqrt, [](double x) { return std::sqrt(x); }, 0x1p-116, 0x1p118, false},
      {Op::rsqrt, [](double x) { return 1 / std::sqrt(x); }, 0x1p-87, 0x1p97, false},
      {Op::reciprocal, [](double x) { return 1 / x; }, 0x1p-42, 0x1p42, false},
      {Op::sigmoid, logistic, -inf, inf, false},
      {Op::silu, [](double x) { return times(x, logistic(x)); }, -inf, inf, false},
      {Op::erf, [](double x) { return std::erf(x); }, -inf, inf, false},
      {Op::erf_dx, [](double x) { return M_2_SQRTPI * std::exp(-x * x); }, -inf, inf, false},
      {Op::gelu, [](double x) { return times(x, normal_cdf(x)); }, -inf, inf, false},
      {Op::gelu_dx,
       [](double x) {
         return normal_cdf(x) + times(x, std::exp(-x * x / 2)) / std::sqrt(2 * M_PI);
       },
       -inf, inf, false},
      {Op::gelu_apprx_tanh,
       [&](double x) { return times(x, logistic(tanh_factor * (x + 0.044715 * x * x * x))); }, -inf,
       inf, false},
      {Op::gelu_apprx_sigmoid, [](double x) { return times(x, logistic(1.702 * x)); }, -inf, inf,
       false},
      {Op::softplus,
       [](double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); },
       -inf, inf, false},
      {Op::mish,
       [](double x) {
         return times(x, std::tanh(x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x))));
       },
       -inf, inf, false},
  };
  constexpr uint32_t kStep = 19997; // every so-manieth float, of all magnitudes
  for (const Function &function : functions) {
    std::vector<float> x;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += kStep) {
      float value = __builtin_bit_cast(float, uint32_t(bits));
      if (value >= function.low && value <= function.high)
        x.push_back(value);
    }
    std::vector<float> y(x.size());
    kernels().activation[int(function.op)][0][function.outside](y.data(), x.data(), 1.0f, -0.0f,
                                                                int64_t(x.size()));
    double worst = 0;
    float where = 0;
    for (size_t i = 0; i < x.size(); ++i)
      if (double error = ulps(y[i], function.exact(x[i])); !(error <= worst)) {
        worst = error;
        where = x[i];
      }
    EXPECT_LE(worst, 2.0) << language::name_of(function.op) << " at " << where;
  }
}

TEST(Math, PowerIsWithinOneUlpWhateverItsNeighbours) {
  std::mt19937 random(11);
  std::vector<float> bases = inputs(40, 3), exponents = inputs(40, 4), x, y;
  for (float value : {2.0f, 0.5f, 3.0f, -3.0f, -2.0f, 0x1.fffffep-1f, 0x1.000002p0f, 0x1p-126f}) {
    bases.push_back(value);
    exponents.push_back(value);
  }
  for (float base : bases)
    for (float exponent : exponents) {
      x.push_back(base);
      y.push_back(exponent);
    }
  auto random_float = [&] { return __builtin_bit_cast(float, uint32_t(random())); };
  for (int i = 0; i < 400000; ++i) { // results of all magnitudes, near 1 too
    float base = std::fabs(random_float());
    if (i % 4 == 0)
      base = 1 + std::ldexp(float(int32_t(random())), -31 - int(random() % 24));
    double most = 150 / std::log2(double(base));
    x.push_back(base);
    y.push_back(float(most * (double(random()) / 2147483648.0 - 1)));
  }
  std::vector<float> z(x.size());
  kernels().float_binary[int(Op::power)][0](z.data(), x.data(), y.data(), int64_t(x.size()));
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double exact = std::pow(double(x[i]), double(y[i]));
    double error = ulps(z[i], exact);
    ASSERT_LE(error, 1.0) << x[i] << " " << y[i] << " " << z[i];
    EXPECT_EQ(std::signbit(z[i]), std::signbit(exact) && !std::isnan(exact)) << x[i] << " " << y[i];
    if (double(float(exact)) == exact && std::isnormal(float(exact)))
      EXPECT_EQ(z[i], float(exact)) << "exact powers";
    worst = std::max(worst, error);
    if (i % 101 == 0) {
      float alone = 0;
      kernels().float_binary[int(Op::power)][0](&alone, &x[i], &y[i], 1);
      ASSERT_EQ(std::memcmp(&alone, &z[i], 4), 0) << x[i] << " " << y[i];
    }
  }
  EXPECT_LE(worst, 0.7);
}

} // namespace
} // namespace nki::chip
