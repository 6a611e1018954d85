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

void require_descriptors(const Instruction &in, const Tensor &dst, const Tensor &src, dge_mode dge,
                         engine on) {
  in.require(dge != dge_mode::hwdge || in.generation().core_version > 2,
             "NeuronCore-v2 has no hardware descriptor generation (hwdge)");
  in.require(dge != dge_mode::hwdge || dst.dtype() == src.dtype(),
             "hardware descriptor generation (hwdge) cannot convert types");
  in.require(on == engine::unknown || dge == dge_mode::hwdge, "an engine is chosen for hwdge only");
  in.require(on == engine::unknown || on == engine::sync || on == engine::scalar,
             "hwdge descriptors come from SyncE or ScalarE");
  in.require(!(dst.is_indirect() && src.is_indirect()), "only one side may be indirect");
  in.require(!(dst.is_indirect() || src.is_indirect()) || dge == dge_mode::unknown ||
                 dge == dge_mode::swdge,
             "indices per partition need software descriptor generation (swdge)");
}

/// Adjacent bytes on one side.
int64_t run_bytes(const View &view) {
  const Dim &inner = view.pattern.inner();
  return inner.stride == view.element_bytes() ? inner.count * inner.stride : view.element_bytes();
}

chip::TransferShape::Range hbm_range(const View &view) {
  if (view.storage->on_chip())
    return {};
  const uint8_t *begin = view.base, *end = view.base + view.element_bytes();
  for (int d = 0; d < view.pattern.rank; ++d) {
    const Dim &dim = view.pattern.dims[size_t(d)];
    int64_t reach = dim.stride * (dim.count - 1);
    (reach < 0 ? begin : end) += reach;
  }
  return {begin, end};
}

chip::TransferShape shape_of(const View &to, const View &from) {
  chip::TransferShape shape;
  shape.bytes = to.partitions * to.elements * std::max(to.element_bytes(), from.element_bytes());
  // Runs of both sides, in elements, cut each other.
  int64_t to_run = run_bytes(to) / to.element_bytes();
  int64_t from_run = run_bytes(from) / from.element_bytes();
  shape.run_bytes = std::min(to_run, from_run) * std::max(to.element_bytes(), from.element_bytes());
  bool to_chip = to.storage->on_chip(), from_chip = from.storage->on_chip();
  shape.partitions = to_chip ? to.partitions : from_chip ? from.partitions : 0;
  shape.reads = hbm_range(from);
  shape.writes = hbm_range(to);
  return shape;
}

void take_time(const Instruction &in, const chip::TransferShape &shape, const View &to,
               const View &from, const View *indices) {
  chip::Storage *const reads[] = {from.storage, indices ? indices->storage : from.storage};
  chip::Storage *const writes[] = {to.storage};
  bool from_chip = from.storage->on_chip();
  std::span<chip::Storage *const> sources(reads);
  if (!from_chip)
    sources = sources.subspan(1, indices ? 1 : 0);
  std::span<chip::Storage *const> destinations(writes);
  in.core().timeline().transfer(in.name(), shape, sources,
                                to.storage->on_chip() ? destinations : destinations.first(0));
}

void copy_direct(const Instruction &in, const Tensor &dst, const Tensor &src) {
  View to = chip::view_of(dst), from = chip::view_of(src);
  bool same_memory =
      to.storage == from.storage || (!to.storage->on_chip() && !from.storage->on_chip());
  in.require(!same_memory || !chip::shares_bytes(to, from),
             "dst lies over src: the result would depend on the order of the transfers");
  PoisonFlags flags;
  if (chip::begin_read(from)) {
    if (!to.storage->on_chip())
      chip::require_written("nisa.dma_copy", "src", from);
    else
      flags = chip::poison_of(from); // both sides have their elements in the same order
  }
  chip::begin_write(to);
  chip::isa::dma_copy(to, from);
  chip::end_write(to, flags);
  take_time(in, shape_of(to, from), to, from, nullptr);
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
    if (gather_)
      gather();
    else
      scatter();
    take_time(in_, shape(), to_.view, from_.view, &indices_);
  }

private:
  void find_skipped(oob_mode oob) {
    const chip::isa::DmaSide &side = gather_ ? from_ : to_;
    for (int64_t row = 0; row < rows_; ++row) {
      int64_t index = 0;
      bool outside = !chip::isa::indirect_row(side, row, &index) || !fits(side, index);
      if (outside && oob == oob_mode::error)
        in_.fail("index " + std::to_string(index) + " of partition " + std::to_string(row) +
                 " is out of bounds: the indexed dimension has " +
                 std::to_string(side.index_count) + " elements");
      skipped_[size_t(row)] = outside;
      moved_ += !outside;
    }
  }

  /// Whether the whole row lies inside the tensor's memory.
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

  void gather() {
    bool maybe_poison = chip::begin_read(from_.view); // an HBM tensor: never
    if (moved_ < rows_)
      maybe_poison |= chip::begin_read(to_.view);
    chip::begin_write(to_.view);
    PoisonFlags before = maybe_poison ? chip::poison_of(to_.view) : PoisonFlags(), after;
    int64_t size = to_.view.partitions * to_.view.elements, per_row = size / rows_;
    for (int64_t i = 0; before.any() && i < size; ++i)
      if (before.at(i) && skipped_[size_t(i / per_row)]) // rows that are skipped keep theirs
        after.set(i, size);
    copy();
    chip::end_write(to_.view, after);
  }

  void scatter() {
    if (chip::begin_read(from_.view) && chip::is_poisoned(from_.view)) {
      PoisonFlags flags = chip::poison_of(from_.view);
      int64_t size = from_.view.partitions * from_.view.elements, per_row = size / rows_;
      for (int64_t i = 0; i < size; ++i)
        if (flags.at(i) && !skipped_[size_t(i / per_row)])
          in_.fail("src was never written at partition " + std::to_string(i / per_row) +
                   ", element " + std::to_string(i % per_row) + ", and may not reach HBM");
    }
    copy();
  }

  void copy() {
    chip::isa::dma_copy_indirect(to_, from_, rows_,
                                 [this](int64_t row) { return skipped_[size_t(row)]; });
  }

  chip::TransferShape shape() const {
    chip::TransferShape shape = shape_of(to_.view, from_.view);
    const chip::isa::DmaSide &side = gather_ ? from_ : to_, &direct = gather_ ? to_ : from_;
    shape.bytes =
        direct.view.partitions * direct.view.elements * side.view.element_bytes() / rows_ * moved_;
    shape.partitions = rows_;
    shape.software_descriptors = true;
    shape.indices = rows_;
    // Which rows are touched is not looked at: all that an index could reach.
    chip::TransferShape::Range reach{side.view.base,
                                     side.view.base + side.index_count * side.index_stride_bytes};
    (gather_ ? shape.reads : shape.writes) = reach;
    return shape;
  }

  const Instruction &in_;
  bool gather_;
  chip::isa::DmaSide to_, from_;
  View indices_;
  int64_t rows_ = 0, moved_ = 0;
  std::array<bool, chip::kPartitions> skipped_{};
};

} // namespace

void dma_copy(const Tensor &dst, const Tensor &src, oob_mode oob, dge_mode dge, engine on) {
  Instruction in("dma_copy", {{"dst", &dst}, {"src", &src}});
  require_dma_operand(in, "dst", dst);
  require_dma_operand(in, "src", src);
  in.require(dst.size() == src.size(), "dst and src must have as many elements");
  if (dst.dtype() != src.dtype()) {
    in.unpacked("dst", dst);
    in.unpacked("src", src);
  }
  require_descriptors(in, dst, src, dge, on);
  if (dst.is_indirect() || src.is_indirect())
    IndirectTransfer(in, dst, src, oob).run();
  else
    copy_direct(in, dst, src);
}

} // namespace nki::isa
