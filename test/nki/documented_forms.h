// What the documentation says about each operand of each instruction, as data: types, memories and
// sizes. Written down from the annotated stub nki/api/nki/isa/__init__.py of the public Neuron
// documentation, not from the model.
#pragma once

#include "chip_for_test.h"

#include <functional>
#include <ostream>
#include <set>

namespace nki::documented {

using Types = std::set<DType>;
using Tensors = std::span<const Tensor>;

/// One operand: as it is in a legal call, and what else it may be while the others stay.
struct Slot {
  const char *role;
  int64_t partitions, elements;
  DType type;
  Types types;
  std::vector<Buffer> buffers; ///< the first is that of the legal call
  float value = 1;
  bool any_partitions = false, any_elements = false; ///< not bound to the other operands
  bool any_start = false;                            ///< other rules than those of tiles
  bool optional = false;
  bool indirect = false; ///< through tensor indirection, from NeuronCore-v4 on
};

/// A legal call of an instruction.
struct Form {
  const char *instruction; ///< as in messages
  const char *form;        ///< which of several
  std::vector<Slot> slots;
  std::function<void(Tensors)> call;
  std::vector<size_t> equal{}; ///< slots that have one type ...
  Types equal_types{};         ///< ... out of these
  std::vector<size_t> not_both_in_psum{};
  int from = 2;         ///< NeuronCore version
  int index_group = 16; ///< partitions that share a list of indices
};
inline std::ostream &operator<<(std::ostream &out, const Form &form) {
  return out << form.instruction << (*form.form ? " " : "") << form.form;
}

const std::vector<Form> &forms();

/// All data types, and those that operands of arithmetic and of bitvec operators may have.
const Types &every_type();
const Types &number_types();
const Types &bit_types();
const Types &float_types();

/// A tensor for a slot, filled with its value.
Tensor make(const Slot &slot, DType type, Buffer buffer, int64_t partitions, int64_t elements);
inline Tensor make(const Slot &slot) {
  return make(slot, slot.type, slot.buffers[0], slot.partitions, slot.elements);
}
std::vector<Tensor> make_all(const Form &form);

} // namespace nki::documented
