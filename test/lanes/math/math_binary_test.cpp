// fdiv, fma, fmod and pow over all floats: edges with edges, random bit patterns, near
// cancellation.
#include "math_for_test.h"

namespace nki::math_test {

namespace {

struct Operands {
  std::vector<float> a, b, c;
  void add(float x, float y, float z = 0) {
    a.push_back(x);
    b.push_back(y);
    c.push_back(z);
  }
};

Operands edge_pairs() {
  Operands pairs;
  for (float a : few_edges())
    for (float b : few_edges())
      pairs.add(a, b);
  return pairs;
}

/// Any bit patterns, and pairs whose exponents are within `distance` of each other.
Operands random_pairs(int count, int distance) {
  Operands pairs;
  std::mt19937 random(2);
  for (int i = 0; i < count; ++i) {
    float a = from_bits(uint32_t(random())), b = from_bits(uint32_t(random()));
    pairs.add(a, b);
    int exponent =
        int(to_bits(a) >> 23 & 255) + int(random() % uint32_t(2 * distance + 1)) - distance;
    exponent = std::min(std::max(exponent, 0), 254);
    pairs.add(a, from_bits((to_bits(b) & 0x807fffffu) | uint32_t(exponent) << 23));
  }
  return pairs;
}

template <class F, class Oracle>
void expect_within(F &&f, Oracle &&oracle, const Operands &in, double bound) {
  std::vector<float> results = evaluate_floats(f, in.a, in.b, in.c);
  Worst worst;
  for (size_t i = 0; i < results.size(); ++i) {
    double error = ulp_error(results[i], oracle(in.a[i], in.b[i], in.c[i]));
    if (error > worst.error)
      worst.see(error, describe(in.a[i]) + ", " + describe(in.b[i]) + ", " + describe(in.c[i]) +
                           " gave " + describe(results[i]));
  }
  if (std::getenv("NEURONIFY_MATH_REPORT"))
    std::printf("%8.3f ULP at %s\n", worst.error, worst.where.c_str());
  EXPECT_LE(worst.error, bound) << worst.where;
}

/// Bit for bit, except which NaN.
template <class F, class Oracle> void expect_exact(F &&f, Oracle &&oracle, const Operands &in) {
  std::vector<float> results = evaluate_floats(f, in.a, in.b, in.c);
  for (size_t i = 0; i < results.size(); ++i) {
    float exact = oracle(in.a[i], in.b[i], in.c[i]);
    bool same = std::isnan(exact) ? std::isnan(results[i]) : to_bits(exact) == to_bits(results[i]);
    ASSERT_TRUE(same) << describe(in.a[i]) << ", " << describe(in.b[i]) << ", " << describe(in.c[i])
                      << " gave " << describe(results[i]) << ", not " << describe(exact);
  }
}

// ---- division
// ------------------------------------------------------------------------------------------

auto divide(bool precise) {
  return [=](const Tensor &dst, const Tensor &a, const Tensor &b, const Tensor &) {
    fdiv(dst, a, b, precise);
  };
}
long double quotient(float a, float b, float) { return (long double)(a) / b; }
float rounded_quotient(float a, float b, float) { return a / b; }

/// Pairs with subnormal quotients, many of them half-way between two.
Operands subnormal_quotients() {
  Operands pairs;
  std::mt19937 random(3);
  for (int i = 0; i < 300000; ++i) {
    float unit = std::ldexp(1.0f, int(random() % 250) - 125);
    float b = i % 3 ? unit : unit * (1 + float(random() % 1024) / 1024);
    float q = float(random() % (1u << (random() % 24 + 1))) + (i % 2 ? 0.5f : 0.0f);
    pairs.add(std::ldexp(q * (b / unit), -149 + std::ilogb(unit)) * (i & 4 ? -1.0f : 1.0f), b);
    pairs.add(from_bits(uint32_t(random() % 0x01000000)), unit);
  }
  return pairs;
}

TEST(MathDivide, StaysWithinItsBound) {
  Chip chip;
  expect_within(divide(false), quotient, edge_pairs(), 5);
  expect_within(divide(false), quotient, random_pairs(400000, 30), 5);
  expect_within(divide(false), quotient, subnormal_quotients(), 5);
}

TEST(MathDivide, DivisorsUpTo2To126GiveTwoUlp) {
  Chip chip;
  Operands pairs;
  Operands all = random_pairs(400000, 60); // the reciprocal of a divisor above 2^126 is subnormal
  for (size_t i = 0; i < all.a.size(); ++i)
    if (std::fabs(all.b[i]) <= 0x1p126f)
      pairs.add(all.a[i], all.b[i]);
  expect_within(divide(false), quotient, pairs, 2);
}

TEST(MathDivide, PreciseIsCorrectlyRounded) {
  Chip chip;
  expect_exact(divide(true), rounded_quotient, edge_pairs());
  expect_exact(divide(true), rounded_quotient, random_pairs(400000, 30));
  expect_exact(divide(true), rounded_quotient, subnormal_quotients());
}

TEST(MathDivide, DoesNotDependOnWhatTheDocumentationLeavesOpen) {
  for (const chip::ChipAssumptions &assumptions : other_assumptions()) {
    Chip chip(assumptions);
    expect_within(divide(false), quotient, edge_pairs(), 5);
    expect_exact(divide(true), rounded_quotient, edge_pairs());
    expect_exact(divide(true), rounded_quotient, random_pairs(50000, 30));
  }
}

// Quotients of 24-bit integers come as close to the middle of two floats as any.
TEST(MathDivide, PreciseIsCorrectlyRoundedNextToTheMiddle) {
  Chip chip;
  Operands pairs;
  std::mt19937 random(5);
  for (int i = 0; i < 500000; ++i) {
    uint64_t b = (1u << 23) + random() % (1u << 23), q = (1u << 24) + random() % (1u << 24) * 1;
    uint64_t half = (q | 1) * b; // (q + 1/2 of a unit) * b, about 2^48
    float a = float(half >> 24) + float(int(random() % 3) - 1);
    pairs.add(a, float(b));
  }
  expect_exact(divide(true), rounded_quotient, pairs);
}

TEST(MathDivide, ByANumberKnownAtLaunch) {
  Chip chip;
  std::vector<float> numerators = few_edges();
  std::mt19937 random(6);
  for (int i = 0; i < 20000; ++i)
    numerators.push_back(from_bits(uint32_t(random())));
  for (float divisor : few_edges()) {
    Operands in{numerators, std::vector<float>(numerators.size(), divisor),
                std::vector<float>(numerators.size())};
    for (bool precise : {false, true}) {
      auto by_number = [&](const Tensor &dst, const Tensor &a, const Tensor &, const Tensor &) {
        fdiv(dst, a, divisor, precise);
      };
      if (precise)
        expect_exact(by_number, rounded_quotient, in);
      else
        expect_within(by_number, quotient, in, 4);
    }
  }
}

// ---- fused multiply-add
// --------------------------------------------------------------------------------

auto fuse(bool precise) {
  return [=](const Tensor &dst, const Tensor &a, const Tensor &b, const Tensor &c) {
    fma(dst, a, b, c, precise);
  };
}
float rounded_fma(float a, float b, float c) { return std::fma(a, b, c); }

/// The default fma's one departure from IEEE: an infinite c next to a finite product that
/// overflows.
void drop_overflow_next_to_infinity(Operands &triples) {
  Operands kept;
  for (size_t i = 0; i < triples.a.size(); ++i) {
    float a = triples.a[i], b = triples.b[i], c = triples.c[i];
    if (!(std::isinf(c) && std::isfinite(a) && std::isfinite(b) && std::isinf(a * b)))
      kept.add(a, b, c);
  }
  triples = kept;
}

/// a * b + c with 113 bits: exact where it cancels. Rounding to long double afterwards loses
/// nothing that is measured.
long double exact_fma(float a, float b, float c) {
  __float128 sum = __float128(a) * b + c;
  if (sum == 0) // the sign of zero as IEEE has it
    return std::fma(a, b, c);
  return (long double)(sum);
}

Operands edge_triples() {
  Operands triples;
  for (float a : few_edges())
    for (float b : few_edges())
      for (float c : few_edges())
        triples.add(a, b, c);
  return triples;
}

/// c is about -a * b, off by a random number of bits, or has an exponent near the product's.
Operands cancelling_triples(int count) {
  Operands triples;
  std::mt19937 random(7);
  for (int i = 0; i < count; ++i) {
    float a = from_bits(uint32_t(random()));
    float b = i % 4
                  ? std::ldexp(1 + float(random() % (1 << 23)) * 0x1p-23f, int(random() % 60) - 30)
                  : from_bits(uint32_t(random()));
    float product = a * b;
    uint32_t change = i % 3 == 0 ? uint32_t(random() % 3) : uint32_t(1) << (random() % 25);
    triples.add(a, b, -from_bits(to_bits(product) + (i % 2 ? change : -change)));
  }
  return triples;
}

/// Products and sums around the smallest normal number.
Operands subnormal_triples(int count) {
  Operands triples;
  std::mt19937 random(8);
  for (int i = 0; i < count; ++i) {
    float a = from_bits(uint32_t(random()));
    int exponent = std::isfinite(a) && a != 0 ? std::ilogb(a) : 0;
    int wanted = -130 - int(random() % 45) + 20;
    float b = std::ldexp(1 + float(random() % (1 << 23)) * 0x1p-23f,
                         std::min(std::max(wanted - exponent, -149), 127));
    float c = i % 5 == 0 ? std::ldexp(float(random() % 64), -149)
                         : from_bits(uint32_t(random() % 0x04000000));
    triples.add(a, b, i % 2 ? c : -c);
    // Half a unit of the last subnormal place, and a little more or less.
    float half = std::ldexp(float(2 * (random() % 1024) + 1), -75);
    triples.add(half, std::ldexp(1.0f, -75) * (1 + float(int(random() % 3) - 1) * 0x1p-23f),
                i % 2 ? c : -c);
  }
  return triples;
}

TEST(MathFma, StaysWithinItsBound) {
  Chip chip;
  for (Operands triples : {edge_triples(), cancelling_triples(400000), subnormal_triples(200000)}) {
    drop_overflow_next_to_infinity(triples);
    expect_within(fuse(false), exact_fma, triples, 2);
  }
}

TEST(MathFma, PreciseIsBitForBit) {
  Chip chip;
  expect_exact(fuse(true), rounded_fma, edge_triples());
  expect_exact(fuse(true), rounded_fma, cancelling_triples(400000));
  expect_exact(fuse(true), rounded_fma, subnormal_triples(200000));
}

TEST(MathFma, DoesNotDependOnWhatTheDocumentationLeavesOpen) {
  Operands triples = cancelling_triples(60000), all = edge_triples();
  drop_overflow_next_to_infinity(all);
  for (const chip::ChipAssumptions &assumptions : other_assumptions()) {
    Chip chip(assumptions);
    expect_exact(fuse(true), rounded_fma, all);
    expect_exact(fuse(true), rounded_fma, triples);
    expect_within(fuse(false), exact_fma, all, 2);
  }
}

TEST(MathFma, WithANumberStaysWithinItsBound) {
  Chip chip;
  for (float number : {1.0f, -0.1f, 0x1.fffffep-1f, 3.0f, 1e-30f, 1e-40f, -0.0f}) {
    Operands triples = cancelling_triples(50000);
    for (size_t i = 0; i < triples.a.size(); ++i) {
      uint32_t change = i % 4 == 0 ? uint32_t(i / 4 % 3) : 1u << (i / 4 % 25);
      triples.b[i] = number;
      triples.c[i] = -from_bits(to_bits(triples.a[i] * number) + change);
    }
    for (int i = 0; i < 1000; ++i) // products that overflow, and sums that do not
      triples.add((0.68f + 0.0003f * float(i)) * 0x1p127f, number, -0x1.fp127f);
    drop_overflow_next_to_infinity(triples);
    for (bool first : {false, true}) {
      auto with_number = [&](const Tensor &dst, const Tensor &a, const Tensor &, const Tensor &c) {
        fma(dst, first ? FloatOperand(number) : a, first ? FloatOperand(a) : number, c, false);
      };
      expect_within(with_number, exact_fma, triples, 2);
    }
  }
}

TEST(MathFma, PreciseIsBitForBitOnRandomBitPatterns) {
  Chip chip;
  Operands triples = random_pairs(300000, 60);
  std::mt19937 random(9);
  for (size_t i = 0; i < triples.a.size(); ++i) {
    float product = triples.a[i] * triples.b[i];
    uint32_t exponent = (to_bits(product) >> 23 & 255) + random() % 60 - 30;
    exponent = std::min(exponent, 254u);
    triples.c[i] = i % 4 ? from_bits((uint32_t(random()) & 0x807fffffu) | exponent << 23)
                         : from_bits(uint32_t(random()));
  }
  expect_exact(fuse(true), rounded_fma, triples);
  drop_overflow_next_to_infinity(triples);
  expect_within(fuse(false), exact_fma, triples, 2);
}

// ---- remainder and power
// -----------------------------------------------------------------------------

TEST(MathFmod, IsExact) {
  Chip chip;
  auto remainder = [](const Tensor &dst, const Tensor &a, const Tensor &b, const Tensor &) {
    fmod(dst, a, b);
  };
  auto oracle = [](float a, float b, float) { return std::fmod(a, b); };
  expect_exact(remainder, oracle, edge_pairs());
  expect_exact(remainder, oracle, random_pairs(100000, 30));
  for (const chip::ChipAssumptions &assumptions : other_assumptions()) {
    Chip other(assumptions);
    expect_exact(remainder, oracle, edge_pairs());
  }
}

// As many rounds as the largest distance of exponents in the tile: none too few for a lane on its
// own.
TEST(MathFmod, IsExactForEveryDistanceOfExponents) {
  Chip chip;
  std::mt19937 random(12);
  for (int distance = 0; distance <= 276; ++distance) {
    float a = from_bits(0x7f000000u | (uint32_t(random()) & 0x7fffffu));
    float b = std::ldexp(1 + float(random() % 0x800000) * 0x1p-23f, 127 - distance);
    Tensor dst = nl::ndarray({1, 1}, DType::float32);
    fmod(dst, tile_of(&a, 1, 1, 1, DType::float32), tile_of(&b, 1, 1, 1, DType::float32));
    std::vector<float> result;
    append_lanes(result, dst, 1);
    EXPECT_EQ(result[0], std::fmod(a, b)) << describe(a) << ", " << describe(b);
  }
}

/// Both orders of arguments that are near each other, that are small or that are far apart.
template <class F, class Oracle>
void expect_within_everywhere(F &&f, Oracle &&oracle, double bound) {
  for (const chip::ChipAssumptions &assumptions : other_assumptions()) {
    Chip other(assumptions);
    expect_within(f, oracle, edge_pairs(), bound);
  }
  Chip chip;
  expect_within(f, oracle, edge_pairs(), bound);
  expect_within(f, oracle, random_pairs(200000, 10), bound);
  expect_within(f, oracle, random_pairs(100000, 100), bound);
}

TEST(MathAtan2, StaysWithinItsBoundInAllQuadrants) {
  auto angle = [](const Tensor &dst, const Tensor &a, const Tensor &b, const Tensor &) {
    atan2(dst, a, b);
  };
  auto oracle = [](float a, float b, float) { return std::atan2((long double)a, (long double)b); };
  expect_within_everywhere(angle, oracle, 5);
}

TEST(MathHypot, StaysWithinItsBoundAndDoesNotOverflowEarly) {
  auto length = [](const Tensor &dst, const Tensor &a, const Tensor &b, const Tensor &) {
    hypot(dst, a, b);
  };
  auto oracle = [](float a, float b, float) { return std::hypot((long double)a, (long double)b); };
  expect_within_everywhere(length, oracle, 3);
}

TEST(MathPow, StaysWithinItsBound) {
  Chip chip;
  auto power = [](const Tensor &dst, const Tensor &a, const Tensor &b, const Tensor &) {
    pow(dst, a, b);
  };
  auto oracle = [](float a, float b, float) {
    return (long double)(std::pow(double(a), double(b)));
  };
  expect_within(power, oracle, edge_pairs(), 1.5);
  expect_within(power, oracle, random_pairs(100000, 10), 1.5);
  Operands common;
  std::mt19937 random(10);
  std::uniform_real_distribution<float> base(0, 20), exponent(-8, 8);
  for (int i = 0; i < 100000; ++i) {
    common.add(base(random), exponent(random));
    common.add(-base(random), std::rint(exponent(random)));
  }
  expect_within(power, oracle, common, 1.5);
}

} // namespace

} // namespace nki::math_test
