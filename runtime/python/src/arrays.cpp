// NumPy arrays as HBM tensors and back, without copies.
#include "chip/numbers.h"
#include "chip/storage.h"
#include "launch.h"
#include "nki/error.h"
#include "types.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

namespace nki::python {

namespace {

/// A storage that keeps a Python object alive, whose memory it is.
std::shared_ptr<chip::Storage> owned_by(const std::shared_ptr<chip::Storage> &storage,
                                        py::object owner) {
  PyObject *held = owner.release().ptr();
  return {storage.get(), [storage, held](chip::Storage *) {
            py::gil_scoped_acquire lock;
            Py_DECREF(held);
          }};
}

/// An HBM tensor over the memory of a C-contiguous, writable array.
py::object from_array(const py::array &array, py::handle dtype, py::handle region) {
  DType type = dtype_of(dtype);
  if (size_of(type) != size_t(array.itemsize()))
    throw py::type_error("an array of " + std::to_string(array.itemsize()) +
                         " bytes per element is no tensor of " + std::string(name_of(type)));
  std::vector<Dim> dims(size_t(array.ndim()));
  int64_t elements = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    dims[d] = {elements, int64_t(array.shape(py::ssize_t(d)))};
    elements *= dims[d].count;
  }
  if (dims.empty())
    dims.push_back({1, 1});
  auto storage = chip::Storage::in_hbm(const_cast<void *>(array.data()),
                                       elements * int64_t(size_of(type)), type);
  Tensor view(owned_by(storage, array), type, dims, 0, 0);
  return wrap(view, region_of(region.ptr()));
}

/// The array of a tensor's elements: its own memory for HBM, a copy for on-chip tensors.
py::object to_array(const PyTensor &tensor) {
  const Tensor &view = tensor.valid();
  py::dtype type = py::reinterpret_borrow<py::dtype>(numpy_dtype(view.dtype()));
  py::ssize_t bytes = py::ssize_t(size_of(view.dtype()));
  std::vector<py::ssize_t> shape, strides;
  for (const Dim &dim : view.dims()) {
    shape.push_back(py::ssize_t(dim.count));
    strides.push_back(py::ssize_t(dim.stride) * bytes);
  }
  chip::Storage &storage = *view.storage();
  if (storage.contents == chip::Contents::unwritten)
    storage.materialize();
  if (tensor.on_chip())
    strides[0] = py::ssize_t(storage.pitch);
  auto *owner = new std::shared_ptr<chip::Storage>(view.storage());
  py::capsule base(owner, [](void *p) { delete static_cast<std::shared_ptr<chip::Storage> *>(p); });
  const uint8_t *first = storage.row(view.start_partition()) + view.offset_bytes();
  py::array array(type, shape, strides, first, base);
  return tensor.on_chip() ? py::object(array.attr("copy")()) : py::object(array);
}

} // namespace

void bind_arrays(py::module_ &module) {
  module.def("from_array", &from_array);
  module.def("to_array", &to_array);
}

} // namespace nki::python
