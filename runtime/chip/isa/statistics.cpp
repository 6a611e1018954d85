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
  constexpr int abreast = 8; // each row is a chain of dependent sums
  for (int64_t first = 0; first < data.partitions; first += abreast) {
    const float *row[abreast];
    float count[abreast] = {}, sum[abreast] = {}, spread[abreast] = {}, mean[abreast];
    for (int64_t r = 0; r < abreast; ++r)
      row[r] = rows.row(std::min(first + r, data.partitions - 1));
    for (int64_t i = 0; i < data.elements; i += 3)
      for (int r = 0; r < abreast; ++r) {
        count[r] += row[r][i];
        sum[r] += row[r][i] * row[r][i + 1];
      }
    for (int r = 0; r < abreast; ++r)
      mean[r] = sum[r] / count[r];
    for (int64_t i = 0; i < data.elements; i += 3)
      for (int r = 0; r < abreast; ++r) {
        float distance = row[r][i + 1] - mean[r];
        spread[r] += row[r][i + 2] + row[r][i] * (distance * distance);
      }
    for (int r = 0; r < abreast && first + r < data.partitions; ++r) {
      results[size_t(2 * (first + r))] = mean[r];
      results[size_t(2 * (first + r) + 1)] = spread[r] / count[r];
    }
  }
  write_rows(dst, results.get());
}

} // namespace nki::chip::isa
