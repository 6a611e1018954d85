// What every instruction does around its semantics: check rules, look after poison, take time.
#pragma once

#include "chip/core.h"
#include "chip/costs.h"
#include "chip/isa/operand.h"
#include "chip/poison.h"
#include "chip/view.h"
#include "nki/isa.h"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

namespace nki::isa {

using chip::Feature;
using chip::PoisonFlags;
using chip::ScalarOperand;
using chip::Unit;
using chip::View;

/// One instruction being issued: its name and operands, for messages, and the core it runs on.
class Instruction {
public:
  struct Argument {
    const char *role;
    const Tensor *tensor; ///< may be an absent one
  };
  Instruction(const char *name, std::initializer_list<Argument> arguments);

  const char *name() const { return name_; }
  chip::Core &core() const { return core_; }
  const chip::Generation &generation() const { return core_.generation(); }
  bool has(Feature feature) const { return generation().has(feature); }
  const chip::ChipAssumptions &assumptions() const { return core_.assumptions(); }

  [[noreturn]] void fail(const std::string &rule) const;
  void require(bool holds, const char *rule) const {
    if (!holds) [[unlikely]]
      fail(rule);
  }

  // ---- rules shared by engine instructions. Each throws nki::Error.
  /// A present, direct SBUF or PSUM tile that starts at a legal partition, with a pattern that an
  /// engine can address: at most `free_dims` free dimensions and `psum_elements` elements per
  /// partition in PSUM.
  void tile(const char *role, const Tensor &tensor, int free_dims = 4,
            int64_t psum_elements = 4096) const;
  /// A view with a scalar offset lies inside of its tensor, and the instruction waits for the
  /// offset. False where it does not and `skips`; else that throws nki::Error.
  bool starts_in_bounds(const char *role, const Tensor &tensor, bool skips = false) const;
  void in_sbuf(const char *role, const Tensor &tensor) const;
  void in_psum(const char *role, const Tensor &tensor) const;
  void not_both_in_psum(const char *role1, const Tensor &a, const char *role2,
                        const Tensor &b) const;
  /// Equal partitions and equal elements per partition.
  void same_size(const char *role1, const Tensor &a, const char *role2, const Tensor &b) const;
  void same_partitions(const char *role1, const Tensor &a, const char *role2,
                       const Tensor &b) const;
  void same_type(const char *role1, const Tensor &a, const char *role2, const Tensor &b) const;
  void integer(const char *role, const Tensor &tensor) const;
  void unpacked(const char *role, const Tensor &tensor) const;
  /// A constant or a {P, 1} tile of a type that is not packed, with P partitions as `data`.
  void scalar(const char *role, const Operand &operand, const Tensor &data) const;
  /// A {P, 1} tile with P partitions as `data`.
  void column(const char *role, const Tensor &tensor, const Tensor &data) const;
  /// The operator exists on this generation.
  void exists(Op op) const;

private:
  void dynamic_tile(const char *role, const Tensor &tensor) const;

  const char *name_;
  chip::Core &core_;
  std::array<Argument, 6> arguments_{};
  size_t count_ = 0;
};

/// The operand of an instruction as the model takes it; None is 0.
ScalarOperand scalar_of(const Operand &operand);

/// The memory that one instruction touches: prepared before it runs, accounted for after.
///
/// Order: read all sources, write the destinations (which checks that none lies partly over a
/// source), compute, end each destination, take the time.
class Access {
public:
  explicit Access(const Instruction &in) : in_(in) {}

  void read(const char *role, const View &view);
  void read(ScalarOperand &operand);
  /// A source whose every element decides something: an error if one was never written.
  void read_written(const char *role, const View &view);
  void write(const View &dst);
  /// A destination that may lie anywhere over the sources, since they were read before.
  void write_after(const View &dst);

  /// Memory that the caller prepares and ends itself, for the timeline.
  void also_reads(chip::Storage &storage) { reads_[read_count_++] = &storage; }
  void also_writes(chip::Storage &storage) { writes_[write_count_++] = &storage; }

  /// Whether some source is not fully written: only then flags need to be computed.
  bool maybe_poison() const { return maybe_poison_; }
  /// Flags of an element-wise result: an element is poison where an element or a scalar that it was
  /// made from is.
  PoisonFlags element_wise(const View &dst) const;

  void end(const View &dst) {
    if (maybe_poison_) [[unlikely]]
      chip::end_write(dst, element_wise(dst));
    else
      chip::end_write(dst);
  }
  void end(const View &dst, const PoisonFlags &flags) { chip::end_write(dst, flags); }

  void take(Unit engine, double cycles) {
    in_.core().timeline().instruction(engine, in_.name(), cycles, {reads_.data(), read_count_},
                                      {writes_.data(), write_count_});
  }

private:
  struct Source {
    const char *role;
    const View *view;
  };
  const Instruction &in_;
  std::array<Source, 4> sources_{};
  std::array<ScalarOperand *, 4> scalars_{};
  std::array<chip::Storage *, 8> reads_{};
  std::array<chip::Storage *, 2> writes_{};
  size_t source_count_ = 0, scalar_count_ = 0, read_count_ = 0, write_count_ = 0;
  bool maybe_poison_ = false;
};

} // namespace nki::isa
