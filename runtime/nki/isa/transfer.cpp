#include "nki/isa/transfer.h"

#include <algorithm>

namespace nki::isa {

void require_dma_operand(const Instruction &in, const char *role, const Tensor &tensor) {
  if (!tensor)
    in.fail(std::string(role) + " is missing");
  if (tensor.buffer() == Buffer::psum)
    in.fail(std::string(role) + " is in PSUM, which DMA cannot access: copy it to SBUF first");
  if (tensor.has_tensor_indirection())
    in.fail(std::string(role) + " may not go through tensor indirection");
}

void require_priority(const Instruction &in, std::optional<int> priority) {
  in.require(!priority || in.has(Feature::dma_priority), "priority exists from NeuronCore-v4 on");
  in.require(!priority || (*priority >= 0 && *priority <= 3), "priority is 0 to 3");
}

namespace {

/// Adjacent bytes on one side.
int64_t run_bytes(const View &view) {
  const Dim &inner = view.pattern.inner();
  return inner.stride == view.element_bytes() ? inner.count * inner.stride : view.element_bytes();
}

} // namespace

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
  if (to_chip) {
    shape.first_partition = to.start_partition;
    shape.written_partitions = to.partitions;
    int64_t low = to.offset_bytes, high = low + to.element_bytes();
    for (int d = 0; d < to.pattern.rank; ++d) {
      const Dim &dim = to.pattern.dims[size_t(d)];
      (dim.stride < 0 ? low : high) += dim.stride * (dim.count - 1);
    }
    shape.first_byte = low;
    shape.written_bytes = high - low;
  }
  return shape;
}

void take_time(const Instruction &in, const chip::TransferShape &shape, const View &to,
               const View &from, const View *indices) {
  chip::Storage *const reads[] = {from.storage, indices ? indices->storage : from.storage};
  chip::Storage *const writes[] = {to.storage};
  if (to.storage->outlives_kernel())
    in.core().has_stored = true;
  bool from_chip = from.storage->on_chip();
  std::span<chip::Storage *const> sources(reads);
  if (!from_chip)
    sources = sources.subspan(1, indices ? 1 : 0);
  std::span<chip::Storage *const> destinations(writes);
  in.core().timeline().transfer(in.name(), shape, sources,
                                to.storage->on_chip() ? destinations : destinations.first(0));
}

IndexedRows::IndexedRows(const Instruction &in, const Tensor &indexed, oob_mode oob)
    : in_(in), side_{chip::view_of(indexed)},
      indices_(chip::view_of(*indexed.indirection()->indices)), rows_(indexed.shape(0)) {
  side_.indices = &indices_;
  side_.index_stride_bytes = indexed.indirection()->stride_bytes;
  side_.index_count = indexed.indirection()->count;
  // The pattern's first level counts rows; what is left belongs to one row.
  side_.view.pattern = chip::coalesce(indexed.dims().subspan(1), side_.view.element_bytes());
  side_.view.elements /= rows_;
  if (chip::begin_read(indices_))
    chip::require_written((std::string("nisa.") + in.name()).c_str(), "vector_offset", indices_);
  find_skipped(oob);
}

namespace {

/// Whether the whole row lies inside the tensor's memory.
bool fits(const chip::isa::DmaSide &side, int64_t index) {
  int64_t low = side.view.offset_bytes + index * side.index_stride_bytes;
  int64_t high = low + side.view.element_bytes();
  for (int d = 0; d < side.view.pattern.rank; ++d) {
    const Dim &dim = side.view.pattern.dims[size_t(d)];
    int64_t reach = dim.stride * (dim.count - 1);
    (reach < 0 ? low : high) += reach;
  }
  return low >= 0 && high <= side.view.storage->row_bytes;
}

} // namespace

void IndexedRows::find_skipped(oob_mode oob) {
  skipped_.resize(size_t(rows_));
  for (int64_t row = 0; row < rows_; ++row) {
    int64_t index = 0;
    bool outside = !chip::isa::indirect_row(side_, row, &index) || !fits(side_, index);
    if (outside && oob == oob_mode::error)
      in_.fail("index " + std::to_string(index) + " of row " + std::to_string(row) +
               " is out of bounds: the indexed dimension has " + std::to_string(side_.index_count) +
               " elements");
    skipped_[size_t(row)] = outside;
    moved_ += !outside;
  }
}

void IndexedRows::require_unique() const {
  std::vector<int64_t> seen;
  for (int64_t row = 0; row < rows_; ++row) {
    int64_t index = 0;
    if (!skips(row) && chip::isa::indirect_row(side_, row, &index))
      seen.push_back(index);
  }
  std::sort(seen.begin(), seen.end());
  auto twice = std::adjacent_find(seen.begin(), seen.end());
  if (twice != seen.end())
    in_.fail("indices must be unique, " + std::to_string(*twice) + " is there twice");
}

chip::TransferShape::Range IndexedRows::reach() const {
  return {side_.view.base, side_.view.base + side_.index_count * side_.index_stride_bytes};
}

namespace {

/// `rows` rows of the side's length as one run in memory.
View run_of(void *memory, DType type, const chip::isa::DmaSide &side, int64_t rows) {
  View run = chip::scratch_view(static_cast<float *>(memory), 1, rows * side.view.elements);
  run.type = type;
  run.pattern.dims[0].stride = int64_t(size_of(type));
  return run;
}

} // namespace

void IndexedRows::read(void *to, DType type) const {
  chip::isa::dma_copy_indirect({run_of(to, type, side_, rows_)}, side_, rows_,
                               [this](int64_t row) { return skips(row); });
}

void IndexedRows::write(const void *from, DType type) const {
  chip::isa::dma_copy_indirect(side_, {run_of(const_cast<void *>(from), type, side_, rows_)}, rows_,
                               [this](int64_t row) { return skips(row); });
}

} // namespace nki::isa
