// cub::BlockReduce, in the order of threads: operators need not commute.
#pragma once

#include "../../neuronify/cub_shared.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int Legacy = 0>
class BlockReduce {
public:
  using TempStorage = neuronify_details::Room<T, X * Y * Z>;

  __device__ __forceinline__ BlockReduce() : storage_(own_storage()) {}
  __device__ __forceinline__ explicit BlockReduce(TempStorage &storage) : storage_(storage) {}

  /// Of the first `valid` threads; thread 0 gets the result.
  template <class Op> __device__ __forceinline__ T Reduce(T input, Op op, int valid) {
    const int rank = neuronify_details::thread_rank<X, Y, Z>();
    T *values = storage_.values();
    values[rank] = input;
    __syncthreads();
    for (int step = 1; step < X * Y * Z; step *= 2) {
      if (rank % (2 * step) == 0 && rank + step < valid)
        values[rank] = op(values[rank], values[rank + step]);
      __syncthreads();
    }
    return values[rank];
  }
  template <class Op> __device__ __forceinline__ T Reduce(T input, Op op) {
    return Reduce(input, op, X * Y * Z);
  }
  template <int Items, class Op> __device__ __forceinline__ T Reduce(T (&inputs)[Items], Op op) {
    T partial = inputs[0];
    for (int i = 1; i < Items; ++i)
      partial = op(partial, inputs[i]);
    return Reduce(partial, op);
  }
  __device__ __forceinline__ T Sum(T input) { return Reduce(input, cub::Sum()); }
  __device__ __forceinline__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  template <int Items> __device__ __forceinline__ T Sum(T (&inputs)[Items]) {
    return Reduce(inputs, cub::Sum());
  }

private:
  static __device__ __forceinline__ TempStorage &own_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage &storage_;
};

} // namespace cub
