// Cooperative groups: thread blocks, tiles of a warp, coalesced threads and the grid.
#pragma once

#include "cuda_runtime.h"
#include "neuronify/begin_library.h"

/// Waits for all blocks of the grid. Not defined: whoever runs the kernel provides it or refuses.
extern "C" __device__ void __neuronify_grid_sync();

namespace cooperative_groups {

namespace details {

static __device__ __forceinline__ unsigned block_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ unsigned block_size() {
  return blockDim.x * blockDim.y * blockDim.z;
}
/// The lanes of this thread's stretch of `size` threads in its warp, a power of two.
static __device__ __forceinline__ unsigned stretch_mask(unsigned size) {
  return size >= 32u ? 0xffffffffu : ((1u << size) - 1u) << (block_rank() % 32u / size * size);
}

/// Applies a shuffle of numbers to a value of any type: at once, or word by word.
template <class T, class Shuffle>
static __device__ __forceinline__ T shuffle_words(const T &value, Shuffle shuffle) {
  if constexpr (__is_arithmetic(T)) {
    return shuffle(value);
  } else {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned parts[words] = {};
    __builtin_memcpy(parts, &value, sizeof(T));
    for (int i = 0; i < words; ++i)
      parts[i] = shuffle(parts[i]);
    T result;
    __builtin_memcpy(&result, parts, sizeof(T));
    return result;
  }
}

} // namespace details

class thread_group;
static __device__ __forceinline__ thread_group tiled_partition(const thread_group &, unsigned);

class thread_group {
protected:
  unsigned mask_, rank_, size_;
  __device__ thread_group(unsigned mask, unsigned rank, unsigned size)
      : mask_(mask), rank_(rank), size_(size) {}
  template <unsigned Size, class Parent> friend class thread_block_tile;
  friend __device__ thread_group tiled_partition(const thread_group &, unsigned);

public:
  __device__ unsigned size() const { return size_; }
  __device__ unsigned num_threads() const { return size_; }
  __device__ unsigned thread_rank() const { return rank_; }
  __device__ void sync() const {
    if (mask_ == 0)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
};

class thread_block : public thread_group {
public:
  __device__ thread_block() : thread_group(0, details::block_rank(), details::block_size()) {}
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned thread_rank() { return details::block_rank(); }
  static __device__ unsigned size() { return details::block_size(); }
  static __device__ unsigned num_threads() { return details::block_size(); }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
static __device__ __forceinline__ thread_block this_thread_block() { return {}; }

class grid_group {
public:
  static __device__ bool is_valid() { return true; }
  static __device__ void sync() { __neuronify_grid_sync(); }
  static __device__ unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static __device__ unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * details::block_size() + details::block_rank();
  }
  static __device__ unsigned long long size() { return num_blocks() * details::block_size(); }
  static __device__ unsigned long long num_threads() { return size(); }
  static __device__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
static __device__ __forceinline__ grid_group this_grid() { return {}; }

/// Threads of one warp, `Size` of them in a row, a power of two up to 32.
template <unsigned Size, class Parent = void> class thread_block_tile {
public:
  thread_block_tile() = default;
  /// What a tile was cut from makes no difference to what it does.
  template <class Other> __device__ thread_block_tile(const thread_block_tile<Size, Other> &) {}

private:
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "tiles of a warp have a power of two of threads");

public:
  static __device__ unsigned mask() { return details::stretch_mask(Size); }
  __device__ operator thread_group() const { return {mask(), thread_rank(), Size}; }
  static __device__ unsigned thread_rank() { return details::block_rank() % Size; }
  static constexpr __device__ unsigned size() { return Size; }
  static constexpr __device__ unsigned num_threads() { return Size; }
  static __device__ unsigned meta_group_rank() { return details::block_rank() / Size; }
  static __device__ unsigned meta_group_size() { return (details::block_size() + Size - 1) / Size; }
  static __device__ void sync() { __syncwarp(mask()); }
  template <class T> __device__ T shfl(T value, int rank) const {
    return details::shuffle_words(value,
                                  [=](auto word) { return __shfl_sync(mask(), word, rank, Size); });
  }
  template <class T> __device__ T shfl_down(T value, unsigned delta) const {
    return details::shuffle_words(
        value, [=](auto word) { return __shfl_down_sync(mask(), word, delta, Size); });
  }
  template <class T> __device__ T shfl_up(T value, unsigned delta) const {
    return details::shuffle_words(
        value, [=](auto word) { return __shfl_up_sync(mask(), word, delta, Size); });
  }
  template <class T> __device__ T shfl_xor(T value, int lanes) const {
    return details::shuffle_words(
        value, [=](auto word) { return __shfl_xor_sync(mask(), word, lanes, Size); });
  }
  __device__ int any(int predicate) const { return __any_sync(mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask(), predicate); }
  __device__ unsigned ballot(int predicate) const {
    return (__ballot_sync(mask(), predicate) & mask()) >>
           (details::block_rank() % 32u / Size * Size);
  }
};

template <unsigned Size, class Group>
static __device__ __forceinline__ thread_block_tile<Size, Group> tiled_partition(const Group &) {
  return {};
}

/// The same with a size that is no constant: a power of two up to 32.
static __device__ __forceinline__ thread_group tiled_partition(const thread_group &,
                                                               unsigned size) {
  return {details::stretch_mask(size), details::block_rank() % size, size};
}

/// The threads of a warp that are active together.
class coalesced_group : public thread_group {
  /// The lane of the thread with a rank.
  __device__ int lane_of(unsigned rank) const { return (int)__fns(mask_, 0, (int)rank + 1); }

public:
  __device__ coalesced_group(unsigned mask)
      : thread_group(mask, (unsigned)__popc(mask & ((1u << (details::block_rank() % 32u)) - 1u)),
                     (unsigned)__popc(mask)) {}
  __device__ void sync() const { __syncwarp(mask_); }
  template <class T> __device__ T shfl(T value, unsigned rank) const {
    const int lane = lane_of(rank);
    return details::shuffle_words(value,
                                  [=, this](auto word) { return __shfl_sync(mask_, word, lane); });
  }
  template <class T> __device__ T shfl_down(T value, unsigned delta) const {
    return shfl(value, rank_ + delta < size_ ? rank_ + delta : rank_);
  }
  template <class T> __device__ T shfl_up(T value, unsigned delta) const {
    return shfl(value, rank_ >= delta ? rank_ - delta : rank_);
  }
  __device__ unsigned mask() const { return mask_; }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
};
static __device__ __forceinline__ coalesced_group coalesced_threads() { return {__activemask()}; }

/// The threads of a group whose predicate is the same.
template <class Group>
static __device__ __forceinline__ coalesced_group binary_partition(const Group &group,
                                                                   bool predicate) {
  const unsigned chosen = __ballot_sync(group.mask(), predicate);
  return {predicate ? chosen : group.mask() & ~chosen};
}
/// The threads of a group whose label is the same.
template <class Group, class Label>
static __device__ __forceinline__ coalesced_group labeled_partition(const Group &group,
                                                                    Label label) {
  return {__match_any_sync(group.mask(), label)};
}

static __device__ __forceinline__ void sync(const thread_group &group) { group.sync(); }
template <class Group> static __device__ __forceinline__ void sync(const Group &group) {
  group.sync();
}

template <class T = void> struct plus {
  template <class U> __device__ U operator()(U a, U b) const { return a + b; }
};
template <class T = void> struct less {
  template <class U> __device__ U operator()(U a, U b) const { return b < a ? b : a; }
};
template <class T = void> struct greater {
  template <class U> __device__ U operator()(U a, U b) const { return a < b ? b : a; }
};
template <class T = void> struct bit_and {
  template <class U> __device__ U operator()(U a, U b) const { return a & b; }
};
template <class T = void> struct bit_or {
  template <class U> __device__ U operator()(U a, U b) const { return a | b; }
};
template <class T = void> struct bit_xor {
  template <class U> __device__ U operator()(U a, U b) const { return a ^ b; }
};

/// The combination of all values of a tile, in every thread of it.
template <unsigned Size, class Parent, class T, class Op>
static __device__ __forceinline__ T reduce(const thread_block_tile<Size, Parent> &tile, T value,
                                           Op op) {
  for (unsigned lanes = Size / 2; lanes > 0; lanes /= 2)
    value = op(value, tile.shfl_xor(value, (int)lanes));
  return value;
}

/// The same for threads that are active together, in the order of their ranks.
template <class T, class Op>
static __device__ __forceinline__ T reduce(const coalesced_group &group, T value, Op op) {
  const unsigned rank = group.thread_rank(), size = group.size();
  for (unsigned step = 1; step < 32; step *= 2) {
    T other = group.shfl_down(value, step);
    if (rank % (2 * step) == 0 && rank + step < size)
      value = op(value, other);
  }
  return group.shfl(value, 0);
}

} // namespace cooperative_groups

#include "neuronify/end_library.h"
