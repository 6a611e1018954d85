// Batches of rows for reductions and scans, which run kRows rows abreast.
#pragma once

#include "chip/stream.h"

namespace nki::chip {

/// The rows of a view as adjacent floats: `group` consecutive elements of a partition make one row.
/// Rows that lie so in memory are used in place.
class FloatRows {
public:
  FloatRows(const View &view, int64_t group) : view_(view), group_(group) {
    if (is_direct<float>(view))
      return;
    copy_ = scratch<float>(view.partitions * view.elements);
    read_rows(view, copy_.get());
  }
  int64_t count() const { return view_.partitions * per_partition(); }
  const float *row(int64_t index) const {
    if (copy_)
      return copy_.get() + index * group_;
    return reinterpret_cast<const float *>(view_.row(index / per_partition())) +
           index % per_partition() * group_;
  }

private:
  int64_t per_partition() const { return view_.elements / group_; }

  const View &view_;
  int64_t group_;
  Scratch<float> copy_;
};

/// f(first, used, pointers) for batches of kRows rows from `first` on; `used` of them are real, the
/// others repeat the first.
template <class F> void for_each_batch(const FloatRows &rows, F &&f) {
  for (int64_t first = 0; first < rows.count(); first += kRows) {
    const float *pointers[kRows];
    int64_t used = std::min<int64_t>(kRows, rows.count() - first);
    for (int64_t r = 0; r < kRows; ++r)
      pointers[r] = rows.row(r < used ? first + r : first);
    f(first, used, pointers);
  }
}

} // namespace nki::chip
