// Views of a tensor that split, merge and reorder dimensions.
#include "nki/describe.h"
#include "nki/error.h"
#include "nki/tensor.h"

#include <algorithm>

namespace nki {

namespace {

[[noreturn]] void fail(const char *method, const std::string &rule, const Tensor &tensor) {
  throw Error(std::string("Tensor::") + method, rule, describe(tensor));
}

void require_dim(const char *method, const Tensor &tensor, int dim, bool stays_first) {
  if (tensor.has_tensor_indirection())
    fail(method, "a view through tensor indirection has no further views", tensor);
  if (dim < 0 || dim >= tensor.ndim())
    fail(method, "no dimension " + std::to_string(dim), tensor);
  if (dim == 0 && stays_first)
    fail(method, "dimension 0 (partitions, or one index per step) stays as it is", tensor);
}

} // namespace

Tensor Tensor::squeeze_dim(int dim) const {
  require_dim("squeeze_dim", *this, dim, keeps_first_dim());
  if (shape(dim) != 1)
    fail("squeeze_dim", "dimension " + std::to_string(dim) + " has not size 1", *this);
  if (ndim_ == 1)
    fail("squeeze_dim", "a view has at least one dimension", *this);
  Tensor view = *this;
  for (int d = dim; d + 1 < ndim_; ++d)
    view.dims_[d] = view.dims_[d + 1];
  --view.ndim_;
  return view;
}

Tensor Tensor::reshape_dim(int dim, std::span<const int64_t> shape) const {
  require_dim("reshape_dim", *this, dim, keeps_first_dim() && shape.size() != 1);
  std::vector<int64_t> sizes(shape.begin(), shape.end());
  int64_t known = 1;
  for (int64_t size : sizes)
    known *= size == -1 ? 1 : size;
  if (std::count(sizes.begin(), sizes.end(), -1) > 1 || known < 1 || sizes.empty())
    fail("reshape_dim", "sizes are 1 and more, one of them may be -1", *this);
  if (auto open = std::find(sizes.begin(), sizes.end(), -1); open != sizes.end())
    *open = this->shape(dim) / known, known *= *open;
  if (known != this->shape(dim))
    fail("reshape_dim", "the sizes must make " + std::to_string(this->shape(dim)), *this);
  if (ndim_ - 1 + int(sizes.size()) > kMaxDims)
    fail("reshape_dim", "a view has at most " + std::to_string(kMaxDims) + " dimensions", *this);
  std::vector<Dim> dims(dims_, dims_ + dim);
  int64_t inner = this->shape(dim);
  for (int64_t size : sizes) {
    inner /= size;
    dims.push_back({dims_[dim].stride * inner, size});
  }
  dims.insert(dims.end(), dims_ + dim + 1, dims_ + ndim_);
  return with_dims(dims, start_partition_, offset_bytes_);
}

Tensor Tensor::flatten_dims(int start, int end) const {
  require_dim("flatten_dims", *this, start, keeps_first_dim());
  require_dim("flatten_dims", *this, end, false);
  if (start > end)
    fail("flatten_dims", "start comes before end", *this);
  Dim merged{1, 1};
  for (int d = end; d >= start; --d) {
    if (shape(d) == 1)
      continue;
    if (merged.count > 1 && dims_[d].stride != merged.stride * merged.count)
      fail("flatten_dims", "the dimensions do not follow each other in memory", *this);
    merged = {merged.count > 1 ? merged.stride : dims_[d].stride, merged.count * shape(d)};
  }
  std::vector<Dim> dims(dims_, dims_ + start);
  dims.push_back(merged);
  dims.insert(dims.end(), dims_ + end + 1, dims_ + ndim_);
  return with_dims(dims, start_partition_, offset_bytes_);
}

namespace {

/// All names of a pattern, in order.
std::vector<std::string> flat(const Tensor::Names &pattern) {
  std::vector<std::string> names;
  for (const auto &group : pattern)
    names.insert(names.end(), group.begin(), group.end());
  return names;
}

std::vector<int64_t> sizes_of(const std::vector<std::string> &group,
                              const std::map<std::string, int64_t> &sizes) {
  std::vector<int64_t> result;
  for (const std::string &name : group)
    result.push_back(sizes.contains(name) ? sizes.at(name) : -1);
  return result;
}

} // namespace

Tensor Tensor::rearrange(const Names &from, const Names &to,
                         const std::map<std::string, int64_t> &sizes) const {
  std::vector<std::string> names = flat(from), wanted = flat(to), sorted = names;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> other = wanted;
  std::sort(other.begin(), other.end());
  if (int(from.size()) != ndim_)
    fail("rearrange", "the source pattern names each dimension", *this);
  if (sorted != other || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    fail("rearrange", "both patterns hold the same names, each once", *this);
  for (const auto *pattern : {&from, &to})
    for (const auto &group : *pattern)
      if (group.empty())
        fail("rearrange", "a dimension without a name", *this);
  Tensor view = *this;
  for (int d = ndim_ - 1; d >= 0; --d) // from the last, so that numbers stay right
    if (from[size_t(d)].size() > 1 || sizes.contains(from[size_t(d)][0]))
      view = view.reshape_dim(d, sizes_of(from[size_t(d)], sizes));
  if (keeps_first_dim() && wanted[0] != names[0])
    fail("rearrange", "dimension 0 (partitions, or one index per step) stays first", *this);
  Tensor ordered = view;
  for (size_t d = 0; d < wanted.size(); ++d)
    ordered.dims_[d] = view.dims_[std::find(names.begin(), names.end(), wanted[d]) - names.begin()];
  int d = 0;
  for (const auto &group : to) {
    if (group.size() > 1)
      ordered = ordered.flatten_dims(d, d + int(group.size()) - 1);
    ++d;
  }
  return ordered;
}

} // namespace nki
