#include "nki/language.h"

#include "chip/core.h"
#include "chip/core_group.h"
#include "chip/storage.h"
#include "nki/error.h"
#include "nki/isa.h"

#include <string>

namespace nki {

namespace language {

std::string_view name_of(Op op) {
  static constexpr std::string_view names[] = {"None",
                                               "bypass",
                                               "invert",
                                               "bitwise_and",
                                               "bitwise_or",
                                               "bitwise_xor",
                                               "left_shift",
                                               "right_shift",
                                               "add",
                                               "subtract",
                                               "multiply",
                                               "maximum",
                                               "minimum",
                                               "equal",
                                               "not_equal",
                                               "greater_equal",
                                               "greater",
                                               "less_equal",
                                               "less",
                                               "logical_and",
                                               "logical_or",
                                               "logical_xor",
                                               "power",
                                               "abs_max",
                                               "abs_min",
                                               "average",
                                               "abs",
                                               "square",
                                               "relu",
                                               "rsqrt",
                                               "reciprocal",
                                               "copy",
                                               "sigmoid",
                                               "prelu",
                                               "gelu",
                                               "gelu_dx",
                                               "gelu_apprx_tanh",
                                               "gelu_apprx_sigmoid",
                                               "gelu_apprx_sigmoid_dx",
                                               "silu",
                                               "silu_dx",
                                               "tanh",
                                               "softplus",
                                               "mish",
                                               "erf",
                                               "erf_dx",
                                               "exp",
                                               "log",
                                               "sin",
                                               "arctan",
                                               "sqrt",
                                               "sign"};
  static_assert(std::size(names) == size_t(Op::sign) + 1);
  return names[size_t(op)];
}

namespace {

std::string shape_text(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

} // namespace

namespace {

Tensor make(std::span<const int64_t> shape, DType dtype, Buffer buffer, std::string_view name,
            const Address *address) {
  auto fail = [&](const std::string &rule) {
    throw Error("nl.ndarray", rule,
                (name.empty() ? "" : std::string(name) + " ") + std::string(name_of(dtype)) +
                    shape_text(shape));
  };
  if (shape.empty() || shape.size() > size_t(Tensor::kMaxDims))
    fail("a tensor has 1 to " + std::to_string(Tensor::kMaxDims) + " dimensions");
  bool on_chip = buffer == Buffer::sbuf || buffer == Buffer::psum;
  Dim dims[Tensor::kMaxDims];
  int64_t elements = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] < 1)
      fail("every dimension has at least one element");
    dims[i] = {on_chip && i == 0 ? 1 : elements, shape[i]};
    if (!(on_chip && i == 0) && __builtin_mul_overflow(elements, shape[i], &elements))
      fail("the size overflows");
  }
  int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, int64_t(size_of(dtype)), &bytes))
    fail("the size overflows");
  std::span<const Dim> view(dims, shape.size());
  chip::Core &core = current_core();
  if (buffer == Buffer::shared_hbm && core.group)
    return core.group->shared_tensor(core.index(), shape, dtype, name);
  if (!on_chip)
    return Tensor(chip::Storage::scratch_hbm(core.hbm(), bytes, dtype, name), dtype, view, 0, 0);
  if (shape[0] > chip::kPartitions)
    fail("an on-chip tensor has at most 128 partitions");
  if (address)
    return Tensor(chip::Storage::placed(core, buffer, dtype, shape[0], bytes, name,
                                        address->partition, address->byte),
                  dtype, view, address->partition, 0);
  return Tensor(chip::Storage::on_chip(core, buffer, dtype, shape[0], bytes, name), dtype, view, 0,
                0);
}

} // namespace

Tensor ndarray(std::span<const int64_t> shape, DType dtype, Buffer buffer, std::string_view name) {
  return make(shape, dtype, buffer, name, nullptr);
}

Tensor ndarray(std::span<const int64_t> shape, DType dtype, Buffer buffer, std::string_view name,
               Address address) {
  if (buffer != Buffer::sbuf && buffer != Buffer::psum)
    throw Error("nl.ndarray", "addresses are for tiles in SBUF and PSUM");
  return make(shape, dtype, buffer, name, &address);
}

Tensor ndarray(std::initializer_list<int64_t> shape, DType dtype, Buffer buffer,
               std::string_view name) {
  return ndarray(std::span<const int64_t>(shape.begin(), shape.size()), dtype, buffer, name);
}

namespace {

const chip::Place &place_on(const char *function, int axis) {
  if (axis != 0)
    throw Error(function, "the launch grid has one dimension, not axis " + std::to_string(axis));
  return current_core().place;
}

} // namespace

int program_id(int axis) { return place_on("nl.program_id", axis).program; }
int num_programs(int axes) { return place_on("nl.num_programs", axes).programs; }
int program_ndim() { return current_core().group ? 1 : 0; }

void fori_loop(const Bound &lower, const Bound &upper,
               const std::function<void(const isa::Register &)> &body, int32_t step) {
  if (step < 1)
    throw Error("nl.fori_loop", "step is at least 1");
  const int64_t end = upper.value();
  for (int64_t i = lower.value(); i < end; i += step)
    body(isa::register_alloc(int32_t(i)));
}

void while_loop(const isa::Register &init,
                const std::function<isa::Register(const isa::Register &)> &body) {
  for (int32_t value = init.value(); value != 0;)
    value = body(isa::register_alloc(value)).value();
}

} // namespace language

Tensor hbm_tensor(const void *address, size_t bytes, DType type) {
  auto hex = [](const void *pointer) {
    char text[32];
    snprintf(text, sizeof text, "%p", pointer);
    return std::string(text);
  };
  std::optional<chip::Allocation> found = current_core().hbm().find(address);
  if (!found)
    throw Error("hbm_tensor", hex(address) + " is not in device memory");
  size_t offset = size_t(static_cast<const char *>(address) - static_cast<char *>(found->base));
  if (bytes == 0 || bytes > found->size - offset)
    throw Error("hbm_tensor", std::to_string(bytes) + " bytes from " + hex(address) +
                                  " are not inside the allocation of " +
                                  std::to_string(found->size) + " bytes at " + hex(found->base));
  if (bytes % size_of(type) != 0)
    throw Error("hbm_tensor", std::to_string(bytes) + " bytes are no whole number of " +
                                  std::string(name_of(type)) + " elements");
  Dim flat{1, int64_t(bytes / size_of(type))};
  return Tensor(chip::Storage::in_hbm(const_cast<void *>(address), int64_t(bytes), type), type,
                {&flat, 1}, 0, 0);
}

} // namespace nki
