#include "lanes/last_lane.h"

#include "lanes/tiles.h"

namespace nki {

LastLane last_lane(const Wave &wave, const Mask &mask) {
  // Position + 1 where a lane is in the mask, else 0; positions are far below 2^24, so that the
  // reduction in fp32 is exact.
  Tensor position = wave.tile(DType::uint32);
  nisa::iota(position, {{1, wave.F()}}, 1, 0);
  nisa::tensor_tensor(position, position, mask.tile(wave), nl::multiply);
  LastLane last{nl::ndarray({wave.P(), 1}, DType::uint32),
                nl::ndarray({wave.P(), 1}, DType::uint32)};
  nisa::tensor_reduce(last.exists, nl::maximum, position, 1);
  nisa::tensor_scalar(last.index, last.exists, nl::maximum, 1.0f, false, nl::subtract, 1.0f);
  return last;
}

Tensor elements_of(const LastLane &last, const Tensor &tile) {
  Tensor column = nl::ndarray({tile.partitions(), 1}, tile.dtype());
  nisa::nc_n_gather(column, tile, last.index);
  return column;
}

} // namespace nki
