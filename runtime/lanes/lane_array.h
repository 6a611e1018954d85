// One value per lane of a wave, stored once per distinct row or column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nki {

/// Value of lane (partition p, free position f): values[p * partition_stride + f * free_stride].
///
/// The strides are (F, 1) in general, (0, 1) where all partitions hold the same row, (1, 0) where a
/// value does not vary inside a partition: what depends on threadIdx alone costs F entries, not
/// P * F.
template <class T> struct LaneArray {
  std::vector<T> values;
  int64_t partition_stride = 0, free_stride = 0;

  T at(int64_t partition, int64_t free) const {
    return values[size_t(partition * partition_stride + free * free_stride)];
  }
  bool varies_over_partitions() const { return partition_stride != 0; }
  bool varies_over_free() const { return free_stride != 0; }
};

/// An array of the shape that holds what varies over these two axes.
template <class T>
LaneArray<T> lane_array(int64_t partitions, int64_t free, bool over_partitions, bool over_free) {
  LaneArray<T> array;
  array.values.resize(size_t((over_partitions ? partitions : 1) * (over_free ? free : 1)));
  array.free_stride = over_free ? 1 : 0;
  array.partition_stride = over_partitions ? (over_free ? free : 1) : 0;
  return array;
}

} // namespace nki
