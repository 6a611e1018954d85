#include "types.h"

#include <array>
#include <map>
#include <string>
#include <unordered_map>

namespace nki::python {

namespace {

constexpr int kTypes = int(DType::float4_e2m1fn_x4) + 1;
constexpr int kRegions = 4;

/// What the Python side told at import time. Never freed: objects of other modules refer to it.
struct Tables {
  std::array<PyObject *, kTypes> names{};
  std::array<PyObject *, kTypes> numpy{};
  std::array<PyObject *, kRegions> regions{};
  std::unordered_map<PyObject *, language::Op> ops;
  std::unordered_map<PyObject *, int> members;
  std::unordered_map<std::string, int> member_names; // "kind.name"
  std::map<std::pair<std::string, long>, int> member_values;
  std::unordered_map<PyObject *, DType> types; // names and NumPy types seen so far
};

Tables &tables() {
  static Tables *all = new Tables;
  return *all;
}

std::string text_of(py::handle object) { return py::cast<std::string>(py::repr(object)); }

/// "float32" of np.float32, np.dtype("float32") and "float32".
std::string type_name(py::handle object) {
  if (py::isinstance<py::str>(object))
    return py::cast<std::string>(object);
  if (PyType_Check(object.ptr()))
    return py::cast<std::string>(object.attr("__name__"));
  if (py::hasattr(object, "name"))
    return py::cast<std::string>(py::str(object.attr("name")));
  return text_of(object);
}

DType parse_dtype(py::handle object) {
  std::string name = type_name(object);
  if (name.starts_with("V") || name.starts_with("void")) // one of our packed types
    if (py::hasattr(object, "fields") && !object.attr("fields").is_none())
      for (py::handle field : object.attr("fields"))
        name = py::cast<std::string>(field);
  if (name == "bool" || name == "bool_")
    return DType::bool_;
  for (int i = 0; i < kTypes; ++i)
    if (name == name_of(DType(i)))
      return DType(i);
  throw py::type_error("the chip has no data type " + name);
}

} // namespace

DType dtype_of(py::handle object) {
  auto &types = tables().types;
  if (auto found = types.find(object.ptr()); found != types.end())
    return found->second;
  DType type = parse_dtype(object);
  object.inc_ref(); // the table's keys stay alive
  types.emplace(object.ptr(), type);
  return type;
}

py::object dtype_name(DType type) {
  return py::reinterpret_borrow<py::object>(tables().names[size_t(type)]);
}

py::object numpy_dtype(DType type) {
  return py::reinterpret_borrow<py::object>(tables().numpy[size_t(type)]);
}

language::Op op_of(PyObject *object) {
  if (object == Py_None)
    return language::Op::none;
  auto &ops = tables().ops;
  if (auto found = ops.find(object); found != ops.end())
    return found->second;
  throw py::type_error(text_of(object) + " is no operator of nki.language");
}

int enum_value(const char *kind, PyObject *object) {
  auto &all = tables();
  if (auto found = all.members.find(object); found != all.members.end())
    return found->second;
  if (PyIndex_Check(object)) { // the value itself, as some kernels write it
    auto found = all.member_values.find({kind, long(PyNumber_AsSsize_t(object, nullptr))});
    if (found != all.member_values.end())
      return found->second;
  }
  if (PyUnicode_Check(object)) {
    auto found =
        all.member_names.find(std::string(kind) + "." + py::cast<std::string>(py::handle(object)));
    if (found != all.member_names.end())
      return found->second;
  }
  throw py::type_error(text_of(object) + " is no member of nki.isa." + kind);
}

Region region_of(PyObject *object) {
  for (int i = 0; i < kRegions; ++i)
    if (tables().regions[size_t(i)] == object)
      return Region(i);
  static constexpr std::string_view names[] = {"sbuf", "psum", "private_hbm", "shared_hbm"};
  if (PyUnicode_Check(object)) {
    std::string name = py::cast<std::string>(py::handle(object));
    for (int i = 0; i < kRegions; ++i)
      if (name == names[i])
        return Region(i);
    if (name == "hbm")
      return Region::private_hbm;
  }
  throw py::type_error(text_of(object) + " is no memory region");
}

py::object region_object(Region region) {
  return py::reinterpret_borrow<py::object>(tables().regions[size_t(region)]);
}

void bind_types(py::module_ &module) {
  module.def("register_type", [](const std::string &name, py::object text, py::object numpy) {
    for (int i = 0; i < kTypes; ++i)
      if (name == name_of(DType(i))) {
        tables().names[size_t(i)] = text.release().ptr();
        tables().numpy[size_t(i)] = numpy.release().ptr();
        return;
      }
    throw py::value_error("no data type " + name);
  });
  module.def("register_op", [](const std::string &name, py::object object) {
    for (int i = 0; i <= int(language::Op::sign); ++i)
      if (name == language::name_of(language::Op(i))) {
        tables().ops[object.release().ptr()] = language::Op(i);
        return true;
      }
    return false;
  });
  module.def("register_member",
             [](const std::string &kind, const std::string &name, int value, py::object member) {
               tables().member_names[kind + "." + name] = value;
               tables().member_values[{kind, value}] = value;
               tables().members[member.release().ptr()] = value;
             });
  module.def("register_region", [](int index, py::object member) {
    tables().regions.at(size_t(index)) = member.release().ptr();
  });
  module.def("type_size", [](py::handle type) { return size_of(dtype_of(type)); });
  module.def("type_name", [](py::handle type) { return dtype_name(dtype_of(type)); });
  module.def("numpy_type", [](py::handle type) { return numpy_dtype(dtype_of(type)); });
}

} // namespace nki::python
