// What every instruction does around its semantics: check rules, look after poison, take time.
#pragma once

#include "chip/core.h"
#include "chip/isa/operand.h"
#include "chip/poison.h"
#include "chip/view.h"
#include "nki/isa.h"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

namespace nki::isa {

/// One instruction being issued: its name and operands, for messages, and the core it runs on.
class Instruction {
public:
  struct Argument {
    const char *role;
    const Tensor *tensor; ///< may be an absent one
  };
  Instruction(const char *name, std::initializer_list<Argument> arguments);
  /// Takes its time on the core's timeline, unless it broke a rule.
  ~Instruction();
  Instruction(const Instruction &) = delete;
  Instruction &operator=(const Instruction &) = delete;

  const char *name() const { return name_; }
  chip::Core &core() const { return core_; }
  const chip::Generation &generation() const { return core_.generation(); }
  const chip::ChipAssumptions &assumptions() const { return core_.assumptions(); }

  [[noreturn]] void fail(const std::string &rule) const;
  void require(bool holds, const char *rule) const {
    if (!holds) [[unlikely]]
      fail(rule);
  }

  // ---- rules shared by engine instructions. Each throws nki::Error.
  /// A present, direct SBUF or PSUM tile with at most `free_dims` free dimensions that starts at a
  /// legal partition.
  void tile(const char *role, const Tensor &tensor, int free_dims = 4) const;
  void in_sbuf(const char *role, const Tensor &tensor) const;
  void in_psum(const char *role, const Tensor &tensor) const;
  void not_both_in_psum(const char *role1, const Tensor &a, const char *role2,
                        const Tensor &b) const;
  /// Equal partitions and equal elements per partition.
  void same_size(const char *role1, const Tensor &a, const char *role2, const Tensor &b) const;
  void same_partitions(const char *role1, const Tensor &a, const char *role2,
                       const Tensor &b) const;
  void same_type(const char *role1, const Tensor &a, const char *role2, const Tensor &b) const;
  /// A constant or a {P, 1} tile with P partitions as `data`.
  void scalar(const char *role, const Operand &operand, const Tensor &data) const;
  /// A {P, 1} tile.
  void column(const char *role, const Tensor &tensor, const Tensor &data) const;

private:
  const char *name_;
  chip::Core &core_;
  std::array<Argument, 6> arguments_{};
  size_t count_ = 0;
  int exceptions_; ///< in flight when it was issued
};

/// The operand of an instruction as the model takes it; None is 0.
chip::ScalarOperand scalar_of(const Operand &operand);

/// The memory one element-wise instruction touches: prepares it before, accounts for it after.
class ElementWise {
public:
  void read(const chip::View &view) {
    maybe_poison_ |= chip::begin_read(view);
    sources_[count_++] = &view;
  }
  void read(const chip::ScalarOperand &operand) {
    if (operand.is_constant())
      return;
    maybe_poison_ |= chip::begin_read(*operand.column());
    columns_[columns_count_++] = &*operand.column();
  }
  void begin(const chip::View &dst) { chip::begin_write(dst); }
  /// dst's elements are poison where an element or a scalar they were made from is.
  void end(const chip::View &dst) const {
    if (!maybe_poison_)
      chip::end_write(dst);
    else
      chip::end_write(dst, flags(dst));
  }
  chip::PoisonFlags flags(const chip::View &dst) const;

private:
  std::array<const chip::View *, 4> sources_{}, columns_{};
  int count_ = 0, columns_count_ = 0;
  bool maybe_poison_ = false;
};

} // namespace nki::isa
