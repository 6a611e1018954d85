// What the block and warp collectives of CUB share: operators, and values of any type in registers.
#pragma once

#include "../cuda_runtime.h"

namespace cub {

struct Sum {
  template <class T, class U> __host__ __device__ auto operator()(const T &a, const U &b) const {
    return a + b;
  }
};
struct Max {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const {
    return b < a ? b : a;
  }
};
struct Equality {
  template <class T, class U> __host__ __device__ bool operator()(const T &a, const U &b) const {
    return a == b;
  }
};
struct Inequality {
  template <class T, class U> __host__ __device__ bool operator()(const T &a, const U &b) const {
    return a != b;
  }
};

template <class Key, class Value> struct KeyValuePair {
  Key key;
  Value value;
};
/// The pair of the largest value; of equal ones that of the smallest key.
struct ArgMax {
  template <class K, class V>
  __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,
                                                    const KeyValuePair<K, V> &b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V>
  __host__ __device__ KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,
                                                    const KeyValuePair<K, V> &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

namespace neuronify_details {

/// Room for `Count` values of any type, as shared memory takes it: nothing is constructed.
template <class T, int Count> struct Room {
  alignas(T) unsigned char bytes[sizeof(T) * Count];
  __device__ T *values() { return reinterpret_cast<T *>(bytes); }
};

template <int X, int Y, int Z> __device__ __forceinline__ int thread_rank() {
  int rank = threadIdx.x;
  if (Y > 1 || Z > 1)
    rank += X * (int)threadIdx.y;
  if (Z > 1)
    rank += X * Y * (int)threadIdx.z;
  return rank;
}

enum class Direction { up, down };

/// A value of any size from another lane of the segment, word by word.
template <class T>
__device__ __forceinline__ T shuffle(const T &value, int distance, int width, Direction direction) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned from[words] = {}, to[words];
  __builtin_memcpy(from, &value, sizeof(T));
  for (int i = 0; i < words; ++i)
    to[i] = direction == Direction::up ? __shfl_up_sync(0xffffffffu, from[i], distance, width)
                                       : __shfl_down_sync(0xffffffffu, from[i], distance, width);
  T result;
  __builtin_memcpy(&result, to, sizeof(T));
  return result;
}

} // namespace neuronify_details

} // namespace cub
