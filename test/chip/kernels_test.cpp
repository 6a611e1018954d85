// All copies of the kernels compute the same bits, and the functions keep their error bounds.

#include "chip/kernels/kernels.h"

#include <gtest/gtest.h>

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
