#include "nki/isa/instruction.h"

#include "chip/isa/alu.h"
#include "chip/poison_origin.h"
#include "nki/describe.h"
#include "nki/error.h"

namespace nki::isa {

Instruction::Instruction(const char *name, std::initializer_list<Argument> arguments)
    : name_(name), core_(current_core()) {
  chip::begin_instruction(name);
  for (const Argument &argument : arguments)
    arguments_[count_++] = argument;
}

void Instruction::fail(const std::string &rule) const {
  std::string operands;
  for (size_t i = 0; i < count_; ++i)
    if (*arguments_[i].tensor)
      operands += (operands.empty() ? "" : ", ") + std::string(arguments_[i].role) + " " +
                  describe(*arguments_[i].tensor);
  throw Error(std::string("nisa.") + name_, rule, operands);
}

void Instruction::tile(const char *role, const Tensor &tensor, int free_dims,
                       int64_t psum_elements) const {
  if (!tensor) [[unlikely]]
    fail(std::string(role) + " is missing");
  if (tensor.buffer() == Buffer::hbm) [[unlikely]]
    fail(std::string(role) + " must be a tile in SBUF or PSUM");
  if (tensor.is_indirect()) [[unlikely]]
    dynamic_tile(role, tensor);
  int64_t partitions = tensor.partitions(), start = tensor.start_partition();
  int64_t step = partitions > 64 ? 128 : partitions > 32 ? 64 : 32;
  if (start % step != 0) [[unlikely]]
    fail(std::string(role) + " starts at partition " + std::to_string(start) + " with " +
         std::to_string(partitions) +
         " partitions: up to 32 partitions start at 0, 32, 64 or 96, up to 64 at 0 or 64, more at "
         "0");
  int64_t most = tensor.buffer() == Buffer::psum ? psum_elements : 65536;
  if (tensor.elements_per_partition() > most) [[unlikely]]
    fail(std::string(role) + " has " + std::to_string(tensor.elements_per_partition()) +
         " elements per partition, an instruction addresses up to " + std::to_string(most) +
         (tensor.buffer() == Buffer::psum ? " in PSUM" : " in SBUF"));
  if (tensor.ndim() == 2 && tensor.dims()[1].stride == 1) [[likely]]
    return;
  chip::Pattern pattern = chip::coalesce(tensor.dims().subspan(1), 1);
  if (pattern.rank > free_dims)
    fail(std::string(role) + " needs " + std::to_string(pattern.rank) +
         " free dimensions, the instruction has " + std::to_string(free_dims));
  for (int d = 0; d < pattern.rank; ++d)
    if (std::abs(pattern.dims[size_t(d)].stride) > 32767)
      fail(std::string(role) + " has a stride of " +
           std::to_string(pattern.dims[size_t(d)].stride) +
           " elements, an access pattern holds 16-bit strides");
}

void Instruction::dynamic_tile(const char *role, const Tensor &tensor) const {
  if (tensor.has_tensor_indirection())
    fail(std::string(role) + " may not go through tensor indirection");
  starts_in_bounds(role, tensor);
}

bool Instruction::starts_in_bounds(const char *role, const Tensor &tensor, bool skips) const {
  if (!tensor.has_scalar_offset())
    return true;
  if (const std::shared_ptr<const Tensor> &element = tensor.indirection()->scalar.element())
    core_.timeline().hold(element->storage()->written_at);
  chip::DynamicStart start = chip::dynamic_start(tensor);
  if (!start.in_bounds && !skips)
    fail("scalar_offset of " + std::string(role) + " is " + std::to_string(start.index) +
         ", out of bounds: the indexed dimension has " +
         std::to_string(tensor.indirection()->count) + " elements");
  return start.in_bounds;
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

void Instruction::integer(const char *role, const Tensor &tensor) const {
  if (!chip::is_integer(tensor.dtype()) && tensor.dtype() != DType::bool_) [[unlikely]]
    fail(std::string(role) + " must have an integer type: bitvec operators work on bit patterns");
}

void Instruction::unpacked(const char *role, const Tensor &tensor) const {
  if (chip::is_packed(tensor.dtype())) [[unlikely]]
    fail(std::string(role) + " has a packed type, which arithmetic cannot take");
}

void Instruction::column(const char *role, const Tensor &tensor, const Tensor &data) const {
  tile(role, tensor);
  same_partitions(role, tensor, "data", data);
  if (tensor.elements_per_partition() != 1) [[unlikely]]
    fail(std::string(role) + " must have one element per partition");
}

void Instruction::scalar(const char *role, const Operand &operand, const Tensor &data) const {
  if (!operand.is_tensor())
    return;
  column(role, operand.tensor(), data);
  unpacked(role, operand.tensor());
}

void Instruction::exists(Op op) const {
  bool recent = op == Op::abs_max || op == Op::abs_min || op == Op::square || op == Op::relu;
  if (recent && !has(Feature::v4_operators))
    fail("nl." + std::string(language::name_of(op)) + " is an operator from NeuronCore-v4 on");
}

ScalarOperand scalar_of(const Operand &operand) {
  if (operand.is_tensor())
    return ScalarOperand(chip::view_of(operand.tensor()));
  return ScalarOperand(operand.value());
}

void Access::read(const char *role, const View &view) {
  maybe_poison_ |= chip::begin_read(view);
  sources_[source_count_++] = {role, &view};
  reads_[read_count_++] = view.storage;
}

void Access::read(ScalarOperand &operand) {
  if (operand.is_constant())
    return;
  maybe_poison_ |= chip::begin_read(*operand.column());
  scalars_[scalar_count_++] = &operand;
  reads_[read_count_++] = operand.column()->storage;
}

void Access::read_written(const char *role, const View &view) {
  if (chip::begin_read(view)) [[unlikely]]
    chip::require_written((std::string("nisa.") + in_.name()).c_str(), role, view);
  sources_[source_count_++] = {role, &view};
  reads_[read_count_++] = view.storage;
}

void Access::write(const View &dst) {
  for (size_t i = 0; i < source_count_; ++i)
    if (sources_[i].view->storage == dst.storage &&
        chip::overwrites_before_read(dst, *sources_[i].view))
      in_.fail("dst lies over elements of " + std::string(sources_[i].role) +
               " that are read after it is written: the result would depend on timing");
  for (size_t i = 0; i < scalar_count_; ++i)
    if (scalars_[i]->column()->storage == dst.storage)
      scalars_[i]->freeze();
  write_after(dst);
}

void Access::write_after(const View &dst) {
  chip::begin_write(dst);
  if (!dst.storage->products.empty()) [[unlikely]]
    chip::mark_products(dst, false);
  writes_[write_count_++] = dst.storage;
}

PoisonFlags Access::element_wise(const View &dst) const {
  PoisonFlags result;
  for (size_t i = 0; i < source_count_; ++i)
    result.merge(chip::poison_of(*sources_[i].view));
  for (size_t i = 0; i < scalar_count_; ++i) {
    PoisonFlags column = chip::poison_of(*scalars_[i]->column());
    for (int64_t p = 0; column.any() && p < dst.partitions; ++p)
      for (int64_t e = 0; column.at(p) && e < dst.elements; ++e)
        result.set(p * dst.elements + e, dst.partitions * dst.elements);
  }
  return result;
}

} // namespace nki::isa
