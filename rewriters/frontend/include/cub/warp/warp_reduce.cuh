// cub::WarpReduce: all lanes of the logical warp take part, and its first gets the result.
#pragma once

#include "../../neuronify/cub_shared.h"

namespace cub {

template <class T, int Width = 32, int Legacy = 0> class WarpReduce {
public:
  struct TempStorage {
    char unused;
  };
  __device__ __forceinline__ WarpReduce() {}
  __device__ __forceinline__ explicit WarpReduce(TempStorage &) {}

  template <class Op> __device__ __forceinline__ T Reduce(T input, Op op, int valid) {
    const int lane = (neuronify_block_rank() & 31) % Width;
    for (int step = 1; step < Width; step *= 2) {
      T other = neuronify_details::shuffle(input, step, Width, neuronify_details::Direction::down);
      if (lane + step < valid)
        input = op(input, other);
    }
    return input;
  }
  template <class Op> __device__ __forceinline__ T Reduce(T input, Op op) {
    return Reduce(input, op, Width);
  }
  __device__ __forceinline__ T Sum(T input) { return Reduce(input, cub::Sum()); }
  __device__ __forceinline__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }

private:
  static __device__ __forceinline__ unsigned neuronify_block_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
};

} // namespace cub
