// Tables of addresses that are affine but for a few lanes: clamped and mirrored borders.
#include "lanes/global.h"

namespace nki::global {

namespace {

/// Position of the wave's middle lane along each axis; where an axis has steps, it has one more.
std::array<int64_t, kWaveAxes> middle_of(const Wave &wave) {
  std::array<int64_t, kWaveAxes> middle{};
  for (int dim = 0; dim < kWaveAxes; ++dim)
    middle[size_t(dim)] = (wave.counts()[size_t(dim)] - 1) / 2;
  return middle;
}

int64_t lane_at(const Wave &wave, const std::array<int64_t, kWaveAxes> &position) {
  int64_t lane = 0;
  for (int dim = 0; dim < kWaveAxes; ++dim)
    lane = lane * wave.counts()[size_t(dim)] + position[size_t(dim)];
  return lane;
}

/// The affine form that the middle lane and its neighbours have.
Index affine_around_middle(const Wave &wave, const Index &table) {
  const std::array<int64_t, kWaveAxes> middle = middle_of(wave);
  const int64_t lane = lane_at(wave, middle);
  const uint64_t value = uint64_t(table.signed_at(lane));
  std::array<int64_t, kWaveAxes> strides{};
  for (size_t dim = 0; dim < kWaveAxes; ++dim) {
    if (wave.counts()[dim] == 1)
      continue;
    std::array<int64_t, kWaveAxes> next = middle;
    ++next[dim];
    strides[dim] = int64_t(uint64_t(table.signed_at(lane_at(wave, next))) - value);
  }
  auto [z, y, x, k, tz, ty, tx] = strides;
  std::array<int64_t, kAxes> coefficients{tx, ty, tz, wave.counts()[3] > 1 ? k : x, y, z};
  uint64_t constant = value;
  for (int axis = 0; axis < kAxes; ++axis)
    constant -= uint64_t(coefficients[size_t(axis)]) * uint64_t(wave.coordinate(Axis(axis), lane));
  return Index(wave, table.bits(), int64_t(constant), coefficients);
}

} // namespace

std::optional<std::vector<Piece>> patched_pieces(const Wave &wave, const Index &table,
                                                 const Mask &mask, const Target &target,
                                                 int element_bytes, int64_t limit) {
  const Index affine = affine_around_middle(wave, table);
  if (!affine.is_affine())
    return {};
  const Mask inside = target.inside(affine, element_bytes);
  const Mask rest = andnot(mask, inside & eq(affine, table));
  if (inside.is_none() || rest.is_all())
    return {};
  std::optional<std::vector<Piece>> pieces = find_pieces(wave, affine, lanes_of(inside), limit);
  if (!pieces || rest.is_none())
    return pieces;
  auto patches = find_pieces(wave, table, lanes_of(rest), limit - int64_t(pieces->size()));
  if (!patches)
    return {};
  pieces->insert(pieces->end(), patches->begin(), patches->end());
  return pieces;
}

} // namespace nki::global
