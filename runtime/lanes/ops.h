// What CUDA computes per lane, as sequences of NKI instructions.
//
// Floating add, subtract and multiply are single instructions and are called as such; here is
// everything that needs more than one. All tiles are {P, F} in SBUF; integers of up to 32 bits are
// int32 tiles whose bits above the C type's width are unspecified unless a function says otherwise
// (as LLVM's "any extend"). Results are exact for all inputs; dst may be the same tile as a source.
// Uniform operands are given as `int32_t` / `float`; the overloads choose the cheaper form.
#pragma once

#include "lanes/launch.h"
#include "lanes/memory.h"

namespace nki {

/// A tile, or one number for all lanes (integers by value, floats by value).
// Not inline: an emitted kernel makes thousands, and compilers take long over what they would
// inline.
struct IntOperand {
  IntOperand(const Tensor &tile);
  IntOperand(const IntOperand &other);
  IntOperand &operator=(const IntOperand &) = default;
  ~IntOperand();
  IntOperand(int32_t value) : value(value) {}
  IntOperand(uint32_t value) : value(int32_t(value)) {}
  Tensor tile;
  int32_t value = 0;
};
struct FloatOperand {
  FloatOperand(const Tensor &tile);
  FloatOperand(const FloatOperand &other);
  FloatOperand &operator=(const FloatOperand &) = default;
  ~FloatOperand();
  FloatOperand(float value) : value(value) {}
  Tensor tile;
  float value = 0;
};

// ---- moving values -------------------------------------------------------------------------
/// Launch-known integers as an int32 tile (low 32 bits).
void materialize(const Tensor &dst, const Index &value);
void fill(const Tensor &dst, int32_t value);
void fill(const Tensor &dst, float value);
/// Lanes of `mask` of `variable` take `value`; the others keep theirs. (phi and predicated copies)
void assign(const Tensor &variable, const Tensor &value, const Mask &mask);
void assign(const Tensor &variable, float value, const Mask &mask);
void assign(const Tensor &variable, int32_t value, const Mask &mask);
/// dst = mask ? a : b.
void select(const Tensor &dst, const Mask &mask, const IntOperand &a, const IntOperand &b);
void select(const Tensor &dst, const Mask &mask, const FloatOperand &a, const FloatOperand &b);
/// The mask as 0 / 1 in an int32 tile.
void from_mask(const Tensor &dst, const Mask &mask);

// ---- integers, exact over the whole range of 32 bits --------------------------------------------
void iadd(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void isub(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void imul(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void iand(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void ior(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void ixor(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void shl(const Tensor &dst, const IntOperand &a, const IntOperand &b); ///< count taken modulo 32
void lshr(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void ashr(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void sdiv(const Tensor &dst, const IntOperand &a,
          const IntOperand &b); ///< b = 0: unspecified, no error
void udiv(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void srem(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void urem(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void smulhi(const Tensor &dst, const IntOperand &a, const IntOperand &b); ///< high 32 bits
void umulhi(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void smin(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void smax(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void umin(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void umax(const Tensor &dst, const IntOperand &a, const IntOperand &b);
void iabs(const Tensor &dst, const Tensor &a);
void popc(const Tensor &dst, const Tensor &a);
void clz(const Tensor &dst, const Tensor &a);
void brev(const Tensor &dst, const Tensor &a);
/// Sign- or zero-extends the low `bits` (8 or 16, or 1) of each lane to 32.
void sext(const Tensor &dst, const Tensor &a, int bits);
void zext(const Tensor &dst, const Tensor &a, int bits);

// Comparisons of 32-bit integers (extend narrower ones first).
Mask eq(const Wave &wave, const IntOperand &a, const IntOperand &b);
Mask ne(const Wave &wave, const IntOperand &a, const IntOperand &b);
Mask slt(const Wave &wave, const IntOperand &a, const IntOperand &b);
Mask sle(const Wave &wave, const IntOperand &a, const IntOperand &b);
Mask ult(const Wave &wave, const IntOperand &a, const IntOperand &b);
Mask ule(const Wave &wave, const IntOperand &a, const IntOperand &b);
/// Bit `bit` of each lane, as a mask.
Mask test_bit(const Wave &wave, const Tensor &a, int bit);

// ---- floats
// ---------------------------------------------------------------------------------------- add,
// subtract, multiply: one instruction, bit for bit as IEEE.
void fadd(const Tensor &dst, const FloatOperand &a, const FloatOperand &b);
void fsub(const Tensor &dst, const FloatOperand &a, const FloatOperand &b);
void fmul(const Tensor &dst, const FloatOperand &a, const FloatOperand &b);
void fneg(const Tensor &dst, const Tensor &a); ///< flips the sign bit, also of NaN and zero
void fabs(const Tensor &dst, const Tensor &a); ///< clears the sign bit
/// fmaxf / fminf: the other operand where one is NaN.
void fmax(const Tensor &dst, const FloatOperand &a, const FloatOperand &b);
void fmin(const Tensor &dst, const FloatOperand &a, const FloatOperand &b);
/// Comparisons: o ordered (false on NaN), u unordered (true on NaN), as LLVM's fcmp predicates.
enum class FloatCompare : uint8_t {
  oeq,
  ogt,
  oge,
  olt,
  ole,
  one,
  ord,
  ueq,
  ugt,
  uge,
  ult,
  ule,
  une,
  uno
};
Mask compare(const Wave &wave, FloatCompare predicate, const FloatOperand &a,
             const FloatOperand &b);

// Conversions. Float to integer truncates toward zero and saturates, NaN gives 0, as CUDA's cvt.
void int_to_float(const Tensor &dst, const Tensor &a); ///< round to nearest even
void uint_to_float(const Tensor &dst, const Tensor &a);
void float_to_int(const Tensor &dst, const Tensor &a);
void float_to_uint(const Tensor &dst, const Tensor &a);
void half_to_float(const Tensor &dst, const Tensor &a); ///< a: int32 lanes holding 16 bits
void float_to_half(const Tensor &dst, const Tensor &a);

// Math. `precise` selects the exact sequence where one exists. Bounds: docs/numerics.md.
void fdiv(const Tensor &dst, const FloatOperand &a, const FloatOperand &b, bool precise);
void fma(const Tensor &dst, const FloatOperand &a, const FloatOperand &b, const FloatOperand &c,
         bool precise);
void sqrt(const Tensor &dst, const Tensor &a, bool precise);
void rsqrt(const Tensor &dst, const Tensor &a);
void reciprocal(const Tensor &dst, const Tensor &a, bool precise);
void exp(const Tensor &dst, const Tensor &a);
void exp2(const Tensor &dst, const Tensor &a);
void exp10(const Tensor &dst, const Tensor &a);
void expm1(const Tensor &dst, const Tensor &a);
void log(const Tensor &dst, const Tensor &a);
void log2(const Tensor &dst, const Tensor &a);
void log10(const Tensor &dst, const Tensor &a);
void log1p(const Tensor &dst, const Tensor &a);
void sin(const Tensor &dst, const Tensor &a);
void cos(const Tensor &dst, const Tensor &a);
void tan(const Tensor &dst, const Tensor &a);
void tanh(const Tensor &dst, const Tensor &a);
void asin(const Tensor &dst, const Tensor &a);
void acos(const Tensor &dst, const Tensor &a);
void atan(const Tensor &dst, const Tensor &a);
void atan2(const Tensor &dst, const FloatOperand &y, const FloatOperand &x);
void sinh(const Tensor &dst, const Tensor &a);
void cosh(const Tensor &dst, const Tensor &a);
void asinh(const Tensor &dst, const Tensor &a);
void acosh(const Tensor &dst, const Tensor &a);
void atanh(const Tensor &dst, const Tensor &a);
void erf(const Tensor &dst, const Tensor &a);
void erfc(const Tensor &dst, const Tensor &a);
void cbrt(const Tensor &dst, const Tensor &a);
void hypot(const Tensor &dst, const FloatOperand &a, const FloatOperand &b);
void pow(const Tensor &dst, const FloatOperand &a, const FloatOperand &b);
void floor(const Tensor &dst, const Tensor &a);
void ceil(const Tensor &dst, const Tensor &a);
void trunc(const Tensor &dst, const Tensor &a);
void rint(const Tensor &dst, const Tensor &a);  ///< to nearest even
void round(const Tensor &dst, const Tensor &a); ///< halves away from zero
void fmod(const Tensor &dst, const FloatOperand &a, const FloatOperand &b);

// ---- across lanes of a warp
// --------------------------------------------------------------------------
/// The four shuffles, on 32-bit tiles of any type. `width` is a power of two up to 32. Lanes are
/// warps of 32 consecutive threads of a block (x fastest). A source outside the segment, or outside
/// the block, gives the lane's own value.
void shfl_up(const Wave &wave, const Tensor &dst, const Tensor &a, const Index &delta, int width);
void shfl_down(const Wave &wave, const Tensor &dst, const Tensor &a, const Index &delta, int width);
void shfl_xor(const Wave &wave, const Tensor &dst, const Tensor &a, const Index &lane_mask,
              int width);
void shfl(const Wave &wave, const Tensor &dst, const Tensor &a, const Index &source, int width);
/// The same with a source lane computed on the chip (int32 tile).
void shfl(const Wave &wave, const Tensor &dst, const Tensor &a, const Tensor &source, int width);

} // namespace nki
