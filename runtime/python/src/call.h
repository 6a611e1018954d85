// A call of an nki.isa function from Python, with its arguments in the order of its signature.
//
// Signatures (names, order, defaults) are data of the Python package (api.json); here is only what
// an instruction does with its arguments. Parsing is our own: an instruction costs well under a
// microsecond to issue, where a kernel issues tens of thousands.
#pragma once

#include "nki/isa.h"
#include "tensor.h"
#include "types.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace nki::python {

class Call {
public:
  Call(std::span<PyObject *const> arguments, PyObject *const *names)
      : arguments_(arguments), names_(names) {}

  /// The argument as it is; Py_None where it was left out and has no other default.
  PyObject *object(size_t i) const { return arguments_[i]; }
  bool is_none(size_t i) const { return arguments_[i] == Py_None; }

  /// A tensor; None is the absent one. Throws TypeError, with the argument's name, for others.
  const Tensor &tensor(size_t i) const;
  Operand operand(size_t i) const; ///< number, tensor or None
  language::Op op(size_t i) const { return op_of(arguments_[i]); }
  bool flag(size_t i) const { return PyObject_IsTrue(arguments_[i]) == 1; }
  int64_t integer(size_t i) const;
  double number(size_t i) const;
  std::optional<bool> optional_flag(size_t i) const;
  std::optional<int> optional_integer(size_t i) const;
  std::optional<std::pair<int, int>> optional_pair(size_t i) const;
  std::vector<int> integers(size_t i) const;   ///< a sequence, or one integer
  std::vector<float> numbers(size_t i) const;  ///< a sequence or None
  std::vector<Tensor> tensors(size_t i) const; ///< a sequence
  std::vector<Dim> pattern(size_t i) const;    ///< [[stride, count], ...]
  isa::Register reg(size_t i) const;

  isa::engine engine(size_t i) const { return isa::engine(enum_value("engine", object(i))); }
  isa::reduce_cmd command(size_t i) const {
    return isa::reduce_cmd(enum_value("reduce_cmd", object(i)));
  }
  isa::dge_mode dge(size_t i) const { return isa::dge_mode(enum_value("dge_mode", object(i))); }
  isa::oob_mode oob(size_t i) const { return isa::oob_mode(enum_value("oob_mode", object(i))); }
  isa::matmul_perf_mode perf_mode(size_t i) const;

private:
  [[noreturn]] void wrong(size_t i, const char *expected) const;

  std::span<PyObject *const> arguments_;
  PyObject *const *names_;
};

struct Handler {
  const char *name;
  void (*run)(const Call &);
};

/// All instructions that the model has, by family.
std::span<const Handler> data_movement_handlers();
std::span<const Handler> compute_handlers();
std::span<const Handler> search_handlers();

void bind_calls(py::module_ &module);
void bind_collectives(py::module_ &module);

} // namespace nki::python
