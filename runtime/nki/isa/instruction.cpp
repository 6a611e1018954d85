#include "nki/isa/instruction.h"

#include "nki/describe.h"
#include "nki/error.h"

#include <exception>
#include <span>

namespace nki::isa {

Instruction::Instruction(const char *name, std::initializer_list<Argument> arguments)
    : name_(name), core_(current_core()), exceptions_(std::uncaught_exceptions()) {
  for (const Argument &argument : arguments)
    arguments_[count_++] = argument;
}

Instruction::~Instruction() {
  if (std::uncaught_exceptions() > exceptions_)
    return;
  std::array<const Tensor *, 6> operands;
  size_t count = 0;
  for (size_t i = 0; i < count_; ++i)
    if (*arguments_[i].tensor)
      operands[count++] = arguments_[i].tensor;
  core_.timeline().record(name_, std::span(operands).first(count), core_.generation());
}

void Instruction::fail(const std::string &rule) const {
  std::string operands;
  for (size_t i = 0; i < count_; ++i)
    if (*arguments_[i].tensor)
      operands += (operands.empty() ? "" : ", ") + std::string(arguments_[i].role) + " " +
                  describe(*arguments_[i].tensor);
  throw Error(std::string("nisa.") + name_, rule, operands);
}

void Instruction::tile(const char *role, const Tensor &tensor, int free_dims) const {
  if (!tensor) [[unlikely]]
    fail(std::string(role) + " is missing");
  if (tensor.buffer() == Buffer::hbm) [[unlikely]]
    fail(std::string(role) + " must be a tile in SBUF or PSUM");
  int64_t partitions = tensor.partitions(), start = tensor.start_partition();
  int64_t step = partitions > 64 ? 128 : partitions > 32 ? 64 : 32;
  if (start % step != 0) [[unlikely]]
    fail(std::string(role) + " starts at partition " + std::to_string(start) + " with " +
         std::to_string(partitions) +
         " partitions: up to 32 partitions start at 0, 32, 64 or 96, up to 64 at 0 or 64, more at "
         "0");
  if (tensor.ndim() - 1 <= free_dims) [[likely]]
    return;
  chip::Pattern pattern = chip::coalesce(tensor.dims().subspan(1), 1);
  if (pattern.rank > free_dims)
    fail(std::string(role) + " needs " + std::to_string(pattern.rank) +
         " free dimensions, the instruction has " + std::to_string(free_dims));
}

void Instruction::in_sbuf(const char *role, const Tensor &tensor) const {
  if (tensor.buffer() != Buffer::sbuf) [[unlikely]]
    fail(std::string(role) + " must be in SBUF");
}

void Instruction::in_psum(const char *role, const Tensor &tensor) const {
  if (tensor.buffer() != Buffer::psum) [[unlikely]]
    fail(std::string(role) + " must be in PSUM");
}

void Instruction::not_both_in_psum(const char *role1, const Tensor &a, const char *role2,
                                   const Tensor &b) const {
  if (a.buffer() == Buffer::psum && b.buffer() == Buffer::psum) [[unlikely]]
    fail(std::string(role1) + " and " + role2 + " may not both be in PSUM");
}

void Instruction::same_size(const char *role1, const Tensor &a, const char *role2,
                            const Tensor &b) const {
  same_partitions(role1, a, role2, b);
  if (a.elements_per_partition() != b.elements_per_partition()) [[unlikely]]
    fail(std::string(role1) + " and " + role2 + " must have as many elements per partition, not " +
         std::to_string(a.elements_per_partition()) + " and " +
         std::to_string(b.elements_per_partition()));
}

void Instruction::same_partitions(const char *role1, const Tensor &a, const char *role2,
                                  const Tensor &b) const {
  if (a.partitions() != b.partitions()) [[unlikely]]
    fail(std::string(role1) + " and " + role2 + " must have as many partitions, not " +
         std::to_string(a.partitions()) + " and " + std::to_string(b.partitions()));
}

void Instruction::same_type(const char *role1, const Tensor &a, const char *role2,
                            const Tensor &b) const {
  if (a.dtype() != b.dtype()) [[unlikely]]
    fail(std::string(role1) + " and " + role2 + " must have the same data type");
}

void Instruction::column(const char *role, const Tensor &tensor, const Tensor &data) const {
  tile(role, tensor);
  same_partitions(role, tensor, "data", data);
  if (tensor.elements_per_partition() != 1) [[unlikely]]
    fail(std::string(role) + " must have one element per partition");
}

void Instruction::scalar(const char *role, const Operand &operand, const Tensor &data) const {
  if (operand.is_tensor())
    column(role, operand.tensor(), data);
}

chip::ScalarOperand scalar_of(const Operand &operand) {
  if (operand.is_tensor())
    return chip::ScalarOperand(chip::view_of(operand.tensor()));
  return chip::ScalarOperand(operand.value());
}

chip::PoisonFlags ElementWise::flags(const chip::View &dst) const {
  chip::PoisonFlags result;
  for (int i = 0; i < count_; ++i)
    result.merge(chip::poison_of(*sources_[size_t(i)]));
  for (int i = 0; i < columns_count_; ++i) {
    chip::PoisonFlags column = chip::poison_of(*columns_[size_t(i)]);
    for (int64_t p = 0; column.any() && p < dst.partitions; ++p)
      for (int64_t e = 0; column.at(p) && e < dst.elements; ++e)
        result.set(p * dst.elements + e, dst.partitions * dst.elements);
  }
  return result;
}

} // namespace nki::isa
