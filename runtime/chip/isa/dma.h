// dma_copy: any pattern to any pattern, with casts and one index per partition.
#pragma once

#include "chip/isa/operand.h"

#include <functional>

namespace nki::chip::isa {

/// One side of a transfer: rows (partitions of a tile, or steps of an index) of elements.
struct DmaSide {
  View view;
  /// Indices of an indirect side, int32/uint32, one per row, column by column; null where it is
  /// direct.
  const View *indices = nullptr;
  int64_t index_stride_bytes = 0;
  int64_t index_count = 0;
};

/// Address of row `row` of an indirect side, or null where its index is out of range.
uint8_t *indirect_row(const DmaSide &side, int64_t row, int64_t *index);

/// Copies all elements in order. Equal types bit for bit, different ones through fp32.
void dma_copy(const View &dst, const View &src);
/// Copies row by row, where one side is indirect with `rows` rows; rows that `skip` names are left
/// out.
void dma_copy_indirect(const DmaSide &dst, const DmaSide &src, int64_t rows,
                       const std::function<bool(int64_t)> &skip);

} // namespace nki::chip::isa
