#include "nki/isa/accumulate.h"

#include "nki/isa/step.h"

#include <algorithm>

namespace nki::isa {

namespace {

const char *name_of(reduce_cmd cmd) {
  static constexpr const char *names[] = {"idle", "reset", "reduce", "reset_reduce", "load_reduce"};
  return names[size_t(cmd)];
}

} // namespace

Accumulation::Accumulation(const Instruction &in, reduce_cmd cmd, Op op, const Tensor *result,
                           const Operand *init, bool negate)
    : in_(in), cmd_(cmd), op_(op), result_(result && *result ? result : nullptr),
      init_(init && !init->is_none() ? init : nullptr),
      initial_(init_ ? scalar_of(*init_) : ScalarOperand()), negate_(negate) {}

void Accumulation::require(std::initializer_list<reduce_cmd> known, const Tensor &data) const {
  if (std::find(known.begin(), known.end(), cmd_) == known.end()) {
    std::string all;
    for (const reduce_cmd *cmd = known.begin(); cmd != known.end(); ++cmd)
      all += std::string(cmd == known.begin()     ? ""
                         : cmd + 1 == known.end() ? " or "
                                                  : ", ") +
             name_of(*cmd);
    in_.fail("reduce_cmd must be " + all);
  }
  bool is_zero = init_ && !init_->is_tensor() && init_->value() == 0;
  in_.require(cmd_ == reduce_cmd::load_reduce ? init_ != nullptr : !init_ || is_zero,
              "an initial value belongs to load_reduce, and load_reduce to an initial value");
  if (init_) {
    in_.scalar("the initial value", *init_, data);
    require_float32(in_, "the initial value", *init_);
  }
  if (result_) {
    in_.column("reduce_res", *result_, data);
    in_.unpacked("reduce_res", *result_);
    in_.require(is_on(), "reduce_res needs a reduce_cmd that reduces");
  }
}

float *Accumulation::prepare(int64_t partitions) {
  chip::Accumulators &accumulators = in_.core().vector_accumulators;
  if (cmd_ == reduce_cmd::reduce) {
    in_.require(accumulators.defined, "the accumulators were never reset or loaded, or an "
                                      "instruction with reduce_cmd idle came since");
  } else {
    for (int64_t p = 0; p < partitions; ++p) {
      accumulators.value[size_t(p)] =
          cmd_ == reduce_cmd::load_reduce ? initial_.as_float(p) : chip::reduction_identity(op_);
      accumulators.poison[size_t(p)] = false;
    }
    accumulators.defined = is_on(); // idle may change them
  }
  return accumulators.value.data();
}

double Accumulation::finish(Access &access, const PoisonFlags &flags, const View &dst) const {
  chip::Accumulators &accumulators = in_.core().vector_accumulators;
  if (is_on())
    spread_poison(accumulators, flags, dst);
  if (!result_)
    return 0;
  access.write_after(chip::view_of(*result_));
  read_registers(*result_, accumulators, negate_);
  return chip::costs::kReadAccumulators;
}

void spread_poison(chip::Accumulators &accumulators, const PoisonFlags &flags, const View &dst) {
  for (int64_t i = 0; flags.any() && i < dst.partitions * dst.elements; ++i)
    if (flags.at(i))
      accumulators.poison[size_t(i / dst.elements)] = true;
}

PoisonFlags reduced_flags(const PoisonFlags &source, const View &data, int64_t group) {
  PoisonFlags flags;
  int64_t size = data.partitions * data.elements;
  for (int64_t i = 0; source.any() && i < size; ++i)
    if (source.at(i))
      flags.set(i / group, size / group);
  return flags;
}

PoisonFlags scanned_flags(const View &dst, const PoisonFlags &element_wise) {
  PoisonFlags flags;
  for (int64_t p = 0; element_wise.any() && p < dst.partitions; ++p) {
    bool poisoned = false;
    for (int64_t e = 0; e < dst.elements; ++e) {
      poisoned |= element_wise.at(p * dst.elements + e);
      if (poisoned)
        flags.set(p * dst.elements + e, dst.partitions * dst.elements);
    }
  }
  return flags;
}

void read_registers(const Tensor &result, const chip::Accumulators &accumulators, bool negate) {
  View to = chip::view_of(result);
  PoisonFlags flags;
  for (int64_t p = 0; p < to.partitions; ++p)
    if (accumulators.poison[size_t(p)])
      flags.set(p, to.partitions);
  chip::begin_write(to);
  chip::isa::read_registers(to, accumulators.value.data(), negate);
  chip::end_write(to, flags);
}

} // namespace nki::isa
