// atomicAdd and its like, in the scopes device (no suffix), block and system.
#pragma once

#define NEURONIFY_ATOMIC(name, suffix, type, parameter, call)                                      \
  static __device__ __forceinline__ type atomic##name##suffix(type *address, parameter value) {    \
    return call;                                                                                   \
  }

#define NEURONIFY_ATOMICS_OF_SCOPE(suffix)                                                         \
  NEURONIFY_ATOMIC(Add, suffix, int, int, __iAtomicAdd##suffix(address, value))                    \
  NEURONIFY_ATOMIC(Add, suffix, unsigned, unsigned, __uAtomicAdd##suffix(address, value))          \
  NEURONIFY_ATOMIC(Add, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicAdd##suffix(address, value))                                         \
  NEURONIFY_ATOMIC(Add, suffix, float, float, __fAtomicAdd##suffix(address, value))                \
  NEURONIFY_ATOMIC(Add, suffix, double, double, __dAtomicAdd##suffix(address, value))              \
  NEURONIFY_ATOMIC(Sub, suffix, int, int, __iAtomicAdd##suffix(address, (int)-(unsigned)value))    \
  NEURONIFY_ATOMIC(Sub, suffix, unsigned, unsigned, __uAtomicAdd##suffix(address, -value))         \
  NEURONIFY_ATOMIC(Exch, suffix, int, int, __iAtomicExch##suffix(address, value))                  \
  NEURONIFY_ATOMIC(Exch, suffix, unsigned, unsigned, __uAtomicExch##suffix(address, value))        \
  NEURONIFY_ATOMIC(Exch, suffix, unsigned long long, unsigned long long,                           \
                   __ullAtomicExch##suffix(address, value))                                        \
  NEURONIFY_ATOMIC(Exch, suffix, float, float, __fAtomicExch##suffix(address, value))              \
  NEURONIFY_ATOMIC(Min, suffix, int, int, __iAtomicMin##suffix(address, value))                    \
  NEURONIFY_ATOMIC(Min, suffix, unsigned, unsigned, __uAtomicMin##suffix(address, value))          \
  NEURONIFY_ATOMIC(Min, suffix, long long, long long, __illAtomicMin##suffix(address, value))      \
  NEURONIFY_ATOMIC(Min, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicMin##suffix(address, value))                                         \
  NEURONIFY_ATOMIC(Max, suffix, int, int, __iAtomicMax##suffix(address, value))                    \
  NEURONIFY_ATOMIC(Max, suffix, unsigned, unsigned, __uAtomicMax##suffix(address, value))          \
  NEURONIFY_ATOMIC(Max, suffix, long long, long long, __illAtomicMax##suffix(address, value))      \
  NEURONIFY_ATOMIC(Max, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicMax##suffix(address, value))                                         \
  NEURONIFY_ATOMIC(Inc, suffix, unsigned, unsigned, __uAtomicInc##suffix(address, value))          \
  NEURONIFY_ATOMIC(Dec, suffix, unsigned, unsigned, __uAtomicDec##suffix(address, value))          \
  NEURONIFY_ATOMIC(And, suffix, int, int, __iAtomicAnd##suffix(address, value))                    \
  NEURONIFY_ATOMIC(And, suffix, unsigned, unsigned, __uAtomicAnd##suffix(address, value))          \
  NEURONIFY_ATOMIC(And, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicAnd##suffix(address, value))                                         \
  NEURONIFY_ATOMIC(Or, suffix, int, int, __iAtomicOr##suffix(address, value))                      \
  NEURONIFY_ATOMIC(Or, suffix, unsigned, unsigned, __uAtomicOr##suffix(address, value))            \
  NEURONIFY_ATOMIC(Or, suffix, unsigned long long, unsigned long long,                             \
                   __ullAtomicOr##suffix(address, value))                                          \
  NEURONIFY_ATOMIC(Xor, suffix, int, int, __iAtomicXor##suffix(address, value))                    \
  NEURONIFY_ATOMIC(Xor, suffix, unsigned, unsigned, __uAtomicXor##suffix(address, value))          \
  NEURONIFY_ATOMIC(Xor, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicXor##suffix(address, value))                                         \
  static __device__ __forceinline__ int atomicCAS##suffix(int *address, int compare, int value) {  \
    return __iAtomicCAS##suffix(address, compare, value);                                          \
  }                                                                                                \
  static __device__ __forceinline__ unsigned atomicCAS##suffix(unsigned *address,                  \
                                                               unsigned compare, unsigned value) { \
    return __uAtomicCAS##suffix(address, compare, value);                                          \
  }                                                                                                \
  static __device__ __forceinline__ unsigned short atomicCAS##suffix(                              \
      unsigned short *address, unsigned short compare, unsigned short value) {                     \
    return __usAtomicCAS##suffix(address, compare, value);                                         \
  }                                                                                                \
  static __device__ __forceinline__ unsigned long long atomicCAS##suffix(                          \
      unsigned long long *address, unsigned long long compare, unsigned long long value) {         \
    return __ullAtomicCAS##suffix(address, compare, value);                                        \
  }

NEURONIFY_ATOMICS_OF_SCOPE()
NEURONIFY_ATOMICS_OF_SCOPE(_block)
NEURONIFY_ATOMICS_OF_SCOPE(_system)

#undef NEURONIFY_ATOMICS_OF_SCOPE
#undef NEURONIFY_ATOMIC
