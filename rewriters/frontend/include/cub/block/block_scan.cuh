// cub::BlockScan, in the order of threads and of their items.
#pragma once

#include "../../neuronify/cub_shared.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int Legacy = 0>
class BlockScan {
public:
  using TempStorage = neuronify_details::Room<T, X * Y * Z>;

  __device__ __forceinline__ BlockScan() : storage_(own_storage()) {}
  __device__ __forceinline__ explicit BlockScan(TempStorage &storage) : storage_(storage) {}

  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T &output, Op op) {
    output = scan(input, op);
  }
  template <class Op>
  __device__ __forceinline__ void InclusiveScan(T input, T &output, Op op, T &aggregate) {
    output = scan(input, op);
    aggregate = total();
  }
  template <class Op>
  __device__ __forceinline__ void ExclusiveScan(T input, T &output, T initial, Op op) {
    scan(input, op);
    output = before(initial, op);
  }
  template <class Op>
  __device__ __forceinline__ void ExclusiveScan(T input, T &output, T initial, Op op,
                                                T &aggregate) {
    scan(input, op);
    output = before(initial, op);
    aggregate = total();
  }
  template <int Items, class Op>
  __device__ __forceinline__ void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Op op) {
    T partial = inputs[0];
    for (int i = 1; i < Items; ++i)
      partial = op(partial, inputs[i]);
    scan(partial, op);
    const bool first = rank() == 0;
    T sum = first ? inputs[0] : op(storage_.values()[first ? 0 : rank() - 1], inputs[0]);
    outputs[0] = sum;
    for (int i = 1; i < Items; ++i)
      outputs[i] = sum = op(sum, inputs[i]);
  }
  template <int Items, class Op>
  __device__ __forceinline__ void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Op op,
                                                T &aggregate) {
    InclusiveScan(inputs, outputs, op);
    aggregate = total();
  }
  template <int Items, class Op>
  __device__ __forceinline__ void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial,
                                                Op op) {
    T partial = inputs[0];
    for (int i = 1; i < Items; ++i)
      partial = op(partial, inputs[i]);
    scan(partial, op);
    T sum = before(initial, op);
    for (int i = 0; i < Items; ++i) { // the two may be one array
      T next = op(sum, inputs[i]);
      outputs[i] = sum;
      sum = next;
    }
  }
  template <int Items, class Op>
  __device__ __forceinline__ void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial,
                                                Op op, T &aggregate) {
    ExclusiveScan(inputs, outputs, initial, op);
    aggregate = total();
  }

  __device__ __forceinline__ void InclusiveSum(T input, T &output) {
    InclusiveScan(input, output, cub::Sum());
  }
  __device__ __forceinline__ void InclusiveSum(T input, T &output, T &aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }
  __device__ __forceinline__ void ExclusiveSum(T input, T &output) {
    ExclusiveScan(input, output, T(), cub::Sum());
  }
  __device__ __forceinline__ void ExclusiveSum(T input, T &output, T &aggregate) {
    ExclusiveScan(input, output, T(), cub::Sum(), aggregate);
  }
  template <int Items>
  __device__ __forceinline__ void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items]) {
    InclusiveScan(inputs, outputs, cub::Sum());
  }
  template <int Items>
  __device__ __forceinline__ void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items],
                                               T &aggregate) {
    InclusiveScan(inputs, outputs, cub::Sum(), aggregate);
  }
  template <int Items>
  __device__ __forceinline__ void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items]) {
    ExclusiveScan(inputs, outputs, T(), cub::Sum());
  }
  template <int Items>
  __device__ __forceinline__ void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items],
                                               T &aggregate) {
    ExclusiveScan(inputs, outputs, T(), cub::Sum(), aggregate);
  }

private:
  static __device__ __forceinline__ int rank() { return neuronify_details::thread_rank<X, Y, Z>(); }
  static __device__ __forceinline__ TempStorage &own_storage() {
    __shared__ TempStorage storage;
    return storage;
  }
  /// The inclusive scan, left in the storage too.
  template <class Op> __device__ __forceinline__ T scan(T input, Op op) {
    T *values = storage_.values();
    const int at = rank();
    values[at] = input;
    __syncthreads();
    for (int step = 1; step < X * Y * Z; step *= 2) {
      T sum = values[at];
      if (at >= step)
        sum = op(values[at - step], sum);
      __syncthreads();
      values[at] = sum;
      __syncthreads();
    }
    return values[at];
  }
  template <class Op> __device__ __forceinline__ T before(T initial, Op op) {
    const int at = rank();
    if (at == 0)
      return initial;
    return op(initial, storage_.values()[at - 1]);
  }
  __device__ __forceinline__ T total() { return storage_.values()[X * Y * Z - 1]; }

  TempStorage &storage_;
};

} // namespace cub
