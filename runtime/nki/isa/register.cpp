#include "nki/describe.h"
#include "nki/error.h"
#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

void require_one_element(const Instruction &in, const char *role, const Tensor &tensor) {
  if (!tensor || tensor.buffer() == Buffer::psum)
    in.fail(std::string(role) + " must be in SBUF or HBM");
  if (tensor.size() != 1 || size_of(tensor.dtype()) > 4)
    in.fail(std::string(role) + " must have one element of at most 32 bits");
  if (tensor.has_vector_offset() || tensor.has_tensor_indirection())
    in.fail(std::string(role) + " may not go through indices");
  in.starts_in_bounds(role, tensor);
}

} // namespace

int32_t Register::value() const {
  if (!*state_)
    throw Error("nisa.register", "the register was never given a value");
  return **state_;
}

Register register_alloc(std::optional<int32_t> x) {
  Register result;
  *result.state_ = x;
  return result;
}

Register register_alloc(const Tensor &x) {
  Register result;
  register_load(result, x);
  return result;
}

void register_load(const Register &dst, const Tensor &src) {
  Instruction in("register_load", {{"src", &src}});
  require_one_element(in, "src", src);
  View from = chip::view_of(src);
  if (chip::begin_read(from))
    chip::require_written("nisa.register_load", "src", from);
  int32_t value = 0;
  if (src.dtype() == DType::int8)
    value = *reinterpret_cast<const int8_t *>(from.base);
  else if (src.dtype() == DType::int16)
    value = *reinterpret_cast<const int16_t *>(from.base);
  else
    __builtin_memcpy(&value, from.base, size_of(src.dtype()));
  *dst.state_ = value;
  in.core().timeline().wait_for(*from.storage, in.name());
}

void register_store(const Tensor &dst, const Register &src) {
  Instruction in("register_store", {{"dst", &dst}});
  require_one_element(in, "dst", dst);
  int32_t value = src.value();
  View to = chip::view_of(dst);
  chip::begin_write(to);
  __builtin_memcpy(to.base, &value, size_of(dst.dtype()));
  chip::end_write(to);
  chip::Storage *const writes[] = {to.storage};
  in.core().timeline().instruction(Unit::sync, in.name(), chip::costs::kMinimum, {}, writes);
}

void register_move(const Register &dst, int32_t src) { *dst.state_ = src; }
void register_move(const Register &dst, const Register &src) { register_move(dst, src.value()); }

} // namespace nki::isa
