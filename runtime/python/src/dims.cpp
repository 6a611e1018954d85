#include "dims.h"

#include "nki/describe.h"
#include "nki/error.h"

#include <algorithm>
#include <map>

namespace nki::python {

Dims::Dims(const PyTensor &tensor) : from_(tensor) {
  if (tensor.valid().has_tensor_indirection())
    fail("a view through tensor indirection has no further views");
  list.assign(tensor.view.dims().begin(), tensor.view.dims().end());
  start_partition = tensor.view.start_partition();
  offset_bytes = tensor.view.offset_bytes();
}

void Dims::fail(const std::string &rule) const {
  throw Error(std::string("NkiTensor.") + method, rule, describe(from_.view));
}

int Dims::checked(int dim, bool free) const {
  int count = int(list.size());
  int positive = dim < 0 ? dim + count : dim;
  if (positive < 0 || positive >= count)
    fail("no dimension " + std::to_string(dim));
  if (free && positive == 0 && keeps_first())
    fail(from_.on_chip() ? "the partition dimension stays as it is"
                         : "the dimension with one index per step stays as it is");
  return positive;
}

void Dims::split(int dim, std::vector<int64_t> shape) {
  Dim old = list[size_t(dim)];
  int64_t known = 1, open = -1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != -1) {
      known *= shape[i];
      continue;
    }
    if (open != -1)
      fail("only one size may be -1");
    open = int64_t(i);
  }
  if (open != -1 && known > 0 && old.count % known == 0) {
    shape[size_t(open)] = old.count / known;
    known = old.count;
  }
  if (known != old.count)
    fail("dimension " + std::to_string(dim) + " has " + std::to_string(old.count) +
         " elements, the new sizes " + std::to_string(known));
  std::vector<Dim> parts(shape.size());
  int64_t stride = old.stride;
  for (size_t i = shape.size(); i-- > 0;) {
    parts[i] = {stride, shape[i]};
    stride *= shape[i];
  }
  list.erase(list.begin() + dim);
  list.insert(list.begin() + dim, parts.begin(), parts.end());
}

void Dims::merge(int first, int last) {
  Dim merged{1, 1};
  for (int d = last; d >= first; --d) {
    Dim dim = list[size_t(d)];
    if (dim.count == 1)
      continue;
    if (merged.count == 1)
      merged = dim;
    else if (dim.stride == merged.stride * merged.count)
      merged.count *= dim.count;
    else
      fail("dimensions " + std::to_string(first) + " to " + std::to_string(last) +
           " are not contiguous");
  }
  list.erase(list.begin() + first, list.begin() + last + 1);
  list.insert(list.begin() + first, merged);
}

void Dims::reshape(const std::vector<int64_t> &shape) {
  int64_t product = 1, have = 1;
  for (int64_t count : shape)
    product *= count;
  for (const Dim &dim : list)
    have *= dim.count;
  size_t first = keeps_first() ? 1 : 0;
  if (product != have || shape.empty())
    fail("the number of elements must stay the same: " + std::to_string(have) + ", not " +
         std::to_string(product));
  if (first == 1 && shape[0] != list[0].count)
    fail("the first dimension must stay the same");

  std::vector<Dim> runs; // inside out, each as long as it gets
  for (size_t d = list.size(); d-- > first;) {
    if (list[d].count == 1)
      continue;
    if (!runs.empty() && list[d].stride == runs.back().stride * runs.back().count)
      runs.back().count *= list[d].count;
    else
      runs.push_back(list[d]);
  }
  std::vector<Dim> dims(shape.size(), Dim{1, 1});
  size_t run = 0;
  int64_t done = 1;
  for (size_t d = shape.size(); d-- > first;) {
    if (shape[d] == 1)
      continue;
    if (run < runs.size() && done == runs[run].count) {
      ++run;
      done = 1;
    }
    if (run == runs.size() || runs[run].count % (done * shape[d]) != 0)
      fail("the view's layout does not allow this shape");
    dims[d] = {runs[run].stride * done, shape[d]};
    done *= shape[d];
  }
  if (first == 1)
    dims[0] = list[0];
  list = std::move(dims);
}

void Dims::permute(const std::vector<int> &order) {
  std::vector<Dim> moved;
  std::vector<bool> seen(list.size());
  for (int dim : order) {
    dim = checked(dim, false);
    if (seen[size_t(dim)])
      fail("not a permutation of the dimensions");
    seen[size_t(dim)] = true;
    moved.push_back(list[size_t(dim)]);
  }
  if (moved.size() != list.size())
    fail("not a permutation of the dimensions");
  if (keeps_first() && order[0] != 0)
    fail(from_.on_chip() ? "the partition dimension stays first"
                         : "the dimension with one index per step stays first");
  list = std::move(moved);
}

void Dims::erase(int dim) { list.erase(list.begin() + dim); }

void Dims::keep(int dim, int64_t start, int64_t end, int64_t step) {
  Dim &kept = list[size_t(dim)];
  if (start < 0 || start >= end || end > kept.count || step < 1)
    fail("0 <= start < end <= size and step >= 1 do not hold for " + std::to_string(start) + ":" +
         std::to_string(end) + ":" + std::to_string(step) + " of dimension " + std::to_string(dim));
  int64_t count = (end - start + step - 1) / step;
  if (dim == 0 && from_.view.has_vector_offset() && (count != kept.count || step != 1))
    fail("the dimension with one index per step cannot be sliced");
  if (dim == 0 && from_.on_chip()) {
    if (step != 1 && count > 1)
      fail("partitions have no stride");
    start_partition += start;
    kept.count = count;
    return;
  }
  offset_bytes += start * kept.stride * int64_t(size_of(from_.view.dtype()));
  kept = {kept.stride * step, count};
}

Tensor Dims::tensor() const { return from_.view.with_dims(list, start_partition, offset_bytes); }

namespace {

using Group = std::vector<std::string>;

std::vector<Group> groups_of(py::handle pattern) {
  std::vector<Group> groups;
  for (py::handle item : pattern) {
    Group group;
    if (py::isinstance<py::str>(item))
      group.push_back(py::cast<std::string>(item));
    else
      for (py::handle name : item)
        group.push_back(py::cast<std::string>(py::str(name)));
    groups.push_back(std::move(group));
  }
  return groups;
}

} // namespace

void rearrange(Dims &dims, py::handle source, py::handle target, py::handle sizes) {
  std::map<std::string, int64_t> known;
  if (sizes && !sizes.is_none())
    for (auto [name, size] : py::cast<py::dict>(sizes))
      known[py::cast<std::string>(name)] = py::cast<int64_t>(size);

  std::vector<Group> from = groups_of(source), to = groups_of(target);
  if (from.size() != dims.size())
    dims.fail("the source pattern has " + std::to_string(from.size()) + " dimensions");
  Group names;
  for (const Group &group : from) {
    int dim = int(names.size());
    std::vector<int64_t> shape;
    for (const std::string &name : group) {
      if (std::find(names.begin(), names.end(), name) != names.end())
        dims.fail("the name " + name + " is used twice");
      names.push_back(name);
      shape.push_back(known.contains(name) ? known[name] : -1);
    }
    dims.split(dim, std::move(shape));
  }

  std::vector<int> order;
  for (const Group &group : to)
    for (const std::string &name : group) {
      auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        dims.fail("the source pattern has no " + name);
      order.push_back(int(found - names.begin()));
    }
  dims.permute(order);
  int dim = 0;
  for (const Group &group : to) {
    if (group.empty())
      dims.insert(dim);
    else
      dims.merge(dim, dim + int(group.size()) - 1);
    ++dim;
  }
}

} // namespace nki::python
