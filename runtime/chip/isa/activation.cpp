#include "chip/isa/activation.h"

#include "chip/isa/reduce.h"
#include "chip/stream.h"

namespace nki::chip::isa {

bool is_activation(Op op) { return kernels().activation[int(op)][0][0] != nullptr; }

namespace {

void activate(const View &dst, Op op, const View &data, const ScalarOperand &scale,
              const ScalarOperand &bias, const ChipAssumptions &assumptions) {
  bool exact = assumptions.outside_activation_range == OutsideRange::mathematical;
  Activation run = kernels().activation[int(op)][!assumptions.round_between_operations][exact];
  bool flush = assumptions.flush_denormals;
  stream<float>(
      [&](int64_t p, float *out, const float *in, int64_t count) {
        float factor = scale.as_float(p), addend = bias.as_float(p), buffer[kChunk];
        if (flush) {
          std::memcpy(buffer, in, size_t(count) * 4);
          kernels().flush(buffer, count);
          in = buffer;
        }
        run(out, in, factor, addend, count);
        if (flush)
          kernels().flush(out, count);
      },
      dst, data);
}

} // namespace

void activation(const View &dst, Op op, const View &data, const ScalarOperand &scale,
                const ScalarOperand &bias, float *registers, const ChipAssumptions &assumptions) {
  if (!registers || is_native<float>(dst.type)) {
    activate(dst, op, data, scale, bias, assumptions);
    if (registers)
      accumulate(registers, dst, Op::add, assumptions);
    return;
  }
  // The accumulators see the results before they are rounded to dst's type.
  auto results = scratch<float>(dst.partitions * dst.elements);
  View all = scratch_view(results.get(), dst.partitions, dst.elements);
  activate(all, op, data, scale, bias, assumptions);
  accumulate(registers, all, Op::add, assumptions);
  write_rows(dst, results.get());
}

} // namespace nki::chip::isa
