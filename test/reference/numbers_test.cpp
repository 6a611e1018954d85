#include "reference_for_test.h"

#include <bit>
#include <climits>
#include <cmath>
#include <limits>

namespace neuronify::reference {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan_value = std::numeric_limits<float>::quiet_NaN();

uint32_t wrap(int64_t value) { return uint32_t(value); }

TEST(Integers, AreExactAtTheEdgesOfTheirRange) {
  const int edges[] = {
      0,       1,      -1, 2, 7, -7, 31, 32, 33, 255, -128, 32768, -32769, 1 << 24, (1 << 24) + 1,
      INT_MAX, INT_MIN};
  std::vector<int> a, b;
  for (int x : edges)
    for (int y : edges) {
      a.push_back(x);
      b.push_back(y);
    }
  const int n = int(a.size());
  std::vector<int> out(20 * n);
  runPlain(kernels("numbers"), "integers", {uint32_t(n + 63) / 64}, {64}, (const int *)a.data(),
           (const int *)b.data(), out.data(), n);
  for (int i = 0; i < n; ++i) {
    const int64_t x = a[i], y = b[i];
    const uint32_t ux = a[i], uy = b[i];
    const int *o = out.data() + 20 * i;
    SCOPED_TRACE(std::to_string(x) + ", " + std::to_string(y));
    EXPECT_EQ(uint32_t(o[0]), wrap(x + y));
    EXPECT_EQ(uint32_t(o[1]), wrap(x * y));
    EXPECT_EQ(uint32_t(o[2]), y == 0 ? ~0u : wrap(x / y));
    EXPECT_EQ(uint32_t(o[3]), y == 0 ? ux : wrap(x % y));
    EXPECT_EQ(uint32_t(o[4]), uy == 0 ? ~0u : ux / uy);
    EXPECT_EQ(uint32_t(o[5]), uy == 0 ? ux : ux % uy);
    EXPECT_EQ(uint32_t(o[6]), uy > 31 ? 0 : ux << uy);
    EXPECT_EQ(o[7], int(x >> std::min(uy, 31u)));
    EXPECT_EQ(uint32_t(o[8]), uy > 31 ? 0 : ux >> uy);
    EXPECT_EQ(o[9], int8_t(x) + int16_t(y));
    EXPECT_EQ(o[10], uint8_t(x) * uint16_t(y));
    EXPECT_EQ(o[11], int((x * y) >> 32));
    EXPECT_EQ(uint32_t(o[12]), wrap(x < 0 ? -x : x));
    EXPECT_EQ(o[13], std::popcount(ux));
    EXPECT_EQ(o[14], std::countl_zero(ux));
    EXPECT_EQ(o[15], int((x * y) >> 32));
    EXPECT_EQ(uint32_t(o[16]), wrap(x - y));
    EXPECT_EQ(o[17], x < y);
    EXPECT_EQ(o[18], ux < uy);
    EXPECT_EQ(uint32_t(o[19]), (ux & 0xffff) | uy << 16);
  }
}

template <class T> T saturated(double x) {
  if (std::isnan(x)) // as PTX: 2^63 to 64 bits
    return sizeof(T) == 8 ? T(uint64_t(1) << 63) : T(0);
  const double low = double(std::numeric_limits<T>::min()),
               high = double(std::numeric_limits<T>::max());
  return x <= low    ? std::numeric_limits<T>::min()
         : x >= high ? std::numeric_limits<T>::max()
                     : T(x);
}

TEST(Integers, FloatsSaturateAndANanIsZeroOrTheTopBit) {
  std::vector<float> x = {0.f,          -0.f,         0.9f,         -0.9f,         1.5f,
                          -1.5f,        127.9f,       255.5f,       256.f,         -129.f,
                          32767.5f,     40000.f,      65535.9f,     70000.f,       -32769.f,
                          16777217.f,   2147483520.f, 2147483648.f, -2147483648.f, -2147483904.f,
                          4294967040.f, 4294967296.f, 9.2e18f,      9.3e18f,       -9.3e18f,
                          1.9e19f,      3e38f,        1e-40f,       infinity,      -infinity,
                          nan_value,    -nan_value};
  const int n = int(x.size());
  std::vector<int> i32(n);
  std::vector<unsigned> u32(n);
  std::vector<long long> i64(n);
  std::vector<unsigned long long> u64(n);
  std::vector<short> i16(n);
  std::vector<unsigned short> u16(n);
  std::vector<signed char> i8(n);
  std::vector<unsigned char> u8(n);
  runPlain(kernels("numbers"), "to_integers", {1}, {64}, (const float *)x.data(), i32.data(),
           u32.data(), i64.data(), u64.data(), i16.data(), u16.data(), i8.data(), u8.data(), n);
  for (int i = 0; i < n; ++i) {
    SCOPED_TRACE(x[i]);
    EXPECT_EQ(i32[i], saturated<int>(x[i]));
    EXPECT_EQ(u32[i], saturated<unsigned>(x[i]));
    EXPECT_EQ(i64[i], saturated<long long>(x[i]));
    EXPECT_EQ(u64[i], saturated<unsigned long long>(x[i]));
    EXPECT_EQ(i16[i], saturated<short>(x[i]));
    EXPECT_EQ(u16[i], saturated<unsigned short>(x[i]));
    EXPECT_EQ(i8[i], static_cast<signed char>(saturated<short>(x[i])));
    EXPECT_EQ(u8[i], static_cast<unsigned char>(saturated<unsigned short>(x[i])));
  }
}

TEST(Floats, AreNotContractedAndFmaIsFused) {
  const int n = 1000;
  std::vector<float> a(n), b(n), c(n), separate(n), fused(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 1.f + float(i) * 1.1920929e-7f;
    b[i] = 1.f - float(i) * 1.7e-4f;
    c[i] = -a[i] * b[i];
  }
  runPlain(kernels("numbers"), "contraction", {8}, {128}, (const float *)a.data(),
           (const float *)b.data(), (const float *)c.data(), separate.data(), fused.data(), n);
  int different = 0;
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(separate[i], 0.f);
    EXPECT_EQ(fused[i], std::fma(a[i], b[i], c[i]));
    different += fused[i] != 0;
  }
  EXPECT_GT(different, 500);
}

TEST(Floats, HalvesAndBfloatsRoundOnce) {
  std::vector<float> a = {1.f,  65504.f,   1.0009765625f, 0.33333334f, 6e-8f,
                          -0.f, nan_value, infinity,      2049.f,      3.3895e38f},
                     b = {0.00048828125f, 16.f,   1.0009765625f, 3.f, 0.5f, 0.f, 1.f,
                          -infinity,      2051.f, 1e30f},
                     c = {2.9802322e-8f, 1.f, 5.9604645e-8f, -1.f, 0.f, 0.f, 0.f, 1.f, 1.f, 0.f};
  const int n = int(a.size());
  std::vector<float> half(4 * n), bfloat(4 * n);
  runPlain(kernels("numbers"), "halves", {1}, {32}, (const float *)a.data(),
           (const float *)b.data(), (const float *)c.data(), half.data(), bfloat.data(), n);
  auto same = [](float x, float y) { return (std::isnan(x) && std::isnan(y)) || x == y; };
  auto bf = [](float x) {
    uint32_t bits = std::bit_cast<uint32_t>(x);
    return std::isnan(x) ? x
                         : std::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u);
  };
  for (int i = 0; i < n; ++i) {
    SCOPED_TRACE(i);
    const float x = float(_Float16(a[i])), y = float(_Float16(b[i]));
    EXPECT_PRED2(same, half[4 * i], float(_Float16(x + y)));
    EXPECT_PRED2(same, half[4 * i + 1], float(_Float16(x * y)));
    EXPECT_PRED2(same, bfloat[4 * i], bf(bf(a[i]) + bf(b[i])));
    EXPECT_PRED2(same, bfloat[4 * i + 1], bf(bf(a[i]) * bf(b[i])));
    EXPECT_PRED2(same, bfloat[4 * i + 3], bf(a[i]));
  }
  // 1 * 2^-11 + 2^-25 lies above the middle of two halves only if the small part is kept.
  EXPECT_EQ(half[2],
            0.00048828125f + 4.7683716e-7f * 0); // exact product, tiny addend below half an ulp
  EXPECT_EQ(half[4 * 2 + 2], float(_Float16(1.00195598602294921875)));
  EXPECT_EQ(half[4 * 8 + 3], 2048.f); // 2049 to even
}

TEST(Floats, DoublesBecomeHalvesInOneRounding) {
  // Just above the middle between 2048 and 2050; as a float it would be the middle.
  std::vector<double> from = {2049.0000001, 2049.0,  -2049.0000001, 65519.999, 65520.0,
                              5e-8,         2.98e-8, 1e300,         NAN};
  std::vector<uint16_t> half(from.size());
  uint16_t sum = 0x3f80; // 1 in bf16
  runPlain(kernels("numbers"), "bfloat_atomics", {1}, {9}, &sum, from.data(), half.data());
  EXPECT_EQ(half,
            (std::vector<uint16_t>{0x6801, 0x6800, 0xe801, 0x7bff, 0x7c00, 1, 0, 0x7c00, 0x7e00}));
  EXPECT_EQ(sum, 0x4168); // 1 + 9 * 1.5 = 14.5
}

TEST(Floats, DirectedRoundingMovesTheLastBit) {
  const float a = 1.f, b = 1e-10f;
  std::vector<float> out(8);
  runPlain(kernels("numbers"), "directed", {1}, {1}, a, b, out.data());
  EXPECT_EQ(out[0], 1.f);
  EXPECT_EQ(out[1], 1.f);
  EXPECT_EQ(out[2], std::nextafter(1.f, 2.f));
  EXPECT_EQ(out[3], 1.f);
  EXPECT_EQ(out[4], std::nextafter(-1.f / 3.f, 0.f));
  EXPECT_EQ(out[5], std::nextafter(1.f, 2.f));
  EXPECT_EQ(out[6], 2147483520.f);
  EXPECT_EQ(out[7], -1.f / 3.f);
}

TEST(Locals, StartAsZeroSoThatRunsRepeat) {
  std::vector<int> out(8, -1);
  runPlain(kernels("numbers"), "uninitialised_local", {1}, {8}, out.data());
  EXPECT_EQ(out, (std::vector<int>{5, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Locals, VectorsAtAnyAddressDoNotCrash) {
  alignas(16) char bytes[32] = {};
  runPlain(kernels("numbers"), "misaligned", {1}, {1}, (char *)bytes);
  float second;
  memcpy(&second, bytes + 5, 4);
  EXPECT_EQ(second, 2.f);
}

// --- Mathematical functions ---

const std::vector<float> &specialFloats() {
  static const std::vector<float> values = [] {
    std::vector<float> list = {
        0.f,       -0.f,   infinity,       -infinity,     nan_value,      1e-45f,
        -1e-45f,   1e-39f, 1.1754944e-38f, 3.4028235e38f, -3.4028235e38f, 1.f,
        -1.f,      0.5f,   -0.5f,          2.f,           2.5f,           -2.5f,
        88.8f,     -104.f, 128.f,          1e5f,          1e10f,          8388609.f,
        3.1415927f};
    for (int i = 0; i < 4000; ++i)
      list.push_back(std::bit_cast<float>(uint32_t(i) * 1073741u + 12345u));
    for (int i = 0; i < 2000; ++i)
      list.push_back((i - 1000) * 0.0123f);
    return list;
  }();
  return values;
}

struct Function {
  const char *name;
  double (*reference)(double);
};
#define FUNCTION(name)                                                                             \
  Function {                                                                                       \
    #name, [](double x) -> double { return ::name(x); }                                            \
  }
const Function functions[] = {
    FUNCTION(exp),
    FUNCTION(exp2),
    FUNCTION(expm1),
    FUNCTION(log),
    FUNCTION(log2),
    FUNCTION(log10),
    FUNCTION(log1p),
    FUNCTION(sin),
    FUNCTION(cos),
    FUNCTION(tan),
    FUNCTION(asin),
    FUNCTION(acos),
    FUNCTION(atan),
    FUNCTION(sinh),
    FUNCTION(cosh),
    FUNCTION(tanh),
    FUNCTION(asinh),
    FUNCTION(acosh),
    FUNCTION(atanh),
    FUNCTION(sqrt),
    FUNCTION(cbrt),
    FUNCTION(erf),
    FUNCTION(erfc),
    FUNCTION(tgamma),
    FUNCTION(fabs),
    FUNCTION(floor),
    FUNCTION(ceil),
    FUNCTION(trunc),
    FUNCTION(rint),
    FUNCTION(round),
    FUNCTION(j0),
    FUNCTION(logb),
    FUNCTION(lgamma),
    {"exp10", [](double x) { return std::pow(10.0, x); }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"normcdf", [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }}};

bool sameFloat(float x, float y) {
  return (std::isnan(x) && std::isnan(y)) ||
         std::bit_cast<uint32_t>(x) == std::bit_cast<uint32_t>(y);
}

TEST(Functions, OfFloatAreTheDoubleResultRoundedOnce) {
  const std::vector<float> &x = specialFloats();
  const int n = int(x.size());
  for (const Function &function : functions) {
    std::vector<float> y(n);
    runPlain(kernels("numbers"), (std::string("f_") + function.name).c_str(),
             {uint32_t(n + 255) / 256}, {256}, (const float *)x.data(), y.data(), n);
    for (int i = 0; i < n; ++i)
      ASSERT_PRED2(sameFloat, y[i], float(function.reference(x[i])))
          << function.name << "(" << x[i] << ")";
  }
}

TEST(Functions, OfDoubleAreTheHosts) {
  std::vector<double> x = {0.,   -0.,   1.,     -1.,      0.3,       -7.25,
                           700., 1e300, 5e-324, INFINITY, -INFINITY, NAN};
  const int n = int(x.size());
  for (const Function &function : functions) {
    if (std::string(function.name) == "exp10")
      continue; // pow(10, x) rounds differently
    std::vector<double> y(n);
    runPlain(kernels("numbers"), (std::string("d_") + function.name).c_str(), {1}, {32},
             (const double *)x.data(), y.data(), n);
    for (int i = 0; i < n; ++i) {
      const double expected = function.reference(x[i]);
      EXPECT_TRUE((std::isnan(y[i]) && std::isnan(expected)) || y[i] == expected)
          << function.name << "(" << x[i] << ") = " << y[i];
    }
  }
}

struct BinaryFunction {
  const char *name;
  double (*reference)(double, double);
};
#undef FUNCTION
#define FUNCTION(name)                                                                             \
  BinaryFunction {                                                                                 \
    #name, [](double x, double y) -> double { return ::name(x, y); }                               \
  }

TEST(Functions, OfTwoFloatsHandleAllPairsOfSpecialValues) {
  const std::vector<float> values(specialFloats().begin(), specialFloats().begin() + 25);
  std::vector<float> a, b;
  for (float x : values)
    for (float y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  const int n = int(a.size());
  const BinaryFunction list[] = {FUNCTION(pow),       FUNCTION(atan2), FUNCTION(fmod),
                                 FUNCTION(remainder), FUNCTION(hypot), FUNCTION(copysign)};
  for (const BinaryFunction &function : list) {
    std::vector<float> y(n);
    runPlain(kernels("numbers"), (std::string("f_") + function.name).c_str(),
             {uint32_t(n + 63) / 64}, {64}, (const float *)a.data(), (const float *)b.data(),
             y.data(), n);
    for (int i = 0; i < n; ++i)
      EXPECT_PRED2(sameFloat, y[i], float(function.reference(a[i], b[i])))
          << function.name << "(" << a[i] << ", " << b[i] << ")";
  }
}

TEST(Functions, MinimumIgnoresOneNanAndOrdersZeros) {
  std::vector<float> a = {1.f, nan_value, 1.f, -0.f, 0.f, nan_value},
                     b = {2.f, 1.f, nan_value, 0.f, -0.f, nan_value}, y(6);
  auto run = [&](const char *name) {
    runPlain(kernels("numbers"), name, {1}, {32}, (const float *)a.data(), (const float *)b.data(),
             y.data(), 6);
  };
  run("f_fmin");
  EXPECT_EQ(y[0], 1.f);
  EXPECT_EQ(y[1], 1.f);
  EXPECT_EQ(y[2], 1.f);
  EXPECT_TRUE(std::signbit(y[3]));
  EXPECT_TRUE(std::signbit(y[4]));
  EXPECT_TRUE(std::isnan(y[5]));
  run("f_fmax");
  EXPECT_EQ(y[0], 2.f);
  EXPECT_EQ(y[1], 1.f);
  EXPECT_FALSE(std::signbit(y[3]));
  EXPECT_FALSE(std::signbit(y[4]));
}

/// Applies kernel `inverse` to what `function` made, and expects the start within `ulps`.
void expectInverse(const char *function, const char *inverse, std::vector<double> x,
                   double tolerance) {
  const int n = int(x.size());
  std::vector<double> y(n), back(n);
  runPlain(kernels("numbers"), function, {1}, {uint32_t(n)}, (const double *)x.data(), y.data(), n);
  runPlain(kernels("numbers"), inverse, {1}, {uint32_t(n)}, (const double *)y.data(), back.data(),
           n);
  for (int i = 0; i < n; ++i)
    EXPECT_NEAR(back[i], x[i], tolerance * std::abs(x[i])) << inverse << "(" << y[i] << ")";
}

TEST(Functions, InverseErrorFunctionsInvert) {
  expectInverse("d_erf", "d_erfinv", {1e-300, 1e-10, 0.1, -0.3, 0.47, 0.48, 0.9, -1.2, 2.0}, 2e-14);
  expectInverse("d_erfc", "d_erfcinv", {-1.5, -0.2, 0.1, 0.4, 0.6, 1.0, 3.0, 10.0, 26.0}, 2e-14);
  expectInverse("d_normcdf", "d_normcdfinv", {-37.0, -5.0, -1.0, -0.1, 0.2, 1.0}, 2e-14);
}

TEST(Functions, SpecialOnesHaveKnownValues) {
  const std::vector<double> x = {1.0, 30.0, 2.5};
  auto run = [&](const char *name) {
    std::vector<double> y(3);
    runPlain(kernels("numbers"), name, {1}, {32}, x.data(), y.data(), 3);
    return y;
  };
  EXPECT_NEAR(run("d_erfcx")[0], 0.427583576155807, 1e-15);
  EXPECT_NEAR(run("d_erfcx")[1], 0.018795888861416751, 1e-17);
  EXPECT_NEAR(run("d_cyl_bessel_i0")[0], 1.2660658777520084, 1e-15);
  EXPECT_NEAR(run("d_cyl_bessel_i1")[0], 0.56515910399248503, 1e-15);
  EXPECT_EQ(run("d_sinpi")[1], 0.0);
  EXPECT_EQ(run("d_sinpi")[2], 1.0);
  EXPECT_EQ(run("d_cospi")[0], -1.0);
  EXPECT_EQ(run("d_cospi")[2], 0.0);
}

} // namespace
} // namespace neuronify::reference
