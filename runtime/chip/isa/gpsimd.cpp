#include "chip/isa/gpsimd.h"

#include "chip/stream.h"

#include <algorithm>
#include <vector>

namespace nki::chip::isa {

namespace {

/// f(first partition, elements) for every processor, where `elements` are the first `count` of its
/// 16 partitions of `rows` ({partitions, width}), partitions first.
template <class C, class F>
void for_each_core(const C *rows, int64_t partitions, int64_t width, int64_t count, F &&f) {
  static_assert(sizeof(C) == 4);
  const int64_t columns = (count + kCorePartitions - 1) / kCorePartitions;
  std::vector<C> elements(static_cast<size_t>(columns * kCorePartitions));
  for (int64_t first = 0; first < partitions; first += kCorePartitions) {
    elements.resize(static_cast<size_t>(columns * kCorePartitions));
    kernels().transpose(reinterpret_cast<uint32_t *>(elements.data()), kCorePartitions,
                        reinterpret_cast<const uint32_t *>(rows + first * width), width,
                        kCorePartitions, columns);
    elements.resize(static_cast<size_t>(count));
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
                  const int64_t last = kernels().largest(indices.data(), valid);
                  for (int64_t i = 0; bad < 0 && last + per_index > src.elements && i < valid; ++i)
                    if (int64_t(indices[size_t(i)]) + per_index > src.elements)
                      bad = first / kCorePartitions * valid + i;
                });
  return bad;
}

void local_gather(const View &dst, const View &src, const View &index, int64_t per_index,
                  int64_t valid) {
  auto rows = scratch<uint32_t>(index.partitions * index.elements);
  read_rows(index, rows.get());
  bool direct = is_direct<uint32_t>(src);
  auto copy = scratch<uint32_t>(direct ? 0 : src.partitions * src.elements);
  if (!direct)
    read_rows(src, copy.get());
  Sink<uint32_t> to(dst);
  const int64_t count = valid * per_index;
  const bool in_place = is_direct<uint32_t>(dst) && dst.storage != src.storage;
  auto places = scratch<uint32_t>(count), row = scratch<uint32_t>(count);
  for_each_core(rows.get(), index.partitions, index.elements, valid,
                [&](int64_t first, const std::vector<uint32_t> &indices) {
                  uint32_t *place = places.get();
                  for (uint32_t start : indices)
                    for (int64_t i = 0; i < per_index; ++i)
                      *place++ = start + uint32_t(i);
                  for (int64_t p = first; p < first + kCorePartitions; ++p) {
                    const uint32_t *from = direct ? reinterpret_cast<const uint32_t *>(src.row(p))
                                                  : copy.get() + p * src.elements;
                    uint32_t *out = in_place ? reinterpret_cast<uint32_t *>(dst.row(p)) : row.get();
                    kernels().gather(out, from, places.get(), count);
                    to.begin(p);
                    if (!in_place)
                      write_row(to, row.get(), dst.elements);
                  }
                });
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

namespace {

/// An element of a snake and its place as one number: larger numbers are larger elements, or equal
/// ones that come first.
uint64_t ranked(float value, int64_t place) {
  uint32_t bits = __builtin_bit_cast(uint32_t, value == 0.0f ? 0.0f : value);
  uint32_t order = bits >> 31 ? ~bits : bits | 0x80000000u;
  return uint64_t(value != value ? 0 : order) << 32 | uint32_t(~uint32_t(place));
}

/// The k largest, in ascending order. Most elements are below the smallest of the largest so far.
std::vector<uint64_t> largest_ranks(const std::vector<float> &elements, int64_t k) {
  std::vector<uint64_t> best;
  const int64_t n = int64_t(elements.size());
  auto keep = [&] {
    std::nth_element(best.begin(), best.end() - k, best.end());
    best.erase(best.begin(), best.end() - k);
  };
  int64_t i = 0;
  for (; i < std::min(n, 2 * k + 64); ++i)
    best.push_back(ranked(elements[size_t(i)], i));
  keep();
  // Of equal elements the later ones do not belong to the largest; NaN is above nothing.
  for (;; ++i) {
    const uint64_t place = uint32_t(~uint32_t(best.front()));
    const float limit = elements[place];
    const bool is_number = limit == limit;
    i = is_number ? kernels().find_above(elements.data(), i, n, limit) : i;
    if (i >= n)
      break;
    best.push_back(ranked(elements[size_t(i)], i));
    if (int64_t(best.size()) == 2 * k + 64)
      keep();
  }
  keep();
  std::sort(best.begin(), best.end());
  return best;
}

} // namespace

void topk(const View &values, const View &places, const View &src, int64_t n) {
  int64_t k = values.elements;
  auto rows = scratch<float>(src.partitions * src.elements);
  auto best = scratch<float>(k);
  auto where = scratch<uint32_t>(k);
  read_rows(src, rows.get());
  Sink<float> to_values(values);
  Sink<uint32_t> to_places(places);
  for_each_core(rows.get(), src.partitions, src.elements, n,
                [&](int64_t first, const std::vector<float> &elements) {
                  std::vector<uint64_t> ranks = largest_ranks(elements, k);
                  for (int64_t i = 0; i < k; ++i) {
                    where[i] = ~uint32_t(ranks[size_t(i)]);
                    best[i] = elements[where[i]];
                  }
                  for (int64_t p = first; p < first + kCorePartitions; ++p) {
                    to_values.begin(p);
                    write_row(to_values, best.get(), k);
                    to_places.begin(p);
                    write_row(to_places, where.get(), k);
                  }
                });
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
