// One launch of a ported kernel on one core, and the waves it runs in.
#pragma once

#include "lanes/index.h"
#include "lanes/mask.h"
#include "nki/tensor.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nki {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// How lanes are laid out on the chip.
enum class Mapping : uint8_t {
  /// One block per partition, its threads along the free axis (x fastest). Needed by kernels whose
  /// threads work together (shared memory, barriers, shuffles).
  block_per_partition,
  /// Threads are independent: as block_per_partition, but a partition may hold several consecutive
  /// blocks of a row (small blocks), or a chunk of a block's threads (large ones).
  flat,
};

/// Whether blocks may run in any order on any core, or one wave after the other on one core.
enum class Order : uint8_t { any, sequential };

/// A host address in device memory, typed: what a `T *` argument of the original becomes.
template <class T> struct hbm {
  T *pointer = nullptr;
};

/// A launch: configuration, arguments, and this core's share of the waves.
class Launch {
public:
  Dim3 gridDim, blockDim;
  uint32_t dynamic_shared_bytes = 0;
  int core = 0, cores = 1;          ///< this core's number, and how many share the launch
  bool precise_math = false;        ///< see docs/numerics.md
  std::span<void *const> arguments; ///< addresses of the arguments, as cudaLaunchKernel takes them
  const void *(*symbol_address)(const void *context, std::string_view mangled) = nullptr;
  const void *symbol_context = nullptr;

  /// Argument `index`, or the field at byte `offset` inside it.
  template <class T> T argument(int index, size_t offset = 0) const {
    T value;
    __builtin_memcpy(&value, static_cast<const char *>(arguments[index]) + offset, sizeof(T));
    return value;
  }
  template <class T> hbm<T> pointer(int index, size_t offset = 0) const {
    return {argument<T *>(index, offset)};
  }
  /// The device copy of a `__device__` or `__constant__` variable.
  template <class T> hbm<T> symbol(std::string_view mangled) const {
    return {static_cast<T *>(const_cast<void *>(symbol_address(symbol_context, mangled)))};
  }

  /// This core's waves. With Order::sequential core 0 gets all of them.
  std::vector<Wave> waves(Mapping mapping, Order order = Order::any) const;
};

/// The lanes of one pass over the chip: P partitions times F lanes.
///
/// Lane order is partition-major: lane = partition * F + free. The partition axis is a box of
/// blocks (rows of the grid, `block.x` fastest); the free axis is [k consecutive blocks along x]
/// [thread.z][thread.y][thread.x]. Every lane of a wave exists: waves are cut so that ragged edges
/// of the grid become waves of their own.
class Wave {
public:
  Wave(const Launch &launch, int64_t partitions, int64_t rows, std::array<uint32_t, 3> first_block,
       int64_t blocks_per_partition, std::array<uint32_t, 3> first_thread,
       std::array<uint32_t, 3> threads);

  const Launch &launch() const { return *launch_; }
  int64_t P() const { return partitions_; } ///< partitions in use, 1 to 128
  int64_t F() const { return free_; }       ///< lanes per partition
  int64_t lanes() const { return partitions_ * free_; }
  int64_t coordinate(Axis axis, int64_t lane) const;
  /// Strides of a coordinate along the wave's axes, in order
  /// [partition row, partition column, k, thread.z, thread.y, thread.x]; counts likewise.
  std::array<int64_t, 6> counts() const;
  std::array<int64_t, 6> steps(Axis axis) const;
  int64_t first(Axis axis) const; ///< coordinate of lane 0

  struct Coordinates {
    Index x, y, z;
  };
  Coordinates threadIdx, blockIdx; ///< 32-bit, as in CUDA
  Mask all() const { return Mask(*this, true); }
  /// A fresh tile {P, F}: one element per lane, contents unwritten.
  Tensor tile(DType type) const;

private:
  const Launch *launch_;
  int64_t partitions_, rows_, free_;
  std::array<uint32_t, 3> first_block_, first_thread_, threads_;
  int64_t blocks_per_partition_;
};

} // namespace nki
