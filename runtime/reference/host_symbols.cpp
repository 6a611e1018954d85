// What compiled code may call outside of itself. Everything else is an error before code is made.
#include "device/operations.h"
#include "passes.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>

// 128-bit division comes from the compiler's own runtime.
extern "C" {
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
double exp10(double) noexcept;
void sincos(double, double *, double *) noexcept;
}

namespace neuronify::reference {

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);
using UnaryFloat = float (*)(float);
using BinaryFloat = float (*)(float, float);

template <class Function> void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

std::map<std::string, void *> mathSymbols() {
  std::map<std::string, void *> symbols;
#define UNARY(name) symbols[#name] = addressOf(static_cast<Unary>(::name));
#define BINARY(name) symbols[#name] = addressOf(static_cast<Binary>(::name));
  UNARY(exp)
  UNARY(exp2)
  UNARY(exp10)
  UNARY(expm1)
  UNARY(log)
  UNARY(log2)
  UNARY(log10)
  UNARY(log1p)
  UNARY(sin)
  UNARY(cos)
  UNARY(tan)
  UNARY(asin)
  UNARY(acos)
  UNARY(atan)
  UNARY(sinh)
  UNARY(cosh)
  UNARY(tanh)
  UNARY(asinh)
  UNARY(acosh)
  UNARY(atanh)
  UNARY(cbrt)
  UNARY(erf)
  UNARY(erfc)
  UNARY(tgamma)
  UNARY(lgamma)
  UNARY(j0)
  UNARY(j1)
  UNARY(y0)
  UNARY(y1)
  UNARY(logb)
  UNARY(round)
  BINARY(atan2)
  BINARY(pow)
  BINARY(hypot)
  BINARY(fmod)
  BINARY(remainder)
  BINARY(nextafter)
#undef UNARY
#undef BINARY
  symbols["roundf"] = addressOf(static_cast<UnaryFloat>(::roundf));
  symbols["fmodf"] = addressOf(static_cast<BinaryFloat>(::fmodf));
  symbols["remainderf"] = addressOf(static_cast<BinaryFloat>(::remainderf));
  symbols["nextafterf"] = addressOf(static_cast<BinaryFloat>(::nextafterf));
  symbols["jn"] = addressOf(static_cast<double (*)(int, double)>(::jn));
  symbols["yn"] = addressOf(static_cast<double (*)(int, double)>(::yn));
  symbols["ldexp"] = addressOf(static_cast<double (*)(double, int)>(::ldexp));
  symbols["ldexpf"] = addressOf(static_cast<float (*)(float, int)>(::ldexpf));
  symbols["ilogb"] = addressOf(static_cast<int (*)(double)>(::ilogb));
  symbols["frexp"] = addressOf(static_cast<double (*)(double, int *)>(::frexp));
  symbols["remquo"] = addressOf(static_cast<double (*)(double, double, int *)>(::remquo));
  symbols["sincos"] = addressOf(::sincos);
  return symbols;
}

// float to bf16. Conversions in a kernel are replaced before code is made; an atomic addition in
// bf16 gets this one then.
__bf16 bfloatOf(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  bits = std::isnan(x) ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1);
  return std::bit_cast<__bf16>(uint16_t(bits >> 16));
}

std::map<std::string, void *> allSymbols() {
  std::map<std::string, void *> symbols = mathSymbols();
  symbols["memcpy"] = addressOf(static_cast<void *(*)(void *, const void *, size_t)>(::memcpy));
  symbols["memmove"] = addressOf(static_cast<void *(*)(void *, const void *, size_t)>(::memmove));
  symbols["memset"] = addressOf(static_cast<void *(*)(void *, int, size_t)>(::memset));
  symbols["fegetround"] = addressOf(::fegetround);
  symbols["fesetround"] = addressOf(::fesetround);
  symbols["__truncsfbf2"] = addressOf(bfloatOf);
  symbols["__divti3"] = addressOf(::__divti3);
  symbols["__modti3"] = addressOf(::__modti3);
  symbols["__udivti3"] = addressOf(::__udivti3);
  symbols["__umodti3"] = addressOf(::__umodti3);
#define OPERATION(name) symbols[#name] = addressOf(::name);
  OPERATION(neuronify_wait_barrier)
  OPERATION(neuronify_arrive_barrier)
  OPERATION(neuronify_wait_warp)
  OPERATION(neuronify_wait_converge)
  OPERATION(neuronify_wait_grid)
  OPERATION(neuronify_wait_others)
  OPERATION(neuronify_wait_exit)
  OPERATION(neuronify_trap)
  OPERATION(neuronify_assert_failed)
  OPERATION(neuronify_print)
  OPERATION(neuronify_is_shared)
  OPERATION(neuronify_clock)
  OPERATION(neuronify_check_access)
#undef OPERATION
  return symbols;
}

} // namespace

const std::map<std::string, void *> &hostSymbols() {
  static const std::map<std::string, void *> symbols = allSymbols();
  return symbols;
}

} // namespace neuronify::reference
