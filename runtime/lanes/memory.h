// Loads and stores by lane: a place in memory per lane, and how it becomes DMA or engine work.
//
// A Place is a base plus a byte offset per lane. The offset is launch-known (Index), computed on
// the chip (an int32 tile times a scale), or the sum of both. Where the base itself was loaded from
// memory it is an address per lane (at_address, lanes/wide.h). load() and store() choose the
// cheapest exact sequence when the kernel is launched: one strided DMA, a few boxes, a gather per
// partition, indirect DMAs with inactive lanes skipped (DESIGN.md section 5, "Memory").
#pragma once

#include "lanes/launch.h"

#include <optional>
#include <type_traits>

namespace nki {

/// A place per lane in global, shared or local memory.
struct Place {
  enum class Space : uint8_t { global, shared, local };
  Space space = Space::global;
  char *base = nullptr;    ///< global: a device address that is the same for all lanes
  Tensor storage;          ///< shared: uint8 {P, bytes}; local: uint8 {P, F * bytes}, lane-major
  int64_t local_bytes = 0; ///< local: bytes per lane
  Index offset = Index(int64_t(0), 64); ///< bytes, launch-known part
  Tensor index; ///< optional int32 {P, F}: chip-computed part, times `scale` bytes
  int64_t scale = 0;
  /// Global: addresses that the chip has loaded or chosen, instead of `base`: int32 {P, F} tiles of
  /// their words. On hardware they are indices into one tensor over all of device memory; the model
  /// throws for a live lane outside of every allocation, whatever kind of mask it is in.
  Tensor address_low, address_high;

  /// Moves every lane's place by a launch-known number of bytes (64-bit).
  Place operator+(const Index &bytes) const;
  /// Moves by `scale` bytes times a chip-computed int32 index. Where a chip-computed part is there
  /// already the two are added on the chip.
  Place plus(const Tensor &index, int64_t scale) const;
  /// Element `element` of an array of `bytes`-sized elements that starts here (lanes/element.h).
  Place at(const Index &element, int64_t bytes) const;
};

/// `p[i]` for a device pointer: element index, launch-known or an int32 tile.
template <class T> Place at(hbm<T> p) {
  Place place;
  place.base = reinterpret_cast<char *>(const_cast<std::remove_const_t<T> *>(p.pointer));
  return place;
}

/// Launch-known addresses: a pointer per lane from an argument, or one that was a number.
Place at_address(const Index &address);

/// Shared memory of a kernel: `bytes` per block, zero at first. One block per partition. `name` is
/// the original's, for messages.
Place shared_array(const Wave &wave, int64_t bytes, const char *name = "shared memory");
/// A local array: `bytes` per lane, zero at first.
Place local_array(const Wave &wave, int64_t bytes, const char *name = "local array");

/// The element of each lane in shared or local memory as a view of the array itself, so that an
/// instruction can read it without a copy: {P, ...} with F elements per partition. None where the
/// offset is not affine in threadIdx alone, or a lane lies outside.
std::optional<Tensor> shared_view(const Place &place, const Wave &wave, DType type);

/// dst = *place for the lanes of `mask`; other lanes of dst are unspecified. A lane reads its
/// element or, if the mask does not have it, may read it; never anything outside of allocations.
/// `dst` is {P, F}: float32 for Memory::f32, else int32. Elements of 8 and 16 bits arrive with
/// unspecified upper bits. Lanes whose place lies outside the allocation are an error
/// (nki::Error names lane, address and allocation) if they are in a launch-known mask; without a
/// launch-known mask they are skipped.
void load(const Tensor &dst, const Place &place, int element_bytes, const Mask &mask);

/// *place = src for the lanes of `mask`, and nothing else in memory changes. When several lanes
/// name one place, the last in lane order wins. 8- and 16-bit elements store the low bits of int32
/// lanes. Lanes outside of allocations are as for load; under a partial mask, places that the chip
/// computes are skipped there, too.
///
/// Under a predicate tile, launch-known places are read, blended and written back: kernels that
/// store so run with Order::one_core.
void store(const Place &place, const Tensor &src, int element_bytes, const Mask &mask);
/// The same with one value for all lanes, given by its bits.
void store(const Place &place, uint32_t bits, int element_bytes, const Mask &mask);

} // namespace nki
