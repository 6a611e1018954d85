// atomicAdd and its like, in the scopes device (no suffix), block and system. Scopes are hints for
// caches; all of them are the widest here.
#pragma once

#define NEURONIFY_ATOMIC(name, suffix, type, parameter, call)                                      \
  static __device__ __forceinline__ type atomic##name##suffix(type *address, parameter value) {    \
    return call;                                                                                   \
  }

#define NEURONIFY_ATOMICS_OF_SCOPE(suffix)                                                         \
  NEURONIFY_ATOMIC(Add, suffix, int, int, __iAtomicAdd(address, value))                            \
  NEURONIFY_ATOMIC(Add, suffix, unsigned, unsigned, __uAtomicAdd(address, value))                  \
  NEURONIFY_ATOMIC(Add, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicAdd(address, value))                                                 \
  NEURONIFY_ATOMIC(Add, suffix, float, float, __fAtomicAdd(address, value))                        \
  NEURONIFY_ATOMIC(Add, suffix, double, double, __dAtomicAdd(address, value))                      \
  NEURONIFY_ATOMIC(Sub, suffix, int, int, __iAtomicAdd(address, (int)-(unsigned)value))            \
  NEURONIFY_ATOMIC(Sub, suffix, unsigned, unsigned, __uAtomicAdd(address, -value))                 \
  NEURONIFY_ATOMIC(Exch, suffix, int, int, __iAtomicExch(address, value))                          \
  NEURONIFY_ATOMIC(Exch, suffix, unsigned, unsigned, __uAtomicExch(address, value))                \
  NEURONIFY_ATOMIC(Exch, suffix, unsigned long long, unsigned long long,                           \
                   __ullAtomicExch(address, value))                                                \
  NEURONIFY_ATOMIC(Exch, suffix, float, float, __fAtomicExch(address, value))                      \
  NEURONIFY_ATOMIC(Min, suffix, int, int, __iAtomicMin(address, value))                            \
  NEURONIFY_ATOMIC(Min, suffix, unsigned, unsigned, __uAtomicMin(address, value))                  \
  NEURONIFY_ATOMIC(Min, suffix, long long, long long, __illAtomicMin(address, value))              \
  NEURONIFY_ATOMIC(Min, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicMin(address, value))                                                 \
  NEURONIFY_ATOMIC(Max, suffix, int, int, __iAtomicMax(address, value))                            \
  NEURONIFY_ATOMIC(Max, suffix, unsigned, unsigned, __uAtomicMax(address, value))                  \
  NEURONIFY_ATOMIC(Max, suffix, long long, long long, __illAtomicMax(address, value))              \
  NEURONIFY_ATOMIC(Max, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicMax(address, value))                                                 \
  NEURONIFY_ATOMIC(Inc, suffix, unsigned, unsigned, __uAtomicInc(address, value))                  \
  NEURONIFY_ATOMIC(Dec, suffix, unsigned, unsigned, __uAtomicDec(address, value))                  \
  NEURONIFY_ATOMIC(And, suffix, int, int, __iAtomicAnd(address, value))                            \
  NEURONIFY_ATOMIC(And, suffix, unsigned, unsigned, __uAtomicAnd(address, value))                  \
  NEURONIFY_ATOMIC(And, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicAnd(address, value))                                                 \
  NEURONIFY_ATOMIC(Or, suffix, int, int, __iAtomicOr(address, value))                              \
  NEURONIFY_ATOMIC(Or, suffix, unsigned, unsigned, __uAtomicOr(address, value))                    \
  NEURONIFY_ATOMIC(Or, suffix, unsigned long long, unsigned long long,                             \
                   __ullAtomicOr(address, value))                                                  \
  NEURONIFY_ATOMIC(Xor, suffix, int, int, __iAtomicXor(address, value))                            \
  NEURONIFY_ATOMIC(Xor, suffix, unsigned, unsigned, __uAtomicXor(address, value))                  \
  NEURONIFY_ATOMIC(Xor, suffix, unsigned long long, unsigned long long,                            \
                   __ullAtomicXor(address, value))                                                 \
  static __device__ __forceinline__ int atomicCAS##suffix(int *address, int compare, int value) {  \
    return __iAtomicCAS(address, compare, value);                                                  \
  }                                                                                                \
  static __device__ __forceinline__ unsigned atomicCAS##suffix(unsigned *address,                  \
                                                               unsigned compare, unsigned value) { \
    return __uAtomicCAS(address, compare, value);                                                  \
  }                                                                                                \
  static __device__ __forceinline__ unsigned short atomicCAS##suffix(                              \
      unsigned short *address, unsigned short compare, unsigned short value) {                     \
    return __usAtomicCAS(address, compare, value);                                                 \
  }                                                                                                \
  static __device__ __forceinline__ unsigned long long atomicCAS##suffix(                          \
      unsigned long long *address, unsigned long long compare, unsigned long long value) {         \
    return __ullAtomicCAS(address, compare, value);                                                \
  }

NEURONIFY_ATOMICS_OF_SCOPE()
NEURONIFY_ATOMICS_OF_SCOPE(_block)
NEURONIFY_ATOMICS_OF_SCOPE(_system)

#undef NEURONIFY_ATOMICS_OF_SCOPE
#undef NEURONIFY_ATOMIC
