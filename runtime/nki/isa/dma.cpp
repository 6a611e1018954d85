#include "chip/isa/dma.h"

#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

void require_dma_operand(const Instruction &in, const char *role, const Tensor &tensor) {
  if (!tensor)
    in.fail(std::string(role) + " is missing");
  if (tensor.buffer() == Buffer::psum)
    in.fail(std::string(role) + " is in PSUM, which DMA cannot access: copy it to SBUF first");
}

/// Poison of a transfer: an error on the way to HBM, carried over on the way to SBUF. Both sides
/// have their elements in the same order.
chip::PoisonFlags poison_of_transfer(const chip::View &to, const chip::View &from) {
  if (!chip::begin_read(from))
    return {};
  if (!to.storage->on_chip()) {
    chip::require_written("nisa.dma_copy", "src", from);
    return {};
  }
  return chip::poison_of(from);
}

void copy_direct(const Tensor &dst, const Tensor &src) {
  chip::View to = chip::view_of(dst), from = chip::view_of(src);
  chip::PoisonFlags flags = poison_of_transfer(to, from);
  chip::begin_write(to);
  chip::isa::dma_copy(to, from);
  chip::end_write(to, flags);
}

/// The rows of a transfer with one index per row. The direct side's elements follow row by row.
class IndirectTransfer {
public:
  IndirectTransfer(const Instruction &in, const Tensor &dst, const Tensor &src, oob_mode oob)
      : in_(in), gather_(src.is_indirect()), to_{chip::view_of(dst)}, from_{chip::view_of(src)} {
    const Tensor &indexed = gather_ ? src : dst;
    indices_ = chip::view_of(*indexed.vector_offset());
    rows_ = indices_.partitions;
    chip::isa::DmaSide &side = gather_ ? from_ : to_;
    side.indices = &indices_;
    side.index_stride_bytes = indexed.indirect_stride() * side.view.element_bytes();
    side.index_count = indexed.indirect_count();
    // The pattern's first level counts rows; what is left belongs to one row.
    side.view.pattern = chip::coalesce(indexed.dims().subspan(1), side.view.element_bytes());
    side.view.elements /= rows_;
    if (chip::begin_read(indices_))
      chip::require_written("nisa.dma_copy", "vector_offset", indices_);
    find_skipped(oob);
  }

  void run() {
    if (!gather_) {
      scatter();
      return;
    }
    chip::begin_write(to_.view);
    chip::PoisonFlags flags = chip::poison_of(to_.view); // rows that are skipped keep theirs
    chip::PoisonFlags after;
    int64_t size = to_.view.partitions * to_.view.elements, per_row = size / rows_;
    for (int64_t row = 0; flags.any() && row < rows_; ++row)
      for (int64_t i = 0; skipped_[size_t(row)] && i < per_row; ++i)
        if (flags.at(row * per_row + i))
          after.set(row * per_row + i, size);
    copy();
    chip::end_write(to_.view, after);
  }

private:
  void find_skipped(oob_mode oob) {
    const chip::isa::DmaSide &side = gather_ ? from_ : to_;
    for (int64_t row = 0; row < rows_; ++row) {
      int64_t index = 0;
      bool outside = !chip::isa::indirect_row(side, row, &index);
      bool beyond = !outside && !fits(side, index);
      if ((outside || beyond) && oob == oob_mode::error)
        in_.fail("index " + std::to_string(index) + " of partition " + std::to_string(row) +
                 " is out of bounds: the indexed dimension has " +
                 std::to_string(side.index_count) + " elements");
      skipped_[size_t(row)] = outside || beyond;
    }
  }

  /// Whether the whole row lies inside the allocation's window.
  static bool fits(const chip::isa::DmaSide &side, int64_t index) {
    int64_t low = side.view.offset_bytes + index * side.index_stride_bytes;
    int64_t high = low + side.view.element_bytes();
    for (int d = 0; d < side.view.pattern.rank; ++d) {
      const Dim &dim = side.view.pattern.dims[size_t(d)];
      int64_t reach = dim.stride * (dim.count - 1);
      (reach < 0 ? low : high) += reach;
    }
    return low >= 0 && high <= side.view.storage->row_bytes;
  }

  void scatter() {
    if (chip::begin_read(from_.view) && chip::is_poisoned(from_.view)) {
      chip::PoisonFlags flags = chip::poison_of(from_.view);
      int64_t per_row = from_.view.partitions * from_.view.elements / rows_;
      for (int64_t row = 0; row < rows_; ++row)
        for (int64_t i = 0; !skipped_[size_t(row)] && i < per_row; ++i)
          if (flags.at(row * per_row + i))
            in_.fail("src was never written at partition " + std::to_string(row) + ", element " +
                     std::to_string(i) + ", and may not reach HBM");
    }
    copy();
  }

  void copy() {
    chip::isa::dma_copy_indirect(to_, from_, rows_,
                                 [this](int64_t row) { return skipped_[size_t(row)]; });
  }

  const Instruction &in_;
  bool gather_;
  chip::isa::DmaSide to_, from_;
  chip::View indices_;
  int64_t rows_ = 0;
  std::array<bool, chip::kPartitions> skipped_{};
};

} // namespace

void dma_copy(const Tensor &dst, const Tensor &src, oob_mode oob, dge_mode dge, engine on) {
  Instruction in("dma_copy", {{"dst", &dst}, {"src", &src}});
  require_dma_operand(in, "dst", dst);
  require_dma_operand(in, "src", src);
  in.require(dst.size() == src.size(), "dst and src must have as many elements");
  in.require(dst.dtype() == src.dtype() ||
                 (!chip::is_packed(dst.dtype()) && !chip::is_packed(src.dtype())),
             "packed types are not converted");
  in.require(dge != dge_mode::hwdge || dst.dtype() == src.dtype(),
             "hardware descriptor generation (hwdge) cannot convert types");
  in.require(dge != dge_mode::hwdge || in.generation().core_version > 2,
             "NeuronCore-v2 has no hardware descriptor generation (hwdge)");
  in.require(on == engine::unknown || dge == dge_mode::hwdge, "an engine is chosen for hwdge only");
  in.require(on == engine::unknown || on == engine::sync || on == engine::scalar,
             "hwdge descriptors come from SyncE or ScalarE");
  bool indirect = dst.is_indirect() || src.is_indirect();
  in.require(!(dst.is_indirect() && src.is_indirect()), "only one side may be indirect");
  in.require(!indirect || dge == dge_mode::unknown || dge == dge_mode::swdge,
             "indices per partition need software descriptor generation (swdge)");
  if (indirect)
    IndirectTransfer(in, dst, src, oob).run();
  else
    copy_direct(dst, src);
}

} // namespace nki::isa
