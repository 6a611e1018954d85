// A Tensor decoded for execution: host address, bytes between partitions, free pattern in bytes.
#pragma once

#include "chip/storage.h"
#include "nki/tensor.h"

#include <array>
#include <cstdint>

namespace nki::chip {

/// Free dimensions in bytes, outermost first; dimensions that are one run are merged, those of
/// count 1 are gone. `rank` is at least 1.
struct Pattern {
  static constexpr int kMaxRank = Tensor::kMaxDims;
  int rank = 1;
  std::array<Dim, kMaxRank> dims{};

  const Dim &inner() const { return dims[size_t(rank - 1)]; }
};

struct View {
  uint8_t *base = nullptr; ///< first element of the first partition
  int64_t pitch = 0;       ///< bytes between partitions; 0 in HBM
  int64_t partitions = 1;  ///< 1 in HBM
  int64_t elements = 1;    ///< per partition
  Pattern pattern;
  DType type = DType::float32;
  Storage *storage = nullptr;
  int64_t start_partition = 0;
  int64_t offset_bytes = 0;

  uint8_t *row(int64_t partition) const { return base + partition * pitch; }
  int64_t element_bytes() const { return int64_t(size_of(type)); }
  /// One run of adjacent elements per partition.
  bool is_run() const {
    return pattern.rank == 1 && (elements == 1 || pattern.inner().stride == element_bytes());
  }
};

Pattern coalesce(std::span<const Dim> dims, int64_t element_bytes);

/// HBM tensors become one partition with all their dimensions free. A scalar offset is read now;
/// throws nki::Error where the view then lies outside of its tensor.
View view_of(const Tensor &tensor);

/// Where a view with a scalar offset starts, as the register or element says now. Throws nki::Error
/// where that was never written.
struct DynamicStart {
  int64_t index = 0;
  int64_t offset_bytes = 0; ///< to be added to the view's
  bool in_bounds = false;   ///< the index is in its dimension, the view in its allocation
};
DynamicStart dynamic_start(const Tensor &tensor);

/// Whether an instruction that reads `src` and writes `dst` element by element, both of one
/// storage, would write a byte before the element that it belongs to has been read.
bool overwrites_before_read(const View &dst, const View &src);
/// Whether two views of one storage, or of HBM, have a byte in common.
bool shares_bytes(const View &a, const View &b);

/// A tile of fp32 in host memory, row after row, for intermediate results.
View scratch_view(float *values, int64_t partitions, int64_t elements);

/// Byte offsets of the elements of one partition, in order.
class PatternWalk {
public:
  explicit PatternWalk(const Pattern &pattern) : pattern_(&pattern) {}
  int64_t offset() const { return offset_; }
  /// Elements left in the innermost dimension.
  int64_t left_in_run() const {
    return pattern_->inner().count - index_[size_t(pattern_->rank - 1)];
  }
  /// Moves on by `count` elements, at most left_in_run().
  void advance(int64_t count = 1) {
    int d = pattern_->rank - 1;
    index_[size_t(d)] += count;
    offset_ += count * pattern_->dims[size_t(d)].stride;
    while (d > 0 && index_[size_t(d)] == pattern_->dims[size_t(d)].count) {
      offset_ -= pattern_->dims[size_t(d)].count * pattern_->dims[size_t(d)].stride;
      index_[size_t(d)] = 0;
      --d;
      ++index_[size_t(d)];
      offset_ += pattern_->dims[size_t(d)].stride;
    }
  }

private:
  const Pattern *pattern_;
  std::array<int64_t, Pattern::kMaxRank> index_{};
  int64_t offset_ = 0;
};

} // namespace nki::chip
