// Loads and stores with a cache hint. A hint changes no value, so that all are plain accesses.
#pragma once

template <class T> static __device__ __forceinline__ T __ldg(const T *p) { return *p; }
template <class T> static __device__ __forceinline__ T __ldca(const T *p) { return *p; }
template <class T> static __device__ __forceinline__ T __ldcg(const T *p) { return *p; }
template <class T> static __device__ __forceinline__ T __ldcs(const T *p) { return *p; }
template <class T> static __device__ __forceinline__ T __ldlu(const T *p) { return *p; }
// This one promises to fetch again.
template <class T> static __device__ __forceinline__ T __ldcv(const T *p) {
  return *const_cast<const volatile T *>(p);
}
template <class T> static __device__ __forceinline__ void __stwb(T *p, T value) { *p = value; }
template <class T> static __device__ __forceinline__ void __stcg(T *p, T value) { *p = value; }
template <class T> static __device__ __forceinline__ void __stcs(T *p, T value) { *p = value; }
template <class T> static __device__ __forceinline__ void __stwt(T *p, T value) { *p = value; }
