// Which lanes of a wave a statement acts on.
#pragma once

#include "lanes/lane_array.h"
#include "nki/tensor.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace nki {

class Wave;

/// A set of lanes: none, all, a launch-known bitmap, or a predicate tile on the chip.
///
/// Launch-known masks cost nothing until an instruction needs them: transfers are clipped to the
/// boxes of lanes they consist of, and an engine instruction gets a predicate tile only where a
/// dead lane's memory must survive. Tiles are uint32 {P, F}, 1 where the lane is in the mask, 0
/// elsewhere; on lanes that are dead anyway the tile's content is meaningless but never poison.
class Mask {
public:
  Mask() = default;                                               ///< no lanes, of no wave
  Mask(bool uniform) : kind_(uniform ? Kind::all : Kind::none) {} ///< all lanes or none
  Mask(const Wave &wave, bool uniform) : wave_(&wave), kind_(uniform ? Kind::all : Kind::none) {}
  Mask(const Wave &wave, std::vector<uint8_t> bitmap); ///< normalises to none / all where it can
  Mask(const Wave &wave, LaneArray<uint8_t> bitmap);   ///< likewise
  Mask(const Wave &wave, Tensor predicate);            ///< uint32 {P, F}, 0 or 1 in every lane

  bool is_none() const { return kind_ == Kind::none; }
  bool is_all() const { return kind_ == Kind::all; }
  bool is_known() const { return kind_ != Kind::tile; }
  bool is_tile() const { return kind_ == Kind::tile; }
  const Wave *wave() const { return wave_; }
  bool at(int64_t lane) const; ///< launch-known masks only
  /// One byte per lane, 0 or 1; only where the mask is launch-known and neither none nor all.
  const LaneArray<uint8_t> &bitmap() const { return state_->lanes; }

  /// The mask itself where it is launch-known; of a tile, a launch-known set of lanes that holds
  /// it: what the launch knows of the conditions the tile was made from. Lanes for which all
  /// conditions that only the chip knows held are in both or in neither, unless one of those was
  /// negated.
  Mask launch_part() const;

  /// May some lane be in the mask? No device work; true for tiles.
  bool maybe_any() const { return kind_ != Kind::none; }
  /// Is some lane in the mask? For a tile this reduces it on the chip and reads a register.
  bool any() const;
  /// The predicate as a uint32 0/1 tile {P, F} on `wave`; built once and shared.
  Tensor tile(const Wave &wave) const;

private:
  friend class MaskOps;
  enum class Kind : uint8_t { none, all, bitmap, tile };
  struct State {
    LaneArray<uint8_t> lanes;                // of a bitmap
    Tensor tile;                             // of a tile; of a bitmap once it was needed
    std::shared_ptr<const Mask> launch_part; // of a tile; null: all lanes
  };
  const Wave *wave_ = nullptr;
  std::shared_ptr<State> state_; // shared by copies, so that a predicate tile is built once
  Kind kind_ = Kind::none;
};

Mask operator&(const Mask &a, const Mask &b);
Mask operator|(const Mask &a, const Mask &b);
Mask operator^(const Mask &a, const Mask &b);
Mask operator!(const Mask &a);
inline Mask &operator&=(Mask &a, const Mask &b) { return a = a & b; }
inline Mask &operator|=(Mask &a, const Mask &b) { return a = a | b; }
/// Lanes of `a` that are not in `b`.
Mask andnot(const Mask &a, const Mask &b);
/// mask ? a : b, lane by lane.
Mask select(const Mask &mask, const Mask &a, const Mask &b);
/// Lanes of `mask` take `value`, the others keep `variable`.
void assign(Mask &variable, const Mask &value, const Mask &mask);

} // namespace nki
