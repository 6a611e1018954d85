// Data types, operators and enumerations between Python and the model.
#pragma once

#include "nki/isa.h"
#include "tensor.h"

#include <pybind11/pybind11.h>

namespace nki::python {

/// From a name, a NumPy type or dtype. Throws TypeError, with the name, for types that the chip has
/// not.
DType dtype_of(py::handle object);
/// The name, always the same Python object for one type.
py::object dtype_name(DType type);
/// The NumPy dtype whose elements have the same bits; types that NumPy has not are unsigned
/// integers.
py::object numpy_dtype(DType type);

/// The operator behind nl.add and the like; None is Op::none. Throws TypeError for others.
language::Op op_of(PyObject *object);
/// The value of an enumeration's member, by the member or by its name or value as a string.
int enum_value(const char *kind, PyObject *object);
Region region_of(PyObject *object);
py::object region_object(Region region);

void bind_types(py::module_ &module);

} // namespace nki::python
