#include "chip/isa/matmul.h"

#include "chip/isa/alu.h"
#include "chip/isa/mx.h"
#include "chip/stream.h"

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
  Scratch<float> copy_;
  const float *values_;
};

void multiply(const View &dst, const float *left, const float *right, int64_t depth,
              bool accumulate, const PoisonFlags &overwrite) {
  int64_t rows = dst.partitions, columns = dst.elements;
  if (!accumulate && is_direct<float>(dst) && dst.pitch == columns * 4)
    return kernels().matmul(reinterpret_cast<float *>(dst.base), left, right, depth, rows, columns);
  auto sum = scratch<float>(rows * columns);
  kernels().matmul(sum.get(), left, right, depth, rows, columns);
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

} // namespace

void nc_matmul(const View &dst, const View &stationary, const View &moving, int rows_per_partition,
               bool accumulate, const PoisonFlags &overwrite) {
  Matrix left(stationary), right(moving);
  multiply(dst, left.values(), right.values(), stationary.partitions * rows_per_partition,
           accumulate, overwrite);
}

void nc_matmul_mx(const View &dst, const View &stationary, const View &moving,
                  const View &stationary_scale, const View &moving_scale, bool accumulate,
                  const PoisonFlags &overwrite) {
  int64_t depth = stationary.partitions * kGroupElements;
  auto left = scratch<float>(depth * stationary.elements);
  auto right = scratch<float>(depth * moving.elements);
  dequantize_mx(left.get(), stationary, stationary_scale);
  dequantize_mx(right.get(), moving, moving_scale);
  multiply(dst, left.get(), right.get(), depth, accumulate, overwrite);
}

} // namespace nki::chip::isa
