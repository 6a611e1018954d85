#include "nki/tensor.h"

#include "chip/core.h"
#include "chip/storage.h"
#include "nki/describe.h"
#include "nki/error.h"

#include <array>

namespace nki {

Error::Error(std::string instruction, std::string rule, std::string operands)
    : instruction_(std::move(instruction)), rule_(std::move(rule)), operands_(std::move(operands)),
      text_(instruction_ + ": " + rule_ + (operands_.empty() ? "" : " (" + operands_ + ")")) {}

size_t size_of(DType type) {
  static constexpr uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 1, 2, 2, 4, 4, 1, 1, 1, 1, 4, 4, 2};
  return sizes[size_t(type)];
}

std::string_view name_of(DType type) {
  static constexpr std::string_view names[] = {"uint8",
                                               "int8",
                                               "uint16",
                                               "int16",
                                               "uint32",
                                               "int32",
                                               "bool_",
                                               "float16",
                                               "bfloat16",
                                               "float32",
                                               "tfloat32",
                                               "float8_e4m3",
                                               "float8_e5m2",
                                               "float8_e4m3fn",
                                               "float8_e8m0fnu",
                                               "float8_e5m2_x4",
                                               "float8_e4m3fn_x4",
                                               "float4_e2m1fn_x4"};
  return names[size_t(type)];
}

std::string describe(const Tensor &tensor) {
  if (!tensor)
    return "no tensor";
  std::string text;
  if (!tensor.storage()->name.empty())
    text += tensor.storage()->name + " ";
  text += std::string(name_of(tensor.dtype())) + "[";
  for (int d = 0; d < tensor.ndim(); ++d)
    text += (d ? "," : "") + std::to_string(tensor.shape(d));
  text += "] in ";
  text += tensor.buffer() == Buffer::sbuf   ? "sbuf"
          : tensor.buffer() == Buffer::psum ? "psum"
                                            : "hbm";
  if (tensor.start_partition() != 0)
    text += " from partition " + std::to_string(tensor.start_partition());
  return text;
}

namespace {

[[noreturn]] void fail(const char *method, const std::string &rule, const Tensor &tensor) {
  throw Error(std::string("Tensor::") + method, rule, describe(tensor));
}

using Dims = std::array<Dim, Tensor::kMaxDims>;

void require_dim(const char *method, const Tensor &tensor, int dim) {
  if (dim < 0 || dim >= tensor.ndim())
    fail(method, "no dimension " + std::to_string(dim), tensor);
}

void require_direct(const char *method, const Tensor &tensor) {
  if (tensor.is_indirect())
    fail(method, "an indirect view cannot be indexed again", tensor);
}

/// `dim` is none that takes part in the indirection.
void require_viewable(const char *method, const Tensor &tensor, int dim = -1) {
  if (tensor.has_tensor_indirection())
    fail(method, "a view through tensor indirection has no further views", tensor);
  if (tensor.has_vector_offset() && dim == 0)
    fail(method, "dimension 0 takes part in the indirection and stays as it is", tensor);
}

bool is_on_chip(const Tensor &tensor) { return tensor.buffer() != Buffer::hbm; }

} // namespace

Tensor::Tensor(std::shared_ptr<chip::Storage> storage, DType type, std::span<const Dim> dims,
               int64_t start_partition, int64_t offset_bytes)
    : storage_(std::move(storage)), offset_bytes_(offset_bytes), start_partition_(start_partition),
      type_(type) {
  bool on_chip = storage_->on_chip();
  if (dims.empty() || dims.size() > size_t(kMaxDims))
    fail("Tensor",
         "a view has 1 to " + std::to_string(kMaxDims) + " dimensions, not " +
             std::to_string(dims.size()),
         *this);
  ndim_ = uint8_t(dims.size());
  int64_t bytes = int64_t(size_of(type));
  int64_t low = offset_bytes, high = offset_bytes + bytes;
  for (size_t i = 0; i < dims.size(); ++i) {
    dims_[i] = dims[i];
    if (dims[i].count < 1)
      fail("Tensor", "every dimension has at least one element", *this);
    if (on_chip && i == 0)
      continue;
    int64_t reach = dims[i].stride * (dims[i].count - 1) * bytes;
    (reach < 0 ? low : high) += reach;
  }
  if (on_chip && (start_partition < 0 || start_partition + dims[0].count > storage_->partitions))
    fail("Tensor",
         "partitions " + std::to_string(start_partition) + " to " +
             std::to_string(start_partition + dims[0].count - 1) +
             " are not in the allocation, which has " + std::to_string(storage_->partitions),
         *this);
  if (low < 0 || high > storage_->row_bytes)
    fail("Tensor",
         "the view reaches bytes " + std::to_string(low) + " to " + std::to_string(high) +
             ", the allocation has " + std::to_string(storage_->row_bytes) +
             (on_chip ? " per partition" : ""),
         *this);
  // Device addresses are aligned at least to the type, so relative offsets decide.
  if (reinterpret_cast<uintptr_t>(storage_->base + offset_bytes) % size_of(type) != 0)
    fail("Tensor", "the address is not a multiple of the element size", *this);
}

Tensor Tensor::with_dims(std::span<const Dim> dims, int64_t start_partition,
                         int64_t offset_bytes) const {
  Tensor view(storage_, type_, dims, start_partition, offset_bytes);
  view.indirection_ = indirection_;
  return view;
}

/// Whether the first dimension has to stay the first: partitions, or steps of indices.
bool Tensor::keeps_first_dim() const { return is_on_chip(*this) || has_vector_offset(); }

Buffer Tensor::buffer() const { return storage_->buffer; }

int64_t Tensor::size() const {
  int64_t product = 1;
  for (const Dim &dim : dims())
    product *= dim.count;
  return product;
}

int64_t Tensor::partitions() const { return dims_[0].count; }
int64_t Tensor::elements_per_partition() const { return size() / dims_[0].count; }

bool Tensor::is_contiguous() const {
  int64_t expected = 1;
  for (int d = ndim_ - 1; d >= (is_on_chip(*this) ? 1 : 0); --d) {
    if (dims_[d].count != 1 && dims_[d].stride != expected)
      return false;
    expected *= dims_[d].count;
  }
  return true;
}

Tensor Tensor::slice(int dim, int64_t start, int64_t end, int64_t step) const {
  require_viewable("slice", *this, dim);
  require_dim("slice", *this, dim);
  if (start < 0 || start >= end || end > shape(dim) || step < 1)
    fail("slice",
         "0 <= start < end <= size and step >= 1 do not hold for " + std::to_string(start) + ":" +
             std::to_string(end) + ":" + std::to_string(step) + " of dimension " +
             std::to_string(dim),
         *this);
  bool partition = is_on_chip(*this) && dim == 0;
  int64_t count = (end - start + step - 1) / step;
  if (partition && step != 1 && count > 1)
    fail("slice", "partitions have no stride", *this);
  Tensor view = *this;
  view.dims_[dim].count = count;
  if (partition) {
    view.start_partition_ += start;
  } else {
    view.offset_bytes_ += start * dims_[dim].stride * int64_t(size_of(type_));
    view.dims_[dim].stride *= step;
  }
  return view;
}

Tensor Tensor::select(int dim, int64_t index) const {
  require_viewable("select", *this, dim);
  require_dim("select", *this, dim);
  if (index < 0 || index >= shape(dim))
    fail("select",
         "index " + std::to_string(index) + " is outside of dimension " + std::to_string(dim),
         *this);
  Tensor view = slice(dim, index, index + 1);
  // The partition dimension stays, and so does the last free one.
  bool keep = is_on_chip(*this) ? dim == 0 || ndim_ == 2 : ndim_ == 1;
  if (keep)
    return view;
  for (int d = dim; d + 1 < ndim_; ++d)
    view.dims_[d] = view.dims_[d + 1];
  --view.ndim_;
  return view;
}

Tensor Tensor::place_pattern(const char *method, std::span<const Dim> pattern,
                             std::optional<int64_t> offset, DType type) const {
  require_direct(method, *this);
  int64_t bytes = int64_t(size_of(type));
  int64_t start = start_partition_, offset_bytes = offset_bytes_;
  if (pattern.empty() || pattern.size() > size_t(kMaxDims))
    fail(method, "a pattern has 1 to " + std::to_string(kMaxDims) + " levels", *this);
  Dims dims{};
  std::copy(pattern.begin(), pattern.end(), dims.begin());
  if (!is_on_chip(*this)) {
    offset_bytes += offset.value_or(0) * bytes;
  } else {
    // Offsets count through the rows of the allocation, as in a flattened array.
    int64_t row = storage_->row_bytes / bytes;
    if (dims[0].count > 1 && dims[0].stride != row && dims[0].stride != 1)
      fail(method,
           "the first level steps over partitions: its stride is the allocation's elements "
           "per partition (" +
               std::to_string(row) + "), not " + std::to_string(dims[0].stride),
           *this);
    if (offset.value_or(0) < 0)
      fail(method, "the offset is negative", *this);
    start += row > 0 ? offset.value_or(0) / row : 0;
    offset_bytes += row > 0 ? offset.value_or(0) % row * bytes : 0;
    dims[0].stride = 1;
  }
  return Tensor(storage_, type, {dims.data(), pattern.size()}, start, offset_bytes);
}

Tensor Tensor::ap(std::span<const Dim> pattern, std::optional<int64_t> offset,
                  std::optional<DType> dtype) const {
  return place_pattern("ap", pattern, offset, dtype.value_or(type_));
}

Tensor Tensor::ap(std::initializer_list<Dim> pattern, std::optional<int64_t> offset,
                  std::optional<DType> dtype) const {
  return ap(std::span<const Dim>(pattern.begin(), pattern.size()), offset, dtype);
}

namespace {

bool is_index_type(DType type) { return type == DType::int32 || type == DType::uint32; }

std::string text_of(const Tensor &tensor, const char *role, const Tensor &other) {
  return "tensor " + describe(tensor) + ", " + role + " " + describe(other);
}

} // namespace

ScalarOffset::ScalarOffset(const Tensor &element)
    : element_(std::make_shared<const Tensor>(element)) {
  if (!element || element.buffer() != Buffer::sbuf || element.size() != 1 ||
      !is_index_type(element.dtype()) || element.is_indirect())
    throw Error("Tensor::ap", "scalar_offset is a register or one int32 or uint32 element in SBUF",
                "scalar_offset " + describe(element));
}

Tensor Tensor::ap_indirect(std::span<const Dim> pattern, const Tensor &vector_offset,
                           int indirect_dim, std::optional<int64_t> offset,
                           std::optional<DType> dtype) const {
  require_dim("ap_indirect", *this, indirect_dim);
  if (is_on_chip(*this))
    fail("ap_indirect", "only HBM tensors are indexed per partition", *this);
  if (!vector_offset || vector_offset.buffer() != Buffer::sbuf ||
      !is_index_type(vector_offset.dtype()) || vector_offset.ndim() > 2 ||
      vector_offset.is_indirect())
    throw Error("Tensor::ap_indirect",
                "vector_offset is an int32 or uint32 SBUF tile of at most two dimensions",
                text_of(*this, "vector_offset", vector_offset));
  if (pattern.empty() || pattern[0].count > vector_offset.size())
    fail("ap_indirect", "the first level of the pattern has one step per index", *this);
  if (pattern.size() > size_t(kMaxDims))
    fail("ap_indirect", "a pattern has 1 to " + std::to_string(kMaxDims) + " levels", *this);
  Dims dims{};
  std::copy(pattern.begin(), pattern.end(), dims.begin());
  dims[0].stride = 0; // the index takes its place
  Tensor view =
      place_pattern("ap_indirect", {dims.data(), pattern.size()}, offset, dtype.value_or(type_));
  view.indirection_ = std::make_shared<const Indirection>(
      Indirection{Indirection::Kind::vector,
                  {},
                  std::make_shared<const Tensor>(vector_offset),
                  nullptr,
                  dims_[indirect_dim].stride * int64_t(size_of(type_)),
                  dims_[indirect_dim].count});
  return view;
}

Tensor Tensor::ap_scalar(std::span<const Dim> pattern, const ScalarOffset &scalar_offset,
                         int indirect_dim, std::optional<int64_t> offset,
                         std::optional<DType> dtype) const {
  require_dim("ap_scalar", *this, indirect_dim);
  if (is_on_chip(*this) && indirect_dim == 0)
    fail("ap_scalar", "the partition dimension cannot be indexed", *this);
  Tensor view = place_pattern("ap_scalar", pattern, offset, dtype.value_or(type_));
  view.indirection_ = std::make_shared<const Indirection>(
      Indirection{Indirection::Kind::scalar, scalar_offset, nullptr, nullptr,
                  dims_[indirect_dim].stride * int64_t(size_of(type_)), dims_[indirect_dim].count});
  return view;
}

Tensor Tensor::select(int dim, const ScalarOffset &index) const {
  require_direct("select", *this);
  require_dim("select", *this, dim);
  if (is_on_chip(*this) && dim == 0)
    fail("select", "the partition dimension cannot be selected from dynamically", *this);
  Tensor view = select(dim, 0);
  view.indirection_ = std::make_shared<const Indirection>(
      Indirection{Indirection::Kind::scalar, index, nullptr, nullptr,
                  dims_[dim].stride * int64_t(size_of(type_)), dims_[dim].count});
  return view;
}

Tensor Tensor::vector_select(int dim, const Tensor &vector_offset) const {
  if (dim != 0)
    fail("vector_select", "dim must be 0", *this);
  if (vector_offset && vector_offset.elements_per_partition() != 1)
    throw Error("Tensor::vector_select", "vector_offset has one element per partition",
                text_of(*this, "vector_offset", vector_offset));
  Dims dims{};
  std::copy(dims_, dims_ + ndim_, dims.begin());
  dims[0].count = vector_offset ? vector_offset.partitions() : 1;
  return ap_indirect({dims.data(), size_t(ndim_)}, vector_offset);
}

Tensor Tensor::indirect(const Tensor &index, std::optional<int64_t> num_elem) const {
  require_direct("indirect", *this);
  auto refuse = [&](const char *rule) {
    throw Error("Tensor::indirect", rule, text_of(*this, "index", index));
  };
  if (!is_on_chip(*this))
    refuse("only tiles in SBUF or PSUM are accessed through tensor indirection");
  if (!index || index.buffer() != Buffer::sbuf || index.is_indirect() ||
      !(is_index_type(index.dtype()) || index.dtype() == DType::uint16 ||
        index.dtype() == DType::int16))
    refuse("index is a tile of 16- or 32-bit integers in SBUF");
  if (index.partitions() != partitions())
    refuse("index has as many partitions as the tile");
  const int64_t elements = num_elem.value_or(index.size());
  if (elements < 1 || elements > index.size())
    refuse("num_elem is 1 to the number of indices");
  const Dim dims[] = {{1, partitions()}, {0, elements}};
  Tensor view(storage_, type_, dims, start_partition_, offset_bytes_);
  view.indirection_ =
      std::make_shared<const Indirection>(Indirection{Indirection::Kind::tensor,
                                                      {},
                                                      std::make_shared<const Tensor>(index),
                                                      std::make_shared<const Tensor>(*this),
                                                      0,
                                                      elements_per_partition()});
  return view;
}

Tensor Tensor::reshape(std::span<const int64_t> shape) const {
  require_viewable("reshape", *this);
  int first = keeps_first_dim() ? 1 : 0;
  int64_t product = 1;
  for (int64_t count : shape)
    product *= count;
  if (product != size() || shape.empty() || shape.size() > size_t(kMaxDims))
    fail("reshape", "the number of elements must stay the same", *this);
  if (first && shape[0] != this->shape(0))
    fail("reshape",
         is_on_chip(*this) ? "the partition dimension must stay the same"
                           : "the dimension with one index per step must stay the same",
         *this);
  Dims dims{};
  dims[0] = dims_[0];
  // Walk both shapes from the inside out; a new dimension must lie in one run of old ones.
  int old = ndim_ - 1;
  int64_t left = old >= first ? dims_[old].count : 1;
  int64_t stride = old >= first ? dims_[old].stride : 1;
  for (int d = int(shape.size()) - 1; d >= first; --d) {
    int64_t count = shape[size_t(d)];
    int64_t got = 1, start_stride = 0;
    if (count == 1) {
      dims[size_t(d)] = {1, 1};
      continue;
    }
    while (left == 1 && old > first) {
      --old;
      left = dims_[old].count;
      stride = dims_[old].stride;
    }
    start_stride = stride;
    while (got < count) {
      int64_t take = left;
      if (got * left > count)
        take = count / got;
      if (take == 0 || left % take != 0 || count % (got * take) != 0 ||
          (got > 1 && stride != start_stride * got))
        fail("reshape", "the view's layout does not allow this shape", *this);
      got *= take;
      left /= take;
      stride *= take;
      while (left == 1 && got < count && old > first) {
        --old;
        left = dims_[old].count;
        stride = dims_[old].stride;
      }
    }
    dims[size_t(d)] = {start_stride, count};
  }
  return with_dims({dims.data(), shape.size()}, start_partition_, offset_bytes_);
}

Tensor Tensor::reshape(std::initializer_list<int64_t> shape) const {
  return reshape(std::span<const int64_t>(shape.begin(), shape.size()));
}

Tensor Tensor::permute(std::initializer_list<int> dims) const {
  require_viewable("permute", *this);
  Tensor view = *this;
  unsigned seen = 0;
  int to = 0;
  for (int from : dims) {
    require_dim("permute", *this, from);
    seen |= 1u << from;
    if (to < ndim_)
      view.dims_[to++] = dims_[from];
  }
  if (int(dims.size()) != ndim_ || seen != (1u << ndim_) - 1)
    fail("permute", "not a permutation of the dimensions", *this);
  if (keeps_first_dim() && *dims.begin() != 0)
    fail("permute",
         is_on_chip(*this) ? "the partition dimension stays first"
                           : "the dimension with one index per step stays first",
         *this);
  return view;
}

Tensor Tensor::broadcast(int dim, int64_t size) const {
  require_viewable("broadcast", *this, dim);
  require_dim("broadcast", *this, dim);
  if (shape(dim) != 1 || size < 1)
    fail("broadcast", "dimension " + std::to_string(dim) + " has not size 1", *this);
  if (is_on_chip(*this) && dim == 0)
    fail("broadcast", "the partition dimension cannot be broadcast", *this);
  Tensor view = *this;
  view.dims_[dim] = {0, size};
  return view;
}

Tensor Tensor::expand_dim(int dim) const {
  require_viewable("expand_dim", *this, dim);
  if (dim < 0 || dim > ndim_ || ndim_ == kMaxDims)
    fail("expand_dim", "no room for a dimension at " + std::to_string(dim), *this);
  if (is_on_chip(*this) && dim == 0)
    fail("expand_dim", "the partition dimension stays first", *this);
  Tensor view = *this;
  for (int d = ndim_; d > dim; --d)
    view.dims_[d] = dims_[d - 1];
  view.dims_[dim] = {1, 1};
  ++view.ndim_;
  return view;
}

Tensor Tensor::view(DType dtype) const {
  require_direct("view", *this);
  int64_t from = int64_t(size_of(type_)), to = int64_t(size_of(dtype));
  Dims dims{};
  std::copy(dims_, dims_ + ndim_, dims.begin());
  bool only_partition = is_on_chip(*this) && ndim_ == 1;
  Dim &last = dims[size_t(ndim_ - 1)];
  if (from != to) {
    if (only_partition || (last.count != 1 && last.stride != 1) || last.count * from % to != 0)
      fail("view",
           "the last dimension must be contiguous and hold a whole number of " +
               std::string(name_of(dtype)) + " elements",
           *this);
    last = {1, last.count * from / to};
    for (int d = is_on_chip(*this) ? 1 : 0; d + 1 < ndim_; ++d) {
      if (dims[size_t(d)].count != 1 && dims[size_t(d)].stride * from % to != 0)
        fail("view", "a stride is no multiple of the new element size", *this);
      dims[size_t(d)].stride = dims[size_t(d)].stride * from / to;
    }
  }
  return Tensor(storage_, dtype, {dims.data(), size_t(ndim_)}, start_partition_, offset_bytes_);
}

} // namespace nki
