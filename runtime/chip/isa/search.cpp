#include "chip/isa/search.h"

#include "chip/isa/rows.h"

#include <array>
#include <limits>

namespace nki::chip::isa {

namespace {

constexpr int kValues = 8;
constexpr uint32_t kNotFound = ~0u;

/// f(slot, i) for each element i, in order, that takes a slot which waits for its value. Slots are
/// asked from `first` on, in steps of `step`. `hits` has room for all elements.
template <class F>
void match(const float *row, int64_t count, const float *vals, int first, int step, uint32_t *hits,
           F &&f) {
  std::array<float, kValues> waiting;
  std::copy_n(vals, kValues, waiting.begin());
  int open = kValues;
  const int64_t found = kernels().equal_any8(row, count, vals, hits);
  for (int64_t hit = 0; hit < found && open > 0; ++hit)
    for (int slot = first; slot >= 0 && slot < kValues; slot += step)
      if (waiting[size_t(slot)] == row[hits[hit]]) {
        waiting[size_t(slot)] = std::numeric_limits<float>::quiet_NaN(); // equals nothing
        --open;
        f(slot, int64_t(hits[hit]));
        break;
      }
}

} // namespace

void max8(const View &dst, const View &src) {
  FloatRows rows(src, src.elements);
  auto results = scratch<float>(kValues * src.partitions);
  for (int64_t p = 0; p < src.partitions; ++p) {
    float *best = &results[size_t(kValues * p)];
    std::fill_n(best, kValues, -std::numeric_limits<float>::infinity());
    kernels().max8(best, rows.row(p), src.elements);
  }
  write_rows(dst, results.get());
}

void nc_find_index8(const View &dst, const View &data, const View &vals) {
  FloatRows rows(data, data.elements), wanted(vals, kValues);
  auto places = scratch<uint32_t>(kValues * data.partitions),
       hits = scratch<uint32_t>(data.elements);
  std::fill_n(places.get(), kValues * data.partitions, kNotFound);
  for (int64_t p = 0; p < data.partitions; ++p)
    match(rows.row(p), data.elements, wanted.row(p), 0, 1, hits.get(),
          [&](int slot, int64_t i) { places[size_t(kValues * p + slot)] = uint32_t(i); });
  write_rows(dst, places.get()); // the low bits: all ones in uint16, too
}

void nc_match_replace8(const View &dst, const View &data, const View &vals, float value,
                       const View *places) {
  const bool in_place = is_direct<float>(dst) && dst.storage != data.storage;
  FloatRows rows(data, data.elements), wanted(vals, kValues);
  auto all = scratch<float>(in_place ? 0 : data.partitions * data.elements);
  auto found = scratch<uint32_t>(kValues * data.partitions);
  auto hits = scratch<uint32_t>(data.elements);
  std::fill_n(found.get(), kValues * data.partitions, kNotFound);
  for (int64_t p = 0; p < data.partitions; ++p) {
    float *row = in_place ? reinterpret_cast<float *>(dst.row(p)) : all.get() + p * data.elements;
    std::copy_n(rows.row(p), data.elements, row);
    match(rows.row(p), data.elements, wanted.row(p), kValues - 1, -1, hits.get(),
          [&](int slot, int64_t i) {
            row[i] = value;
            found[size_t(kValues * p + slot)] = uint32_t(i);
          });
  }
  if (!in_place)
    write_rows(dst, all.get());
  if (places)
    write_rows(*places, found.get());
}

} // namespace nki::chip::isa
