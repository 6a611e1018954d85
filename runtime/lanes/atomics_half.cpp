#include "lanes/atomics_half.h"

#include "lanes/index_form.h"
#include "lanes/tiles.h"

#include <algorithm>
#include <map>

namespace nki {

namespace {

/// The round of each lane of `lanes`: how many of them before it, in lane order, name its place.
std::vector<int64_t> rounds_of(const Wave &wave, const Place &place, const Mask &lanes) {
  std::vector<int64_t> rounds(size_t(wave.lanes()), 0), row(size_t(wave.F()));
  std::map<int64_t, int64_t> before; // by place
  int64_t count = 0;
  for (int64_t p = 0; p < wave.P(); ++p) {
    if (place.space == Place::Space::shared) // a block's own
      before.clear();
    fill_row(place.offset, p, row);
    for (int64_t f = 0; f < wave.F(); ++f) {
      const int64_t lane = p * wave.F() + f;
      if (!lanes.at(lane))
        continue;
      if (place.index || place.address_low)
        rounds[size_t(lane)] = count++;
      else if (place.space != Place::Space::local) // there each lane has its own
        rounds[size_t(lane)] = before[row[size_t(f)]]++;
    }
  }
  return rounds;
}

struct Format {
  void (*widen)(const Tensor &, const Tensor &);
  void (*narrow)(const Tensor &, const Tensor &);
};
constexpr Format kHalf{half_to_float, float_to_half}, kBfloat{bfloat_to_float, float_to_bfloat};

/// Calls `operation` for the lanes of each round in turn.
template <class F>
void in_turns(const Wave &wave, const Place &place, const Mask &mask, F &&operation) {
  const Mask lanes = mask.launch_part();
  if (lanes.is_none())
    return;
  const std::vector<int64_t> rounds = rounds_of(wave, place, lanes);
  const int64_t last = *std::max_element(rounds.begin(), rounds.end());
  for (int64_t round = 0; round <= last; ++round) {
    std::vector<uint8_t> turn(rounds.size());
    for (size_t lane = 0; lane < turn.size(); ++lane)
      turn[lane] = rounds[lane] == round && lanes.at(int64_t(lane));
    operation(mask & Mask(wave, std::move(turn)));
  }
}

void add(const Wave &wave, const Format &format, const Tensor &old, const Place &place,
         FloatOperand value, const Mask &mask) {
  if (old && tiles::same(old, value.tile)) {
    Tensor copy = tiles::like(value.tile, DType::float32);
    nisa::tensor_copy(copy, value.tile);
    value = copy;
  }
  if (old)
    tiles::define(old);
  in_turns(wave, place, mask, [&](const Mask &now) {
    Tensor bits = wave.tile(DType::int32), sum = wave.tile(DType::float32);
    load(bits, place, 2, now);
    format.widen(sum, bits);
    if (old)
      assign(old, sum, now);
    fadd(sum, sum, value);
    format.narrow(bits, sum);
    store(place, bits, 2, now);
  });
}

void swap(const Wave &wave, const Tensor &old, const Place &place, const IntOperand &compare,
          const IntOperand &value, const Mask &mask) {
  // Copies, because `old` may be one of the operands.
  Tensor expected = wave.tile(DType::int32), desired = wave.tile(DType::int32);
  iand(expected, compare, 0xffff);
  iand(desired, value, 0xffff);
  if (old)
    tiles::define(old);
  in_turns(wave, place, mask, [&](const Mask &now) {
    Tensor bits = wave.tile(DType::int32);
    load(bits, place, 2, now);
    iand(bits, bits, 0xffff);
    if (old)
      assign(old, bits, now);
    store(place, desired, 2, now & eq(wave, bits, expected));
  });
}

} // namespace

void atomic_fadd_half(const Wave &wave, const Place &place, const FloatOperand &value,
                      const Mask &mask) {
  add(wave, kHalf, {}, place, value, mask);
}
void atomic_fadd_bfloat(const Wave &wave, const Place &place, const FloatOperand &value,
                        const Mask &mask) {
  add(wave, kBfloat, {}, place, value, mask);
}
void fetch_fadd_half(const Wave &wave, const Tensor &old, const Place &place,
                     const FloatOperand &value, const Mask &mask) {
  add(wave, kHalf, old, place, value, mask);
}
void fetch_fadd_bfloat(const Wave &wave, const Tensor &old, const Place &place,
                       const FloatOperand &value, const Mask &mask) {
  add(wave, kBfloat, old, place, value, mask);
}

void atomic_cas16(const Wave &wave, const Place &place, const IntOperand &compare,
                  const IntOperand &value, const Mask &mask) {
  swap(wave, {}, place, compare, value, mask);
}
void fetch_cas16(const Wave &wave, const Tensor &old, const Place &place, const IntOperand &compare,
                 const IntOperand &value, const Mask &mask) {
  swap(wave, old, place, compare, value, mask);
}

} // namespace nki
