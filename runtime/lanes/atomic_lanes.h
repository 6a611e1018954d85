// 128 lanes at a time, in lane order, and which of them meet. Private to runtime/lanes/atomic*.cpp.
#pragma once

#include "lanes/tiles.h"

#include <algorithm>

namespace nki::atomics {

/// A tile {P, F} in lane order, in two layouts; lanes beyond the last hold `rest`.
class Lanes {
public:
  Lanes(const Tensor &tile, uint32_t rest)
      : lanes_(tile.partitions() * tile.elements_per_partition()),
        height_(std::min<int64_t>(lanes_, 128)), columns_((lanes_ + height_ - 1) / height_),
        memory_(nl::ndarray({height_ * columns_}, DType::int32, nl::hbm, "scratch")) {
    int64_t missing = height_ * columns_ - lanes_;
    nisa::dma_copy(memory_.ap({{1, lanes_}}), tile);
    if (!missing)
      return;
    Tensor filling = nl::ndarray({1, missing}, DType::int32);
    nisa::memset(tiles::as(filling, DType::uint32), rest);
    nisa::dma_copy(memory_.ap({{1, missing}}, lanes_), filling);
  }
  int64_t height() const { return height_; }
  int64_t columns() const { return columns_; }
  /// {height, count}: lane c * height + p at (p, c - first).
  Tensor on_partitions(int64_t first, int64_t count) const {
    Tensor tile = nl::ndarray({height_, count}, DType::int32);
    nisa::dma_copy(tile, memory_.ap({{1, height_}, {height_, count}}, first * height_));
    return tile;
  }
  /// {height, count * height}: in every partition the lanes of the columns.
  Tensor everywhere(int64_t first, int64_t count) const {
    Tensor tile = nl::ndarray({height_, count * height_}, DType::int32);
    nisa::dma_copy(tile, memory_.ap({{0, height_}, {1, count * height_}}, first * height_));
    return tile;
  }
  /// Writes {height, count} back.
  void put(const Tensor &tile, int64_t first) const {
    nisa::dma_copy(memory_.ap({{1, height_}, {height_, tile.shape(1)}}, first * height_), tile);
  }
  void take(const Tensor &tile) const { nisa::dma_copy(tile, memory_.ap({{1, lanes_}})); }

private:
  int64_t lanes_, height_, columns_;
  Tensor memory_;
};

/// {N, columns} as {N, columns, count}: each column repeated.
inline Tensor repeated(const Tensor &tile, int64_t count) {
  Dim dims[] = {tile.dims()[0], tile.dims()[1], {0, count}};
  return Tensor(tile.storage(), tile.dtype(), dims, tile.start_partition(), tile.offset_bytes());
}
/// {N, count} as {N, groups, count}.
inline Tensor per_group(const Tensor &tile, int64_t groups) {
  Dim dims[] = {tile.dims()[0], {0, groups}, tile.dims()[1]};
  return Tensor(tile.storage(), tile.dtype(), dims, tile.start_partition(), tile.offset_bytes());
}
/// {N, groups * count} as {N, groups, count}.
inline Tensor grouped(const Tensor &tile, int64_t groups) {
  int64_t count = tile.shape(1) / groups;
  Dim dims[] = {tile.dims()[0], {count, groups}, {1, count}};
  return Tensor(tile.storage(), tile.dtype(), dims, tile.start_partition(), tile.offset_bytes());
}

/// Which lanes of its column each lane meets, itself included: uint32 {N, columns * N}. `index` has
/// the columns on partitions.
Tensor meetings(const Lanes &lanes, const Tensor &index, int64_t first, int64_t columns);
/// Those that come before it.
Tensor earlier(const Tensor &meet, int64_t columns);

} // namespace nki::atomics
