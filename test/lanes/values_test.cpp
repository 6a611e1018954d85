// Constants, assignments and selections under masks; float operations; shuffles.
#include "lanes/ops.h"

#include "chip_for_test.h"

#include <bit>
#include <cmath>
#include <random>

namespace nki {
namespace {

using Random = std::mt19937_64;

class Values : public testing::TestWithParam<WaveShape> {
protected:
  std::vector<int32_t> noise() {
    std::vector<int32_t> values(size_t(wave_.lanes()));
    for (int32_t &value : values)
      value = int32_t(random_());
    return values;
  }
  std::vector<Mask> masks() {
    std::vector<uint8_t> some(size_t(wave_.lanes()));
    for (uint8_t &byte : some)
      byte = random_() % 2;
    std::vector<Mask> known{wave_.all(),
                            Mask(true),
                            Mask(wave_, false),
                            Mask(wave_, some),
                            slt(wave_.threadIdx.x, Index(3)),
                            eq(wave_.threadIdx.x & Index(1), Index(0)),
                            eq(wave_.blockIdx.x & Index(1), Index(0))};
    std::vector<Mask> all = known;
    for (const Mask &mask : known)
      all.push_back(Mask(wave_, mask.tile(wave_)));
    return all;
  }
  std::vector<uint8_t> lanes_in(const Mask &mask) {
    std::vector<uint32_t> tile = from_tile<uint32_t>(mask.tile(wave_));
    return {tile.begin(), tile.end()};
  }
  Tensor tile(const std::vector<int32_t> &values) { return to_tile(wave_, values, DType::int32); }

  Random random_{6};
  TestChip chip_;
  TestWave made_{GetParam()};
  const Wave &wave_ = made_.wave();
};

TEST_P(Values, LaunchKnownIntegersBecomeTiles) {
  Index x = wave_.threadIdx.x, y = wave_.threadIdx.y, z = wave_.threadIdx.z;
  Index bx = wave_.blockIdx.x, by = wave_.blockIdx.y, bz = wave_.blockIdx.z;
  std::vector<int64_t> anything(size_t(wave_.lanes()));
  for (int64_t &value : anything)
    value = int64_t(random_());
  for (const Index &index :
       {x, y, z, bx, by, bz, bx * Index(1000003) + y * Index(17) - z, x * Index(INT32_MAX) + bz,
        Index(-7), x ^ Index(3), bx & Index(1), (bx ^ x) * by,
        sext(bx, 64) * Index(0x123456789abL) + sext(x, 64), Index(wave_, 32, anything),
        Index(wave_, 64, anything), trunc(x + bx, 8), (by + bz) * Index(5)}) {
    Tensor result = wave_.tile(DType::int32);
    materialize(result, index);
    std::vector<int32_t> values = from_tile<int32_t>(result);
    for (int64_t lane = 0; lane < wave_.lanes(); ++lane)
      ASSERT_EQ(values[size_t(lane)], int32_t(index.signed_at(lane))) << "lane " << lane;
  }
}

TEST_P(Values, AssignmentsReplaceTheLanesOfTheMask) {
  std::vector<int32_t> old = noise(), fresh = noise();
  for (const Mask &mask : masks()) {
    std::vector<uint8_t> in = lanes_in(mask);
    Tensor variable = tile(old), number = tile(old), real = tile(old),
           first = wave_.tile(DType::int32);
    assign(variable, tile(fresh), mask);
    assign(number, 0x7654321, mask);
    assign(tile(old), variable, mask);
    Tensor as_float = to_tile(wave_, old, DType::float32);
    assign(as_float, 1.5f, mask);
    assign(first, tile(fresh), mask);
    std::vector<int32_t> a = from_tile<int32_t>(variable), b = from_tile<int32_t>(number),
                         c = from_tile<int32_t>(as_float), d = from_tile<int32_t>(first);
    for (size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(a[i], in[i] ? fresh[i] : old[i]);
      ASSERT_EQ(b[i], in[i] ? 0x7654321 : old[i]);
      ASSERT_EQ(c[i], in[i] ? std::bit_cast<int32_t>(1.5f) : old[i]);
      if (in[i])
        ASSERT_EQ(d[i], fresh[i]);
    }
  }
}

TEST_P(Values, SelectionsTakeEitherSide) {
  std::vector<int32_t> a = noise(), b = noise();
  for (const Mask &mask : masks()) {
    std::vector<uint8_t> in = lanes_in(mask);
    auto expect = [&](const Tensor &result, auto left, auto right, const char *form) {
      std::vector<int32_t> values = from_tile<int32_t>(result);
      for (size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], in[i] ? left(i) : right(i)) << form;
    };
    auto from_a = [&](size_t i) { return a[i]; };
    auto from_b = [&](size_t i) { return b[i]; };
    auto number = [](size_t) { return -5; };
    Tensor result = wave_.tile(DType::int32);
    select(result, mask, IntOperand(tile(a)), IntOperand(tile(b)));
    ASSERT_NO_FATAL_FAILURE(expect(result, from_a, from_b, "tiles"));
    select(result, mask, IntOperand(tile(a)), IntOperand(-5));
    ASSERT_NO_FATAL_FAILURE(expect(result, from_a, number, "tile, number"));
    select(result, mask, IntOperand(-5), IntOperand(tile(b)));
    ASSERT_NO_FATAL_FAILURE(expect(result, number, from_b, "number, tile"));
    Tensor left = tile(a), right = tile(b);
    select(left, mask, IntOperand(left), IntOperand(tile(b)));
    ASSERT_NO_FATAL_FAILURE(expect(left, from_a, from_b, "in place of the first"));
    select(right, mask, IntOperand(tile(a)), IntOperand(right));
    ASSERT_NO_FATAL_FAILURE(expect(right, from_a, from_b, "in place of the second"));
    Tensor kept = tile(a);
    select(kept, mask, IntOperand(kept), IntOperand(-5));
    ASSERT_NO_FATAL_FAILURE(expect(kept, from_a, number, "in place, number"));
    from_mask(result, mask);
    ASSERT_NO_FATAL_FAILURE(
        expect(result, [](size_t) { return 1; }, [](size_t) { return 0; }, "from_mask"));
  }
}

enum class Shuffle { up, down, bfly, idx };

/// PTX shfl.sync for one thread.
int64_t source_thread(Shuffle kind, int64_t thread, int64_t threads, int b, int width) {
  int64_t lane = thread % 32, warp = thread - lane;
  b &= 31;
  int control = (32 - width) << 8 | (kind == Shuffle::up ? 0 : 31);
  int64_t segment_mask = control >> 8, clamp = control & 31;
  int64_t highest = (lane & segment_mask) | (clamp & ~segment_mask), lowest = lane & segment_mask;
  int64_t j = 0;
  bool valid = false;
  switch (kind) {
  case Shuffle::up:
    j = lane - b;
    valid = j >= highest;
    break;
  case Shuffle::down:
    j = lane + b;
    valid = j <= highest;
    break;
  case Shuffle::bfly:
    j = lane ^ b;
    valid = j <= highest;
    break;
  case Shuffle::idx:
    j = lowest | (b & ~segment_mask);
    valid = j <= highest;
  }
  return valid && warp + j < threads ? warp + j : thread;
}

TEST_P(Values, ShufflesReadTheLaneThatPtxNames) {
  int64_t threads = int64_t(wave_.launch().blockDim.count());
  std::vector<int32_t> values = noise();
  Index varying = wave_.threadIdx.x * Index(3) + wave_.threadIdx.y;
  Index by_block = varying + wave_.blockIdx.x;
  for (int width : {1, 2, 8, 16, 32})
    for (const Index &b : {Index(0), Index(1), Index(2), Index(5), Index(16), Index(31), Index(40),
                           varying, by_block})
      for (Shuffle kind : {Shuffle::up, Shuffle::down, Shuffle::bfly, Shuffle::idx}) {
        auto run = [&](const Tensor &dst, const Tensor &a) {
          kind == Shuffle::up     ? shfl_up(wave_, dst, a, b, width)
          : kind == Shuffle::down ? shfl_down(wave_, dst, a, b, width)
          : kind == Shuffle::bfly ? shfl_xor(wave_, dst, a, b, width)
                                  : shfl(wave_, dst, a, b, width);
        };
        auto expect = [&](const Tensor &tile, const char *form) {
          std::vector<int32_t> results = from_tile<int32_t>(tile);
          for (int64_t lane = 0; lane < wave_.lanes(); ++lane) {
            int64_t thread = lane % wave_.F() % threads;
            int64_t source = source_thread(kind, thread, threads, int(b.signed_at(lane)), width);
            ASSERT_EQ(results[size_t(lane)], values[size_t(lane - thread + source)])
                << form << " " << int(kind) << ", width " << width << ", lane " << lane;
          }
        };
        Tensor result = wave_.tile(DType::int32), replaced = tile(values);
        Tensor source = wave_.tile(DType::int32);
        run(result, tile(values));
        ASSERT_NO_FATAL_FAILURE(expect(result, "to another tile"));
        run(replaced, replaced);
        ASSERT_NO_FATAL_FAILURE(expect(replaced, "in place"));
        if (kind != Shuffle::idx)
          continue;
        materialize(source, b);
        shfl(wave_, result, tile(values), source, width);
        ASSERT_NO_FATAL_FAILURE(expect(result, "computed"));
      }
}

INSTANTIATE_TEST_SUITE_P(Waves, Values, testing::ValuesIn(kWaveShapes), shape_name);

const float kFloats[] = {0.0f,
                         -0.0f,
                         1.0f,
                         -1.0f,
                         1.5f,
                         -3.25f,
                         std::numeric_limits<float>::quiet_NaN(),
                         -std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(),
                         std::numeric_limits<float>::denorm_min(),
                         -1e-40f,
                         std::numeric_limits<float>::min(),
                         std::numeric_limits<float>::max(),
                         -std::numeric_limits<float>::max(),
                         16777217.0f,
                         0.1f};

bool same_float(float a, float b) {
  return (a != a && b != b) || std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

/// PTX max.f32: the other operand where one is NaN, +0 above -0.
float larger(float a, float b) {
  if (a != a || b != b)
    return a != a ? b : a;
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}
float smaller(float a, float b) {
  if (a != a || b != b)
    return a != a ? b : a;
  return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}

class Floats : public testing::TestWithParam<chip::NanRule> {
protected:
  Floats() {
    for (float a : kFloats)
      for (float b : kFloats) {
        a_.push_back(a);
        b_.push_back(b);
      }
    a_.resize(size_t(wave_.lanes()), 2.0f);
    b_.resize(size_t(wave_.lanes()), 3.0f);
  }
  TestChip chip_{chip::ChipAssumptions{.nan_in_min_max = GetParam()}};
  TestWave made_{{{3, 1, 1}, {100, 1, 1}, {0, 0, 0}, {3, 1, 1}, 1}};
  const Wave &wave_ = made_.wave();
  std::vector<float> a_, b_;
};

TEST_P(Floats, ArithmeticIsThatOfIeee) {
  struct Op {
    const char *name;
    void (*tile)(const Tensor &, const FloatOperand &, const FloatOperand &);
    float (*number)(float, float);
  };
  const Op ops[] = {{"fadd", fadd, [](float a, float b) { return a + b; }},
                    {"fsub", fsub, [](float a, float b) { return a - b; }},
                    {"fmul", fmul, [](float a, float b) { return a * b; }},
                    {"fmax", fmax, larger},
                    {"fmin", fmin, smaller}};
  for (const Op &op : ops) {
    auto expect = [&](const Tensor &tile, auto a, auto b, const char *form) {
      std::vector<float> values = from_tile<float>(tile);
      for (size_t i = 0; i < values.size(); ++i)
        ASSERT_TRUE(same_float(values[i], op.number(a(i), b(i))))
            << op.name << " " << form << " of " << a(i) << " and " << b(i) << " is " << values[i];
    };
    auto a = [&](size_t i) { return a_[i]; };
    auto b = [&](size_t i) { return b_[i]; };
    Tensor left = to_tile(wave_, a_, DType::float32), right = to_tile(wave_, b_, DType::float32);
    Tensor result = wave_.tile(DType::float32), replaced = to_tile(wave_, a_, DType::float32);
    op.tile(result, left, right);
    ASSERT_NO_FATAL_FAILURE(expect(result, a, b, "tiles"));
    op.tile(replaced, replaced, right);
    ASSERT_NO_FATAL_FAILURE(expect(replaced, a, b, "in place"));
    for (float number : kFloats) {
      auto n = [&](size_t) { return number; };
      op.tile(result, left, number);
      ASSERT_NO_FATAL_FAILURE(expect(result, a, n, "tile and number"));
      op.tile(result, number, right);
      ASSERT_NO_FATAL_FAILURE(expect(result, n, b, "number and tile"));
      Tensor in_place = to_tile(wave_, a_, DType::float32);
      op.tile(in_place, in_place, number);
      ASSERT_NO_FATAL_FAILURE(expect(in_place, a, n, "in place with a number"));
      op.tile(result, number, 2.5f);
      ASSERT_NO_FATAL_FAILURE(expect(result, n, [](size_t) { return 2.5f; }, "numbers"));
    }
  }
}

TEST_P(Floats, SignsAreFlippedAndCleared) {
  Tensor result = wave_.tile(DType::float32), tile = to_tile(wave_, a_, DType::float32);
  fneg(result, tile);
  std::vector<uint32_t> negated = from_tile<uint32_t>(result);
  fabs(result, tile);
  std::vector<uint32_t> magnitude = from_tile<uint32_t>(result);
  for (size_t i = 0; i < a_.size(); ++i) {
    EXPECT_EQ(negated[i], std::bit_cast<uint32_t>(a_[i]) ^ 0x80000000u);
    EXPECT_EQ(magnitude[i], std::bit_cast<uint32_t>(a_[i]) & 0x7fffffffu);
  }
}

TEST_P(Floats, ComparisonsKnowNan) {
  using enum FloatCompare;
  struct Test {
    FloatCompare predicate;
    bool (*number)(float, float);
  };
  static auto unordered = [](float a, float b) { return a != a || b != b; };
  const Test tests[] = {
      {oeq, [](float a, float b) { return a == b; }},
      {ogt, [](float a, float b) { return a > b; }},
      {oge, [](float a, float b) { return a >= b; }},
      {olt, [](float a, float b) { return a < b; }},
      {ole, [](float a, float b) { return a <= b; }},
      {one, [](float a, float b) { return a < b || a > b; }},
      {ord, [](float a, float b) { return !unordered(a, b); }},
      {ueq, [](float a, float b) { return a == b || unordered(a, b); }},
      {ugt, [](float a, float b) { return a > b || unordered(a, b); }},
      {uge, [](float a, float b) { return a >= b || unordered(a, b); }},
      {ult, [](float a, float b) { return a < b || unordered(a, b); }},
      {ule, [](float a, float b) { return a <= b || unordered(a, b); }},
      {une, [](float a, float b) { return a != b; }},
      {uno, [](float a, float b) { return unordered(a, b); }},
  };
  Tensor left = to_tile(wave_, a_, DType::float32), right = to_tile(wave_, b_, DType::float32);
  for (const Test &test : tests) {
    auto expect = [&](const Mask &mask, auto a, auto b, const char *form) {
      std::vector<uint32_t> values = from_tile<uint32_t>(mask.tile(wave_));
      for (size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], uint32_t(test.number(a(i), b(i))))
            << form << " " << int(test.predicate) << " of " << a(i) << " and " << b(i);
    };
    auto a = [&](size_t i) { return a_[i]; };
    auto b = [&](size_t i) { return b_[i]; };
    ASSERT_NO_FATAL_FAILURE(expect(compare(wave_, test.predicate, left, right), a, b, "tiles"));
    for (float number : kFloats) {
      auto n = [&](size_t) { return number; };
      ASSERT_NO_FATAL_FAILURE(
          expect(compare(wave_, test.predicate, left, number), a, n, "tile and number"));
      ASSERT_NO_FATAL_FAILURE(
          expect(compare(wave_, test.predicate, number, right), n, b, "number and tile"));
      ASSERT_NO_FATAL_FAILURE(expect(
          compare(wave_, test.predicate, number, 1.0f), n, [](size_t) { return 1.0f; }, "numbers"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NanRules, Floats,
                         testing::Values(chip::NanRule::propagate, chip::NanRule::number));

} // namespace
} // namespace nki
