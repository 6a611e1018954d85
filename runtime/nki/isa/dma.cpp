#include "nki/isa/transfer.h"

#include "chip/layout.h"

namespace nki::isa {

namespace {

void require_descriptors(const Instruction &in, const Tensor &dst, const Tensor &src, dge_mode dge,
                         engine on) {
  in.require(dge != dge_mode::hwdge || in.has(Feature::hardware_descriptors),
             "NeuronCore-v2 has no hardware descriptor generation (hwdge)");
  in.require(dge != dge_mode::hwdge || dst.dtype() == src.dtype(),
             "hardware descriptor generation (hwdge) cannot convert types");
  in.require(on == engine::unknown || dge == dge_mode::hwdge, "an engine is chosen for hwdge only");
  in.require(on == engine::unknown || on == engine::sync || on == engine::scalar,
             "hwdge descriptors come from SyncE or ScalarE");
  in.require(!(dst.has_vector_offset() && src.has_vector_offset()),
             "only one side may be indirect");
  in.require(!(dst.has_vector_offset() || src.has_vector_offset()) || dge == dge_mode::unknown ||
                 dge == dge_mode::swdge,
             "indices per partition need software descriptor generation (swdge)");
}

void copy_direct(const Instruction &in, const Tensor &dst, const Tensor &src) {
  View to = chip::view_of(dst), from = chip::view_of(src);
  bool same_memory =
      to.storage == from.storage || (!to.storage->on_chip() && !from.storage->on_chip());
  // A tensor may be copied onto itself, which kernels do to wait for what writes it.
  in.require(!same_memory || !chip::shares_bytes(to, from) || chip::same_elements(to, from),
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
      : in_(in), gather_(src.has_vector_offset()), rows_(in, gather_ ? src : dst, oob),
        direct_{chip::view_of(gather_ ? dst : src)} {
    in.require(rows_.indices().elements == 1 && rows_.rows() == rows_.indices().partitions,
               "dma_copy takes one index per partition");
  }

  void run() {
    if (gather_)
      gather();
    else
      scatter();
    const View &indexed = rows_.side().view;
    take_time(in_, shape(), gather_ ? direct_.view : indexed, gather_ ? indexed : direct_.view,
              &rows_.indices());
  }

private:
  int64_t size() const { return direct_.view.partitions * direct_.view.elements; }

  void gather() {
    bool maybe_poison = chip::begin_read(rows_.side().view); // an HBM tensor: never
    if (rows_.moved() < rows_.rows())
      maybe_poison |= chip::begin_read(direct_.view);
    chip::begin_write(direct_.view);
    PoisonFlags before = maybe_poison ? chip::kept_poison_of(direct_.view) : PoisonFlags(), after;
    for (int64_t i = 0; before.any() && i < size(); ++i)
      if (before.at(i) && rows_.skips(i / (size() / rows_.rows()))) // skipped rows keep theirs
        after.set(i, size());
    copy(direct_, rows_.side());
    chip::end_write(direct_.view, after);
  }

  void scatter() {
    if (chip::begin_read(direct_.view) && chip::is_poisoned(direct_.view)) {
      const PoisonFlags flags = chip::kept_poison_of(direct_.view);
      int64_t per_row = size() / rows_.rows();
      for (int64_t i = 0; i < size(); ++i)
        if (flags.at(i) && !rows_.skips(i / per_row))
          in_.fail(chip::describe_poison("src", direct_.view, i) + ", and may not reach HBM");
    }
    copy(rows_.side(), direct_);
  }

  void copy(const chip::isa::DmaSide &to, const chip::isa::DmaSide &from) {
    chip::isa::dma_copy_indirect(to, from, rows_.rows(),
                                 [this](int64_t row) { return rows_.skips(row); });
  }

  chip::TransferShape shape() const {
    const View &indexed = rows_.side().view;
    chip::TransferShape shape =
        gather_ ? shape_of(direct_.view, indexed) : shape_of(indexed, direct_.view);
    shape.bytes = size() * indexed.element_bytes() / rows_.rows() * rows_.moved();
    shape.partitions = rows_.rows();
    shape.software_descriptors = true;
    shape.indices = rows_.rows();
    (gather_ ? shape.reads : shape.writes) = rows_.reach(); // which rows is not looked at
    return shape;
  }

  const Instruction &in_;
  bool gather_;
  IndexedRows rows_;
  chip::isa::DmaSide direct_;
};

} // namespace

void dma_copy(const Tensor &dst, const Tensor &src, oob_mode oob, dge_mode dge, engine on,
              std::optional<int> priority) {
  Instruction in("dma_copy", {{"dst", &dst}, {"src", &src}});
  require_dma_operand(in, "dst", dst);
  require_dma_operand(in, "src", src);
  in.require(dst.size() == src.size(), "dst and src must have as many elements");
  if (dst.dtype() != src.dtype()) {
    in.unpacked("dst", dst);
    in.unpacked("src", src);
  }
  require_descriptors(in, dst, src, dge, on);
  require_priority(in, priority);
  const bool skips = oob == oob_mode::skip;
  if (!in.starts_in_bounds("dst", dst, skips) || !in.starts_in_bounds("src", src, skips))
    return;
  if (dst.has_vector_offset() || src.has_vector_offset())
    IndirectTransfer(in, dst, src, oob).run();
  else
    copy_direct(in, dst, src);
}

} // namespace nki::isa
