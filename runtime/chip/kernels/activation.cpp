// ScalarE's functions: out = function(in * scale + bias).
//
// Where the documentation gives a valid input range, what lies outside becomes NaN, so that a port
// that relies on it is seen (ChipAssumptions::outside_activation_range); the other setting gives
// the mathematical value, as AWS's simulator does. The sine is documented to go on as a cubic.

#include "chip/assumptions.h"
#include "chip/kernels/math.h"
#include "chip/kernels/tables.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

using namespace math;

constexpr double kTwoSqrtTwoOverPi = 0x1.9884533d43651p+0; // 2 sqrt(2 / pi)
constexpr double kInverseSqrtTwoPi = 0x1.9884533d43651p-2; // 1 / sqrt(2 pi)
constexpr double kTwoInverseSqrtPi = 0x1.20dd750429b6dp+0; // 2 / sqrt(pi)

struct Copy {
  static float apply(float x) { return x; }
};
struct Square {
  static float apply(float x) { return x * x; }
};
struct Abs {
  static float apply(float x) { return absolute(x); }
};
struct Relu {
  static float apply(float x) { return ((x > 0.0f) | (x != x)) ? x : 0.0f; }
};
struct Sign {
  static float apply(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x; }
};
struct Exp {
  static float apply(float x) { return exp(x); }
};
struct Tanh {
  static float apply(float x) { return tanh(x); }
};
struct Sigmoid {
  static float apply(float x) { return over_one_plus_exp(1.0f, x); }
};
struct Silu { // x sigmoid(x)
  static float apply(float x) {
    float numerator = x < -200.0f ? -200.0f : x; // -inf times 0
    return over_one_plus_exp(numerator, x);
  }
};
struct Erf {
  static float apply(float x) { return erf(x); }
};
struct Softplus { // max(x, 0) + log(1 + e^-|x|)
  static float apply(float x) {
    float e = exp(-absolute(x));
    float sum = 1.0f + e, whole = sum - 1.0f;
    // What the sum lost, over about the sum: 1 / (1 + w) is near 1 - w + w^2 / 2.
    float lost = (e - whole) * fma(fma(0.5f, whole, -1.0f), whole, 1.0f);
    float value = (x > 0.0f ? x : 0.0f) + (log(sum) + lost);
    return x != x ? x : value;
  }
};
struct Sin {
  static float apply(float x) { return sin(x); }
};

// ---- with a documented range --------------------------------------------------------------------

template <bool Exact> struct Log {
  static float apply(float x) {
    if constexpr (!Exact)
      return ((x >= 0x1p-64f) & (x <= 0x1p64f)) ? log(x) : kNaN;
    double d = x;
    float value = float(log(x > 0.0f ? d : 1.0));
    value = x == 0.0f ? -kInfinity : value;
    value = x == kInfinity ? kInfinity : value;
    return x >= 0.0f ? value : kNaN;
  }
};
template <bool Exact> struct Sqrt {
  static float apply(float x) {
    float value = __builtin_sqrtf(x);
    return (Exact | ((x >= 0x1p-116f) & (x <= 0x1p118f))) ? value : kNaN;
  }
};
template <bool Exact> struct Rsqrt {
  static float apply(float x) {
    float value = rsqrt(x);
    return (Exact | ((x >= 0x1p-87f) & (x <= 0x1p97f))) ? value : kNaN;
  }
};
template <bool Exact> struct Reciprocal {
  static float apply(float x) {
    float a = absolute(x), value = 1.0f / x;
    return (Exact | ((a >= 0x1p-42f) & (a <= 0x1p42f))) ? value : kNaN;
  }
};
template <bool Exact> struct Arctan {
  static float apply(float x) {
    float a = absolute(x);
    if constexpr (!Exact)
      return a <= 0x1.921fb6p0f ? arctan(x) : kNaN;
    // atan(a) = pi/2 - atan(1/a)
    bool large = a > 1.0f;
    float value = arctan(large ? 1.0f / a : a);
    value = large ? (0x1.921fb6p0f - value) + -0x1.777a5cp-25f : value;
    return with_sign_of(x != x ? x : value, x);
  }
};

// ---- functions that cancel somewhere, in double -------------------------------------------------

struct Logistic {
  double value;      ///< 1 / (1 + e^-u)
  double derivative; ///< value (1 - value), without cancellation
};
Logistic logistic(double u) {
  double e = exp(-clamp(absolute(u), 0.0, 600.0));
  double denominator = 1.0 + e;
  return {(u >= 0.0 ? 1.0 : e) / denominator, e / (denominator * denominator)};
}
/// A factor that is finite where the other factor is 0.
double finite(double x) { return clamp(x, -1e6, double(kInfinity)); }
double finite_both(double x) { return clamp(x, -1e6, 1e6); }

struct Gelu {
  static float apply(float x) { return float(finite(x) * normal_cdf(x)); }
};
struct GeluDx {
  static float apply(float x) {
    double d = clamp(x, -15.0, 15.0);
    return float(normal_cdf(x) + d * kInverseSqrtTwoPi * exp(-0.5 * d * d));
  }
};
struct GeluTanh { // x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2
  static float apply(float x) {
    double d = x;
    double u = kTwoSqrtTwoOverPi * (d + 0.044715 * d * d * d);
    return float(finite(x) * logistic(u).value);
  }
};
struct GeluSigmoid {
  static float apply(float x) { return float(finite(x) * logistic(1.702 * double(x)).value); }
};
struct GeluSigmoidDx {
  static float apply(float x) {
    Logistic s = logistic(1.702 * double(x));
    return float(s.value + 1.702 * finite_both(x) * s.derivative);
  }
};
struct SiluDx {
  static float apply(float x) {
    Logistic s = logistic(x);
    return float(s.value + finite_both(x) * s.derivative);
  }
};
struct Mish { // x tanh(log(1 + e^x))
  static float apply(float x) {
    double e = exp(clamp(x, -110.0, 30.0));
    double n = e * (e + 2.0);
    return float(clamp(x, -110.0, double(kInfinity)) * (n / (n + 2.0)));
  }
};
struct ErfDx {
  static float apply(float x) {
    double d = clamp(x, -20.0, 20.0);
    return float(kTwoInverseSqrtPi * exp(-d * d));
  }
};

// Several vectors at a time, since each is one long chain of operations. Functions in double
// precision take twice the time per vector, but need no more registers for constants.
#ifdef __AVX512F__
#define NEURONIFY_ABREAST 4
#define NEURONIFY_DOUBLES_ABREAST 8
#else
#define NEURONIFY_ABREAST 2
#define NEURONIFY_DOUBLES_ABREAST 2
#endif

template <class F, bool Fused>
[[gnu::flatten]] void run(float *out, const float *in, float scale, float bias, int64_t count) {
#pragma clang loop vectorize(assume_safety) interleave_count(NEURONIFY_ABREAST)
  for (int64_t i = 0; i < count; ++i)
    out[i] = F::apply(Fused ? fma(in[i], scale, bias) : in[i] * scale + bias);
}
template <class F, bool Fused>
[[gnu::flatten]] void run_double(float *out, const float *in, float scale, float bias,
                                 int64_t count) {
#pragma clang loop vectorize(assume_safety) interleave_count(NEURONIFY_DOUBLES_ABREAST)
  for (int64_t i = 0; i < count; ++i)
    out[i] = F::apply(Fused ? fma(in[i], scale, bias) : in[i] * scale + bias);
}

void prelu(float *values, float slope, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    float value = values[i], small = value * slope;
    values[i] = value > 0.0f ? value : small;
  }
}

template <class Inside, class Exact = Inside> void put(Kernels &table, Op op) {
  table.activation[int(op)][0][0] = run<Inside, false>;
  table.activation[int(op)][0][1] = run<Exact, false>;
  table.activation[int(op)][1][0] = run<Inside, true>;
  table.activation[int(op)][1][1] = run<Exact, true>;
}
template <class F> void put_double(Kernels &table, Op op) {
  for (auto &entry : table.activation[int(op)][0])
    entry = run_double<F, false>;
  for (auto &entry : table.activation[int(op)][1])
    entry = run_double<F, true>;
}

} // namespace

void fill_activations(Kernels &table) {
  table.prelu = prelu;
  put<Copy>(table, Op::copy);
  put<Square>(table, Op::square);
  put<Abs>(table, Op::abs);
  put<Relu>(table, Op::relu);
  put<Sign>(table, Op::sign);
  put<Exp>(table, Op::exp);
  put<Tanh>(table, Op::tanh);
  put<Sigmoid>(table, Op::sigmoid);
  put<Silu>(table, Op::silu);
  put<Sin>(table, Op::sin);
  put<Erf>(table, Op::erf);
  put<Log<false>, Log<true>>(table, Op::log);
  put<Sqrt<false>, Sqrt<true>>(table, Op::sqrt);
  put<Rsqrt<false>, Rsqrt<true>>(table, Op::rsqrt);
  put<Reciprocal<false>, Reciprocal<true>>(table, Op::reciprocal);
  put<Arctan<false>, Arctan<true>>(table, Op::arctan);
  put_double<Gelu>(table, Op::gelu);
  put_double<GeluDx>(table, Op::gelu_dx);
  put_double<GeluTanh>(table, Op::gelu_apprx_tanh);
  put_double<GeluSigmoid>(table, Op::gelu_apprx_sigmoid);
  put_double<GeluSigmoidDx>(table, Op::gelu_apprx_sigmoid_dx);
  put_double<SiluDx>(table, Op::silu_dx);
  put<Softplus>(table, Op::softplus);
  put_double<Mish>(table, Op::mish);
  put_double<ErfDx>(table, Op::erf_dx);
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
