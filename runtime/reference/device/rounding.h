// Operations with a rounding mode in their name. The host's rounding mode is switched around one
// operation; these functions are never inlined, so that nothing else runs in between.
#pragma once
#include "integers.h"

#pragma STDC FENV_ACCESS ON

namespace {
class RoundingMode {
public:
  explicit RoundingMode(int mode) : before_(fegetround()) { fesetround(mode); }
  ~RoundingMode() { fesetround(before_); }

private:
  int before_;
};
} // namespace

#define ROUNDED(T, name, nvvm, mode, parameters, arguments, expression)                            \
  DEVICE __attribute__((noinline)) T name parameters {                                             \
    RoundingMode rounding(mode);                                                                   \
    return expression;                                                                             \
  }                                                                                                \
  NVVM(T, nvvm, parameters, name arguments)
#define ALL_MODES(T, name, nvvm, tail, parameters, arguments, expression)                          \
  ROUNDED(T, name##_rd, nvvm ".rm" tail, FE_DOWNWARD, parameters, arguments, expression)           \
  ROUNDED(T, name##_ru, nvvm ".rp" tail, FE_UPWARD, parameters, arguments, expression)             \
  ROUNDED(T, name##_rz, nvvm ".rz" tail, FE_TOWARDZERO, parameters, arguments, expression)
#define ARITHMETIC(T, prefix, tail)                                                                \
  ALL_MODES(T, prefix##add, "add", tail, (T a, T b), (a, b), a + b)                                \
  ALL_MODES(T, prefix##sub, "sub", tail, (T a, T b), (a, b), a - b)                                \
  ALL_MODES(T, prefix##mul, "mul", tail, (T a, T b), (a, b), a *b)                                 \
  ALL_MODES(T, prefix##div, "div", tail, (T a, T b), (a, b), a / b)                                \
  ALL_MODES(T, prefix##rcp, "rcp", tail, (T a), (a), 1 / a)
ARITHMETIC(float, __nv_f, ".f")
ARITHMETIC(double, __nv_d, ".d")
ALL_MODES(float, __nv_fsqrt, "sqrt", ".f", (float a), (a), __builtin_sqrtf(a))
ALL_MODES(double, __nv_dsqrt, "sqrt", ".d", (double a), (a), __builtin_sqrt(a))
ALL_MODES(float, __nv_fmaf, "fma", ".f", (float a, float b, float c), (a, b, c),
          __builtin_fmaf(a, b, c))
ALL_MODES(double, __nv_fma, "fma", ".d", (double a, double b, double c), (a, b, c),
          __builtin_fma(a, b, c))
ALL_MODES(float, __nv_int2float, "i2f", "", (int a), (a), (float)a)
ALL_MODES(float, __nv_uint2float, "ui2f", "", (uint32_t a), (a), (float)a)
ALL_MODES(float, __nv_ll2float, "ll2f", "", (int64_t a), (a), (float)a)
ALL_MODES(float, __nv_ull2float, "ull2f", "", (uint64_t a), (a), (float)a)
ALL_MODES(double, __nv_ll2double, "ll2d", "", (int64_t a), (a), (double)a)
ALL_MODES(double, __nv_ull2double, "ull2d", "", (uint64_t a), (a), (double)a)
ALL_MODES(float, __nv_double2float, "d2f", "", (double a), (a), (float)a)

#pragma STDC FENV_ACCESS OFF

#define IEEE(name)                                                                                 \
  DEVICE float __nv_fmaf_ieee_##name(float a, float b, float c) {                                  \
    return __nv_fmaf_##name(a, b, c);                                                              \
  }
IEEE(rd)
IEEE(ru)
IEEE(rz)

// To nearest even: the host's own operations.
#define NEAREST(T, name, nvvm, parameters, arguments, expression)                                  \
  DEVICE T name parameters { return expression; }                                                  \
  NVVM(T, nvvm, parameters, name arguments)
NEAREST(float, __nv_fadd_rn, "add.rn.f", (float a, float b), (a, b), a + b)
NEAREST(float, __nv_fsub_rn, "sub.rn.f", (float a, float b), (a, b), a - b)
NEAREST(float, __nv_fmul_rn, "mul.rn.f", (float a, float b), (a, b), a *b)
NEAREST(float, __nv_fdiv_rn, "div.rn.f", (float a, float b), (a, b), a / b)
NEAREST(float, __nv_frcp_rn, "rcp.rn.f", (float a), (a), 1 / a)
NEAREST(float, __nv_fsqrt_rn, "sqrt.rn.f", (float a), (a), __builtin_sqrtf(a))
NEAREST(float, __nv_fmaf_rn, "fma.rn.f", (float a, float b, float c), (a, b, c),
        __builtin_fmaf(a, b, c))
NEAREST(double, __nv_dadd_rn, "add.rn.d", (double a, double b), (a, b), a + b)
NEAREST(double, __nv_dsub_rn, "sub.rn.d", (double a, double b), (a, b), a - b)
NEAREST(double, __nv_dmul_rn, "mul.rn.d", (double a, double b), (a, b), a *b)
NEAREST(double, __nv_ddiv_rn, "div.rn.d", (double a, double b), (a, b), a / b)
NEAREST(double, __nv_drcp_rn, "rcp.rn.d", (double a), (a), 1 / a)
NEAREST(double, __nv_dsqrt_rn, "sqrt.rn.d", (double a), (a), __builtin_sqrt(a))
NEAREST(double, __nv_fma_rn, "fma.rn.d", (double a, double b, double c), (a, b, c),
        __builtin_fma(a, b, c))
NEAREST(float, __nv_int2float_rn, "i2f.rn", (int a), (a), (float)a)
NEAREST(float, __nv_uint2float_rn, "ui2f.rn", (uint32_t a), (a), (float)a)
NEAREST(float, __nv_ll2float_rn, "ll2f.rn", (int64_t a), (a), (float)a)
NEAREST(float, __nv_ull2float_rn, "ull2f.rn", (uint64_t a), (a), (float)a)
NEAREST(double, __nv_ll2double_rn, "ll2d.rn", (int64_t a), (a), (double)a)
NEAREST(double, __nv_ull2double_rn, "ull2d.rn", (uint64_t a), (a), (double)a)
NEAREST(float, __nv_double2float_rn, "d2f.rn", (double a), (a), (float)a)
DEVICE float __nv_fmaf_ieee_rn(float a, float b, float c) { return __nv_fmaf_rn(a, b, c); }
DEVICE float __nv_frsqrt_rn(float a) { return (float)(1.0 / __builtin_sqrt((double)a)); }
DEVICE double __nv_rcp64h(double a) {
  return bits<double>(bits<uint64_t>(1 / a) & 0xffffffff00000000u);
}
