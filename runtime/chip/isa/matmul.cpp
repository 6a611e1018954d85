#include "chip/isa/matmul.h"

#include "chip/isa/rows.h"

namespace nki::chip::isa {

void nc_matmul(const View &dst, const View &stationary, const View &moving, int rows_per_partition,
               bool accumulate, const PoisonFlags &overwrite) {
  int64_t depth = stationary.partitions * rows_per_partition;
  int64_t rows = stationary.elements / rows_per_partition;
  int64_t columns = moving.elements / rows_per_partition;
  std::vector<float> left(size_t(depth * rows)), right(size_t(depth * columns)),
      sum(size_t(rows * columns));
  read_rows(stationary, left.data());
  read_rows(moving, right.data());
  kernels().matmul(sum.data(), left.data(), right.data(), depth, rows, columns);
  if (accumulate) {
    std::vector<float> before(size_t(rows * columns));
    read_rows(dst, before.data());
    for (int64_t i = 0; i < rows * columns; ++i)
      sum[size_t(i)] = overwrite.at(i) ? sum[size_t(i)] : before[size_t(i)] + sum[size_t(i)];
  }
  write_rows(dst, sum.data());
}

} // namespace nki::chip::isa
