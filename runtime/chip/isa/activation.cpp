#include "chip/isa/activation.h"

#include "chip/math.h"
#include "chip/stream.h"

#include <cmath>

namespace nki::chip::isa {

bool is_activation(Op op) { return op == Op::abs || (op >= Op::square && op <= Op::sign); }

namespace {

float activate(Op op, float x) {
  double d = x;
  switch (op) {
  case Op::exp:
    return float(std::exp(d));
  case Op::log:
    return float(std::log(d));
  case Op::sin:
    return float(std::sin(d));
  case Op::arctan:
    return float(std::atan(d));
  case Op::sqrt:
    return std::sqrt(x);
  case Op::rsqrt:
    return math::rsqrt(x);
  case Op::reciprocal:
    return 1.0f / x;
  case Op::tanh:
    return float(std::tanh(d));
  case Op::sigmoid:
    return float(1 / (1 + std::exp(-d)));
  case Op::erf:
    return float(std::erf(d));
  case Op::gelu:
    return float(0.5 * d * (1 + std::erf(d * M_SQRT1_2)));
  case Op::silu:
    return float(d / (1 + std::exp(-d)));
  case Op::softplus:
    return float(d > 0 ? d + std::log1p(std::exp(-d)) : std::log1p(std::exp(d)));
  case Op::square:
    return x * x;
  case Op::relu:
    return x > 0 || x != x ? x : 0.0f;
  case Op::abs:
    return std::fabs(x);
  case Op::sign:
    return x > 0 ? 1.0f : x < 0 ? -1.0f : x;
  default:
    return x;
  }
}

} // namespace

void activation(const View &dst, Op op, const View &data, const ScalarOperand &scale,
                const ScalarOperand &bias, float *registers, const ChipAssumptions &) {
  stream<float>(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        float s = scale.as_float(p), b = bias.as_float(p);
        for (int64_t i = 0; i < count; ++i)
          out[i] = activate(op, in[i] * s + b);
        if (registers)
          for (int64_t i = 0; i < count; ++i)
            registers[p] += out[i];
      },
      dst, data);
}

} // namespace nki::chip::isa
