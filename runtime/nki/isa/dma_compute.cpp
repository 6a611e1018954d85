#include "chip/stream.h"
#include "nki/isa/transfer.h"

#include <algorithm>
#include <memory>

namespace nki::isa {

namespace {

constexpr size_t kMaxSources = 16;

/// The same elements in the same order, with the same indices where there are some.
bool matches(const Tensor &a, const Tensor &b) {
  if (a.dtype() != b.dtype() || a.has_vector_offset() != b.has_vector_offset() ||
      a.ndim() != b.ndim() || chip::view_of(a).base != chip::view_of(b).base)
    return false;
  for (size_t d = 0; d < a.dims().size(); ++d)
    if (a.dims()[d].count != b.dims()[d].count || a.dims()[d].stride != b.dims()[d].stride)
      return false;
  return !a.has_vector_offset() ||
         (a.indirection()->stride_bytes == b.indirection()->stride_bytes &&
          matches(*a.indirection()->indices, *b.indirection()->indices));
}

/// Throws for operands that are not the two of a scatter or a gather. Returns the one that is added
/// to dst.
const Tensor &require_read_modify_write(const Instruction &in, const Tensor &dst,
                                        std::span<const Tensor> srcs, bool unique_indices) {
  in.require(srcs.size() == 2, "with indices there are exactly two sources");
  in.require(unique_indices, "unique_indices must be set");
  bool first = matches(srcs[0], dst);
  in.require(first || matches(srcs[1], dst), "with indices one source is the same as dst");
  const Tensor &other = srcs[first ? 1 : 0];
  in.require(
      dst.has_vector_offset() ? other.buffer() == Buffer::sbuf && !other.has_vector_offset()
                              : dst.buffer() == Buffer::sbuf && other.has_vector_offset(),
      "with indices dst is in HBM and the other source in SBUF, or dst in SBUF and the other "
      "source in HBM with indices");
  return other;
}

void take_compute_time(const Instruction &in, const View &to, std::span<const Tensor> srcs,
                       const IndexedRows *rows) {
  std::vector<chip::Storage *> reads;
  chip::TransferShape shape = shape_of(to, chip::view_of(srcs[0]));
  shape.bytes = to.partitions * to.elements * to.element_bytes();
  for (const Tensor &src : srcs) {
    View from = chip::view_of(src);
    shape.bytes += src.size() * from.element_bytes();
    if (from.storage->on_chip())
      reads.push_back(from.storage);
    else
      shape.reads = rows ? rows->reach() : shape_of(to, from).reads;
  }
  if (rows) {
    reads.push_back(rows->indices().storage);
    shape.software_descriptors = true;
    shape.indices = rows->rows();
  }
  chip::Storage *const writes[] = {to.storage};
  std::span<chip::Storage *const> destinations(writes);
  in.core().timeline().transfer(in.name(), shape, reads,
                                to.storage->on_chip() ? destinations : destinations.first(0));
}

/// total = total + added
void add(float *total, const float *added, int64_t count) {
  chip::kernels().float_binary[int(Op::add)][0](total, total, added, count);
}

/// A tile or tensor that is one run of fp32 in memory.
float *as_run(const View &view) {
  bool whole =
      chip::is_direct<float>(view) && (view.partitions == 1 || view.pitch == view.elements * 4);
  return whole ? reinterpret_cast<float *>(view.base) : nullptr;
}

/// Adds in place, where everything is a run and dst lies over no source but the very first two.
/// Returns whether it could.
bool add_in_place(const View &to, std::span<const Tensor> srcs) {
  int64_t size = to.partitions * to.elements;
  float *out = as_run(to);
  std::vector<const float *> runs;
  for (const Tensor &src : srcs) {
    const float *run = as_run(chip::view_of(src));
    if (!out || !run)
      return false;
    bool apart = run + size <= out || out + size <= run;
    if (!apart && (run != out || runs.size() >= 2))
      return false;
    runs.push_back(run);
  }
  if (runs.size() < 2)
    return false;
  chip::kernels().float_binary[int(Op::add)][0](out, runs[0], runs[1], size);
  for (size_t i = 2; i < runs.size(); ++i)
    add(out, runs[i], size);
  return true;
}

/// The elements of a view in order, partitions outermost, any number at a time: `Stream` reads or
/// writes those of one partition.
template <class Stream> class FlatStream {
public:
  explicit FlatStream(const View &view) : stream_(view), per_row_(view.elements) {}
  /// f(stream, first, count) for the runs that make up the next `count` elements.
  template <class F> void next(int64_t count, F &&f) {
    for (int64_t done = 0; done < count;) {
      if (left_ == 0) {
        stream_.begin(row_++);
        left_ = per_row_;
      }
      int64_t run = std::min(count - done, left_);
      f(stream_, done, run);
      done += run;
      left_ -= run;
    }
  }

private:
  Stream stream_;
  int64_t per_row_, row_ = 0, left_ = 0;
};

/// Whether two operands may lie over each other: in one tile, at addresses, or in HBM.
bool may_meet(const View &a, const View &b) {
  if (a.storage == b.storage)
    return true;
  if (a.storage->on_chip() || b.storage->on_chip())
    return a.storage->is_placed && b.storage->is_placed;
  const auto x = hbm_range(a), y = hbm_range(b);
  return x.begin < y.end && y.begin < x.end;
}

/// Adds chunk by chunk, where dst shares no memory with a source. Returns whether it could.
bool add_in_chunks(const View &to, std::span<const Tensor> srcs) {
  std::vector<View> views;
  for (const Tensor &src : srcs) {
    views.push_back(chip::view_of(src));
    if (may_meet(to, views.back()))
      return false;
  }
  std::vector<std::unique_ptr<FlatStream<chip::Source<float>>>> from;
  for (const View &view : views)
    from.push_back(std::make_unique<FlatStream<chip::Source<float>>>(view));
  FlatStream<chip::Sink<float>> out(to);
  const int64_t size = to.partitions * to.elements;
  alignas(64) float total[chip::kChunk], added[chip::kChunk];
  for (int64_t done = 0; done < size; done += chip::kChunk) {
    const int64_t count = std::min(chip::kChunk, size - done);
    for (size_t i = 0; i < from.size(); ++i) {
      float *chunk = i == 0 ? total : added;
      from[i]->next(count,
                    [&](auto &source, int64_t at, int64_t run) { source.get(chunk + at, run); });
      if (i > 0)
        add(total, added, count);
    }
    out.next(count, [&](auto &sink, int64_t at, int64_t run) { sink.put(total + at, run); });
  }
  return true;
}

void sum(const Instruction &in, const Tensor &dst, std::span<const Tensor> srcs) {
  View to = chip::view_of(dst);
  int64_t size = dst.size();
  PoisonFlags flags;
  for (const Tensor &src : srcs) {
    View from = chip::view_of(src);
    if (chip::begin_read(from)) {
      if (!to.storage->on_chip())
        chip::require_written("nisa.dma_compute", "a source", from);
      flags.merge(chip::poison_of(from));
    }
  }
  chip::begin_write(to);
  if (!add_in_place(to, srcs) && !add_in_chunks(to, srcs)) {
    auto total = chip::scratch<float>(size), next = chip::scratch<float>(size);
    for (size_t i = 0; i < srcs.size(); ++i) {
      chip::read_rows(chip::view_of(srcs[i]), i == 0 ? total.get() : next.get());
      if (i > 0)
        add(total.get(), next.get(), size);
    }
    chip::write_rows(to, total.get());
  }
  chip::end_write(to, flags);
  take_compute_time(in, to, srcs, nullptr);
}

/// Adds each partition of `from` to its row, where both are runs of fp32. Returns whether it could.
bool add_to_rows(const IndexedRows &rows, const View &from) {
  const View &row = rows.side().view;
  if (!chip::is_direct<float>(row) || !chip::is_direct<float>(from) ||
      from.partitions != rows.rows() || from.elements != row.elements)
    return false;
  for (int64_t r = 0; r < rows.rows(); ++r) {
    int64_t index = 0;
    if (!rows.skips(r))
      add(reinterpret_cast<float *>(chip::isa::indirect_row(rows.side(), r, &index)),
          reinterpret_cast<const float *>(from.row(r)), row.elements);
  }
  return true;
}

/// dst[indices] += other
void scatter(const Instruction &in, const Tensor &dst, const Tensor &other,
             std::span<const Tensor> srcs, oob_mode oob) {
  IndexedRows rows(in, dst, oob);
  rows.require_unique();
  View from = chip::view_of(other);
  int64_t size = other.size();
  if (chip::begin_read(from))
    chip::require_written("nisa.dma_compute", "a source", from);
  if (add_to_rows(rows, from))
    return take_compute_time(in, rows.side().view, srcs, &rows);
  auto total = chip::scratch<float>(size), added = chip::scratch<float>(size);
  std::fill_n(total.get(), size, 0.0f); // skipped rows are not read
  rows.read(total.get(), DType::float32);
  chip::read_rows(from, added.get());
  add(total.get(), added.get(), size);
  rows.write(total.get(), DType::float32);
  take_compute_time(in, rows.side().view, srcs, &rows);
}

/// dst += other[indices]
void gather(const Instruction &in, const Tensor &dst, const Tensor &other,
            std::span<const Tensor> srcs, oob_mode oob) {
  IndexedRows rows(in, other, oob);
  rows.require_unique();
  View to = chip::view_of(dst);
  int64_t size = dst.size(), per_row = size / rows.rows();
  PoisonFlags flags;
  if (chip::begin_read(to))
    flags = chip::poison_of(to);
  auto total = chip::scratch<float>(size), added = chip::scratch<float>(size);
  chip::read_rows(to, total.get());
  std::copy_n(total.get(), size, added.get());
  rows.read(added.get(), DType::float32);
  for (int64_t i = 0; i < size; ++i)
    if (!rows.skips(i / per_row))
      total[size_t(i)] += added[size_t(i)];
  chip::begin_write(to);
  chip::write_rows(to, total.get());
  chip::end_write(to, flags);
  take_compute_time(in, to, srcs, &rows);
}

} // namespace

void dma_compute(const Tensor &dst, std::span<const Tensor> srcs, Op reduce_op,
                 std::span<const float> scales, bool unique_indices, oob_mode oob) {
  static const Tensor none;
  Instruction in("dma_compute", {{"dst", &dst},
                                 {"srcs[0]", srcs.empty() ? &none : &srcs[0]},
                                 {"srcs[1]", srcs.size() < 2 ? &none : &srcs[1]}});
  require_dma_operand(in, "dst", dst);
  in.unpacked("dst", dst);
  in.require(!srcs.empty() && srcs.size() <= kMaxSources, "srcs has 1 to 16 tensors");
  bool indexed = dst.has_vector_offset();
  for (const Tensor &src : srcs) {
    require_dma_operand(in, "a source", src);
    in.unpacked("a source", src);
    in.require(src.size() == dst.size(), "dst and all sources must have as many elements");
    indexed |= src.has_vector_offset();
  }
  for (const Tensor &src : srcs)
    in.require(!src.has_scalar_offset() && !dst.has_scalar_offset(),
               "addresses are known beforehand: no operand starts at a scalar offset");
  in.require(reduce_op == Op::add, "reduce_op must be add");
  in.require(scales.empty() || scales.size() == srcs.size(), "scales has one factor per source");
  in.require(std::all_of(scales.begin(), scales.end(), [](float scale) { return scale == 1.0f; }),
             "scales must be 1.0");
  if (!indexed) {
    in.require(oob == oob_mode::error, "oob_mode skip needs indices");
    return sum(in, dst, srcs);
  }
  const Tensor &other = require_read_modify_write(in, dst, srcs, unique_indices);
  if (dst.has_vector_offset())
    scatter(in, dst, other, srcs, oob);
  else
    gather(in, dst, other, srcs, oob);
}

} // namespace nki::isa
