// Blocks of eight by eight floats, or of other elements of four bytes, in vectors.
#pragma once

#include "chip/kernels/target.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

inline constexpr int kBlock = 8;
using BlockLanes = float __attribute__((vector_size(kBlock * sizeof(float)), aligned(4)));

inline BlockLanes load(const float *from) {
  BlockLanes lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
inline void store(float *to, BlockLanes lanes) { __builtin_memcpy(to, &lanes, sizeof lanes); }

/// Columns of an 8 by 8 block whose row r begins at row(r). Halves of rows are put together while
/// they are loaded, which takes a third of the shuffles.
template <class F> inline void load_columns(BlockLanes (&m)[kBlock], F &&row) {
  using Half = float __attribute__((vector_size(16), aligned(4)));
  for (int half = 0; half < 2; ++half) {
    BlockLanes r[4], t[4];
    for (int i = 0; i < 4; ++i) {
      Half low, high;
      __builtin_memcpy(&low, row(i) + 4 * half, sizeof low);
      __builtin_memcpy(&high, row(i + 4) + 4 * half, sizeof high);
      r[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    for (int i = 0; i < 2; ++i) {
      t[i] = __builtin_shufflevector(r[i], r[i + 2], 0, 8, 1, 9, 4, 12, 5, 13);
      t[i + 2] = __builtin_shufflevector(r[i], r[i + 2], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 2; ++i) {
      m[4 * half + 2 * i] =
          __builtin_shufflevector(t[2 * i], t[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
      m[4 * half + 2 * i + 1] =
          __builtin_shufflevector(t[2 * i], t[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
  }
}

/// An 8 by 8 block, rows to columns.
inline void transpose_block(BlockLanes (&m)[kBlock]) {
  BlockLanes t[kBlock];
  for (int i = 0; i < kBlock; i += 2) {
    t[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    t[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < kBlock; i += 4)
    for (int j = 0; j < 2; ++j) {
      m[i + j] = __builtin_shufflevector(t[i + j], t[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      m[i + j + 2] = __builtin_shufflevector(t[i + j], t[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; ++i) {
    t[i] = __builtin_shufflevector(m[i], m[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    t[i + 4] = __builtin_shufflevector(m[i], m[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (int i = 0; i < kBlock; ++i)
    m[i] = t[i];
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
