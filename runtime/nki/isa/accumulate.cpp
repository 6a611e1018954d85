#include "nki/isa/accumulate.h"

namespace nki::isa {

float *prepare_accumulators(const Instruction &in, reduce_cmd cmd, Op op,
                            const ScalarOperand &initial, int64_t partitions) {
  chip::Accumulators &accumulators = in.core().vector_accumulators;
  if (cmd == reduce_cmd::reduce) {
    in.require(accumulators.defined, "the accumulators were never reset or loaded");
  } else {
    for (int64_t p = 0; p < partitions; ++p)
      accumulators.value[size_t(p)] =
          cmd == reduce_cmd::load_reduce ? initial.as_float(p) : chip::reduction_identity(op);
    accumulators.defined = true;
  }
  return accumulators.value.data();
}

PoisonFlags reduced_flags(const PoisonFlags &source, const View &data, int64_t group) {
  PoisonFlags flags;
  int64_t size = data.partitions * data.elements;
  for (int64_t i = 0; source.any() && i < size; ++i)
    if (source.at(i))
      flags.set(i / group, size / group);
  return flags;
}

void read_accumulators(const Tensor &reduce_res, const float *registers, bool negate,
                       const PoisonFlags &flags) {
  View result = chip::view_of(reduce_res);
  chip::begin_write(result);
  chip::isa::read_registers(result, registers, negate);
  chip::end_write(result, flags);
}

} // namespace nki::isa
