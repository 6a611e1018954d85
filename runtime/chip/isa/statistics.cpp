#include "chip/isa/statistics.h"

#include "chip/isa/rows.h"

namespace nki::chip::isa {

void bn_stats(const View &dst, const View &data) {
  FloatRows rows(data, data.elements);
  auto results = scratch<float>(6 * data.partitions);
  float *out = results.get();
  for (int64_t p = 0; p < data.partitions; ++p)
    for (int64_t first : {0, 1}) {
      const float *row = rows.row(p);
      float count = 0, sum = 0, spread = 0;
      for (int64_t i = first; i < data.elements; i += 2, ++count)
        sum += row[i];
      float mean = count > 0 ? sum / count : 0.0f;
      for (int64_t i = first; i < data.elements; i += 2)
        spread += (row[i] - mean) * (row[i] - mean);
      *out++ = count;
      *out++ = mean;
      *out++ = spread;
    }
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
