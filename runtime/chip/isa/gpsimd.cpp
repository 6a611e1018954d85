#include "chip/isa/gpsimd.h"

#include "chip/stream.h"

#include <cmath>
#include <numeric>
#include <vector>

namespace nki::chip::isa {

namespace {

/// f(first partition, elements) for every processor, where `elements` are the first `count` of its
/// 16 partitions of `rows` ({partitions, width}), partitions first.
template <class C, class F>
void for_each_core(const C *rows, int64_t partitions, int64_t width, int64_t count, F &&f) {
  std::vector<C> elements(static_cast<size_t>(count));
  for (int64_t first = 0; first < partitions; first += kCorePartitions) {
    for (int64_t i = 0; i < count; ++i)
      elements[size_t(i)] = rows[(first + i % kCorePartitions) * width + i / kCorePartitions];
    f(first, elements);
  }
}

} // namespace

int64_t first_bad_gather(const View &src, const View &index, int64_t per_index, int64_t valid) {
  auto rows = scratch<uint32_t>(index.partitions * index.elements);
  read_rows(index, rows.get());
  int64_t bad = -1;
  for_each_core(rows.get(), index.partitions, index.elements, valid,
                [&](int64_t first, const std::vector<uint32_t> &indices) {
                  for (int64_t i = 0; bad < 0 && i < valid; ++i)
                    if (int64_t(indices[size_t(i)]) + per_index > src.elements)
                      bad = first / kCorePartitions * valid + i;
                });
  return bad;
}

void local_gather(const View &dst, const View &src, const View &index, int64_t per_index,
                  int64_t valid) {
  auto rows = scratch<uint32_t>(index.partitions * index.elements);
  auto from = scratch<uint32_t>(src.partitions * src.elements);
  auto to = scratch<uint32_t>(dst.partitions * dst.elements);
  read_rows(index, rows.get());
  read_rows(src, from.get());
  for_each_core(rows.get(), index.partitions, index.elements, valid,
                [&](int64_t first, const std::vector<uint32_t> &indices) {
                  for (int64_t p = first; p < first + kCorePartitions; ++p)
                    for (int64_t i = 0; i < valid; ++i)
                      std::copy_n(from.get() + p * src.elements + indices[size_t(i)], per_index,
                                  to.get() + p * dst.elements + i * per_index);
                });
  write_rows(dst, to.get());
}

void nonzero_with_count(const View &dst, const View &src, int32_t offset, int32_t padding) {
  Source<float> from(src); // int32 is nonzero exactly where its fp32 value is
  Sink<uint32_t> to(dst);
  std::vector<uint32_t> result(size_t(dst.elements));
  for (int64_t p = 0; p < src.partitions; p += kCorePartitions) {
    std::fill(result.begin(), result.end(), uint32_t(padding));
    uint32_t found = 0;
    from.begin(p);
    for (int64_t done = 0; done < src.elements; done += kChunk) {
      int64_t count = std::min(kChunk, src.elements - done);
      const float *values = from.next(count);
      for (int64_t i = 0; i < count; ++i)
        if (values[i] != 0.0f)
          result[found++] = uint32_t(done + i) + uint32_t(offset);
    }
    result.back() = found;
    to.begin(p);
    write_row(to, result.data(), dst.elements);
  }
}

void topk(const View &values, const View &places, const View &src, int64_t n) {
  int64_t k = values.elements;
  auto rows = scratch<float>(src.partitions * src.elements);
  auto best = scratch<float>(values.partitions * k);
  auto where = scratch<uint32_t>(values.partitions * k);
  read_rows(src, rows.get());
  std::vector<uint32_t> order(static_cast<size_t>(n));
  for_each_core(rows.get(), src.partitions, src.elements, n,
                [&](int64_t first, const std::vector<float> &elements) {
                  std::iota(order.begin(), order.end(), 0u);
                  auto is_smaller = [&](uint32_t a, uint32_t b) {
                    float x = elements[a], y = elements[b];
                    if (std::isnan(x) || std::isnan(y) || x == y)
                      return std::isnan(x) == std::isnan(y) ? a > b : std::isnan(x);
                    return x < y;
                  };
                  std::nth_element(order.begin(), order.end() - k, order.end(), is_smaller);
                  std::sort(order.end() - k, order.end(), is_smaller);
                  for (int64_t p = first; p < first + kCorePartitions; ++p)
                    for (int64_t i = 0; i < k; ++i) {
                      uint32_t place = order[size_t(n - k + i)];
                      best[size_t(p * k + i)] = elements[place];
                      where[size_t(p * k + i)] = place;
                    }
                });
  write_rows(values, best.get());
  write_rows(places, where.get());
}

void sequence_bounds(const View &dst, const View &segment_ids) {
  int64_t n = segment_ids.elements;
  auto ids = scratch<uint32_t>(n); // patterns: equal where the numbers are, as none is negative
  read_rows(segment_ids, ids.get());
  if (segment_ids.type == DType::float32)
    std::replace(ids.get(), ids.get() + n, 0x80000000u, 0u); // but -0 is 0
  std::vector<float> bounds(size_t(2 * n));
  for (int64_t start = 0, end = 0; start < n; start = end) {
    end = start + 1;
    while (end < n && ids[size_t(end)] == ids[size_t(start)])
      ++end;
    bool padding = ids[size_t(start)] == 0;
    std::fill(bounds.begin() + start, bounds.begin() + end, float(padding ? n : start));
    std::fill(bounds.begin() + n + start, bounds.begin() + n + end, float(padding ? -1 : end));
  }
  write_rows(dst, bounds.data());
}

} // namespace nki::chip::isa
