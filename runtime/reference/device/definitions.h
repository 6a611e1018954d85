// How the device library is written: plain C++, compiled by Clang to bitcode, and linked into each
// kernel before optimisation, so that small functions are inlined.
//
// A function that a kernel calls is found here by its name: `__nv_expf` as it stands, an intrinsic
// `llvm.nvvm.ex2.approx.f` as `nvvm.ex2.approx.f`. So adding one is writing it; there is no table.
// A function with three more parameters than the call has (CONTEXT) also gets the running block,
// the linear number of the calling thread in it, and the source position of the call.
#pragma once

#include <fenv.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE extern "C"
#define CONTEXT                                                                                    \
  [[maybe_unused]] void *context, [[maybe_unused]] uint32_t thread, [[maybe_unused]] uint32_t site

// NVVM(int, "clz.i", (int x), body) defines the meaning of intrinsic llvm.nvvm.clz.i.
#define NVVM_JOIN(a, b) a##b
#define NVVM_DEFINE(symbol, type, name, parameters, ...)                                           \
  extern "C" type symbol parameters __asm__("nvvm." name);                                         \
  extern "C" type symbol parameters { return __VA_ARGS__; }
#define NVVM_NUMBERED(number, ...) NVVM_DEFINE(NVVM_JOIN(nvvm_, number), __VA_ARGS__)
#define NVVM(...) NVVM_NUMBERED(__COUNTER__, __VA_ARGS__)

// `.ftz` forms flush subnormal operands and results to zeros of the same sign.
static inline float flushed(float x) {
  return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x;
}

// Minimum and maximum as PTX has them: a NaN loses against a number, and -0 is below +0.
template <class T> static inline T least(T a, T b) {
  return __builtin_elementwise_minimumnum(a, b);
}
template <class T> static inline T greatest(T a, T b) {
  return __builtin_elementwise_maximumnum(a, b);
}

// The same where one NaN makes the result NaN (`.nan` forms).
template <class T> static inline T leastOrNan(T a, T b) {
  return __builtin_elementwise_minimum(a, b);
}
template <class T> static inline T greatestOrNan(T a, T b) {
  return __builtin_elementwise_maximum(a, b);
}

template <class To, class From> static inline To bits(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}
