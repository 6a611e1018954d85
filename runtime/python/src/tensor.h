// NkiTensor: what Python holds, and its views.
#pragma once

#include "nki/tensor.h"

#include <pybind11/pybind11.h>

#include <exception>
#include <memory>
#include <string>

namespace nki::python {

namespace py = pybind11;

/// Python's memory regions. The model knows one kind of device memory; which cores see a tensor is
/// a matter of allocation.
enum class Region : uint8_t { sbuf, psum, private_hbm, shared_hbm };

/// A view, and which region its storage was allocated in.
struct PyTensor {
  Tensor view;
  Region region = Region::sbuf;
  /// An access pattern that reaches outside of the allocation: an error once somebody uses it,
  /// since kernels make such views for tiles that they then leave out. `view` is what it was made
  /// from.
  std::shared_ptr<const std::exception_ptr> broken = nullptr;

  /// The view; throws what was wrong with it.
  const Tensor &valid() const {
    if (broken)
      std::rethrow_exception(*broken);
    return view;
  }

  bool on_chip() const { return region == Region::sbuf || region == Region::psum; }
  /// Elements of one partition's row of the whole allocation; what a partition step means in access
  /// patterns and strides.
  int64_t row() const;
  /// Elements before the first one, counted through the rows of the allocation.
  int64_t offset() const;
};

/// The tensor behind a Python object, or null where it is none. Borrowed.
PyTensor *tensor_of(PyObject *object);
py::object wrap(const Tensor &view, Region region);

/// `tensor[key]` with integers, slices, `...` and nl.ds.
Tensor subscript(const PyTensor &tensor, py::handle key);
/// NkiTensor.ap.
Tensor access_pattern(const PyTensor &tensor, py::handle pattern, py::handle offset,
                      py::handle scalar_offset, py::handle vector_offset, int indirect_dim,
                      py::handle dtype);

/// A dynamic index: the value of a virtual register, or of the only element of an integer tensor.
int64_t index_value(py::handle index);
bool is_dynamic_index(py::handle index);
/// The same, read when an instruction runs.
ScalarOffset scalar_offset_of(py::handle index);

void bind_tensor(py::module_ &module);

} // namespace nki::python
