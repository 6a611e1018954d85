// Sets of lanes that are known at launch, and their algebra.
#include "lanes/mask_ops.h"

#include "lanes/predicate.h"
#include "nki/error.h"

#include <algorithm>
#include <cstring>

namespace nki {

namespace {

/// Drops the axis along which a full bitmap does not vary.
void compress(const Wave &wave, LaneArray<uint8_t> &lanes) {
  if (!lanes.varies_over_partitions() || !lanes.varies_over_free())
    return;
  size_t columns = size_t(wave.F());
  const uint8_t *first = lanes.values.data();
  auto same = [&](int64_t p) { return std::memcmp(first, first + p * columns, columns) == 0; };
  for (int64_t p = 1; p < wave.P(); ++p)
    if (!same(p))
      return;
  lanes.values.resize(columns);
  lanes.partition_stride = 0;
}

} // namespace

Mask::Mask(const Wave &wave, LaneArray<uint8_t> bitmap) : wave_(&wave) {
  const auto &values = bitmap.values;
  const void *one = std::memchr(values.data(), 1, values.size());
  const void *zero = std::memchr(values.data(), 0, values.size());
  if (one && zero) {
    compress(wave, bitmap);
    kind_ = Kind::bitmap;
    state_ = std::make_shared<State>(State{std::move(bitmap), {}, {}});
  } else {
    kind_ = one ? Kind::all : Kind::none;
  }
}

Mask::Mask(const Wave &wave, std::vector<uint8_t> bitmap) {
  if (int64_t(bitmap.size()) != wave.lanes())
    throw Error("Mask", "one byte per lane");
  for (uint8_t &byte : bitmap)
    byte = byte != 0;
  *this = Mask(wave, LaneArray<uint8_t>{std::move(bitmap), wave.F(), 1});
}

Mask::Mask(const Wave &wave, Tensor predicate)
    : wave_(&wave), state_(std::make_shared<State>(State{{}, std::move(predicate), {}})),
      kind_(Kind::tile) {}

Mask Mask::launch_part() const {
  if (!is_tile())
    return *this;
  return state_->launch_part ? *state_->launch_part : Mask(*wave_, true);
}

bool Mask::at(int64_t lane) const {
  if (kind_ == Kind::tile)
    throw Error("Mask", "at() of a launch-known mask", "a predicate tile");
  if (kind_ != Kind::bitmap)
    return kind_ == Kind::all;
  return state_->lanes.at(lane / wave_->F(), lane % wave_->F());
}

const Wave *MaskOps::join(const Mask &a, const Mask &b) {
  if (a.wave_ && b.wave_ && a.wave_ != b.wave_)
    throw Error("Mask", "operands of one wave");
  return a.wave_ ? a.wave_ : b.wave_;
}

Mask MaskOps::within(Mask tile, const Mask &known) {
  if (!known.is_all())
    tile.state_->launch_part = std::make_shared<const Mask>(known);
  return tile;
}

Mask operator&(const Mask &a, const Mask &b) {
  const Wave *wave = MaskOps::join(a, b);
  if (a.is_none() || b.is_none())
    return MaskOps::uniform(wave, false);
  if (a.is_all() || b.is_all())
    return a.is_all() ? b : a;
  if (a.is_tile() || b.is_tile())
    return MaskOps::within(predicate::both(a, b), a.launch_part() & b.launch_part());
  return Mask(*wave, combine(*wave, a.bitmap(), b.bitmap(), std::bit_and<uint8_t>()));
}

Mask operator|(const Mask &a, const Mask &b) {
  const Wave *wave = MaskOps::join(a, b);
  if (a.is_all() || b.is_all())
    return MaskOps::uniform(wave, true);
  if (a.is_none() || b.is_none())
    return a.is_none() ? b : a;
  if (a.is_tile() || b.is_tile())
    return MaskOps::within(predicate::either(a, b), a.launch_part() | b.launch_part());
  return Mask(*wave, combine(*wave, a.bitmap(), b.bitmap(), std::bit_or<uint8_t>()));
}

Mask operator^(const Mask &a, const Mask &b) {
  const Wave *wave = MaskOps::join(a, b);
  if (a.is_none() || b.is_none())
    return a.is_none() ? b : a;
  if (a.is_all() || b.is_all())
    return a.is_all() ? !b : !a;
  if (a.is_tile() || b.is_tile())
    return MaskOps::within(predicate::one_of(a, b), a.launch_part() | b.launch_part());
  return Mask(*wave, combine(*wave, a.bitmap(), b.bitmap(), std::bit_xor<uint8_t>()));
}

Mask operator!(const Mask &a) {
  if (a.is_all() || a.is_none())
    return MaskOps::uniform(a.wave(), a.is_none());
  if (a.is_tile())
    return predicate::negation(a);
  LaneArray<uint8_t> lanes = a.bitmap();
  for (uint8_t &byte : lanes.values)
    byte ^= 1;
  return Mask(*a.wave(), std::move(lanes));
}

Mask andnot(const Mask &a, const Mask &b) { return a & !b; }

Mask select(const Mask &mask, const Mask &a, const Mask &b) {
  if (mask.is_all() || mask.is_none())
    return mask.is_all() ? a : b;
  return (mask & a) | (!mask & b);
}

void assign(Mask &variable, const Mask &value, const Mask &mask) {
  variable = select(mask, value, variable);
}

bool Mask::any() const { return is_tile() ? predicate::any(*this) : !is_none(); }

Tensor Mask::tile(const Wave &wave) const {
  if (wave_ && wave_ != &wave)
    throw Error("Mask", "operands of one wave");
  if (is_all() || is_none())
    return predicate::uniform(wave, is_all());
  if (!state_->tile)
    state_->tile = predicate::known(wave, state_->lanes);
  return state_->tile;
}

} // namespace nki
