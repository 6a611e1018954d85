#include "chip/isa/element_wise.h"

#include "chip/stream.h"

namespace nki::chip::isa {

namespace {

/// Subnormals count as zero where the assumptions say so. Returns a buffer with the flushed values.
class Flush {
public:
  explicit Flush(const ChipAssumptions &assumptions) : on_(assumptions.flush_denormals) {}
  const float *inputs(const float *values, int64_t count, float *buffer) const {
    if (!on_)
      return values;
    std::memcpy(buffer, values, size_t(count) * 4);
    kernels().flush(buffer, count);
    return buffer;
  }
  float input(float value) const {
    if (on_)
      kernels().flush(&value, 1);
    return value;
  }
  void outputs(float *values, int64_t count) const {
    if (on_)
      kernels().flush(values, count);
  }

private:
  bool on_;
};

void float_tensor_tensor(const View &dst, const View &data1, const View &data2, Op op,
                         const ChipAssumptions &assumptions) {
  FloatBinary run = float_binary(op, assumptions);
  if (!assumptions.flush_denormals)
    return stream_uniform<float>([&](int64_t, float *out, const float *a, const float *b,
                                     int64_t count) { run(out, a, b, count); },
                                 dst, data1, data2);
  Flush flush(assumptions);
  stream<float>(
      [&](int64_t, float *out, const float *a, const float *b, int64_t count) {
        float a_buffer[kChunk], b_buffer[kChunk];
        run(out, flush.inputs(a, count, a_buffer), flush.inputs(b, count, b_buffer), count);
        flush.outputs(out, count);
      },
      dst, data1, data2);
}

/// Whether leaving out the rounding in between can be seen.
bool is_multiply_add(const ScalarStep &first, const ScalarStep &second) {
  return first.op == Op::multiply && second.op == Op::add;
}

void float_tensor_scalar(const View &dst, const View &data, const ScalarStep &first,
                         const ScalarStep &second, const ChipAssumptions &assumptions) {
  FloatScalar run0 = float_scalar(first.op, first.reverse, assumptions);
  FloatScalar run1 = float_scalar(second.op, second.reverse, assumptions);
  Activation fused = kernels().activation[int(Op::copy)][1][0];
  bool fuse = !assumptions.round_between_operations && is_multiply_add(first, second);
  Flush flush(assumptions);
  stream<float>(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        float buffer[kChunk];
        in = flush.inputs(in, count, buffer);
        float operand0 = flush.input(first.operand.as_float(p));
        if (fuse) {
          fused(out, in, operand0, flush.input(second.operand.as_float(p)), count);
        } else {
          run0(out, in, operand0, count);
          if (second.op != Op::none)
            run1(out, out, flush.input(second.operand.as_float(p)), count);
        }
        flush.outputs(out, count);
      },
      dst, data);
}

} // namespace

void tensor_tensor(const View &dst, const View &data1, const View &data2, Op op,
                   Arithmetic arithmetic, const ChipAssumptions &assumptions) {
  if (arithmetic == Arithmetic::float32)
    return float_tensor_tensor(dst, data1, data2, op, assumptions);
  BitsBinary run = arithmetic == Arithmetic::bits
                       ? bits_binary(op, assumptions)
                       : integer_binary(op, data1.type == DType::int32, data2.type == DType::int32,
                                        dst.type == DType::int32, assumptions);
  stream_uniform<uint32_t>([&](int64_t, uint32_t *out, const uint32_t *a, const uint32_t *b,
                               int64_t count) { run(out, a, b, count); },
                           dst, data1, data2);
}

void tensor_scalar(const View &dst, const View &data, const ScalarStep &first,
                   const ScalarStep &second, Arithmetic arithmetic,
                   const ChipAssumptions &assumptions) {
  if (arithmetic == Arithmetic::float32)
    return float_tensor_scalar(dst, data, first, second, assumptions);
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
  bool fuse = !assumptions.round_between_operations && first.op == Op::multiply && op1 == Op::add;
  Flush flush(assumptions);
  stream<float>(
      [&](int64_t p, float *out, const float *a, const float *b, int64_t count) {
        alignas(64) float first_result[kChunk]; // b may lie where out does
        float b_buffer[kChunk];
        float operand0 = flush.input(first.operand.as_float(p));
        a = flush.inputs(a, count, first_result);
        b = flush.inputs(b, count, b_buffer);
        if (fuse) {
          kernels().multiply_add(out, a, operand0, b, count);
        } else {
          run0(first_result, a, operand0, count);
          run1(out, reverse1 ? b : first_result, reverse1 ? first_result : b, count);
        }
        flush.outputs(out, count);
      },
      dst, data, operand1);
}

void reciprocal(const View &dst, const View &data, const ChipAssumptions &assumptions) {
  ScalarStep step{Op::reciprocal, ScalarOperand(0.0), false};
  tensor_scalar(dst, data, step, {}, Arithmetic::float32, assumptions);
}

} // namespace nki::chip::isa
