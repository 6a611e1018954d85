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

} // namespace details

class thread_group {
protected:
  unsigned mask_, rank_, size_;
  __device__ thread_group(unsigned mask, unsigned rank, unsigned size)
      : mask_(mask), rank_(rank), size_(size) {}

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
  static __device__ unsigned mask() {
    if constexpr (Size == 32)
      return 0xffffffffu;
    else
      return ((1u << Size) - 1u) << (details::block_rank() % 32u / Size * Size);
  }
  static __device__ unsigned thread_rank() { return details::block_rank() % Size; }
  static constexpr __device__ unsigned size() { return Size; }
  static constexpr __device__ unsigned num_threads() { return Size; }
  static __device__ unsigned meta_group_rank() { return details::block_rank() / Size; }
  static __device__ unsigned meta_group_size() { return (details::block_size() + Size - 1) / Size; }
  static __device__ void sync() { __syncwarp(mask()); }
  template <class T> __device__ T shfl(T value, int rank) const {
    return __shfl_sync(mask(), value, rank, Size);
  }
  template <class T> __device__ T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(mask(), value, delta, Size);
  }
  template <class T> __device__ T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(mask(), value, delta, Size);
  }
  template <class T> __device__ T shfl_xor(T value, int lanes) const {
    return __shfl_xor_sync(mask(), value, lanes, Size);
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
    return __shfl_sync(mask_, value, lane_of(rank));
  }
  template <class T> __device__ T shfl_down(T value, unsigned delta) const {
    return __shfl_sync(mask_, value, lane_of(rank_ + delta < size_ ? rank_ + delta : rank_));
  }
  template <class T> __device__ T shfl_up(T value, unsigned delta) const {
    return __shfl_sync(mask_, value, lane_of(rank_ >= delta ? rank_ - delta : rank_));
  }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
};
static __device__ __forceinline__ coalesced_group coalesced_threads() { return {__activemask()}; }

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

} // namespace cooperative_groups

#include "neuronify/end_library.h"
