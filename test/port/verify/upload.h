// What the construct programs share.
#pragma once

#include <cuda_runtime.h>
#include <vector>

/// A copy of `values` in device memory.
template <class T> T *upload(const std::vector<T> &values) {
  T *pointer = nullptr;
  cudaMalloc(&pointer, values.size() * sizeof(T));
  cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}
