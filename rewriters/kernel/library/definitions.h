// What the library of kernels is written in: C++ over 32- and 64-bit integers and floats, without
// tables, which would be memory. Functions with a body are the code of CUDA functions of these
// names; those without are operations of the chip (kernel/calls.cpp). The same files are compiled
// as plain C++ by test/kernel/library_test.cpp.
#pragma once
#include <stdint.h>

#ifndef LIBRARY // the test has its own
#define LIBRARY extern "C"
#endif
#define INLINE inline __attribute__((always_inline))

static INLINE uint32_t bits_of(float x) { return __builtin_bit_cast(uint32_t, x); }
static INLINE float float_of(uint32_t x) { return __builtin_bit_cast(float, x); }
