#include "chip/isa/matmul.h"

#include "chip/isa/alu.h"
#include "chip/stream.h"

#include <memory>

namespace nki::chip::isa {

namespace {

/// All elements of a tile as one run of floats: in place where they lie so.
class Matrix {
public:
  explicit Matrix(const View &view) {
    if (is_direct<float>(view) && view.pitch == view.elements * 4) {
      values_ = reinterpret_cast<const float *>(view.base);
      return;
    }
    copy_ = scratch<float>(view.partitions * view.elements);
    read_rows(view, copy_.get());
    values_ = copy_.get();
  }
  const float *values() const { return values_; }

private:
  std::unique_ptr<float[]> copy_;
  const float *values_;
};

} // namespace

void nc_matmul(const View &dst, const View &stationary, const View &moving, int rows_per_partition,
               bool accumulate, const PoisonFlags &overwrite) {
  int64_t depth = stationary.partitions * rows_per_partition;
  int64_t rows = stationary.elements / rows_per_partition;
  int64_t columns = moving.elements / rows_per_partition;
  Matrix left(stationary), right(moving);
  if (!accumulate && is_direct<float>(dst) && dst.pitch == columns * 4)
    return kernels().matmul(reinterpret_cast<float *>(dst.base), left.values(), right.values(),
                            depth, rows, columns);
  auto sum = scratch<float>(rows * columns);
  kernels().matmul(sum.get(), left.values(), right.values(), depth, rows, columns);
  if (accumulate) {
    Matrix before(dst);
    if (overwrite.any())
      for (int64_t i = 0; i < rows * columns; ++i)
        sum[i] = overwrite.at(i) ? sum[i] : before.values()[i] + sum[i];
    else
      float_binary(Op::add, {})(sum.get(), before.values(), sum.get(), rows * columns);
  }
  write_rows(dst, sum.get());
}

} // namespace nki::chip::isa
