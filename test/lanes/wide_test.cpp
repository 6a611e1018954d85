// 64-bit integers as pairs of tiles, against C++.
#include "wide_for_test.h"

#include <algorithm>
#include <bit>

namespace nki {
namespace {

struct Binary {
  const char *name;
  void (*wide)(const Wide &, const WideOperand &, const WideOperand &);
  int64_t (*number)(int64_t, int64_t);
  bool (*defined)(int64_t, int64_t) = nullptr;
};

bool by_nonzero(int64_t, int64_t b) { return b != 0; }

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

} // namespace
} // namespace nki
