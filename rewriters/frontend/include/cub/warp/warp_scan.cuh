// cub::WarpScan: all lanes of the logical warp take part.
#pragma once

#include "../../neuronify/cub_shared.h"

namespace cub {

template <class T, int Width = 32, int Legacy = 0> class WarpScan {
public:
  struct TempStorage {
    char unused;
  };
  __device__ __forceinline__ WarpScan() {}
  __device__ __forceinline__ explicit WarpScan(TempStorage &) {}

  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T &output, Op op) {
    for (int step = 1; step < Width; step *= 2) {
      T other = up(input, step);
      if (lane() >= step)
        input = op(other, input);
    }
    output = input;
  }
  template <class Op>
  __device__ __forceinline__ void ExclusiveScan(T input, T &output, T initial, Op op) {
    T sum;
    InclusiveScan(input, sum, op);
    T other = up(sum, 1);
    output = lane() == 0 ? initial : op(initial, other);
  }
  __device__ __forceinline__ void InclusiveSum(T input, T &output) {
    InclusiveScan(input, output, cub::Sum());
  }
  __device__ __forceinline__ void ExclusiveSum(T input, T &output) {
    ExclusiveScan(input, output, T(), cub::Sum());
  }
  template <class U> __device__ __forceinline__ U Broadcast(U input, unsigned source) {
    return __shfl_sync(0xffffffffu, input, source, Width);
  }

private:
  static __device__ __forceinline__ T up(const T &value, int step) {
    return neuronify_details::shuffle(value, step, Width, neuronify_details::Direction::up);
  }
  static __device__ __forceinline__ int lane() {
    return (((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31) % Width;
  }
};

} // namespace cub
