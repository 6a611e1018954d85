// Transposes and matrix products.

#include "chip/kernels/blocks.h"
#include "chip/kernels/tables.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

// ---- transpose
// ------------------------------------------------------------------------------------

void transpose(uint32_t *to, int64_t to_pitch, const uint32_t *from, int64_t from_pitch,
               int64_t rows, int64_t columns) {
  auto one_by_one = [&](int64_t row, int64_t row_end, int64_t column, int64_t column_end) {
    for (int64_t c = column; c < column_end; ++c)
      for (int64_t r = row; r < row_end; ++r)
        to[c * to_pitch + r] = from[r * from_pitch + c];
  };
  const int64_t whole_rows = rows / kBlock * kBlock, whole_columns = columns / kBlock * kBlock;
  for (int64_t c = 0; c < whole_columns; c += kBlock)
    for (int64_t r = 0; r < whole_rows; r += kBlock) {
      BlockLanes block[kBlock];
      load_columns(block, [&](int i) {
        return reinterpret_cast<const float *>(from + (r + i) * from_pitch + c);
      });
      for (int i = 0; i < kBlock; ++i)
        store(reinterpret_cast<float *>(to + (c + i) * to_pitch + r), block[i]);
    }
  one_by_one(0, whole_rows, whole_columns, columns);
  one_by_one(whole_rows, rows, 0, columns);
}

using Eight = uint16_t __attribute__((vector_size(kBlock * 2), aligned(2)));

void transpose_block(Eight (&m)[kBlock]) {
  // Three times: row i between row i and row i + 4.
  for (int round = 0; round < 3; ++round) {
    Eight t[kBlock];
    for (int i = 0; i < kBlock / 2; ++i) {
      t[2 * i] = __builtin_shufflevector(m[i], m[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
      t[2 * i + 1] = __builtin_shufflevector(m[i], m[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    for (int i = 0; i < kBlock; ++i)
      m[i] = t[i];
  }
}

void transpose16(uint16_t *to, int64_t to_pitch, const uint16_t *from, int64_t from_pitch,
                 int64_t rows, int64_t columns) {
  const int64_t whole_rows = rows / kBlock * kBlock, whole_columns = columns / kBlock * kBlock;
  for (int64_t c = 0; c < whole_columns; c += kBlock)
    for (int64_t r = 0; r < whole_rows; r += kBlock) {
      Eight block[kBlock];
      for (int i = 0; i < kBlock; ++i)
        __builtin_memcpy(&block[i], from + (r + i) * from_pitch + c, sizeof block[i]);
      transpose_block(block);
      for (int i = 0; i < kBlock; ++i)
        __builtin_memcpy(to + (c + i) * to_pitch + r, &block[i], sizeof block[i]);
    }
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = r < whole_rows ? whole_columns : 0; c < columns; ++c)
      to[c * to_pitch + r] = from[r * from_pitch + c];
}

// ---- matrix product -----------------------------------------------------------------------------

#ifdef __AVX512F__
constexpr int kWidth = 16, kHeight = 8; // 16 accumulators of 32 registers, no rows left over
#else
constexpr int kWidth = 8, kHeight = 6; // 12 accumulators of 16 registers
#endif
constexpr int kVectors = 2;
constexpr int kColumns = kWidth * kVectors;
using Lanes = float __attribute__((vector_size(kWidth * sizeof(float)), aligned(4)));

constexpr int64_t kMaxDepth = 512;

/// A block of Height by kColumns: every accumulator runs over k in order. Both sides are packed:
/// the block's Height, or kColumns, values of one k lie together.
template <int Height>
void block(float *out, int64_t out_pitch, const float *left, const float *right, int64_t depth) {
  Lanes sum[Height][kVectors] = {};
  for (int64_t k = 0; k < depth; ++k) {
    Lanes r[kVectors];
    __builtin_memcpy(r, right + k * kColumns, sizeof r);
#pragma clang loop unroll(full)
    for (int m = 0; m < Height; ++m) {
      Lanes l = left[k * Height + m] - Lanes{};
      for (int v = 0; v < kVectors; ++v)
        sum[m][v] = __builtin_elementwise_fma(l, r[v], sum[m][v]);
    }
  }
  for (int m = 0; m < Height; ++m)
    __builtin_memcpy(out + m * out_pitch, sum[m], sizeof sum[m]);
}

/// `width` values of every row, padded with zeros to `padded`.
void pack(float *to, int64_t padded, const float *from, int64_t pitch, int64_t depth,
          int64_t width) {
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t i = 0; i < padded; ++i)
      to[k * padded + i] = i < width ? from[k * pitch + i] : 0.0f;
}

void matmul(float *out, const float *left, const float *right, int64_t depth, int64_t rows,
            int64_t columns) {
  constexpr int64_t max_blocks = (128 + kHeight - 1) / kHeight;
  alignas(64) float lefts[max_blocks * kHeight * kMaxDepth], panel[kMaxDepth * kColumns];
  for (int64_t m = 0; m < rows; m += kHeight)
    pack(lefts + m * depth, kHeight, left + m, rows, depth, rows - m);
  for (int64_t n = 0; n < columns; n += kColumns) {
    pack(panel, kColumns, right + n, columns, depth, columns - n);
    for (int64_t m = 0; m < rows; m += kHeight) {
      const float *from = lefts + m * depth;
      if (m + kHeight <= rows && n + kColumns <= columns) {
        block<kHeight>(out + m * columns + n, columns, from, panel, depth);
        continue;
      }
      float edge[kHeight * kColumns];
      block<kHeight>(edge, kColumns, from, panel, depth);
      for (int64_t i = 0; i < kHeight && m + i < rows; ++i)
        for (int64_t j = 0; j < kColumns && n + j < columns; ++j)
          out[(m + i) * columns + n + j] = edge[i * kColumns + j];
    }
  }
}

} // namespace

void fill_matrix(Kernels &table) {
  table.transpose = transpose;
  table.transpose16 = transpose16;
  table.matmul = matmul;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
