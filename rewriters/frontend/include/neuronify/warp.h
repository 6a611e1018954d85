// Shuffles, votes, matches and reductions of a warp.
#pragma once

// The last operand of a shuffle packs the segment's mask and the clamp lane as PTX wants them.
#define NEURONIFY_SHUFFLE(name, mode, clamp, offset_type)                                          \
  static __device__ __forceinline__ int __shfl##name##_sync(unsigned mask, int value,              \
                                                            offset_type offset, int width = 32) {  \
    return __nvvm_shfl_sync_##mode##_i32(mask, value, offset, ((32 - width) << 8) | (clamp));      \
  }                                                                                                \
  static __device__ __forceinline__ float __shfl##name##_sync(                                     \
      unsigned mask, float value, offset_type offset, int width = 32) {                            \
    return __nvvm_shfl_sync_##mode##_f32(mask, value, offset, ((32 - width) << 8) | (clamp));      \
  }                                                                                                \
  static __device__ __forceinline__ unsigned __shfl##name##_sync(                                  \
      unsigned mask, unsigned value, offset_type offset, int width = 32) {                         \
    return (unsigned)__shfl##name##_sync(mask, (int)value, offset, width);                         \
  }                                                                                                \
  static __device__ __forceinline__ unsigned long long __shfl##name##_sync(                        \
      unsigned mask, unsigned long long value, offset_type offset, int width = 32) {               \
    const unsigned low = __shfl##name##_sync(mask, (unsigned)value, offset, width);                \
    const unsigned high = __shfl##name##_sync(mask, (unsigned)(value >> 32), offset, width);       \
    return (unsigned long long)high << 32 | low;                                                   \
  }                                                                                                \
  static __device__ __forceinline__ long long __shfl##name##_sync(                                 \
      unsigned mask, long long value, offset_type offset, int width = 32) {                        \
    return (long long)__shfl##name##_sync(mask, (unsigned long long)value, offset, width);         \
  }                                                                                                \
  static __device__ __forceinline__ long __shfl##name##_sync(unsigned mask, long value,            \
                                                             offset_type offset, int width = 32) { \
    return (long)__shfl##name##_sync(mask, (unsigned long long)value, offset, width);              \
  }                                                                                                \
  static __device__ __forceinline__ unsigned long __shfl##name##_sync(                             \
      unsigned mask, unsigned long value, offset_type offset, int width = 32) {                    \
    return (unsigned long)__shfl##name##_sync(mask, (unsigned long long)value, offset, width);     \
  }                                                                                                \
  static __device__ __forceinline__ double __shfl##name##_sync(                                    \
      unsigned mask, double value, offset_type offset, int width = 32) {                           \
    return __builtin_bit_cast(                                                                     \
        double,                                                                                    \
        __shfl##name##_sync(mask, __builtin_bit_cast(unsigned long long, value), offset, width));  \
  }                                                                                                \
  /* The forms without a mask are of CUDA 8 and stand for a whole warp. */                         \
  template <class T>                                                                               \
  static __device__ __forceinline__ T __shfl##name(T value, offset_type offset, int width = 32) {  \
    return __shfl##name##_sync(0xffffffffu, value, offset, width);                                 \
  }

NEURONIFY_SHUFFLE(, idx, 0x1f, int)
NEURONIFY_SHUFFLE(_up, up, 0, unsigned)
NEURONIFY_SHUFFLE(_down, down, 0x1f, unsigned)
NEURONIFY_SHUFFLE(_xor, bfly, 0x1f, int)
#undef NEURONIFY_SHUFFLE

static __device__ __forceinline__ void __syncwarp(unsigned mask = 0xffffffffu) {
  __nvvm_bar_warp_sync(mask);
}
static __device__ __forceinline__ int __all_sync(unsigned mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
static __device__ __forceinline__ int __any_sync(unsigned mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
static __device__ __forceinline__ int __uni_sync(unsigned mask, int predicate) {
  return __nvvm_vote_uni_sync(mask, predicate);
}
static __device__ __forceinline__ unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
static __device__ __forceinline__ unsigned __activemask() { return __nvvm_activemask(); }
static __device__ __forceinline__ unsigned __fns(unsigned mask, unsigned base, int offset) {
  return __nvvm_fns(mask, base, offset);
}

#if __CUDA_ARCH__ >= 700
#define NEURONIFY_MATCH(type, bits, bits_type)                                                     \
  static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask, type value) {         \
    return __nvvm_match_any_sync_i##bits(mask, __builtin_bit_cast(bits_type, value));              \
  }                                                                                                \
  static __device__ __forceinline__ unsigned __match_all_sync(unsigned mask, type value,           \
                                                              int *predicate) {                    \
    return __nvvm_match_all_sync_i##bits##p(mask, __builtin_bit_cast(bits_type, value),            \
                                            predicate);                                            \
  }
NEURONIFY_MATCH(int, 32, unsigned)
NEURONIFY_MATCH(unsigned, 32, unsigned)
NEURONIFY_MATCH(float, 32, unsigned)
NEURONIFY_MATCH(long, 64, unsigned long long)
NEURONIFY_MATCH(unsigned long, 64, unsigned long long)
NEURONIFY_MATCH(long long, 64, unsigned long long)
NEURONIFY_MATCH(unsigned long long, 64, unsigned long long)
NEURONIFY_MATCH(double, 64, unsigned long long)
#undef NEURONIFY_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned nanoseconds) {
  __nvvm_nanosleep(nanoseconds);
}
#endif

#if __CUDA_ARCH__ >= 800
#define NEURONIFY_REDUCE(name, type, builtin)                                                      \
  static __device__ __forceinline__ type __reduce_##name##_sync(unsigned mask, type value) {       \
    return (type)builtin(value, mask);                                                             \
  }
NEURONIFY_REDUCE(add, unsigned, __nvvm_redux_sync_add)
NEURONIFY_REDUCE(add, int, __nvvm_redux_sync_add)
NEURONIFY_REDUCE(min, unsigned, __nvvm_redux_sync_umin)
NEURONIFY_REDUCE(min, int, __nvvm_redux_sync_min)
NEURONIFY_REDUCE(max, unsigned, __nvvm_redux_sync_umax)
NEURONIFY_REDUCE(max, int, __nvvm_redux_sync_max)
NEURONIFY_REDUCE(and, unsigned, __nvvm_redux_sync_and)
NEURONIFY_REDUCE(or, unsigned, __nvvm_redux_sync_or)
NEURONIFY_REDUCE(xor, unsigned, __nvvm_redux_sync_xor)
#undef NEURONIFY_REDUCE
#endif

static __device__ __forceinline__ unsigned __funnelshift_l(unsigned low, unsigned high,
                                                           unsigned shift) {
  return __builtin_elementwise_fshl(high, low, shift);
}
static __device__ __forceinline__ unsigned __funnelshift_r(unsigned low, unsigned high,
                                                           unsigned shift) {
  return __builtin_elementwise_fshr(high, low, shift);
}
// The clamped forms stop at 32 where the others wrap.
static __device__ __forceinline__ unsigned __funnelshift_lc(unsigned low, unsigned high,
                                                            unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
static __device__ __forceinline__ unsigned __funnelshift_rc(unsigned low, unsigned high,
                                                            unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
