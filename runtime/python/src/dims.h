// Views as lists of dimensions: what NKI's view functions do to strides and counts, for HBM and
// on-chip tensors alike. Dimension 0 of an on-chip tensor is the partition.
#pragma once

#include "tensor.h"

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace nki::python {

/// A view taken apart, so that several steps make one view.
class Dims {
public:
  explicit Dims(const PyTensor &tensor);

  std::vector<Dim> list;
  int64_t start_partition = 0;
  int64_t offset_bytes = 0;

  size_t size() const { return list.size(); }
  /// Splits dimension `dim` into `shape`, of which one may be -1.
  void split(int dim, std::vector<int64_t> shape);
  /// Merges dimensions first to last, which must be one run.
  void merge(int first, int last);
  /// The same elements in another shape; runs that lie apart are not merged.
  void reshape(const std::vector<int64_t> &shape);
  void permute(const std::vector<int> &order);
  void erase(int dim);
  void insert(int dim) { list.insert(list.begin() + dim, Dim{1, 1}); }
  void keep(int dim, int64_t start, int64_t end, int64_t step);

  /// Throws nki::Error with the rule where `dim` does not exist, or is the partition.
  int checked(int dim, bool free) const;
  [[noreturn]] void fail(const std::string &rule) const;
  Tensor tensor() const;

  const char *method = "NkiTensor";

private:
  /// Whether the first dimension has to stay the first: partitions, or steps of indices.
  bool keeps_first() const { return from_.on_chip() || from_.view.has_vector_offset(); }

  const PyTensor &from_;
};

/// NkiTensor.rearrange, patterns of names and groups of names.
void rearrange(Dims &dims, py::handle source, py::handle target, py::handle sizes);

} // namespace nki::python
