#include "tensor.h"

#include "chip/poison.h"
#include "chip/storage.h"
#include "dims.h"
#include "nki/describe.h"
#include "nki/error.h"
#include "nki/isa.h"
#include "types.h"

#include <pybind11/stl.h>

#include <algorithm>

namespace nki::python {

namespace {

PyTypeObject *tensor_type = nullptr; // set once when the module is made

int64_t bytes_of(const Tensor &view) { return int64_t(size_of(view.dtype())); }

int64_t integer(py::handle object) {
  int64_t value = PyNumber_AsSsize_t(object.ptr(), PyExc_OverflowError);
  if (value == -1 && PyErr_Occurred())
    throw py::error_already_set();
  return value;
}

} // namespace

int64_t PyTensor::row() const { return view.storage()->row_bytes / bytes_of(view); }

int64_t PyTensor::offset() const {
  int64_t in_row = view.offset_bytes() / bytes_of(view);
  return on_chip() ? view.start_partition() * row() + in_row : in_row;
}

PyTensor *tensor_of(PyObject *object) {
  if (Py_TYPE(object) != tensor_type && !PyType_IsSubtype(Py_TYPE(object), tensor_type))
    return nullptr;
  auto *instance = reinterpret_cast<py::detail::instance *>(object);
  return static_cast<PyTensor *>(instance->get_value_and_holder().value_ptr());
}

py::object wrap(const Tensor &view, Region region) { return py::cast(PyTensor{view, region}); }

bool is_dynamic_index(py::handle index) {
  return tensor_of(index.ptr()) || py::isinstance<isa::Register>(index);
}

int64_t index_value(py::handle index) {
  if (const PyTensor *tensor = tensor_of(index.ptr())) {
    isa::Register loaded = isa::register_alloc();
    isa::register_load(loaded, tensor->view);
    return loaded.value();
  }
  if (py::isinstance<isa::Register>(index))
    return py::cast<const isa::Register &>(index).value();
  return integer(index);
}

// ---- subscripts
// ----------------------------------------------------------------------------------

namespace {

/// The slice of a range object, which some kernels use as a subscript.
py::object slice_of(PyObject *range) {
  py::handle from(range);
  return py::module_::import("builtins")
      .attr("slice")(from.attr("start"), from.attr("stop"), from.attr("step"));
}

/// One subscript applied to dimension `dim`; returns whether the dimension is still there.
bool apply_subscript(Dims &dims, int dim, PyObject *key, bool keep) {
  int64_t count = dims.list[size_t(dim)].count;
  if (Py_TYPE(key) == &PyRange_Type)
    return apply_subscript(dims, dim, slice_of(key).ptr(), keep);
  if (PySlice_Check(key)) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0)
      throw py::error_already_set();
    auto *slice = reinterpret_cast<PySliceObject *>(key);
    if (slice->stop != Py_None && stop > count)
      dims.fail("slice to " + std::to_string(stop) + " ends outside of dimension " +
                std::to_string(dim) + " of " + std::to_string(count) + " elements");
    PySlice_AdjustIndices(count, &start, &stop, step);
    dims.keep(dim, start, stop, step);
    return true;
  }
  int64_t index = index_value(key);
  if (index < 0)
    index += count;
  if (index < 0 || index >= count)
    dims.fail("index " + std::to_string(index) + " is outside of dimension " + std::to_string(dim) +
              " of " + std::to_string(count) + " elements");
  dims.keep(dim, index, index + 1, 1);
  if (keep)
    return true;
  dims.erase(dim);
  return false;
}

} // namespace

Tensor subscript(const PyTensor &tensor, py::handle key) {
  Dims dims(tensor);
  dims.method = "__getitem__";
  PyObject *single = key.ptr();
  PyObject **keys = &single;
  Py_ssize_t count = 1;
  if (PyTuple_Check(single)) {
    keys = &PyTuple_GET_ITEM(single, 0);
    count = PyTuple_GET_SIZE(single);
  }
  Py_ssize_t ellipsis = -1, used = count;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (keys[i] == Py_Ellipsis) {
      if (ellipsis >= 0)
        dims.fail("only one ... is allowed");
      ellipsis = i;
      --used;
    }
  int ndim = tensor.view.ndim(), dim = 0;
  if (used > ndim)
    dims.fail("too many subscripts: " + std::to_string(used));
  int least = tensor.on_chip() ? 2 : 1;
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (i == ellipsis) {
      dim += ndim - int(used);
      continue;
    }
    bool keep = (tensor.on_chip() && dim == 0) || int(dims.size()) <= least;
    dim += apply_subscript(dims, dim, keys[i], keep);
  }
  return dims.tensor();
}

ScalarOffset scalar_offset_of(py::handle index) {
  if (const PyTensor *tensor = tensor_of(index.ptr()))
    return tensor->view;
  return py::cast<const isa::Register &>(index);
}

// ---- access patterns
// -----------------------------------------------------------------------------

namespace {

std::vector<Dim> pattern_of(py::handle pattern) {
  std::vector<Dim> dims;
  for (py::handle level : pattern) {
    auto pair = py::reinterpret_steal<py::object>(PySequence_Fast(level.ptr(), "a pattern level"));
    if (!pair)
      throw py::error_already_set();
    if (PySequence_Fast_GET_SIZE(pair.ptr()) != 2)
      throw py::value_error("a pattern is a list of [stride, count]");
    dims.push_back({integer(PySequence_Fast_GET_ITEM(pair.ptr(), 0)),
                    integer(PySequence_Fast_GET_ITEM(pair.ptr(), 1))});
  }
  return dims;
}

} // namespace

Tensor access_pattern(const PyTensor &tensor, py::handle pattern, py::handle offset,
                      py::handle scalar_offset, py::handle vector_offset, int indirect_dim,
                      py::handle dtype) {
  const Tensor &view = tensor.valid();
  std::vector<Dim> dims = pattern_of(pattern);
  std::optional<int64_t> start;
  if (!offset.is_none())
    start = integer(offset);
  std::optional<DType> type;
  if (!dtype.is_none())
    type = dtype_of(dtype);
  if (!vector_offset.is_none() && !scalar_offset.is_none())
    throw Error("NkiTensor.ap", "vector_offset and scalar_offset exclude each other",
                describe(view));
  if (!vector_offset.is_none()) {
    const PyTensor *indices = tensor_of(vector_offset.ptr());
    if (!indices)
      throw py::type_error("vector_offset is a tensor");
    return view.ap_indirect(dims, indices->view, indirect_dim, start, type);
  }
  if (is_dynamic_index(scalar_offset))
    return view.ap_scalar(dims, scalar_offset_of(scalar_offset), indirect_dim, start, type);
  if (!scalar_offset.is_none())
    throw py::type_error("scalar_offset is a register or a tensor of one element");
  return view.ap(dims, start, type);
}

// ---- binding
// -------------------------------------------------------------------------------------

namespace {

std::vector<int64_t> sizes_of(py::handle shape) {
  std::vector<int64_t> sizes;
  if (PyIndex_Check(shape.ptr()))
    sizes.push_back(integer(shape));
  else
    for (py::handle size : shape)
      sizes.push_back(integer(size));
  return sizes;
}

py::tuple shape_of(const PyTensor &tensor) {
  py::tuple shape(size_t(tensor.view.ndim()));
  for (int d = 0; d < tensor.view.ndim(); ++d)
    PyTuple_SET_ITEM(shape.ptr(), d, PyLong_FromLongLong(tensor.view.shape(d)));
  return shape;
}

std::vector<int64_t> strides_of(const PyTensor &tensor) {
  std::vector<int64_t> strides;
  for (const Dim &dim : tensor.view.dims())
    strides.push_back(dim.stride);
  if (tensor.on_chip())
    strides[0] *= tensor.row();
  return strides;
}

/// A view function that only rearranges dimensions.
template <class F> py::object rearranged(const PyTensor &tensor, const char *method, F &&change) {
  Dims dims(tensor);
  dims.method = method;
  change(dims);
  return wrap(dims.tensor(), tensor.region);
}

py::object select(const PyTensor &tensor, int dim, py::handle index) {
  if (dim < 0)
    dim += tensor.view.ndim();
  if (is_dynamic_index(index))
    return wrap(tensor.view.select(dim, scalar_offset_of(index)), tensor.region);
  return wrap(tensor.view.select(dim, integer(index)), tensor.region);
}

py::object vector_select(const PyTensor &tensor, int dim, const PyTensor &indices) {
  return wrap(tensor.view.vector_select(dim, indices.view), tensor.region);
}

py::object reshape(const PyTensor &tensor, py::handle shape) {
  std::vector<int64_t> sizes = sizes_of(shape);
  int64_t known = 1;
  for (int64_t size : sizes)
    known *= size == -1 ? 1 : size;
  for (int64_t &size : sizes)
    if (size == -1 && known > 0)
      size = tensor.view.size() / known;
  return rearranged(tensor, "reshape", [&](Dims &dims) { dims.reshape(sizes); });
}

py::object broadcast(const PyTensor &tensor, int dim, int64_t size) {
  return rearranged(tensor, "broadcast", [&](Dims &dims) {
    dim = dims.checked(dim, true);
    if (dims.list[size_t(dim)].count != 1 || size < 1)
      dims.fail("dimension " + std::to_string(dim) + " has not size 1");
    dims.list[size_t(dim)] = {0, size};
  });
}

std::string text_of(const PyTensor &tensor) { return "<NkiTensor " + describe(tensor.view) + ">"; }

} // namespace

void bind_tensor(py::module_ &module) {
  py::class_<PyTensor> type(module, "NkiTensor", "A view of device memory; see nki.language.");
  tensor_type = reinterpret_cast<PyTypeObject *>(type.ptr());
  using namespace py::literals;

  type.def_property_readonly("shape", &shape_of)
      .def_property_readonly("strides",
                             [](const PyTensor &t) { return py::tuple(py::cast(strides_of(t))); })
      .def_property_readonly("offset", &PyTensor::offset)
      .def_property_readonly("name", [](const PyTensor &t) { return t.view.storage()->name; })
      .def_property_readonly("dtype", [](const PyTensor &t) { return dtype_name(t.view.dtype()); })
      .def_property_readonly("buffer", [](const PyTensor &t) { return region_object(t.region); })
      .def_property_readonly("ndim", [](const PyTensor &t) { return t.view.ndim(); })
      .def_property_readonly("size", [](const PyTensor &t) { return t.view.size(); })
      .def_property_readonly("base_tensor", [](py::object self) { return self; })
      .def("__len__", [](const PyTensor &t) { return t.view.shape(0); })
      .def("__repr__", &text_of)
      .def("is_contiguous", [](const PyTensor &t) { return t.view.is_contiguous(); })
      .def("is_indirect", [](const PyTensor &t) { return t.view.is_indirect(); })
      .def("get_pattern", [](const PyTensor &t) {
        py::list pattern;
        std::vector<int64_t> strides = strides_of(t);
        for (int d = 0; d < t.view.ndim(); ++d)
          pattern.append(py::cast(std::vector<int64_t>{strides[size_t(d)], t.view.shape(d)}));
        return pattern;
      });

  type.def("__getitem__",
           [](const PyTensor &t, py::handle key) { return wrap(subscript(t, key), t.region); })
      .def(
          "permute",
          [](const PyTensor &t, const std::vector<int> &dims) {
            return rearranged(t, "permute", [&](Dims &d) { d.permute(dims); });
          },
          "dims"_a)
      .def("broadcast", &broadcast, "dim"_a, "size"_a)
      .def(
          "expand_dim",
          [](const PyTensor &t, int dim) {
            return rearranged(t, "expand_dim", [&](Dims &d) {
              if (dim < 0)
                dim += int(d.size()) + 1;
              if (dim < 0 || dim > int(d.size()))
                d.fail("no room for a dimension at " + std::to_string(dim));
              if (dim == 0 && (t.on_chip() || t.view.has_vector_offset()))
                d.fail(
                    "nothing comes before the dimension of partitions, or of one index per step");
              d.insert(dim);
            });
          },
          "dim"_a)
      .def(
          "squeeze_dim",
          [](const PyTensor &t, int dim) {
            return rearranged(t, "squeeze_dim", [&](Dims &d) {
              dim = d.checked(dim, true);
              if (d.list[size_t(dim)].count != 1)
                d.fail("dimension " + std::to_string(dim) + " has not size 1");
              d.erase(dim);
            });
          },
          "dim"_a)
      .def(
          "reshape_dim",
          [](const PyTensor &t, int dim, py::handle shape) {
            return rearranged(t, "reshape_dim", [&](Dims &d) {
              std::vector<int64_t> sizes = sizes_of(shape);
              d.split(d.checked(dim, sizes.size() > 1), std::move(sizes));
            });
          },
          "dim"_a, "shape"_a)
      .def(
          "flatten_dims",
          [](const PyTensor &t, int start_dim, int end_dim) {
            return rearranged(t, "flatten_dims", [&](Dims &d) {
              d.merge(d.checked(start_dim, true), d.checked(end_dim, true));
            });
          },
          "start_dim"_a, "end_dim"_a)
      .def("reshape", &reshape, "shape"_a)
      .def(
          "rearrange",
          [](const PyTensor &t, py::handle source, py::handle target, py::handle sizes) {
            return rearranged(t, "rearrange",
                              [&](Dims &d) { python::rearrange(d, source, target, sizes); });
          },
          "src_pattern"_a, "dst_pattern"_a, "fixed_sizes"_a = py::none())
      .def(
          "slice",
          [](const PyTensor &t, int dim, int64_t start, int64_t end, int64_t step) {
            return rearranged(t, "slice",
                              [&](Dims &d) { d.keep(d.checked(dim, false), start, end, step); });
          },
          "dim"_a, "start"_a, "end"_a, "step"_a = 1)
      .def("select", &select, "dim"_a, "index"_a)
      .def("vector_select", &vector_select, "dim"_a, "vector_offset"_a)
      .def(
          "ap",
          [](const PyTensor &t, py::handle pattern, py::handle offset, py::handle scalar_offset,
             py::handle vector_offset, int indirect_dim, py::handle dtype) {
            try {
              Tensor view = access_pattern(t, pattern, offset, scalar_offset, vector_offset,
                                           indirect_dim, dtype);
              return wrap(view, t.region);
            } catch (const Error &) {
              auto error = std::make_shared<const std::exception_ptr>(std::current_exception());
              return py::cast(PyTensor{t.view, t.region, error});
            }
          },
          "pattern"_a, "offset"_a = py::none(), "scalar_offset"_a = py::none(),
          "vector_offset"_a = py::none(), "indirect_dim"_a = 0, "dtype"_a = py::none());

  type.def(
      "indirect",
      [](const PyTensor &t, const PyTensor &index, std::optional<int64_t> num_elem) {
        return wrap(t.view.indirect(index.view, num_elem), t.region);
      },
      "index"_a, "num_elem"_a = py::none());

  auto view_as = [](const PyTensor &t, py::handle dtype) {
    return wrap(t.view.view(dtype_of(dtype)), t.region);
  };
  type.def("view", view_as, "dtype"_a).def("reinterpret_cast", view_as, "dtype"_a);
}

} // namespace nki::python
