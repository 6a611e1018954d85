#include "chip/isa/activation.h"

#include "chip/isa/reduce.h"
#include "chip/layout.h"
#include "chip/stream.h"

namespace nki::chip::isa {

bool is_activation(Op op) { return kernels().activation[int(op)][0][0] != nullptr; }

namespace {

Activation function(Op op, const ChipAssumptions &assumptions) {
  bool exact = assumptions.outside_activation_range == OutsideRange::mathematical;
  return kernels().activation[int(op)][!assumptions.round_between_operations][exact];
}

/// Streams `run(partition, out, in, count)` from data to dst and reduces what it makes.
template <class F>
void stream_and_reduce(F &&run, const View &dst, const View &data, const RowReduction &reduction,
                       const ChipAssumptions &assumptions) {
  auto flushed = [&](int64_t p, float *out, const float *in, int64_t count) {
    float buffer[kChunk];
    if (assumptions.flush_denormals) {
      std::memcpy(buffer, in, size_t(count) * 4);
      kernels().flush(buffer, count);
      in = buffer;
    }
    run(p, out, in, count);
    if (assumptions.flush_denormals)
      kernels().flush(out, count);
  };
  if (!reduction.registers)
    return stream<float>(flushed, dst, data);
  if (is_native<float>(dst.type) && lies_apart(dst)) {
    stream<float>(flushed, dst, data);
    return accumulate(reduction.registers, dst, reduction.op, assumptions);
  }
  auto results = scratch<float>(dst.partitions * dst.elements);
  View all = scratch_view(results.get(), dst.partitions, dst.elements);
  stream<float>(flushed, all, data);
  accumulate(reduction.registers, all, reduction.op, assumptions);
  write_rows(dst, results.get());
}

/// Whether two steps are what `activation` does to its argument: a product, and a sum or a
/// difference, each rounded.
bool is_scale_and_bias(const ScalarStep &first, const ScalarStep &second,
                       const ChipAssumptions &assumptions) {
  return first.op == Op::multiply && (second.op == Op::add || second.op == Op::subtract) &&
         !(second.op == Op::subtract && second.reverse) && assumptions.round_between_operations;
}

} // namespace

void activation(const View &dst, Op op, const View &data, const ScalarOperand &scale,
                const ScalarOperand &bias, const RowReduction &reduction,
                const ChipAssumptions &assumptions) {
  Activation run = function(op, assumptions);
  stream_and_reduce(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        run(out, in, scale.as_float(p), bias.as_float(p), count);
      },
      dst, data, reduction, assumptions);
}

void activate2(const View &dst, Op op, const View &data, const ScalarStep &first,
               const ScalarStep &second, const ScalarOperand &slope, const RowReduction &reduction,
               const ChipAssumptions &assumptions) {
  Activation run = function(op, assumptions);
  FloatScalar run0 = float_scalar(first.op, first.reverse, assumptions);
  FloatScalar run1 = float_scalar(second.op, second.reverse, assumptions);
  Activation prepare = function(Op::copy, assumptions);
  const bool at_once = is_scale_and_bias(first, second, assumptions);
  stream_and_reduce(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        const float operand0 = first.operand.as_float(p), operand1 = second.operand.as_float(p);
        const float bias = second.op == Op::subtract ? -operand1 : operand1;
        if (at_once && op != Op::prelu)
          return run(out, in, operand0, bias, count);
        if (at_once) {
          prepare(out, in, operand0, bias, count);
        } else {
          run0(out, in, operand0, count);
          run1(out, out, operand1, count);
        }
        if (op == Op::prelu)
          kernels().prelu(out, slope.as_float(p), count);
        else
          run(out, out, 1.0f, -0.0f, count); // adding -0 changes nothing
      },
      dst, data, reduction, assumptions);
}

void exponential(const View &dst, const View &src, const ScalarOperand &maximum,
                 const RowReduction &reduction, const ChipAssumptions &assumptions) {
  Activation run = function(Op::exp, assumptions);
  stream_and_reduce([&](int64_t p, float *out, const float *in,
                        int64_t count) { run(out, in, 1.0f, -maximum.as_float(p), count); },
                    dst, src, reduction, assumptions);
}

} // namespace nki::chip::isa
