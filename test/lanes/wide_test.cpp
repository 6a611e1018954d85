// 64-bit integers as pairs of tiles, against C++.
#include "lanes/element.h"
#include "lanes/wide.h"

#include "chip_for_test.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace nki {
namespace {

using Random = std::mt19937_64;

const int64_t kCorners[] = {0,
                            1,
                            -1,
                            2,
                            3,
                            -3,
                            10,
                            63,
                            64,
                            255,
                            65535,
                            65536,
                            -65537,
                            (1 << 24) + 1,
                            INT32_MAX,
                            INT32_MIN,
                            int64_t(INT32_MAX) + 1,
                            int64_t(INT32_MIN) - 1,
                            UINT32_MAX,
                            int64_t(UINT32_MAX) + 1,
                            int64_t(UINT32_MAX) + 2,
                            -int64_t(UINT32_MAX),
                            -int64_t(UINT32_MAX) - 1,
                            -int64_t(UINT32_MAX) - 2,
                            int64_t(0xffffffff00000001),
                            0x7fffffff00000000,
                            0x00000000ffffffff,
                            0x0123456789abcdef,
                            int64_t(0xaaaaaaaaaaaaaaaa),
                            0x5555555555555555,
                            6364136223846793005,
                            int64_t(0x9e3779b97f4a7c15),
                            1000000007,
                            INT64_MAX,
                            INT64_MAX - 1,
                            INT64_MIN,
                            INT64_MIN + 1};

/// All pairs of corners, and random values of all magnitudes.
struct Operands {
  std::vector<int64_t> a, b;
};

int64_t any_magnitude(Random &random) {
  const uint64_t value = random() >> random() % 64;
  return int64_t(random() % 2 ? value : 0 - value);
}

Operands operands_for(const Wave &wave, Random &random) {
  Operands operands;
  for (int64_t a : kCorners)
    for (int64_t b : kCorners) {
      operands.a.push_back(a);
      operands.b.push_back(b);
    }
  while (int64_t(operands.a.size()) < wave.lanes()) {
    operands.a.push_back(any_magnitude(random));
    operands.b.push_back(any_magnitude(random));
    if (random() % 4 == 0) // near a multiple, where an estimate is off by one
      operands.a.back() =
          int64_t(uint64_t(operands.b.back()) * (random() >> random() % 64) - random() % 2);
    if (random() % 4 == 0) // words that tie
      operands.b.back() =
          int64_t((uint64_t(operands.a.back()) & 0xffffffff00000000) | (random() & 0xffffffff));
  }
  return operands;
}

Wide to_wide(const Wave &wave, const std::vector<int64_t> &values) {
  std::vector<int32_t> low, high;
  for (int64_t value : values) {
    low.push_back(int32_t(value));
    high.push_back(int32_t(value >> 32));
  }
  return {to_tile(wave, low, DType::int32), to_tile(wave, high, DType::int32)};
}

std::vector<int64_t> from_wide(const Wide &wide) {
  const std::vector<uint32_t> low = from_tile<uint32_t>(wide.low);
  const std::vector<uint32_t> high = from_tile<uint32_t>(wide.high);
  std::vector<int64_t> values;
  for (size_t i = 0; i < low.size(); ++i)
    values.push_back(int64_t(uint64_t(high[i]) << 32 | low[i]));
  return values;
}

struct Binary {
  const char *name;
  void (*wide)(const Wide &, const WideOperand &, const WideOperand &);
  int64_t (*number)(int64_t, int64_t);
  bool (*defined)(int64_t, int64_t) = nullptr;
};

bool by_nonzero(int64_t, int64_t b) { return b != 0; }
uint64_t u(int64_t x) { return uint64_t(x); }

const Binary kBinary[] = {
    {"iadd", iadd, [](int64_t a, int64_t b) { return int64_t(u(a) + u(b)); }},
    {"isub", isub, [](int64_t a, int64_t b) { return int64_t(u(a) - u(b)); }},
    {"imul", imul, [](int64_t a, int64_t b) { return int64_t(u(a) * u(b)); }},
    {"iand", iand, [](int64_t a, int64_t b) { return a & b; }},
    {"ior", ior, [](int64_t a, int64_t b) { return a | b; }},
    {"ixor", ixor, [](int64_t a, int64_t b) { return a ^ b; }},
    {"smulhi", smulhi, [](int64_t a, int64_t b) { return int64_t((__int128)a * b >> 64); }},
    {"umulhi", umulhi,
     [](int64_t a, int64_t b) { return int64_t((unsigned __int128)u(a) * u(b) >> 64); }},
    {"sdiv", sdiv, [](int64_t a, int64_t b) { return b == -1 ? int64_t(0 - u(a)) : a / b; },
     by_nonzero},
    {"srem", srem, [](int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }, by_nonzero},
    {"udiv", udiv, [](int64_t a, int64_t b) { return int64_t(u(a) / u(b)); }, by_nonzero},
    {"urem", urem, [](int64_t a, int64_t b) { return int64_t(u(a) % u(b)); }, by_nonzero},
    {"smin", smin, [](int64_t a, int64_t b) { return std::min(a, b); }},
    {"smax", smax, [](int64_t a, int64_t b) { return std::max(a, b); }},
    {"umin", umin, [](int64_t a, int64_t b) { return int64_t(std::min(u(a), u(b))); }},
    {"umax", umax, [](int64_t a, int64_t b) { return int64_t(std::max(u(a), u(b))); }},
};

/// Shapes of one lane, of many, and of an odd number per partition.
const WaveShape kShapes[] = {
    {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 1},
    {{1000, 1, 1}, {33, 1, 1}, {17, 0, 0}, {97, 1, 1}, 1},
};

class WideIntegers : public testing::TestWithParam<WaveShape> {
protected:
  WideIntegers() : wave_holder_(GetParam()), operands_(operands_for(wave(), random_)) {
    const size_t lanes = size_t(wave().lanes());
    if (operands_.a.size() > lanes) { // another corner in every run of the test
      operands_.a.resize(lanes);
      operands_.b.resize(lanes);
      operands_.a[0] = INT64_MIN;
      operands_.b[0] = 3;
    }
  }
  const Wave &wave() const { return wave_holder_.wave(); }
  Wide a() { return to_wide(wave(), operands_.a); }
  Wide b() { return to_wide(wave(), operands_.b); }
  size_t lanes() const { return operands_.a.size(); }
  /// `expected(a, b)` in every lane, unless `defined` says that it may be anything.
  template <class F>
  void expect(const std::string &name, const Wide &result, const std::vector<int64_t> &a,
              const std::vector<int64_t> &b, F expected,
              bool (*defined)(int64_t, int64_t) = nullptr) {
    const std::vector<int64_t> values = from_wide(result);
    for (size_t i = 0; i < values.size(); ++i)
      if (!defined || defined(a[i], b[i]))
        ASSERT_EQ(values[i], expected(a[i], b[i])) << name << " of " << a[i] << " and " << b[i];
  }
  template <class F> void expect(const std::string &name, const Wide &result, F expected) {
    expect(name, result, operands_.a, operands_.b, expected);
  }
  void expect_mask(const std::string &name, const Mask &mask, bool (*expected)(int64_t, int64_t)) {
    const std::vector<uint32_t> values = from_tile<uint32_t>(mask.tile(wave()));
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], uint32_t(expected(operands_.a[i], operands_.b[i])))
          << name << " of " << operands_.a[i] << " and " << operands_.b[i];
  }
  void expect_tile(const std::string &name, const Tensor &tile, int (*expected)(uint64_t)) {
    const std::vector<int32_t> values = from_tile<int32_t>(tile);
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], expected(u(operands_.a[i]))) << name << " of " << operands_.a[i];
  }

  TestChip chip_;
  Random random_{7};
  TestWave wave_holder_;
  Operands operands_;
};

INSTANTIATE_TEST_SUITE_P(Shapes, WideIntegers, testing::ValuesIn(kShapes), shape_name);

TEST_P(WideIntegers, OperationsOnPairs) {
  for (const Binary &op : kBinary) {
    const Wide dst = wave().wide();
    op.wide(dst, a(), b());
    expect(op.name, dst, operands_.a, operands_.b, op.number, op.defined);
  }
}

TEST_P(WideIntegers, TheResultMayReplaceAnOperand) {
  for (const Binary &op : kBinary) {
    const Wide left = a(), right = b(), both = a();
    op.wide(left, left, b());
    op.wide(right, a(), right);
    op.wide(both, both, both);
    const std::string name = std::string(op.name) + " in place";
    expect(name, left, operands_.a, operands_.b, op.number, op.defined);
    expect(name, right, operands_.a, operands_.b, op.number, op.defined);
    expect(name, both, operands_.a, operands_.a, op.number, op.defined);
  }
}

TEST_P(WideIntegers, EitherOperandMayBeANumber) {
  for (const Binary &op : kBinary)
    for (const int64_t number : kCorners) {
      const std::vector<int64_t> numbers(lanes(), number);
      const Wide left = wave().wide(), right = a(), neither = wave().wide();
      op.wide(left, number, b());
      op.wide(right, right, number);
      op.wide(neither, -7, number);
      expect(op.name, left, numbers, operands_.b, op.number, op.defined);
      expect(op.name, right, operands_.a, numbers, op.number, op.defined);
      expect(op.name, neither, std::vector<int64_t>(lanes(), -7), numbers, op.number, op.defined);
    }
}

struct Shift {
  const char *name;
  void (*wide)(const Wide &, const WideOperand &, const IntOperand &);
  int64_t (*number)(int64_t, int64_t);
};

const Shift kShifts[] = {
    {"shl", shl, [](int64_t a, int64_t n) { return int64_t(u(a) << n); }},
    {"lshr", lshr, [](int64_t a, int64_t n) { return int64_t(u(a) >> n); }},
    {"ashr", ashr, [](int64_t a, int64_t n) { return a >> n; }},
};

TEST_P(WideIntegers, ShiftsByANumber) {
  for (const Shift &shift : kShifts)
    for (int n = 0; n < 64; ++n) {
      const Wide dst = wave().wide(), in_place = a(), number = wave().wide();
      shift.wide(dst, a(), n);
      shift.wide(in_place, in_place, n);
      shift.wide(number, -12345678901, n);
      const std::vector<int64_t> counts(lanes(), n);
      expect(shift.name, dst, operands_.a, counts, shift.number);
      expect(shift.name, in_place, operands_.a, counts, shift.number);
      expect(shift.name, number, std::vector<int64_t>(lanes(), -12345678901), counts, shift.number);
    }
}

TEST_P(WideIntegers, ShiftsByMoreThanTheWidthAreClamped) {
  for (const int n : {64, 65, 96, 1000, -1}) {
    const Wide left = wave().wide(), right = wave().wide(), signed_right = wave().wide();
    shl(left, a(), n);
    lshr(right, a(), n);
    ashr(signed_right, a(), n);
    expect("shl", left, [](int64_t, int64_t) { return 0; });
    expect("lshr", right, [](int64_t, int64_t) { return 0; });
    expect("ashr", signed_right, [](int64_t x, int64_t) { return x < 0 ? -1 : 0; });
  }
}

TEST_P(WideIntegers, ShiftsByACountPerLane) {
  std::vector<int64_t> counts;
  std::vector<int32_t> words;
  for (size_t i = 0; i < lanes(); ++i) {
    counts.push_back(int64_t(i % 64));
    words.push_back(int32_t(i % 64));
  }
  const Tensor count = to_tile(wave(), words, DType::int32);
  for (const Shift &shift : kShifts) {
    const Wide dst = wave().wide(), in_place = a(), own = to_wide(wave(), counts);
    shift.wide(dst, a(), count);
    shift.wide(in_place, in_place, count);
    shift.wide(own, a(), own.low); // the count is a word of what is written
    expect(shift.name, dst, operands_.a, counts, shift.number);
    expect(shift.name, in_place, operands_.a, counts, shift.number);
    expect(shift.name, own, operands_.a, counts, shift.number);
    const Wide number = wave().wide();
    shift.wide(number, INT64_MIN + 5, count);
    expect(shift.name, number, std::vector<int64_t>(lanes(), INT64_MIN + 5), counts, shift.number);
  }
}

TEST_P(WideIntegers, FunnelShifts) {
  auto left = [](int64_t x, int64_t y, int n) {
    return n == 0 ? x : int64_t(u(x) << n | u(y) >> (64 - n));
  };
  auto right = [](int64_t x, int64_t y, int n) {
    return n == 0 ? y : int64_t(u(x) << (64 - n) | u(y) >> n);
  };
  std::vector<int32_t> counts;
  for (size_t i = 0; i < lanes(); ++i)
    counts.push_back(int32_t(i % 64));
  const Wide l = wave().wide(), r = wave().wide();
  fshl(l, a(), b(), to_tile(wave(), counts, DType::int32));
  fshr(r, a(), b(), to_tile(wave(), counts, DType::int32));
  const std::vector<int64_t> lefts = from_wide(l), rights = from_wide(r);
  for (size_t i = 0; i < lanes(); ++i) {
    ASSERT_EQ(lefts[i], left(operands_.a[i], operands_.b[i], counts[i]));
    ASSERT_EQ(rights[i], right(operands_.a[i], operands_.b[i], counts[i]));
  }
  for (const int n : {0, 1, 31, 32, 33, 63}) {
    fshl(l, a(), b(), n);
    fshr(r, a(), b(), n);
    expect("fshl", l, [&](int64_t x, int64_t y) { return left(x, y, n); });
    expect("fshr", r, [&](int64_t x, int64_t y) { return right(x, y, n); });
  }
}

TEST_P(WideIntegers, Comparisons) {
  const Wide x = a(), y = b();
  expect_mask("eq", eq(wave(), x, y), [](int64_t p, int64_t q) { return p == q; });
  expect_mask("ne", ne(wave(), x, y), [](int64_t p, int64_t q) { return p != q; });
  expect_mask("slt", slt(wave(), x, y), [](int64_t p, int64_t q) { return p < q; });
  expect_mask("sle", sle(wave(), x, y), [](int64_t p, int64_t q) { return p <= q; });
  expect_mask("ult", ult(wave(), x, y), [](int64_t p, int64_t q) { return u(p) < u(q); });
  expect_mask("ule", ule(wave(), x, y), [](int64_t p, int64_t q) { return u(p) <= u(q); });
  expect_mask("slt", slt(wave(), x, 0), [](int64_t p, int64_t) { return p < 0; });
  expect_mask("slt", slt(wave(), 0, y), [](int64_t, int64_t q) { return 0 < q; });
  expect_mask("sle", sle(wave(), x, UINT32_MAX),
              [](int64_t p, int64_t) { return p <= UINT32_MAX; });
  expect_mask("ult", ult(wave(), x, -1), [](int64_t p, int64_t) { return p != -1; });
  expect_mask("eq", eq(wave(), x, INT64_MIN), [](int64_t p, int64_t) { return p == INT64_MIN; });
}

TEST_P(WideIntegers, CountsAndReversals) {
  const Tensor dst = wave().tile(DType::int32);
  popc(dst, a());
  expect_tile("popc", dst, [](uint64_t x) { return std::popcount(x); });
  clz(dst, a());
  expect_tile("clz", dst, [](uint64_t x) { return std::countl_zero(x); });
  ctz(dst, a());
  expect_tile("ctz", dst, [](uint64_t x) { return std::countr_zero(x); });
  ffs(dst, a());
  expect_tile("ffs", dst, [](uint64_t x) { return x ? std::countr_zero(x) + 1 : 0; });
  const Wide in_place = a(), magnitude = a();
  brev(in_place, in_place);
  expect("brev", in_place, [](int64_t x, int64_t) {
    uint64_t result = 0;
    for (int i = 0; i < 64; ++i)
      result |= (u(x) >> i & 1) << (63 - i);
    return int64_t(result);
  });
  iabs(magnitude, magnitude);
  expect("iabs", magnitude, [](int64_t x, int64_t) { return x < 0 ? int64_t(0 - u(x)) : x; });
}

TEST_P(WideIntegers, Extensions) {
  for (const int bits : {1, 8, 16, 31, 32}) {
    const Wide s = wave().wide(), z = wave().wide();
    sext(s, a().low, bits);
    zext(z, a().low, bits);
    const int up = 64 - bits;
    expect("sext", s, [&](int64_t x, int64_t) { return int64_t(u(x) << up) >> up; });
    expect("zext", z, [&](int64_t x, int64_t) { return int64_t(u(x) << up >> up); });
  }
  for (const int bits : {33, 48, 63, 64}) {
    const Wide s = a(), z = wave().wide();
    sext(s, s, bits);
    zext(z, a(), bits);
    const int up = 64 - bits;
    expect("sext", s, [&](int64_t x, int64_t) { return int64_t(u(x) << up) >> up; });
    expect("zext", z, [&](int64_t x, int64_t) { return int64_t(u(x) << up >> up); });
  }
}

TEST_P(WideIntegers, WordsAndTheirProducts) {
  const Wide swapped = a(), s = wave().wide(), v = wave().wide();
  words(swapped, swapped.high, swapped.low);
  expect("words", swapped, [](int64_t x, int64_t) { return int64_t(u(x) << 32 | u(x) >> 32); });
  smul_wide(s, a().low, b().low);
  umul_wide(v, a().low, b().low);
  expect("smul_wide", s, [](int64_t x, int64_t y) { return int64_t(int32_t(x)) * int32_t(y); });
  expect("umul_wide", v,
         [](int64_t x, int64_t y) { return int64_t(uint64_t(uint32_t(x)) * uint32_t(y)); });
  for (const int32_t n : {-3, 0, 7, 65537, INT32_MIN}) {
    smul_wide(s, a().low, n);
    umul_wide(v, n, b().low);
    expect("smul_wide", s, [&](int64_t x, int64_t) { return int64_t(int32_t(x)) * n; });
    expect("umul_wide", v,
           [&](int64_t, int64_t y) { return int64_t(uint64_t(uint32_t(n)) * uint32_t(y)); });
  }
}

TEST_P(WideIntegers, SelectAndAssignUnderMasks) {
  std::vector<uint8_t> bits(lanes());
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = random_() % 3 == 0;
  std::vector<uint32_t> as_words(bits.begin(), bits.end());
  const Mask masks[] = {Mask(wave(), false), Mask(wave(), true), Mask(wave(), bits),
                        Mask(wave(), to_tile(wave(), as_words, DType::uint32))};
  for (const Mask &mask : masks) {
    auto in = [&](size_t lane) { return mask.is_all() || (!mask.is_none() && bits[lane] != 0); };
    const Wide chosen = wave().wide(), variable = a(), in_place = a();
    select(chosen, mask, a(), INT64_MIN + 1);
    assign(variable, b(), mask);
    assign(in_place, -5000000000, mask);
    const auto c = from_wide(chosen), v = from_wide(variable), p = from_wide(in_place);
    for (size_t i = 0; i < lanes(); ++i) {
      ASSERT_EQ(c[i], in(i) ? operands_.a[i] : INT64_MIN + 1);
      ASSERT_EQ(v[i], in(i) ? operands_.b[i] : operands_.a[i]);
      ASSERT_EQ(p[i], in(i) ? -5000000000 : operands_.a[i]);
    }
  }
}

TEST_P(WideIntegers, LaunchKnownIntegersArriveWhole) {
  const Index thread = sext(wave().threadIdx.x, 64), block = sext(wave().blockIdx.x, 64);
  const Index lane = block * Index(1000L) + thread;
  auto number = [&](int64_t i) {
    return wave().coordinate(Axis::block_x, i) * 1000 + wave().coordinate(Axis::thread_x, i);
  };
  auto check = [&](const char *name, const Index &index, auto expected) {
    const Wide dst = wave().wide();
    materialize(dst, index);
    const std::vector<int64_t> values = from_wide(dst);
    for (int64_t i = 0; i < wave().lanes(); ++i)
      ASSERT_EQ(values[size_t(i)], expected(number(i))) << name << ", lane " << i;
  };
  check("itself", lane, [](int64_t n) { return n; });
  check("negative", Index(-1L) - lane, [](int64_t n) { return -1 - n; });
  check("both signs", lane - Index(20000L), [](int64_t n) { return n - 20000; });
  check("large", lane * Index(6364136223846793005),
        [](int64_t n) { return int64_t(u(n) * 6364136223846793005u); });
  check("across 2^32", lane + Index(int64_t(UINT32_MAX) - 19000),
        [](int64_t n) { return n + int64_t(UINT32_MAX) - 19000; });
  check("a table", lane ^ Index(0x1234567812345678),
        [](int64_t n) { return n ^ 0x1234567812345678; });
}

// ---- conversions
// ------------------------------------------------------------------------------------

TEST_P(WideIntegers, FloatsAreRoundedOnce) {
  // Around every power of two: just below, at and just above halfway between two floats.
  std::vector<int64_t> values = operands_.a;
  size_t at = 0;
  for (int bit = 20; bit < 64; ++bit)
    for (int below = 0; below < 3; ++below) {
      const uint64_t ulp = bit > 23 ? uint64_t(1) << (bit - 23) : 1;
      const uint64_t base = (uint64_t(1) << bit) + ulp * (random_() % 5);
      for (const uint64_t offset :
           {ulp / 2 - 1, ulp / 2, ulp / 2 + 1, ulp - 1, 0 - ulp / 4, 0 - ulp / 4 - 1}) {
        if (at < values.size())
          values[at] = int64_t(below == 2 ? 0 - (base + offset) : base + offset);
        ++at;
      }
    }
  const Tensor s = wave().tile(DType::float32), v = wave().tile(DType::float32);
  int_to_float(s, to_wide(wave(), values));
  uint_to_float(v, to_wide(wave(), values));
  const auto signeds = from_tile<float>(s), unsigneds = from_tile<float>(v);
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint32_t>(signeds[i]), std::bit_cast<uint32_t>(float(values[i])))
        << values[i];
    ASSERT_EQ(unsigneds[i], float(u(values[i]))) << u(values[i]);
  }
}

/// As PTX's cvt.rzi.
int64_t to_signed(float x) {
  if (std::isnan(x))
    return INT64_MIN;
  return x >= 0x1p63f ? INT64_MAX : x < -0x1p63f ? INT64_MIN : int64_t(x);
}
uint64_t to_unsigned(float x) {
  if (std::isnan(x))
    return uint64_t(1) << 63;
  return x >= 0x1p64f ? UINT64_MAX : x <= 0 ? 0 : uint64_t(x);
}

TEST_P(WideIntegers, FloatsBecomeIntegersAsPtxSays) {
  std::vector<float> values = {0.0f,
                               -0.0f,
                               0.5f,
                               -0.5f,
                               0.99999994f,
                               1.5f,
                               -1.5f,
                               2.5f,
                               -2.5f,
                               3.5f,
                               8388607.5f,
                               16777215.0f,
                               -0x1p31f,
                               0x1p31f,
                               0x1p32f,
                               -0x1p32f,
                               0x1.fffffep31f,
                               0x1.fffffep32f,
                               0x1.000002p40f,
                               -0x1.fffffep45f,
                               0x1.fffffep62f,
                               0x1p63f,
                               -0x1p63f,
                               -0x1.000002p63f,
                               0x1.fffffep63f,
                               0x1p64f,
                               3e38f,
                               -3e38f,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN(),
                               1e-40f,
                               -1e-40f};
  while (values.size() < lanes())
    values.push_back(random_() % 4 ? float(any_magnitude(random_)) * 0.001f
                                   : std::bit_cast<float>(uint32_t(random_())));
  values.resize(lanes());
  const Tensor x = to_tile(wave(), values, DType::float32);
  const Wide s = wave().wide(), v = wave().wide(), rn = wave().wide(), rd = wave().wide(),
             ru = wave().wide(), vn = wave().wide();
  float_to_int(s, x);
  float_to_uint(v, x);
  float_to_int_rn(rn, x);
  float_to_int_rd(rd, x);
  float_to_int_ru(ru, x);
  float_to_uint_rn(vn, x);
  const auto ss = from_wide(s), vs = from_wide(v), rns = from_wide(rn), rds = from_wide(rd),
             rus = from_wide(ru), vns = from_wide(vn);
  for (size_t i = 0; i < lanes(); ++i) {
    ASSERT_EQ(ss[i], to_signed(values[i])) << values[i];
    ASSERT_EQ(u(vs[i]), to_unsigned(values[i])) << values[i];
    ASSERT_EQ(rns[i], to_signed(std::rint(values[i]))) << values[i];
    ASSERT_EQ(rds[i], to_signed(std::floor(values[i]))) << values[i];
    ASSERT_EQ(rus[i], to_signed(std::ceil(values[i]))) << values[i];
    ASSERT_EQ(u(vns[i]), to_unsigned(std::rint(values[i]))) << values[i];
  }
}

// ---- memory and warps
// -------------------------------------------------------------------------------

TEST_P(WideIntegers, LoadsAndStoresOfDeviceMemory) {
  const int64_t count = wave().lanes();
  const std::vector<int64_t> &source = operands_.a;
  const hbm<int64_t> from = chip_.device(source);
  std::vector<int64_t> lane_numbers;
  std::vector<int32_t> permuted;
  for (int64_t i = 0; i < count; ++i) {
    lane_numbers.push_back(i);
    permuted.push_back(int32_t((i * 7 + 3) % count));
  }
  const Index lane(wave(), 64, lane_numbers);
  const Tensor index = to_tile(wave(), permuted, DType::int32);
  std::vector<uint8_t> bits(static_cast<size_t>(count));
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = i % 5 != 0;
  const std::vector<uint32_t> as_words(bits.begin(), bits.end());
  for (const Mask &mask : {wave().all(), Mask(wave(), false), Mask(wave(), bits),
                           Mask(wave(), to_tile(wave(), as_words, DType::uint32))}) {
    const hbm<int64_t> affine = chip_.device(std::vector<int64_t>(size_t(count), -9));
    const hbm<int64_t> scattered = chip_.device(std::vector<int64_t>(size_t(count), -9));
    const hbm<int64_t> number = chip_.device(std::vector<int64_t>(size_t(count), -9));
    const Wide x = wave().wide(), y = wave().wide();
    load(x, from[lane], 8, mask);
    store(affine[lane], x, 8, mask);
    load(y, from[index], 8, mask);
    store(scattered[index], y, 8, mask);
    store(number[lane], WideOperand(-5000000001), 8, mask);
    for (int64_t i = 0; i < count; ++i) {
      const bool in = mask.is_all() || (!mask.is_none() && bits[size_t(i)]);
      ASSERT_EQ(affine.pointer[i], in ? source[size_t(i)] : -9) << i;
      ASSERT_EQ(number.pointer[i], in ? -5000000001 : -9) << i;
      const int64_t to = permuted[size_t(i)];
      ASSERT_EQ(scattered.pointer[to], in ? source[size_t(to)] : -9) << i;
    }
  }
}

TEST_P(WideIntegers, SharedMemoryAndLocalArrays) {
  const Index thread = sext(wave().threadIdx.x, 64);
  const Place shared = shared_array(wave(), 8 * wave().F()), local = local_array(wave(), 24);
  store(shared.at(thread, 8), a(), 8, wave().all());
  const Wide mirrored = wave().wide(), own = wave().wide();
  load(mirrored, shared.at(Index(wave().F() - 1) - thread, 8), 8, wave().all());
  const std::vector<int64_t> values = from_wide(mirrored);
  for (int64_t i = 0; i < wave().lanes(); ++i) {
    const int64_t row = i / wave().F() * wave().F();
    ASSERT_EQ(values[size_t(i)], operands_.a[size_t(row + wave().F() - 1 - (i - row))]);
  }
  std::vector<int32_t> which;
  for (size_t i = 0; i < lanes(); ++i)
    which.push_back(int32_t(i % 3));
  const Tensor element = to_tile(wave(), which, DType::int32);
  store(local.plus(element, 8), b(), 8, wave().all());
  load(own, local.plus(element, 8), 8, wave().all());
  expect("local", own, [](int64_t, int64_t y) { return y; });
}

TEST_P(WideIntegers, Shuffles) {
  const Wide x = a(), up = wave().wide(), down = wave().wide(), xored = wave().wide();
  shfl_up(wave(), up, x, Index(1), 32);
  shfl_down(wave(), down, x, Index(2), 8);
  shfl_xor(wave(), xored, x, Index(5), 32);
  std::vector<int32_t> sources;
  for (size_t i = 0; i < lanes(); ++i)
    sources.push_back(int32_t(i * 5 % 32));
  const Wide known = wave().wide(), own = x;
  shfl(wave(), known, x, Index(3), 16);
  const Tensor source = to_tile(wave(), sources, DType::int32);
  const Wide computed = wave().wide();
  shfl(wave(), computed, x, source, 32);
  for (const auto &[wide, half] : {std::pair{up, 0}, std::pair{down, 1}, std::pair{xored, 2},
                                   std::pair{known, 3}, std::pair{computed, 4}})
    for (const bool high : {false, true}) { // each word goes where 32 bits go
      const Tensor expected = wave().tile(DType::int32), word = high ? x.high : x.low;
      if (half == 0)
        shfl_up(wave(), expected, word, Index(1), 32);
      else if (half == 1)
        shfl_down(wave(), expected, word, Index(2), 8);
      else if (half == 2)
        shfl_xor(wave(), expected, word, Index(5), 32);
      else if (half == 3)
        shfl(wave(), expected, word, Index(3), 16);
      else
        shfl(wave(), expected, word, source, 32);
      ASSERT_EQ(from_tile<int32_t>(expected), from_tile<int32_t>(high ? wide.high : wide.low));
    }
}

} // namespace
} // namespace nki
