// cub::BlockLoad and BlockStore: consecutive items of a thread; the algorithms differ in speed
// only, but for striped ones.
#pragma once

#include "../../neuronify/cub_shared.h"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace neuronify_details {
/// Which element of the block's stretch item `i` of this thread is.
template <int X, int Y, int Z, int Items, bool Striped> __device__ __forceinline__ int item(int i) {
  const int rank = thread_rank<X, Y, Z>();
  return Striped ? i * (X * Y * Z) + rank : rank * Items + i;
}
} // namespace neuronify_details

template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1, int Legacy = 0>
class BlockLoad {
public:
  struct TempStorage {
    char unused;
  };
  __device__ __forceinline__ BlockLoad() {}
  __device__ __forceinline__ explicit BlockLoad(TempStorage &) {}
  template <class From> __device__ __forceinline__ void Load(From from, T (&items)[Items]) {
    for (int i = 0; i < Items; ++i)
      items[i] = from[at(i)];
  }
  template <class From>
  __device__ __forceinline__ void Load(From from, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i)
      if (at(i) < valid)
        items[i] = from[at(i)];
  }
  template <class From, class Default>
  __device__ __forceinline__ void Load(From from, T (&items)[Items], int valid, Default other) {
    for (int i = 0; i < Items; ++i)
      items[i] = other;
    Load(from, items, valid);
  }

private:
  static __device__ __forceinline__ int at(int i) {
    return neuronify_details::item<X, Y, Z, Items, Algorithm == BLOCK_LOAD_STRIPED>(i);
  }
};

template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int Legacy = 0>
class BlockStore {
public:
  struct TempStorage {
    char unused;
  };
  __device__ __forceinline__ BlockStore() {}
  __device__ __forceinline__ explicit BlockStore(TempStorage &) {}
  template <class To> __device__ __forceinline__ void Store(To to, T (&items)[Items]) {
    for (int i = 0; i < Items; ++i)
      to[at(i)] = items[i];
  }
  template <class To> __device__ __forceinline__ void Store(To to, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i)
      if (at(i) < valid)
        to[at(i)] = items[i];
  }

private:
  static __device__ __forceinline__ int at(int i) {
    return neuronify_details::item<X, Y, Z, Items, Algorithm == BLOCK_STORE_STRIPED>(i);
  }
};

} // namespace cub
