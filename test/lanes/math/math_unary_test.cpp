// Every function of one argument stays within its bound of docs/numerics.md over all floats.
#include "math_for_test.h"

namespace nki::math_test {

namespace {

struct Unary {
  const char *name;
  void (*function)(const Tensor &, const Tensor &);
  long double (*oracle)(long double);
  double bound; ///< ULP
};
void PrintTo(const Unary &unary, std::ostream *out) { *out << unary.name; }

long double exp10_exactly(long double x) { return std::pow(10.0L, x); }
long double inverse_root(long double x) { return 1.0L / std::sqrt(x); }
long double inverse(long double x) { return 1.0L / x; }

const Unary kFunctions[] = {
    {"exp", exp, std::exp, 1.5},
    {"exp2", exp2, std::exp2, 2.0},
    {"exp10", exp10, exp10_exactly, 2.0},
    {"expm1", expm1, std::expm1, 4.0},
    {"log", log, std::log, 2.0},
    {"log2", log2, std::log2, 3.0},
    {"log10", log10, std::log10, 3.0},
    {"log1p", log1p, std::log1p, 3.0},
    {"sin", sin, std::sin, 3.0},
    {"cos", cos, std::cos, 3.0},
    {"tan", tan, std::tan, 5.0},
    {"tanh", tanh, std::tanh, 2.0},
    {"asin", asin, std::asin, 5.0},
    {"acos", acos, std::acos, 5.0},
    {"atan", atan, std::atan, 3.0},
    {"sinh", sinh, std::sinh, 5.0},
    {"cosh", cosh, std::cosh, 4.0},
    {"asinh", asinh, std::asinh, 6.0},
    {"acosh", acosh, std::acosh, 6.0},
    {"atanh", atanh, std::atanh, 6.0},
    {"erf", erf, std::erf, 1.5},
    {"erfc", erfc, std::erfc, 8.0},
    {"cbrt", cbrt, std::cbrt, 3.0},
    {"sqrt", [](const Tensor &dst, const Tensor &a) { sqrt(dst, a, false); }, std::sqrt, 2.0},
    {"rsqrt", rsqrt, inverse_root, 2.0},
    {"reciprocal", [](const Tensor &dst, const Tensor &a) { reciprocal(dst, a, false); }, inverse,
     1.0},
    // Half an ULP is correct rounding; a tie between two floats would show as exactly that.
    {"sqrt_precise", [](const Tensor &dst, const Tensor &a) { sqrt(dst, a, true); }, std::sqrt,
     0.5},
    {"reciprocal_precise", [](const Tensor &dst, const Tensor &a) { reciprocal(dst, a, true); },
     inverse, 0.5},
};

class MathUnary : public testing::TestWithParam<Unary> {
protected:
  Worst worst_;
  void check(const std::vector<float> &inputs) {
    const Unary &unary = GetParam();
    std::vector<float> results = evaluate_floats(unary.function, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
      double error = ulp_error(results[i], unary.oracle(inputs[i]));
      if (error > worst_.error)
        worst_.see(error, describe(inputs[i]) + " gave " + describe(results[i]));
    }
  }
  void TearDown() override {
    RecordProperty("ulp", std::to_string(worst_.error));
    if (std::getenv("NEURONIFY_MATH_REPORT"))
      std::printf("%-20s %8.3f ULP at %s\n", GetParam().name, worst_.error, worst_.where.c_str());
    EXPECT_LE(worst_.error, GetParam().bound) << worst_.where;
  }
};

TEST_P(MathUnary, StaysWithinItsBoundAtTheEdges) {
  Chip chip;
  check(edges());
}

TEST_P(MathUnary, StaysWithinItsBoundOverAllBitPatterns) {
  Chip chip;
  sweep([&](const std::vector<float> &inputs) { check(inputs); });
}

TEST_P(MathUnary, StaysWithinItsBoundForCommonArguments) {
  Chip chip;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> narrow(-4, 4), wide(-1000, 1000);
  std::vector<float> inputs;
  for (int i = 0; i < 200000; ++i) {
    inputs.push_back(narrow(random));
    inputs.push_back(wide(random));
    inputs.push_back(1 + narrow(random) * 0x1p-8f);
  }
  check(inputs);
}

TEST_P(MathUnary, DoesNotDependOnWhatTheDocumentationLeavesOpen) {
  for (const chip::ChipAssumptions &assumptions : other_assumptions()) {
    Chip chip(assumptions);
    check(edges());
  }
}

INSTANTIATE_TEST_SUITE_P(All, MathUnary, testing::ValuesIn(kFunctions),
                         [](const auto &info) { return std::string(info.param.name); });

struct Integral {
  const char *name;
  void (*function)(const Tensor &, const Tensor &);
  float (*oracle)(float);
};
void PrintTo(const Integral &integral, std::ostream *out) { *out << integral.name; }

class MathIntegral : public testing::TestWithParam<Integral> {};

TEST_P(MathIntegral, IsExact) {
  Chip chip;
  auto check = [](const std::vector<float> &inputs) {
    std::vector<float> results = evaluate_floats(GetParam().function, inputs);
    for (size_t i = 0; i < inputs.size(); ++i)
      ASSERT_EQ(ulp_error(results[i], GetParam().oracle(inputs[i])), 0)
          << describe(inputs[i]) << " gave " << describe(results[i]);
  };
  check(edges());
  sweep(check);
}

float (*const kFloor)(float) = std::floor;
float (*const kCeil)(float) = std::ceil;
float (*const kTrunc)(float) = std::trunc;
float (*const kRint)(float) = std::rint;
float (*const kRound)(float) = std::round;

INSTANTIATE_TEST_SUITE_P(All, MathIntegral,
                         testing::Values(Integral{"floor", floor, kFloor},
                                         Integral{"ceil", ceil, kCeil},
                                         Integral{"trunc", trunc, kTrunc},
                                         Integral{"rint", rint, kRint},
                                         Integral{"round", round, kRound}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Math, PowersOfTwoAreExactInBothDirections) {
  Chip chip;
  std::vector<float> exponents, powers;
  for (int n = -149; n <= 127; ++n) {
    exponents.push_back(float(n));
    powers.push_back(std::ldexp(1.0f, n));
  }
  EXPECT_EQ(evaluate_floats(exp2, exponents), powers);
  EXPECT_EQ(evaluate_floats(log2, powers), exponents);
}

} // namespace

} // namespace nki::math_test
