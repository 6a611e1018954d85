// Surface reads and writes: places in an array by byte, row and slice.
#include "lanes/texture.h"
#include "lanes/tiles.h"

#include "nki/error.h"

#include <bit>

namespace nki {

namespace {

/// The places of an access, and the lanes that lie inside.
struct Access {
  Place place;
  Mask lanes;
};

/// Moves a coordinate into [0, last].
SurfaceCoordinate clamped(const Wave &wave, const SurfaceCoordinate &x, int32_t last) {
  if (!x.tile)
    return smin(smax(x.index, Index(0)), Index(last));
  Tensor moved = wave.tile(DType::int32);
  smax(moved, x.tile, 0);
  smin(moved, moved, last);
  return moved;
}

Mask is_inside(const Wave &wave, const SurfaceCoordinate &x, int32_t last) {
  if (!x.tile)
    return sle(Index(0), x.index) & sle(x.index, Index(last));
  return andnot(sle(wave, x.tile, last), slt(wave, x.tile, 0));
}

Access access(const Wave &wave, uint64_t handle, std::span<const SurfaceCoordinate> coordinates,
              int size, int offset, int bytes, int boundary, const Mask &mask) {
  const Texture &surface = texture_of(handle);
  const int64_t steps[] = {1, surface.row_bytes, surface.slice_bytes};
  const int32_t row = surface.size[0] * surface.components * surface.bits / 8;
  const int32_t last[] = {row - size, surface.size[1] - 1, surface.size[2] - 1};
  Access result{at(hbm<char>{surface.data}) + Index(int64_t(offset)), mask};
  for (size_t axis = 0; axis < coordinates.size(); ++axis) {
    SurfaceCoordinate x = coordinates[axis];
    if (SurfaceBoundary(boundary) == SurfaceBoundary::clamp)
      x = clamped(wave, x, last[axis]);
    else
      result.lanes &= is_inside(wave, x, last[axis]);
    if (!x.tile) {
      result.place = result.place + wide(x.index) * Index(steps[axis]);
    } else if (axis == 0) { // in pieces of the element, as memory is gathered
      Tensor piece = wave.tile(DType::int32);
      ashr(piece, x.tile, std::countr_zero(unsigned(bytes)));
      result.place = result.place.plus(piece, bytes);
    } else {
      result.place = result.place.plus(x.tile, steps[axis]);
    }
  }
  if (SurfaceBoundary(boundary) == SurfaceBoundary::trap) {
    const Mask outside = andnot(mask, result.lanes);
    if (outside.is_known() && outside.maybe_any())
      throw Error("surface access", "lanes access elements of the surface",
                  "a lane outside, with cudaBoundaryModeTrap");
  }
  return result;
}

void read(const Wave &wave, const Tensor &dst, uint64_t handle,
          std::span<const SurfaceCoordinate> coordinates, int size, int offset, int bytes,
          int boundary, const Mask &mask) {
  const Access where = access(wave, handle, coordinates, size, offset, bytes, boundary, mask);
  load(dst, where.place, bytes, where.lanes);
  if (SurfaceBoundary(boundary) != SurfaceBoundary::clamp)
    assign(dst, 0, andnot(mask, where.lanes));
}

void write(const Wave &wave, uint64_t handle, const IntOperand &value,
           std::span<const SurfaceCoordinate> coordinates, int size, int offset, int bytes,
           int boundary, const Mask &mask) {
  const Access where = access(wave, handle, coordinates, size, offset, bytes, boundary, mask);
  if (value.tile)
    store(where.place, value.tile, bytes, where.lanes);
  else
    store(where.place, uint32_t(value.value), bytes, where.lanes);
}

} // namespace

void surface_read_1d(const Wave &wave, const Tensor &dst, uint64_t handle,
                     const SurfaceCoordinate &x, int size, int offset, int bytes, int boundary,
                     const Mask &mask) {
  const SurfaceCoordinate coordinates[] = {x};
  read(wave, dst, handle, coordinates, size, offset, bytes, boundary, mask);
}

void surface_read_2d(const Wave &wave, const Tensor &dst, uint64_t handle,
                     const SurfaceCoordinate &x, const SurfaceCoordinate &y, int size, int offset,
                     int bytes, int boundary, const Mask &mask) {
  const SurfaceCoordinate coordinates[] = {x, y};
  read(wave, dst, handle, coordinates, size, offset, bytes, boundary, mask);
}

void surface_read_3d(const Wave &wave, const Tensor &dst, uint64_t handle,
                     const SurfaceCoordinate &x, const SurfaceCoordinate &y,
                     const SurfaceCoordinate &z, int size, int offset, int bytes, int boundary,
                     const Mask &mask) {
  const SurfaceCoordinate coordinates[] = {x, y, z};
  read(wave, dst, handle, coordinates, size, offset, bytes, boundary, mask);
}

void surface_write_1d(const Wave &wave, uint64_t handle, const IntOperand &value,
                      const SurfaceCoordinate &x, int size, int offset, int bytes, int boundary,
                      const Mask &mask) {
  const SurfaceCoordinate coordinates[] = {x};
  write(wave, handle, value, coordinates, size, offset, bytes, boundary, mask);
}

void surface_write_2d(const Wave &wave, uint64_t handle, const IntOperand &value,
                      const SurfaceCoordinate &x, const SurfaceCoordinate &y, int size, int offset,
                      int bytes, int boundary, const Mask &mask) {
  const SurfaceCoordinate coordinates[] = {x, y};
  write(wave, handle, value, coordinates, size, offset, bytes, boundary, mask);
}

void surface_write_3d(const Wave &wave, uint64_t handle, const IntOperand &value,
                      const SurfaceCoordinate &x, const SurfaceCoordinate &y,
                      const SurfaceCoordinate &z, int size, int offset, int bytes, int boundary,
                      const Mask &mask) {
  const SurfaceCoordinate coordinates[] = {x, y, z};
  write(wave, handle, value, coordinates, size, offset, bytes, boundary, mask);
}

} // namespace nki
