// Functions of CUDA's math header that host code may call without a namespace.
//
// CUDA declares min and max for every pair of arithmetic types, with these result types; code that
// says `max(n, 1u)` or `min(x, 0.5f)` relies on them.
#pragma once

#include <cmath>
#include <type_traits>

namespace neuronify::host_math {

#define NEURONIFY_MIN_MAX(type)                                                                    \
  constexpr type min(type a, type b) { return b < a ? b : a; }                                     \
  constexpr type max(type a, type b) { return a < b ? b : a; }
NEURONIFY_MIN_MAX(int)
NEURONIFY_MIN_MAX(unsigned)
NEURONIFY_MIN_MAX(long)
NEURONIFY_MIN_MAX(unsigned long)
NEURONIFY_MIN_MAX(long long)
NEURONIFY_MIN_MAX(unsigned long long)
#undef NEURONIFY_MIN_MAX

// A signed and an unsigned operand of one width compare as unsigned.
#define NEURONIFY_MIN_MAX(type, unsigned_type)                                                     \
  constexpr unsigned_type min(type a, unsigned_type b) {                                           \
    return min(static_cast<unsigned_type>(a), b);                                                  \
  }                                                                                                \
  constexpr unsigned_type min(unsigned_type a, type b) {                                           \
    return min(a, static_cast<unsigned_type>(b));                                                  \
  }                                                                                                \
  constexpr unsigned_type max(type a, unsigned_type b) {                                           \
    return max(static_cast<unsigned_type>(a), b);                                                  \
  }                                                                                                \
  constexpr unsigned_type max(unsigned_type a, type b) {                                           \
    return max(a, static_cast<unsigned_type>(b));                                                  \
  }
NEURONIFY_MIN_MAX(int, unsigned)
NEURONIFY_MIN_MAX(long, unsigned long)
NEURONIFY_MIN_MAX(long long, unsigned long long)
#undef NEURONIFY_MIN_MAX

// As fmin and fmax: a NaN loses against a number.
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }
inline double min(float a, double b) { return std::fmin(double(a), b); }
inline double max(float a, double b) { return std::fmax(double(a), b); }
inline double min(double a, float b) { return std::fmin(a, double(b)); }
inline double max(double a, float b) { return std::fmax(a, double(b)); }

inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }

} // namespace neuronify::host_math

using neuronify::host_math::max;
using neuronify::host_math::min;
using neuronify::host_math::rsqrt;
using neuronify::host_math::rsqrtf;
