// PTX's own instructions: approximations (accurate here), minimum and maximum with their variants.
#pragma once
#include "rounding.h"

// APPROXIMATE("sin", sinf): both the plain and the `.ftz` form.
#define APPROXIMATE(name, tail, function)                                                          \
  NVVM(float, name tail, (float x), function(x))                                                   \
  NVVM(float, name ".ftz" tail, (float x), flushed(function(flushed(x))))
APPROXIMATE("sin.approx", ".f", __nv_sinf)
APPROXIMATE("cos.approx", ".f", __nv_cosf)
APPROXIMATE("lg2.approx", ".f", __nv_log2f)
APPROXIMATE("rsqrt.approx", ".f", __nv_rsqrtf)
APPROXIMATE("sqrt.approx", ".f", __nv_sqrtf)
APPROXIMATE("ex2.approx", ".f32", __nv_exp2f)
APPROXIMATE("tanh.approx", ".f32", __nv_tanhf)
APPROXIMATE("fabs", ".f32", __nv_fabsf)
APPROXIMATE("ceil", ".f", __nv_ceilf)
APPROXIMATE("floor", ".f", __nv_floorf)
APPROXIMATE("trunc", ".f", __nv_truncf)
APPROXIMATE("round", ".f", __nv_rintf)
APPROXIMATE("saturate", ".f", __nv_saturatef)
NVVM(float, "ex2.approx.f", (float x), __nv_exp2f(x))
NVVM(float, "ex2.approx.ftz.f", (float x), flushed(__nv_exp2f(flushed(x))))
NVVM(float, "rcp.approx.ftz.f", (float x), flushed(1 / flushed(x)))
NVVM(float, "rcp.rn.ftz.f", (float x), flushed(1 / flushed(x)))
NVVM(float, "sqrt.f", (float x), __builtin_sqrtf(x))
NVVM(double, "lg2.approx.d", (double x), log2(x))
NVVM(double, "ex2.approx.d", (double x), exp2(x))
NVVM(double, "rsqrt.approx.d", (double x), __nv_rsqrt(x))
NVVM(double, "rcp.approx.ftz.d", (double x), 1 / x)
NVVM(double, "fabs.f64", (double x), __builtin_fabs(x))
NVVM(double, "ceil.d", (double x), __builtin_ceil(x))
NVVM(double, "floor.d", (double x), __builtin_floor(x))
NVVM(double, "trunc.d", (double x), __builtin_trunc(x))
NVVM(double, "round.d", (double x), __builtin_rint(x))
NVVM(double, "saturate.d", (double x), least(greatest(x, 0.0), 1.0))

#define DIVISION(name) NVVM(float, name, (float a, float b), a / b)
DIVISION("div.approx.f")
DIVISION("div.full")
NVVM(float, "div.approx.ftz.f", (float a, float b), flushed(flushed(a) / flushed(b)))
NVVM(float, "div.full.ftz", (float a, float b), flushed(flushed(a) / flushed(b)))
NVVM(float, "div.rn.ftz.f", (float a, float b), flushed(flushed(a) / flushed(b)))
NVVM(float, "add.rn.ftz.f", (float a, float b), flushed(flushed(a) + flushed(b)))
NVVM(float, "mul.rn.ftz.f", (float a, float b), flushed(flushed(a) * flushed(b)))
NVVM(float, "fma.rn.ftz.f", (float a, float b, float c),
     flushed(__builtin_fmaf(flushed(a), flushed(b), flushed(c))))
NVVM(float, "fma.rn.sat.f", (float a, float b, float c), __nv_saturatef(__builtin_fmaf(a, b, c)))
NVVM(float, "add.rn.sat.f", (float a, float b), __nv_saturatef(a + b))

// `.xorsign.abs`: the magnitudes are compared, the sign is the product's.
template <class T> static inline T magnitude(T x) {
  return x < 0 || (x == 0 && signbit((float)x)) ? -x : x;
}
template <class T> static inline T withSign(T value, T a, T b) {
  return signbit((float)a) != signbit((float)b) ? -magnitude(value) : magnitude(value);
}
#define MINIMUM(T, tail, operation, plain, nan)                                                    \
  NVVM(T, operation tail, (T a, T b), plain(a, b))                                                 \
  NVVM(T, operation ".nan" tail, (T a, T b), nan(a, b))                                            \
  NVVM(T, operation ".xorsign.abs" tail, (T a, T b),                                               \
       withSign(plain(magnitude(a), magnitude(b)), a, b))                                          \
  NVVM(T, operation ".nan.xorsign.abs" tail, (T a, T b),                                           \
       withSign(nan(magnitude(a), magnitude(b)), a, b))
MINIMUM(float, ".f", "fmin", least, leastOrNan)
MINIMUM(float, ".f", "fmax", greatest, greatestOrNan)
MINIMUM(_Float16, ".f16", "fmin", least, leastOrNan)
MINIMUM(_Float16, ".f16", "fmax", greatest, greatestOrNan)
NVVM(double, "fmin.d", (double a, double b), least(a, b))
NVVM(double, "fmax.d", (double a, double b), greatest(a, b))
NVVM(float, "fmin.ftz.f", (float a, float b), least(flushed(a), flushed(b)))
NVVM(float, "fmax.ftz.f", (float a, float b), greatest(flushed(a), flushed(b)))
NVVM(float, "fmin.ftz.nan.f", (float a, float b), leastOrNan(flushed(a), flushed(b)))
NVVM(float, "fmax.ftz.nan.f", (float a, float b), greatestOrNan(flushed(a), flushed(b)))
