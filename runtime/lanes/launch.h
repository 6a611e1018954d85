// One launch of a ported kernel on one core, and the waves it runs in.
#pragma once

#include "lanes/index.h"
#include "lanes/mask.h"
#include "nki/tensor.h"

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
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
  /// blocks of a row, so that what it holds is long enough for an efficient transfer, or a part of
  /// a
  /// block, so that it fits.
  flat,
  /// Threads work together in warps only: as flat, but parts of a block are made of whole warps.
  warps,
};

/// What a kernel needs of a partition for each of its lanes, in bytes: tiles, local arrays and
/// scratch of operations that are there at the same time.
struct LaneBytes {
  int64_t count = 160; ///< leaves room for 1,024 lanes on every generation
};

/// Whether blocks may run in any order on any core, in any order on one core, or one wave after the
/// other on one core so that all lanes, from wave to wave, are in the order of blocks (x first) and
/// of their threads.
enum class Order : uint8_t { any, one_core, sequential };

struct Place;
struct Wide;

/// A host address in device memory, typed: what a `T *` argument of the original becomes.
template <class T> struct hbm {
  T *pointer = nullptr;
  // Places (lanes/element.h); an index of fewer than 64 bits counts as signed.
  Place operator[](const Index &element) const;  ///< `pointer[element]`
  Place operator[](const Tensor &element) const; ///< element computed on the chip, int32 {P, F}
  Place byte(const Index &offset) const;
};

class Waves;
class GridTurns;

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
  /// What stands at byte `offset` of argument `index`, `size` bytes large. Zero outside of it:
  /// lanes that do not take part may ask for anything.
  template <class T> T field(int index, size_t size, int64_t offset) const {
    return offset < 0 || size < sizeof(T) || uint64_t(offset) > size - sizeof(T)
               ? T()
               : argument<T>(index, size_t(offset));
  }
  /// The same per lane, at places that the launch knows: an integer, of the bits of `T`.
  template <class T> Index field(int index, size_t size, const Index &offset) const {
    return field(index, size, 8 * int(sizeof(T)), offset);
  }
  Index field(int index, size_t size, int bits, const Index &offset) const;
  template <class T> hbm<T> pointer(int index, size_t offset = 0) const {
    return {argument<T *>(index, offset)};
  }
  /// The device copy of a `__device__` or `__constant__` variable.
  template <class T> hbm<T> symbol(std::string_view mangled) const {
    return {static_cast<T *>(const_cast<void *>(symbol_address(symbol_context, mangled)))};
  }

  /// This core's waves, in ascending order of blocks. With other orders than `any` core 0 gets
  /// all.
  /// `lane_bytes` bounds how many lanes a partition gets, except where blocks stay whole.
  Waves waves(Mapping mapping, Order order = Order::any, LaneBytes lane_bytes = {}) const;
  Waves waves(Mapping mapping, LaneBytes lane_bytes) const;

  /// A core that ran out of space before it stored anything starts again with this many halvings of
  /// the lanes per partition (runtime/host/executor.cpp). Its share of the launch stays the same.
  int halvings = 0;
  /// Whether another halving would make waves smaller; waves() tells.
  mutable bool can_halve = false;
  /// What the lanes of a partition need together in the largest wave, in bytes; waves() tells.
  mutable int64_t needed_bytes = 0;
  /// How many waves are on the chip at the same time; run_together() tells (lanes/together.h).
  mutable uint64_t waves_together = 1;
  mutable GridTurns *turns = nullptr; ///< of waves that wait for each other
};

/// A copy of argument `index` in device memory, for lanes that read it at places of their own.
class ArgumentCopy {
public:
  /// Throws nki::Error where device memory is full.
  ArgumentCopy(const Launch &launch, int index, size_t size);
  ArgumentCopy(const ArgumentCopy &) = delete;
  ArgumentCopy &operator=(const ArgumentCopy &) = delete;
  ~ArgumentCopy();

protected:
  void *memory_;
};

/// The same as a pointer to `T`.
template <class T> struct ArgumentMemory : ArgumentCopy, hbm<T> {
  ArgumentMemory(const Launch &launch, int index, size_t size)
      : ArgumentCopy(launch, index, size), hbm<T>{static_cast<T *>(memory_)} {}
};

/// The axes of a wave, outermost first: the partition axis is a box of blocks (z, y, x), the free
/// axis is [k consecutive blocks along x][thread.z][thread.y][thread.x].
inline constexpr int kWaveAxes = 7, kPartitionAxes = 3;

/// The lanes of one pass over the chip: P partitions times F lanes.
///
/// Lane order is partition-major: lane = partition * F + free. Every lane of a wave exists: waves
/// are cut so that ragged edges of the grid become waves of their own. Index and Mask values point
/// to their wave, so a wave stays where it was made.
class Wave {
public:
  /// A box of the threads of a block.
  struct Threads {
    std::array<uint32_t, 3> first, extent;
  };
  /// `box` partitions along x, y, z, of `blocks_per_partition` blocks along x each; block
  /// (first_block.x + column * blocks_per_partition + k, ...). At most 128 partitions.
  Wave(const Launch &launch, std::array<uint32_t, 3> first_block, std::array<uint32_t, 3> box,
       uint32_t blocks_per_partition);
  /// The same with some threads of each block.
  Wave(const Launch &launch, std::array<uint32_t, 3> first_block, std::array<uint32_t, 3> box,
       uint32_t blocks_per_partition, const Threads &threads);
  Wave(const Wave &) = delete;
  Wave &operator=(const Wave &) = delete;

  const Launch &launch() const { return *launch_; }
  int64_t P() const { return partitions_; } ///< partitions in use, 1 to 128
  int64_t F() const { return free_; }       ///< lanes per partition
  int64_t lanes() const { return partitions_ * free_; }
  /// Lanes of one block in this wave; all its threads, or consecutive ones of them.
  int64_t threads() const { return free_ / counts_[3]; }
  int64_t coordinate(Axis axis, int64_t lane) const;
  const std::array<int64_t, kWaveAxes> &counts() const { return counts_; }
  /// What one step along each of the wave's axes adds to a coordinate.
  std::array<int64_t, kWaveAxes> steps(Axis axis) const;
  int64_t first(Axis axis) const { return first_[int(axis)]; } ///< coordinate of lane 0
  int64_t last(Axis axis) const { return last_[int(axis)]; }   ///< of the last lane

  struct Coordinates {
    Index x, y, z;
  };
  Coordinates threadIdx, blockIdx; ///< 32-bit, as in CUDA
  Mask all() const { return Mask(*this, true); }
  /// A fresh tile {P, F}: one element per lane, contents unwritten.
  Tensor tile(DType type) const;
  /// A fresh 64-bit integer per lane (lanes/wide.h), contents unwritten.
  Wide wide() const;

private:
  const Launch *launch_;
  int64_t partitions_, free_;
  std::array<int64_t, kWaveAxes> counts_;
  std::array<int64_t, kAxes> first_, last_;
};

/// The waves of a launch on one core: a range to loop over once or more, which makes each wave when
/// it is its turn.
class Waves {
public:
  /// A box of the grid that is cut into equal waves.
  struct Region {
    std::array<uint32_t, 3> first; ///< first block
    std::array<uint32_t, 3> box;   ///< partitions of one wave along x, y, z
    std::array<uint64_t, 3> waves; ///< waves along x, y, z
    uint32_t blocks_per_partition;
    uint64_t count() const { return waves[0] * waves[1] * waves[2]; }
  };
  class Iterator {
  public:
    /// At wave `number` of this core.
    Iterator(const Waves &waves, uint64_t number = 0);
    Wave &operator*() { return *wave_; }
    Iterator &operator++();
    bool operator==(std::default_sentinel_t) const { return next_ > waves_->end_; }

  private:
    void make(uint64_t number);
    const Waves *waves_;
    uint64_t next_;
    std::optional<Wave> wave_;
  };

  /// Parts of a block that stay on one core.
  using Parts = std::vector<Wave::Threads>;
  /// Each wave of each region runs once per part, one after the other. Cores share the parts'
  /// lists.
  Waves(const Launch &launch, std::vector<Region> regions, const std::vector<Parts> &parts,
        int core, int cores);
  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }
  uint64_t size() const { return end_ - begin_; } ///< of this core
  const std::vector<Region> &regions() const { return regions_; }
  const Launch &launch() const { return *launch_; }

private:
  const Launch *launch_;
  std::vector<Region> regions_;
  Parts parts_;          // of all lists
  uint64_t begin_, end_; // this core's share, counted through all regions
};

inline Waves Launch::waves(Mapping mapping, LaneBytes lane_bytes) const {
  return waves(mapping, Order::any, lane_bytes);
}

} // namespace nki
