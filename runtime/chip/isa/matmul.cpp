#include "chip/isa/matmul.h"

#include "chip/stream.h"

#include <vector>

namespace nki::chip::isa {

namespace {

std::vector<float> rows_of(const View &view) {
  std::vector<float> rows(size_t(view.partitions * view.elements));
  Source<float> from(view);
  for (int64_t p = 0; p < view.partitions; ++p) {
    from.begin(p);
    for (int64_t done = 0; done < view.elements; done += kChunk) {
      int64_t count = std::min(kChunk, view.elements - done);
      std::memcpy(&rows[size_t(p * view.elements + done)], from.next(count), size_t(count) * 4);
    }
  }
  return rows;
}

} // namespace

void nc_matmul(const View &dst, const View &stationary, const View &moving, bool accumulate,
               const PoisonFlags &overwrite) {
  std::vector<float> left = rows_of(stationary), right = rows_of(moving);
  int64_t depth = stationary.partitions, rows = stationary.elements, columns = moving.elements;
  std::vector<float> sum(static_cast<size_t>(columns));
  Source<float> old(dst);
  Sink<float> to(dst);
  for (int64_t m = 0; m < rows; ++m) {
    std::fill(sum.begin(), sum.end(), 0.0f);
    for (int64_t k = 0; k < depth; ++k) {
      float factor = left[size_t(k * rows + m)];
      const float *row = &right[size_t(k * columns)];
      for (int64_t n = 0; n < columns; ++n)
        sum[size_t(n)] += factor * row[n];
    }
    old.begin(m);
    to.begin(m);
    for (int64_t done = 0; done < columns; done += kChunk) {
      int64_t count = std::min(kChunk, columns - done);
      const float *before = accumulate ? old.next(count) : nullptr;
      float *out = to.next();
      for (int64_t i = 0; i < count; ++i) {
        bool keep = accumulate && !overwrite.at(m * columns + done + i);
        out[i] = keep ? before[i] + sum[size_t(done + i)] : sum[size_t(done + i)];
      }
      to.put(count);
    }
  }
}

} // namespace nki::chip::isa
