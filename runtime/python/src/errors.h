// From the model's errors to Python's.
#pragma once

#include <pybind11/pybind11.h>

namespace nki::python {

/// To be called while a C++ exception is handled: sets the Python error. Broken rules become
/// NkiValidationError, whose text starts with the file and line of the kernel.
void raise_python_error();
void bind_errors(pybind11::module_ &module);

/// File and line of the innermost Python code that is not of this package; empty outside of any.
struct Place {
  pybind11::object file;
  int line = 0;
};
Place current_place();

} // namespace nki::python
