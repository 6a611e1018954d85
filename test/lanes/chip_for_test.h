// A core to run on, and tiles to and from host vectors, for tests.
#pragma once

#include "chip/core.h"
#include "chip/storage.h"
#include "lanes/launch.h"
#include "nki/isa.h"

#include "waves_for_test.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace nki {

class TestChip {
public:
  explicit TestChip(chip::ChipAssumptions assumptions = {})
      : core_(chip::generation("trn3"), hbm_, assumptions), scope_(core_) {}
  chip::Hbm &device_memory() { return hbm_; }
  chip::Core &core() { return core_; }

  /// Device memory with the values of a vector.
  template <class T> hbm<T> device(const std::vector<T> &values) {
    T *pointer = static_cast<T *>(hbm_.allocate(values.size() * sizeof(T)));
    std::memcpy(pointer, values.data(), values.size() * sizeof(T));
    return {pointer};
  }

private:
  chip::Hbm hbm_;
  chip::Core core_;
  CoreScope scope_;
};

/// A tile with the 32-bit values of a vector, lane order.
template <class T> Tensor to_tile(const Wave &wave, const std::vector<T> &values, DType type) {
  static_assert(sizeof(T) == 4);
  Tensor memory = nl::ndarray({wave.lanes()}, type, nl::hbm);
  std::memcpy(memory.storage()->base, values.data(), values.size() * 4);
  Tensor tile = wave.tile(type);
  nisa::dma_copy(tile, memory);
  return tile;
}

/// The 32-bit elements of a tile, lane order; those that were never written read as they lie there.
template <class T> std::vector<T> from_tile(const Tensor &tile) {
  static_assert(sizeof(T) == 4);
  std::vector<T> values;
  const Dim &step = tile.dims()[1];
  for (int64_t p = 0; p < tile.partitions(); ++p)
    for (int64_t f = 0; f < step.count; ++f) {
      T value;
      std::memcpy(&value,
                  tile.storage()->row(tile.start_partition() + p) + tile.offset_bytes() +
                      f * step.stride * 4,
                  4);
      values.push_back(value);
    }
  return values;
}

} // namespace nki
