// Tensor indirection: instructions of NeuronCore-v4 whose operands are gathered or scattered along
// the free axis by indices.
#pragma once

#include "nki/isa/instruction.h"

#include <functional>
#include <initializer_list>
#include <span>

namespace nki::isa {

inline bool through_indices(const Tensor &a) { return a && a.has_tensor_indirection(); }
template <class... T> bool through_indices(const Tensor &a, const T &...more) {
  return through_indices(a) || through_indices(more...);
}

/// How an instruction takes operands through indices.
struct IndirectUse {
  int group = 16;      ///< partitions that share indices: 32 on TensorE
  bool keeps = false;  ///< elements of dst that are not computed anew count: predicated, added to
  bool scalar = false; ///< runs on ScalarE
};

/// Runs an instruction on direct copies of the operands that go through indices, and scatters the
/// result: body(dst, sources). The first source is the one whose place decides dst's. Throws
/// nki::Error where a rule of tensor indirection is broken; an absent source stays absent.
void run_indirectly(const Instruction &in, const IndirectUse &use, const Tensor &dst,
                    std::initializer_list<Instruction::Argument> sources,
                    const std::function<void(const Tensor &, std::span<const Tensor>)> &body);

} // namespace nki::isa
