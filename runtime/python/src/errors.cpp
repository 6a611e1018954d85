#include "errors.h"

#include "chip/poison_origin.h"
#include "nki/error.h"

#include <string>

namespace nki::python {

namespace py = pybind11;

namespace {

PyObject *validation_error = nullptr;
PyObject *own_folder = nullptr; // path of the package, with a trailing separator

bool is_own(PyObject *file) {
  return own_folder && PyUnicode_Check(file) &&
         PyUnicode_Tailmatch(file, own_folder, 0, PY_SSIZE_T_MAX, -1) == 1;
}

/// Empty also in instructions that wait for other cores, which let go of Python meanwhile.
std::string text_of_place() {
  if (!PyGILState_Check())
    return "";
  Place place = current_place();
  return place.file ? py::cast<std::string>(place.file) + ":" + std::to_string(place.line) : "";
}

void raise_validation_error(const Error &error) {
  std::string text = error.what();
  if (const std::string place = text_of_place(); !place.empty())
    text = place + ": " + text;
  PyErr_SetString(validation_error ? validation_error : PyExc_RuntimeError, text.c_str());
}

} // namespace

Place current_place() {
  auto *frame = reinterpret_cast<PyObject *>(PyEval_GetFrame());
  py::object current = py::reinterpret_borrow<py::object>(frame);
  while (current) {
    auto *here = reinterpret_cast<PyFrameObject *>(current.ptr());
    auto code =
        py::reinterpret_steal<py::object>(reinterpret_cast<PyObject *>(PyFrame_GetCode(here)));
    PyObject *file = reinterpret_cast<PyCodeObject *>(code.ptr())->co_filename;
    if (!is_own(file))
      return {py::reinterpret_borrow<py::object>(file), PyFrame_GetLineNumber(here)};
    current =
        py::reinterpret_steal<py::object>(reinterpret_cast<PyObject *>(PyFrame_GetBack(here)));
  }
  return {};
}

void raise_python_error() {
  try {
    throw;
  } catch (py::error_already_set &error) {
    error.restore();
  } catch (const Error &error) {
    raise_validation_error(error);
  } catch (const py::builtin_exception &error) {
    error.set_error();
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

void bind_errors(py::module_ &module) {
  chip::set_place_of_program(text_of_place);
  module.def("register_error", [](py::object error, py::object folder) {
    validation_error = error.release().ptr();
    own_folder = folder.release().ptr();
  });
  py::register_exception_translator([](std::exception_ptr raised) {
    try {
      if (raised)
        std::rethrow_exception(raised);
    } catch (const Error &error) {
      raise_validation_error(error);
    }
  });
}

} // namespace nki::python
