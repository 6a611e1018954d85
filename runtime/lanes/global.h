// Device memory as loads and stores see it: allocations, strided transfers, indexed transfers.
// Private to this room.
#pragma once

#include "lanes/boxes.h"
#include "lanes/memory.h"
#include "lanes/tiles.h"

namespace nki::global {

/// What a statement does, for messages.
enum class Access : uint8_t { load, store };

/// An allocation of device memory.
struct Target {
  std::shared_ptr<chip::Storage> storage;
  int64_t start = 0; ///< its first byte, counted from Place::base
  int64_t bytes = 0;
  /// Lanes at these offsets are inside for sure.
  bool contains(Int128 low, Int128 high, int element_bytes) const {
    return low >= start && high + element_bytes <= Int128(start) + bytes;
  }
  /// The lanes whose element lies inside.
  Mask inside(const Index &offset, int element_bytes) const;
};

/// The allocation with the byte at base + offset.
std::optional<Target> find_target(const char *base, int64_t offset);
/// The allocation that a chip-computed index refers to: that of the base, or else of a lane's
/// launch-known part.
std::optional<Target> guess_target(const Place &place, const Wave *wave);

/// An allocation and the lanes whose elements lie in it.
struct Part {
  Target target;
  Mask lanes;
};
/// The lanes of `mask`, launch-known, by allocation. A lane outside of all is an error, or left
/// out where `access` is absent (when only the chip knows which lanes are live).
std::vector<Part> parts_of(const Place &place, const Index &offset, const Wave &wave,
                           const Mask &mask, int element_bytes, std::optional<Access> access);

/// Throws: lane `lane` accesses memory outside of every allocation.
[[noreturn]] void outside(Access access, const Place &place, const Wave *wave, int64_t lane,
                          int64_t offset, int element_bytes);

/// The type of an element in memory; `tile` is the type of 4-byte elements.
inline DType memory_type(int element_bytes, DType tile) {
  return element_bytes == 1 ? DType::uint8 : element_bytes == 2 ? DType::uint16 : tile;
}

/// Moves the lanes of a piece between a tile {P, F} and memory. Addresses of the piece count from
/// Place::base.
void copy_in(const Tensor &tile, const Target &target, const Piece &piece, int element_bytes);
void copy_out(const Target &target, const Tensor &tile, const Piece &piece, int element_bytes);

/// For a load of the lanes of `mask`, launch-known, whose addresses are in a table and inside of
/// the target: pieces of an affine form that most lanes share, over all lanes that it leaves
/// inside, and then those of the other lanes. None where there would be more than `limit`.
std::optional<std::vector<Piece>> patched_pieces(const Wave &wave, const Index &table,
                                                 const Mask &mask, const Target &target,
                                                 int element_bytes, int64_t limit);

// ---- one index per lane -------------------------------------------------------------------------

/// Rows of memory, and the row of each lane.
struct Indexed {
  Tensor memory;          ///< HBM {count}, any stride
  Tensor index;           ///< int32 {P, F}, or {P, 1}
  bool is_window = false; ///< memory is more than one allocation; no live lane's row is outside
};
/// The place's chip-computed index, relative to the allocation.
Indexed index_of(const Place &place, const Target &target, const Wave *wave, int element_bytes,
                 DType type);
/// The same for a launch-known offset.
Indexed index_of(const Index &offset, const Target &target, const Wave &wave, int element_bytes,
                 DType type);

/// A window on device memory, and the lanes whose addresses lie in it.
struct InWindow {
  Indexed indexed;
  Mask lanes;
};
/// A place with addresses of the chip's own: the rows of its lanes, window by window. There is one
/// window as long as a program uses no more than 2 GiB. Every live lane is in one. Throws where a
/// lane of `mask` lies outside of all allocations, or is misaligned.
std::vector<InWindow> in_windows(const Place &place, const Mask &mask, int element_bytes,
                                 DType type, Access access);

/// dst = memory[index] for the lanes of `mask`.
void gather(const Tensor &dst, const Indexed &indexed, const Mask &mask);
/// memory[index] = elements for the lanes of `mask`, in lane order. Where no two lanes share an
/// index (`distinct`) the order does not matter. `elements` are of memory's type.
void scatter(const Indexed &indexed, const Tensor &elements, const Mask &mask, bool distinct);

} // namespace nki::global
