#include "call.h"

#include "errors.h"
#include "launch.h"

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <string>
#include <structmember.h>

namespace nki::python {

namespace {

constexpr size_t kMaxParameters = 20;

py::object sequence_of(PyObject *object) {
  auto items = py::reinterpret_steal<py::object>(PySequence_Fast(object, "not a sequence"));
  if (!items)
    PyErr_Clear();
  return items;
}

std::span<PyObject *> items_of(const py::object &sequence) {
  return {PySequence_Fast_ITEMS(sequence.ptr()), size_t(PySequence_Fast_GET_SIZE(sequence.ptr()))};
}

} // namespace

void Call::wrong(size_t i, const char *expected) const {
  throw py::type_error(py::cast<std::string>(py::handle(names_[i])) + " must be " + expected +
                       ", not " + py::cast<std::string>(py::repr(object(i))));
}

const Tensor &Call::tensor(size_t i) const {
  static const Tensor absent;
  if (is_none(i))
    return absent;
  if (const PyTensor *tensor = tensor_of(object(i)))
    return tensor->valid();
  wrong(i, "a tensor");
}

Operand Call::operand(size_t i) const {
  PyObject *value = object(i);
  if (value == Py_None)
    return {};
  if (const PyTensor *tensor = tensor_of(value))
    return tensor->valid();
  if (PyFloat_Check(value))
    return PyFloat_AS_DOUBLE(value);
  if (PyIndex_Check(value)) {
    int64_t whole = PyNumber_AsSsize_t(value, PyExc_OverflowError);
    if (whole == -1 && PyErr_Occurred())
      throw py::error_already_set();
    return long(whole);
  }
  double number = PyFloat_AsDouble(value);
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    wrong(i, "a number or a tensor");
  }
  return number;
}

int64_t Call::integer(size_t i) const {
  int64_t value = PyNumber_AsSsize_t(object(i), PyExc_OverflowError);
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    wrong(i, "an integer");
  }
  return value;
}

double Call::number(size_t i) const {
  double value = PyFloat_AsDouble(object(i));
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    wrong(i, "a number");
  }
  return value;
}

std::optional<bool> Call::optional_flag(size_t i) const {
  if (is_none(i))
    return std::nullopt;
  return flag(i);
}

std::optional<int> Call::optional_integer(size_t i) const {
  if (is_none(i))
    return std::nullopt;
  return int(integer(i));
}

std::optional<std::pair<int, int>> Call::optional_pair(size_t i) const {
  if (is_none(i))
    return std::nullopt;
  std::vector<int> pair = integers(i);
  if (pair.empty())
    return std::nullopt;
  if (pair.size() != 2)
    wrong(i, "a pair of integers");
  return std::pair(pair[0], pair[1]);
}

std::vector<int> Call::integers(size_t i) const {
  if (is_none(i))
    return {};
  if (PyIndex_Check(object(i)))
    return {int(integer(i))};
  py::object sequence = sequence_of(object(i));
  if (!sequence)
    wrong(i, "a sequence of integers");
  std::vector<int> values;
  for (PyObject *item : items_of(sequence)) {
    int64_t value = PyNumber_AsSsize_t(item, PyExc_OverflowError);
    if (value == -1 && PyErr_Occurred())
      throw py::error_already_set();
    values.push_back(int(value));
  }
  return values;
}

std::vector<float> Call::numbers(size_t i) const {
  if (is_none(i))
    return {};
  py::object sequence = sequence_of(object(i));
  if (!sequence)
    wrong(i, "a sequence of numbers");
  std::vector<float> values;
  for (PyObject *item : items_of(sequence)) {
    double value = PyFloat_AsDouble(item);
    if (value == -1 && PyErr_Occurred())
      throw py::error_already_set();
    values.push_back(float(value));
  }
  return values;
}

std::vector<Tensor> Call::tensors(size_t i) const {
  py::object sequence = sequence_of(object(i));
  std::vector<Tensor> values;
  if (sequence)
    for (PyObject *item : items_of(sequence)) {
      const PyTensor *tensor = tensor_of(item);
      if (!tensor)
        wrong(i, "a list of tensors");
      values.push_back(tensor->valid());
    }
  if (values.empty())
    wrong(i, "a list of tensors");
  return values;
}

std::vector<Dim> Call::pattern(size_t i) const {
  py::object sequence = sequence_of(object(i));
  std::vector<Dim> dims;
  if (!sequence)
    wrong(i, "a list of [stride, count]");
  for (PyObject *level : items_of(sequence)) {
    py::object pair = sequence_of(level);
    if (!pair || items_of(pair).size() != 2)
      wrong(i, "a list of [stride, count]");
    int64_t stride = PyNumber_AsSsize_t(items_of(pair)[0], PyExc_OverflowError);
    int64_t count = PyNumber_AsSsize_t(items_of(pair)[1], PyExc_OverflowError);
    if (PyErr_Occurred())
      throw py::error_already_set();
    dims.push_back({stride, count});
  }
  return dims;
}

isa::Register Call::reg(size_t i) const {
  if (!py::isinstance<isa::Register>(py::handle(object(i))))
    wrong(i, "a register");
  return py::cast<isa::Register>(py::handle(object(i)));
}

isa::matmul_perf_mode Call::perf_mode(size_t i) const {
  return isa::matmul_perf_mode(enum_value("matmul_perf_mode", object(i)));
}

// ---- the callable objects
// ------------------------------------------------------------------------

namespace {

struct Instruction {
  PyObject_HEAD vectorcallfunc vectorcall;
  void (*run)(const Call &);
  PyObject *result;     ///< what every call returns
  PyObject *parameters; ///< tuple of interned names
  PyObject *defaults;   ///< tuple, null pointers are not allowed: required ones hold `required`
  PyObject *tolerated;  ///< tuple of names that are accepted and ignored
  PyObject *name;
  PyObject *attributes; ///< __dict__: __signature__, __doc__, ...
};

PyObject *required_marker = nullptr;

Py_ssize_t position_of(PyObject *names, PyObject *name) {
  Py_ssize_t count = PyTuple_GET_SIZE(names);
  for (Py_ssize_t i = 0; i < count; ++i)
    if (PyTuple_GET_ITEM(names, i) == name)
      return i;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (PyUnicode_Compare(PyTuple_GET_ITEM(names, i), name) == 0)
      return i;
  return -1;
}

void raise_type_error(const Instruction &self, const std::string &text) {
  throw py::type_error("nki.isa." + py::cast<std::string>(py::handle(self.name)) + ": " + text);
}

void place_keyword(const Instruction &self, PyObject *name, PyObject *value, PyObject **placed) {
  Py_ssize_t at = position_of(self.parameters, name);
  if (at < 0) {
    if (position_of(self.tolerated, name) >= 0) {
      std::string text = "nki.isa." + py::cast<std::string>(py::handle(self.name)) + ": argument " +
                         py::cast<std::string>(py::handle(name)) +
                         " is no longer part of NKI and is ignored";
      if (PyErr_WarnEx(PyExc_DeprecationWarning, text.c_str(), 1) < 0)
        throw py::error_already_set();
      return;
    }
    raise_type_error(self, "no argument " + py::cast<std::string>(py::handle(name)));
  }
  if (placed[at])
    raise_type_error(self,
                     "argument " + py::cast<std::string>(py::handle(name)) + " is given twice");
  placed[at] = value;
}

void invoke(const Instruction &self, PyObject *const *arguments, size_t positional,
            PyObject *keywords) {
  std::array<PyObject *, kMaxParameters> placed{};
  size_t count = size_t(PyTuple_GET_SIZE(self.parameters));
  if (positional > count)
    raise_type_error(self, "takes " + std::to_string(count) + " arguments, " +
                               std::to_string(positional) + " were given");
  std::copy(arguments, arguments + positional, placed.begin());
  if (keywords)
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i)
      place_keyword(self, PyTuple_GET_ITEM(keywords, i), arguments[positional + size_t(i)],
                    placed.data());
  for (size_t i = 0; i < count; ++i) {
    if (placed[i])
      continue;
    placed[i] = PyTuple_GET_ITEM(self.defaults, Py_ssize_t(i));
    if (placed[i] == required_marker)
      raise_type_error(self, "argument " +
                                 py::cast<std::string>(
                                     py::handle(PyTuple_GET_ITEM(self.parameters, Py_ssize_t(i)))) +
                                 " is missing");
  }
  TracedLine line;
  self.run(Call({placed.data(), count}, &PyTuple_GET_ITEM(self.parameters, 0)));
}

PyObject *call_instruction(PyObject *object, PyObject *const *arguments, size_t flags,
                           PyObject *keywords) {
  auto &self = *reinterpret_cast<Instruction *>(object);
  try {
    invoke(self, arguments, size_t(PyVectorcall_NARGS(flags)), keywords);
  } catch (...) {
    raise_python_error();
    return nullptr;
  }
  return Py_NewRef(self.result);
}

PyObject *repr_instruction(PyObject *object) {
  return PyUnicode_FromFormat("<instruction nki.isa.%U>",
                              reinterpret_cast<Instruction *>(object)->name);
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Instruction, vectorcall), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(Instruction, attributes), READONLY, nullptr},
    {"__name__", T_OBJECT, offsetof(Instruction, name), READONLY, nullptr},
    {"__qualname__", T_OBJECT, offsetof(Instruction, name), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
PyGetSetDef properties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                       {Py_tp_repr, reinterpret_cast<void *>(repr_instruction)},
                       {Py_tp_members, members},
                       {Py_tp_getset, properties},
                       {0, nullptr}};
PyType_Spec spec = {
    "neuronify_nki._chip.Instruction", sizeof(Instruction), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyTypeObject *instruction_type = nullptr;

const Handler *handler_of(const std::string &name) {
  for (std::span<const Handler> family :
       {data_movement_handlers(), compute_handlers(), search_handlers()})
    for (const Handler &handler : family)
      if (name == handler.name)
        return &handler;
  return nullptr;
}

/// The callable for one row of the API table, or None where the model has no such instruction.
py::object make_instruction(const std::string &name, const py::tuple &parameters,
                            const py::tuple &defaults, const py::tuple &tolerated,
                            py::object result) {
  const Handler *handler = handler_of(name);
  if (!handler || parameters.size() > kMaxParameters)
    return py::none();
  auto *made = PyObject_New(Instruction, instruction_type);
  made->vectorcall = call_instruction;
  made->run = handler->run;
  made->result = result.release().ptr();
  made->parameters = py::object(parameters).release().ptr();
  made->defaults = py::object(defaults).release().ptr();
  made->tolerated = py::object(tolerated).release().ptr();
  made->name = py::str(name).release().ptr();
  made->attributes = nullptr;
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject *>(made));
}

} // namespace

void bind_calls(py::module_ &module) {
  instruction_type = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
  if (!instruction_type)
    throw py::error_already_set();
  required_marker = py::object(py::module_::import("builtins").attr("object")()).release().ptr();
  module.attr("required") = py::reinterpret_borrow<py::object>(required_marker);
  module.def("make_instruction", &make_instruction);
}

} // namespace nki::python
