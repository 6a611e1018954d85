// The inner loops of the model: runs over adjacent elements, by operator and by type.
//
// Every entry processes `count` adjacent elements. `out` may be the same run as an input, but may
// not overlap one in part.
#pragma once

#include "nki/language.h"

#include <cstdint>

namespace nki::chip {

using Op = language::Op;

inline constexpr int kOps = int(Op::sign) + 1;
inline constexpr int kComparisons = int(Op::less) - int(Op::equal) + 1;
inline constexpr int kTypes = int(DType::float4_e2m1fn_x4) + 1;
/// Rows that a reduction or a scan takes at a time, one per lane.
inline constexpr int kRows = 16;

using FloatBinary = void (*)(float *out, const float *a, const float *b, int64_t count);
using FloatScalar = void (*)(float *out, const float *a, float b, int64_t count);
using BitsBinary = void (*)(uint32_t *out, const uint32_t *a, const uint32_t *b, int64_t count);
using BitsScalar = void (*)(uint32_t *out, const uint32_t *a, uint32_t b, int64_t count);
/// out = function(in * scale + bias), the product and the sum rounded separately (or not).
using Activation = void (*)(float *out, const float *in, float scale, float bias, int64_t count);
using LoadFloats = void (*)(float *to, const uint8_t *from, int64_t stride, int64_t count);
using StoreFloats = void (*)(uint8_t *to, int64_t stride, const float *from, int64_t count);
using LoadBits = void (*)(uint32_t *to, const uint8_t *from, int64_t stride, int64_t count);
using StoreBits = void (*)(uint8_t *to, int64_t stride, const uint32_t *from, int64_t count);
/// state[r] = op(state[r], rows[r][i]) for i in order, kRows rows.
using ReduceRows = void (*)(const float *const *rows, int64_t count, float *state);
/// out[i] = op over rows in order of element i of each; rows are `pitch` elements apart.
using ReduceColumns = void (*)(float *out, const float *rows, int64_t pitch, int64_t count,
                               int64_t columns);
/// out[r][i] = state[r] = op1(op0(a[r][i], state[r]), b[r][i]), kRows rows.
using ScanRows = void (*)(float *const *out, const float *const *a, const float *const *b,
                          int64_t count, float *state, Op op0, Op op1, bool reverse0,
                          bool reverse1);
/// out[r][i] = state[r] = op(in[r][i], state[r]), kRows rows.
using CumulateRows = void (*)(float *const *out, const float *const *in, int64_t count,
                              float *state);
/// out = compare(affine + base, 0) ? a : other
using SelectAffine = void (*)(uint32_t *out, const int32_t *affine, int32_t base, const uint32_t *a,
                              uint32_t other, int64_t count);

using SelectRange = void (*)(float *out, const float *in, float start, float bound0, float bound1,
                             float other, int64_t count);

/// States of XORWOW generators that run abreast: words x, y, z, w, v and the counter d of each.
inline constexpr int kGenerators = 16, kGeneratorWords = 6;
struct GeneratorStates {
  alignas(64) uint32_t words[kGeneratorWords][kGenerators];
};

struct Kernels {
  // fp32 arithmetic; the second index is ChipAssumptions::nan_in_min_max. Null where the operator
  // is not arithmetic.
  FloatBinary float_binary[kOps][2];
  FloatScalar float_scalar[kOps][2];         ///< a op b
  FloatScalar float_scalar_reverse[kOps][2]; ///< b op a
  ReduceRows reduce_rows[kOps][2];
  ReduceColumns reduce_columns[kOps][2];
  ScanRows scan_rows[2];
  CumulateRows cumulate_rows[kOps][2];
  /// Of kRows rows: means of the even and of the odd elements, and sums of the squared distances.
  void (*statistics)(const float *const *rows, int64_t count, float (*mean)[kRows],
                     float (*spread)[kRows]);

  // Bit patterns; the second index is ChipAssumptions::large_shift_is_zero.
  BitsBinary bits_binary[kOps][2];
  BitsScalar bits_scalar[kOps][2];
  BitsScalar bits_scalar_reverse[kOps][2];
  // 32-bit integers: [op][a signed][b signed][result signed][saturate]
  BitsBinary integer_binary[kOps][2][2][2][2];

  /// [op][product and sum are fused][exact outside the documented range]; null for other operators.
  Activation activation[kOps][2][2];
  /// Values that are not above 0 times the slope.
  void (*prelu)(float *values, float slope, int64_t count);
  /// out = a * factor + b, fused.
  void (*multiply_add)(float *out, const float *a, float factor, const float *b, int64_t count);

  LoadFloats load_floats[kTypes];
  StoreFloats store_floats[kTypes];
  LoadBits load_bits[5];   ///< by bytes per element: 1, 2, 4
  StoreBits store_bits[5]; ///< by bytes per element: 1, 2, 4

  /// out = take != 0 ? a : b
  void (*select)(uint32_t *out, const uint32_t *take, const uint32_t *a, const uint32_t *b,
                 int64_t count);
  void (*select_scalars)(uint32_t *out, const uint32_t *take, const uint32_t *a, uint32_t b,
                         int64_t count);
  SelectAffine select_affine[kOps];
  /// out = op0(start + i, bound0) and op1(start + i, bound1) ? in : other, by two comparisons (from
  /// Op::equal on).
  SelectRange select_range[kComparisons][kComparisons];
  /// out = row[index]
  void (*gather)(uint32_t *out, const uint32_t *row, const uint32_t *index, int64_t count);
  uint32_t (*largest)(const uint32_t *values, int64_t count);
  /// Replaces subnormals by zeros of the same sign.
  void (*flush)(float *values, int64_t count);
  void (*fill)(uint32_t *out, uint32_t value, int64_t count);
  /// Partitions' int32 values start + i * step, modulo 2^32.
  void (*ramp)(int32_t *out, int32_t start, int32_t step, int64_t count);
  /// out = float(start + i), exactly for |start + i| <= 2^24.
  void (*float_ramp)(float *out, float start, int64_t count);
  /// `steps` numbers of each generator: out[g / 4][4 * step + g % 4] is what generator g draws. Of
  /// one set of generators [0] and of two [1].
  void (*draw[2])(GeneratorStates *states, uint32_t *const *out, int64_t steps);
  /// The same with a row for each generator: out[g][step].
  void (*draw_single)(GeneratorStates *states, uint32_t *const *out, int64_t steps);
  /// out = start + range * (the upper 24 bits as a number of [0, 1)), rounded after each operation.
  void (*uniform)(float *out, const uint32_t *bits, float start, float range, int64_t count);
  /// out[i] = the upper half of what SplitMix64's finaliser makes of counter + i.
  void (*mix)(uint32_t *out, uint64_t counter, int64_t count);
  /// out = bits >> 8 >= limit ? in : 0
  void (*keep)(uint32_t *out, const uint32_t *bits, uint32_t limit, const uint32_t *in,
               int64_t count);
  /// Keeps the 8 largest of `best` (descending) and `values`; NaN counts as the smallest.
  void (*max8)(float *best, const float *values, int64_t count);
  /// The first i >= from with values[i] > limit; `count` if there is none.
  int64_t (*find_above)(const float *values, int64_t from, int64_t count, float limit);
  /// Writes where values[i] is equal to one of 8 wanted numbers, in order; returns how often.
  int64_t (*equal_any8)(const float *values, int64_t count, const float *wanted, uint32_t *hits);
  /// Of 8 rows of 4 * columns numbers: the scale of each column (biased, 255 where something is not
  /// finite), and the numbers over their scale as float8_e4m3fn [0] or float8_e5m2 [1]. `spare` has
  /// room for a row.
  void (*quantize_mx[2])(const float *rows, int64_t pitch, int64_t columns, uint8_t *const *out,
                         uint32_t *scales, float *spare);
  /// out[j * pitch + c] = element j of the four in packed[c], times 2^(scales[c] - 127). By type;
  /// null for types that are not packed.
  void (*dequantize_mx[kTypes])(float *out, int64_t pitch, const uint32_t *packed,
                                const uint32_t *scales, int64_t columns);
  /// to[c * to_pitch + r] = from[r * from_pitch + c]; pitches in elements.
  void (*transpose)(uint32_t *to, int64_t to_pitch, const uint32_t *from, int64_t from_pitch,
                    int64_t rows, int64_t columns);
  void (*transpose16)(uint16_t *to, int64_t to_pitch, const uint16_t *from, int64_t from_pitch,
                      int64_t rows, int64_t columns);
  /// out[m, n] = sum over k of left[k, m] * right[k, n], fused multiply-adds in order of k from 0.
  /// depth at most 512, rows at most 128.
  void (*matmul)(float *out, const float *left, const float *right, int64_t depth, int64_t rows,
                 int64_t columns);
};

/// The copy for this host.
const Kernels &kernels();
/// All copies that this host can run, for tests.
struct NamedKernels {
  const char *name;
  const Kernels *table;
};
struct AllKernels {
  NamedKernels entries[2];
  int count;
};
AllKernels all_kernels();

} // namespace nki::chip
