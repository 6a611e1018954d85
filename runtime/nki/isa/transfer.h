// What all transfers of the DMA engines share.
#pragma once

#include "chip/isa/dma.h"
#include "nki/isa/instruction.h"

#include <array>
#include <vector>

namespace nki::isa {

/// A present tensor in HBM or SBUF.
void require_dma_operand(const Instruction &in, const char *role, const Tensor &tensor);

/// The class of service: 0 to 3, where the generation has them.
void require_priority(const Instruction &in, std::optional<int> priority);

/// The device memory that a view spans; empty on chip.
chip::TransferShape::Range hbm_range(const View &view);
/// What a transfer costs, where its elements are cut into runs by both sides.
chip::TransferShape shape_of(const View &to, const View &from);
/// Takes the time of a transfer; `indices` is null where there are none.
void take_time(const Instruction &in, const chip::TransferShape &shape, const View &to,
               const View &from, const View *indices);

/// The indirect side of a transfer: one row per index. Row r belongs to the index at partition
/// r mod P and column r / P of the P partitions of indices.
class IndexedRows {
public:
  /// Checks the indices: each within the tensor, or skipped.
  IndexedRows(const Instruction &in, const Tensor &indexed, oob_mode oob);
  IndexedRows(const IndexedRows &) = delete;
  IndexedRows &operator=(const IndexedRows &) = delete;

  const chip::isa::DmaSide &side() const { return side_; }
  const View &indices() const { return indices_; }
  int64_t rows() const { return rows_; }
  int64_t moved() const { return moved_; } ///< rows that are not skipped
  bool skips(int64_t row) const { return skipped_[size_t(row)]; }
  /// Throws where two rows that are moved have the same index.
  void require_unique() const;
  /// All memory that an index could reach.
  chip::TransferShape::Range reach() const;

  /// Elements of all rows to a run in memory of `type`, and back. Skipped rows are left alone.
  void read(void *to, DType type) const;
  void write(const void *from, DType type) const;

private:
  void find_skipped(oob_mode oob);

  const Instruction &in_;
  chip::isa::DmaSide side_;
  View indices_;
  int64_t rows_ = 0, moved_ = 0;
  std::vector<bool> skipped_;
};

} // namespace nki::isa
