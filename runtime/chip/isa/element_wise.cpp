#include "chip/isa/element_wise.h"

#include "chip/stream.h"

namespace nki::chip::isa {

void tensor_tensor(const View &dst, const View &data1, const View &data2, Op op,
                   Arithmetic arithmetic, const ChipAssumptions &assumptions) {
  if (arithmetic == Arithmetic::float32) {
    FloatBinary run = float_binary(op, assumptions);
    stream<float>([&](int64_t, float *out, const float *a, const float *b,
                      int64_t count) { run(out, a, b, count); },
                  dst, data1, data2);
    return;
  }
  BitsBinary run = arithmetic == Arithmetic::bits
                       ? bits_binary(op, assumptions)
                       : integer_binary(op, data1.type == DType::int32, data2.type == DType::int32,
                                        dst.type == DType::int32, assumptions);
  stream<uint32_t>([&](int64_t, uint32_t *out, const uint32_t *a, const uint32_t *b,
                       int64_t count) { run(out, a, b, count); },
                   dst, data1, data2);
}

void tensor_scalar(const View &dst, const View &data, const ScalarStep &first,
                   const ScalarStep &second, Arithmetic arithmetic,
                   const ChipAssumptions &assumptions) {
  if (arithmetic == Arithmetic::float32) {
    FloatScalar run0 = float_scalar(first.op, first.reverse, assumptions);
    FloatScalar run1 = float_scalar(second.op, second.reverse, assumptions);
    stream<float>(
        [&](int64_t p, float *out, const float *in, int64_t count) {
          run0(out, in, first.operand.as_float(p), count);
          if (second.op != Op::none)
            run1(out, out, second.operand.as_float(p), count);
        },
        dst, data);
    return;
  }
  BitsScalar run0 = bits_scalar(first.op, first.reverse, assumptions);
  BitsScalar run1 = bits_scalar(second.op, second.reverse, assumptions);
  stream<uint32_t>(
      [&](int64_t p, uint32_t *out, const uint32_t *in, int64_t count) {
        run0(out, in, first.operand.as_bits(p), count);
        if (second.op != Op::none)
          run1(out, out, second.operand.as_bits(p), count);
      },
      dst, data);
}

void scalar_tensor_tensor(const View &dst, const View &data, const ScalarStep &first, Op op1,
                          const View &operand1, bool reverse1, const ChipAssumptions &assumptions) {
  FloatScalar run0 = float_scalar(first.op, first.reverse, assumptions);
  FloatBinary run1 = float_binary(op1, assumptions);
  stream<float>(
      [&](int64_t p, float *out, const float *a, const float *b, int64_t count) {
        alignas(64) float temporary[kChunk]; // b may lie where out does
        run0(temporary, a, first.operand.as_float(p), count);
        if (reverse1)
          run1(out, b, temporary, count);
        else
          run1(out, temporary, b, count);
      },
      dst, data, operand1);
}

void reciprocal(const View &dst, const View &data, const ChipAssumptions &assumptions) {
  ScalarStep step{Op::reciprocal, ScalarOperand(0.0), false};
  tensor_scalar(dst, data, step, {}, Arithmetic::float32, assumptions);
}

} // namespace nki::chip::isa
