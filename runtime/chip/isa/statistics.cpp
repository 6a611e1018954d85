#include "chip/isa/statistics.h"

#include "chip/isa/rows.h"

namespace nki::chip::isa {

void bn_stats(const View &dst, const View &data) {
  FloatRows rows(data, data.elements);
  auto results = scratch<float>(6 * data.partitions);
  const float counts[2] = {float((data.elements + 1) / 2), float(data.elements / 2)};
  for_each_batch(rows, [&](int64_t first, int64_t used, const float **row) {
    float mean[2][kRows], spread[2][kRows];
    kernels().statistics(row, data.elements, mean, spread);
    for (int64_t r = 0; r < used; ++r)
      for (int parity = 0; parity < 2; ++parity) {
        float *out = &results[size_t(6 * (first + r) + 3 * parity)];
        out[0] = counts[parity];
        out[1] = mean[parity][r];
        out[2] = spread[parity][r];
      }
  });
  write_rows(dst, results.get());
}

void bn_aggr(const View &dst, const View &data) {
  FloatRows rows(data, data.elements);
  auto results = scratch<float>(2 * data.partitions);
  for (int64_t p = 0; p < data.partitions; ++p) {
    const float *row = rows.row(p);
    float count = 0, sum = 0, spread = 0;
    for (int64_t i = 0; i < data.elements; i += 3) {
      count += row[i];
      sum += row[i] * row[i + 1];
    }
    float mean = sum / count;
    for (int64_t i = 0; i < data.elements; i += 3) {
      float distance = row[i + 1] - mean;
      spread += row[i + 2] + row[i] * (distance * distance);
    }
    results[size_t(2 * p)] = mean;
    results[size_t(2 * p + 1)] = spread / count;
  }
  write_rows(dst, results.get());
}

} // namespace nki::chip::isa
