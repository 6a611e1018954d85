// Texture fetches and surface accesses: what a GPU's texture units do, as loads and arithmetic.
//
// Coordinates, filters and borders follow the CUDA programming guide, "Texture Fetching"; what it
// leaves open is in docs/numerics.md. A handle of the original (a texture or surface object) is the
// address of a Texture in device memory, so that the modes are known when a kernel is launched and
// only the instructions are issued that the modes ask for.
#pragma once

#include "lanes/element.h"
#include "lanes/launch.h"
#include "lanes/mask.h"

#include <cstdint>

namespace nki {

/// A texture or surface: where its texels are, and how coordinates become texels. The layout is
/// known to runtime/reference/device/texture.h, too.
struct Texture {
  static constexpr uint64_t kMark = 0x6572757478657421; ///< tells a handle from other numbers
  enum class Kind : int32_t { signed_integer = 0, unsigned_integer = 1, floating = 2 };
  enum class Address : int32_t { wrap = 0, clamp = 1, mirror = 2, border = 3 };

  uint64_t mark = 0;
  char *data = nullptr;
  int64_t row_bytes = 0, slice_bytes = 0; ///< from row to row, from slice (or layer) to slice
  int32_t size[3] = {1, 1, 1};            ///< texels along x, rows, slices (or layers)
  int32_t components = 0;                 ///< of a texel: 1, 2 or 4
  int32_t bits = 0;                       ///< of a component: 8, 16 or 32
  Kind kind = Kind::signed_integer;
  Address address[3] = {};
  int32_t linear = 0;     ///< filter: the weighted mean of the texels around, or the nearest
  int32_t normalized = 0; ///< coordinates run from 0 to 1
  int32_t to_float = 0;   ///< integers are read as numbers of [0, 1] or [-1, 1]
  float border[4] = {};
};

/// The handle of what is bound to a texture or surface reference, a variable of the program.
inline uint64_t texture_handle(hbm<unsigned char> reference) {
  uint64_t handle;
  __builtin_memcpy(&handle, reference.pointer, sizeof handle);
  return handle;
}
template <class T> uint64_t texture_handle(hbm<T> reference) {
  return texture_handle(hbm<unsigned char>{reinterpret_cast<unsigned char *>(reference.pointer)});
}

// dst = component `component` of the texel, for the lanes of `mask`; other lanes are unspecified.
// `dst` is {P, F}: float32, or int32 for integers (extended from their width). What is not there is
// zero. Throws nki::Error where `handle` is none.

/// Texel x of linear memory, without filter; zero outside.
void texture_element(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                     const Index &x, const Mask &mask);
void texture_element(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                     const Tensor &x, const Mask &mask);
void texture_1d(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                const FloatOperand &x, const Mask &mask);
void texture_2d(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                const FloatOperand &x, const FloatOperand &y, const Mask &mask);
void texture_3d(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                const FloatOperand &x, const FloatOperand &y, const FloatOperand &z,
                const Mask &mask);
void texture_1d_layered(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                        const FloatOperand &x, const IntOperand &layer, const Mask &mask);
void texture_2d_layered(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                        const FloatOperand &x, const FloatOperand &y, const IntOperand &layer,
                        const Mask &mask);

/// An integer coordinate of each lane: launch-known, or an int32 tile.
struct SurfaceCoordinate {
  SurfaceCoordinate(const Index &index) : index(index) {}
  SurfaceCoordinate(int index) : index(index) {}
  SurfaceCoordinate(const Tensor &tile) : tile(tile) {}
  Index index;
  Tensor tile;
};

/// What happens to accesses outside: reads give zero and writes are dropped, or they move to the
/// edge, or the kernel ends. (Where only the chip knows that a lane is outside, no kernel ends:
/// trap does what zero does.)
enum class SurfaceBoundary : int32_t { zero = 0, clamp = 1, trap = 2 };

// Element x (in bytes, a multiple of the element's `size`) of row y and slice or layer z: its
// `bytes` bytes (1, 2 or 4) at `offset`, as an int32 tile whose upper bits are unspecified.
void surface_read_1d(const Wave &wave, const Tensor &dst, uint64_t handle,
                     const SurfaceCoordinate &x, int size, int offset, int bytes, int boundary,
                     const Mask &mask);
void surface_read_2d(const Wave &wave, const Tensor &dst, uint64_t handle,
                     const SurfaceCoordinate &x, const SurfaceCoordinate &y, int size, int offset,
                     int bytes, int boundary, const Mask &mask);
void surface_read_3d(const Wave &wave, const Tensor &dst, uint64_t handle,
                     const SurfaceCoordinate &x, const SurfaceCoordinate &y,
                     const SurfaceCoordinate &z, int size, int offset, int bytes, int boundary,
                     const Mask &mask);
void surface_write_1d(const Wave &wave, uint64_t handle, const IntOperand &value,
                      const SurfaceCoordinate &x, int size, int offset, int bytes, int boundary,
                      const Mask &mask);
void surface_write_2d(const Wave &wave, uint64_t handle, const IntOperand &value,
                      const SurfaceCoordinate &x, const SurfaceCoordinate &y, int size, int offset,
                      int bytes, int boundary, const Mask &mask);
void surface_write_3d(const Wave &wave, uint64_t handle, const IntOperand &value,
                      const SurfaceCoordinate &x, const SurfaceCoordinate &y,
                      const SurfaceCoordinate &z, int size, int offset, int bytes, int boundary,
                      const Mask &mask);

/// The texture of a handle; throws nki::Error where it is none.
const Texture &texture_of(uint64_t handle);

} // namespace nki
