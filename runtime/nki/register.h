// Virtual registers and what may stand for a scalar_offset.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace nki {

class Tensor;

namespace isa {

/// A virtual register: copies name the same one. 32 bits.
class Register {
public:
  Register() : state_(std::make_shared<std::optional<int32_t>>()) {}
  /// Throws nki::Error where nothing was stored yet.
  int32_t value() const;

private:
  friend Register register_alloc(std::optional<int32_t>);
  friend void register_load(const Register &, const Tensor &);
  friend void register_move(const Register &, int32_t);
  std::shared_ptr<std::optional<int32_t>> state_;
};

} // namespace isa

/// Where an access starts, as an index of one dimension that is read when the instruction runs: a
/// register, or one int32 or uint32 element in SBUF.
class ScalarOffset {
public:
  ScalarOffset() = default;
  ScalarOffset(const isa::Register &source) : reg_(source) {}
  /// Throws nki::Error where `element` is something else.
  ScalarOffset(const Tensor &element);

  const std::optional<isa::Register> &reg() const { return reg_; }
  /// Null where it is a register.
  const std::shared_ptr<const Tensor> &element() const { return element_; }

private:
  std::optional<isa::Register> reg_;
  std::shared_ptr<const Tensor> element_;
};

} // namespace nki
