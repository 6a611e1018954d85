// Small helpers on tiles {P, F}. Private to this room.
#pragma once

#include "lanes/launch.h"
#include "nki/isa.h"

namespace nki::tiles {

/// A fresh tile of the shape of `tile`.
inline Tensor like(const Tensor &tile, DType type) {
  return nl::ndarray({tile.partitions(), tile.elements_per_partition()}, type);
}
/// The same elements as another type of the same size.
inline Tensor as(const Tensor &tile, DType type) {
  return tile.dtype() == type ? tile
                              : Tensor(tile.storage(), type, tile.dims(), tile.start_partition(),
                                       tile.offset_bytes());
}
/// A column {P, 1} seen as {P, count}, the same value everywhere in a partition.
inline Tensor spread(const Tensor &column, int64_t count) {
  Dim dims[] = {column.dims()[0], {0, count}};
  return Tensor(column.storage(), column.dtype(), dims, column.start_partition(),
                column.offset_bytes());
}
/// Column `free` of a tile, {P, 1}.
inline Tensor column(const Tensor &tile, int64_t free) {
  Dim dims[] = {tile.dims()[0], {1, 1}};
  return Tensor(tile.storage(), tile.dtype(), dims, tile.start_partition(),
                tile.offset_bytes() +
                    free * tile.dims()[1].stride * int64_t(size_of(tile.dtype())));
}
/// A column {P, 1} that holds one 32-bit number, as int32, uint32 or float32 bits.
Tensor number(int64_t partitions, uint32_t bits, DType type);
/// The same as a tile {P, F} like `tile`, without storage for more than the column.
inline Tensor numbers_like(const Tensor &tile, uint32_t bits, DType type) {
  return spread(number(tile.partitions(), bits, type), tile.elements_per_partition());
}

/// Do the tiles share an element in the same place? (An instruction that writes one of them in
/// steps must not read the other later.)
inline bool same(const Tensor &a, const Tensor &b) { return a && b && a.storage() == b.storage(); }

/// Nothing was written to the tile yet. Instructions that fill a part of it fill the rest first, so
/// that dead lanes hold numbers: their masks are computed from them, and a predicate must not be
/// made of unwritten memory.
bool is_unwritten(const Tensor &tile);
/// Zeroes a tile to which nothing was written yet.
void define(const Tensor &tile);
/// dst = 0, whatever its type.
void clear(const Tensor &dst);

/// A constant of the program in device memory: what the compiler would place in HBM.
Tensor constant(const void *values, int64_t count, DType type);
/// A constant tile {partitions, columns}, element (p, c) is values[p * row + c * column].
Tensor constant_tile(int64_t partitions, int64_t columns, const std::vector<uint32_t> &values,
                     int64_t row, int64_t column, DType type);
/// A constant per lane, copied to the chip: int32 or uint32 {P, F}, or {P, 1} where it does not
/// vary inside a partition.
Tensor constant_tile(const Wave &wave, const LaneArray<int64_t> &values, DType type);

/// One launch-known 32-bit value per partition, that of its first lane: int32 {P, 1}.
Tensor partition_column(const Wave &wave, const Index &value);

} // namespace nki::tiles
