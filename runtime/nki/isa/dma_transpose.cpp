#include "chip/stream.h"
#include "nki/isa/transfer.h"

#include <algorithm>

namespace nki::isa {

namespace {

/// The only permutation for each number of dimensions.
std::span<const int> axes_of(const Instruction &in, const Tensor &src, std::span<const int> axes) {
  static constexpr int two[] = {1, 0}, three[] = {2, 1, 0}, four[] = {3, 1, 2, 0};
  in.require(src.ndim() >= 2 && src.ndim() <= 4, "src has two, three or four dimensions");
  std::span<const int> known = src.ndim() == 2   ? std::span<const int>(two)
                               : src.ndim() == 3 ? std::span<const int>(three)
                                                 : std::span<const int>(four);
  in.require(axes.empty() || std::equal(axes.begin(), axes.end(), known.begin(), known.end()),
             "axes must be (1, 0), (2, 1, 0) or (3, 1, 2, 0)");
  return known;
}

void require_direct(const Instruction &in, const Tensor &src, dge_mode dge, oob_mode oob) {
  in.require(dge == dge_mode::unknown || dge == dge_mode::hwdge,
             "dge_mode must be unknown or hwdge");
  in.require(oob == oob_mode::error || src.has_scalar_offset(),
             "oob_mode skip needs a src with indices");
  if (dge != dge_mode::hwdge)
    return;
  in.require(in.has(Feature::hardware_descriptors),
             "NeuronCore-v2 has no hardware descriptor generation (hwdge)");
  int64_t first = src.shape(0), last = src.shape(src.ndim() - 1);
  if (src.ndim() == 2)
    in.require(first == 16, "under hwdge a src of two dimensions has 16 rows");
  else
    in.require(first <= 16 && 16 % first == 0 && first * src.shape(src.ndim() - 2) % 16 == 0,
               "under hwdge the first dimension of src is 1, 2, 4, 8 or 16, and its product with "
               "the last but one a multiple of 16");
  in.require(last <= 128, "under hwdge the last dimension of src is at most 128");
  in.require(size_of(src.dtype()) == 2, "under hwdge elements have two bytes");
}

void require_indirect(const Instruction &in, const Tensor &src, dge_mode dge) {
  const Tensor &indices = *src.indirection()->indices;
  in.require(in.has(Feature::indirect_transpose), "NeuronCore-v2 has no transpose by indices");
  in.require(dge == dge_mode::unknown || dge == dge_mode::swdge,
             "with indices dge_mode must be unknown or swdge");
  in.require(src.ndim() < 4 || src.shape(1) == 1 || src.shape(2) == 1,
             "with indices dimension 1 or 2 of four has size 1");
  in.require(src.shape(src.ndim() - 1) <= 128, "the last dimension of src is at most 128");
  in.require(size_of(src.dtype()) == 2, "with indices elements have two bytes");
  in.require(indices.dtype() == DType::uint32, "indices must be uint32");
  in.require(indices.ndim() == 2, "indices have two dimensions");
  in.require(src.shape(0) % 16 == 0, "with indices src has a multiple of 16 rows");
  in.require(indices.partitions() % 16 == 0, "indices have 16 to 128 partitions, a multiple of 16");
  in.require(indices.elements_per_partition() == 1 || indices.partitions() == 128,
             "indices of several columns have 128 partitions");
}

/// For each element of the transposed tensor, in order, its place in src.
std::vector<int64_t> permuted_order(const Tensor &src, std::span<const int> axes) {
  std::array<int64_t, 4> count{1, 1, 1, 1}, stride{};
  for (size_t d = 0; d < axes.size(); ++d) {
    size_t to = 4 - axes.size() + d;
    count[to] = src.shape(axes[d]);
    stride[to] = 1;
    for (int inner = axes[d] + 1; inner < src.ndim(); ++inner)
      stride[to] *= src.shape(inner);
  }
  std::vector<int64_t> order;
  order.reserve(size_t(src.size()));
  for (int64_t a = 0; a < count[0]; ++a)
    for (int64_t b = 0; b < count[1]; ++b)
      for (int64_t c = 0; c < count[2]; ++c)
        for (int64_t d = 0; d < count[3]; ++d)
          order.push_back(a * stride[0] + b * stride[1] + c * stride[2] + d * stride[3]);
  return order;
}

PoisonFlags permuted(const PoisonFlags &flags, const Tensor &src, std::span<const int> axes) {
  PoisonFlags result;
  if (!flags.any())
    return result;
  std::vector<int64_t> order = permuted_order(src, axes);
  for (size_t i = 0; i < order.size(); ++i)
    if (flags.at(order[i]))
      result.set(int64_t(i), int64_t(order.size()));
  return result;
}

/// Writes the transposed `values` of src, whose rows are `pitch` elements apart. All permutations
/// swap the first and the last dimension and keep what is between them.
void write_transposed(const View &to, const uint32_t *values, int64_t pitch, const Tensor &src) {
  int64_t first = src.shape(0), last = src.shape(src.ndim() - 1);
  int64_t middle = src.size() / (first * last);
  bool direct = chip::is_direct<uint32_t>(to);
  auto copy = chip::scratch<uint32_t>(direct ? 0 : src.size());
  uint32_t *result = direct ? reinterpret_cast<uint32_t *>(to.base) : copy.get();
  int64_t row = direct ? to.pitch / 4 : middle * first;
  for (int64_t m = 0; m < middle; ++m)
    chip::kernels().transpose(result + m * first, row, values + m * last, pitch, first, last);
  if (!direct)
    chip::write_rows(to, result);
}

/// Transposing runs at a part of the rate of a copy (DMA bandwidth guide).
void take_transpose_time(const Instruction &in, const View &to, const View &from,
                         const IndexedRows *rows) {
  bool from_chip = from.storage->on_chip();
  chip::TransferShape shape;
  shape.bytes =
      int64_t(double(to.partitions * to.elements * to.element_bytes()) / (from_chip ? 0.5 : 0.9));
  shape.run_bytes = 4096;
  shape.partitions = to.partitions;
  if (rows) {
    shape.software_descriptors = true;
    shape.indices = rows->rows();
    shape.reads = rows->reach();
  } else {
    shape.reads = shape_of(to, from).reads;
  }
  take_time(in, shape, to, from, rows ? &rows->indices() : nullptr);
}

/// Rows of 16-bit elements to rows of them.
bool is_plain(const View &to, const Tensor &src) {
  return src.ndim() == 2 && to.element_bytes() == 2 && to.is_run() && src.dims()[1].stride == 1;
}

void transpose_direct(const Instruction &in, const View &to, const Tensor &src,
                      std::span<const int> axes) {
  View from = chip::view_of(src);
  in.require(to.storage != from.storage || !chip::shares_bytes(to, from), "dst lies over src");
  PoisonFlags flags;
  if (chip::begin_read(from))
    flags = permuted(chip::poison_of(from), src, axes);
  if (is_plain(to, src)) {
    const int64_t pitch = from.storage->on_chip() ? from.pitch / 2 : src.dims()[0].stride;
    chip::begin_write(to);
    chip::kernels().transpose16(reinterpret_cast<uint16_t *>(to.base), to.pitch / 2,
                                reinterpret_cast<const uint16_t *>(from.base), pitch, src.shape(0),
                                src.shape(1));
    chip::end_write(to, flags);
    return take_transpose_time(in, to, from, nullptr);
  }
  int64_t per_row = src.size() / src.shape(0);
  bool in_place = chip::is_direct<uint32_t>(from);
  auto copy = chip::scratch<uint32_t>(in_place ? 0 : src.size());
  if (!in_place)
    chip::read_rows(from, copy.get());
  chip::begin_write(to);
  write_transposed(to, in_place ? reinterpret_cast<const uint32_t *>(from.base) : copy.get(),
                   in_place && from.storage->on_chip() ? from.pitch / 4 : per_row, src);
  chip::end_write(to, flags);
  take_transpose_time(in, to, from, nullptr);
}

void transpose_rows(const Instruction &in, const View &to, const Tensor &src,
                    std::span<const int> axes, const IndexedRows &rows) {
  int64_t size = src.size(), per_row = size / rows.rows();
  auto values = chip::scratch<uint16_t>(size);
  auto wide = chip::scratch<uint32_t>(size);
  PoisonFlags flags;
  if (rows.moved() < rows.rows()) { // what a skipped row would overwrite stays
    std::vector<int64_t> order = permuted_order(src, axes);
    PoisonFlags before;
    if (chip::begin_read(to))
      before = chip::kept_poison_of(to);
    auto old = chip::scratch<uint32_t>(size);
    chip::read_rows(to, old.get());
    for (int64_t i = 0; i < size; ++i) {
      int64_t from = order[size_t(i)];
      values[size_t(from)] = uint16_t(old[size_t(i)]);
      if (before.at(i) && rows.skips(from / per_row))
        flags.set(i, size);
    }
  }
  rows.read(values.get(), to.type);
  std::copy_n(values.get(), size, wide.get());
  chip::begin_write(to);
  write_transposed(to, wide.get(), per_row, src);
  chip::end_write(to, flags);
  take_transpose_time(in, to, rows.side().view, &rows);
}

} // namespace

void dma_transpose(const Tensor &dst, const Tensor &src, std::span<const int> axes, dge_mode dge,
                   oob_mode oob, std::optional<int> priority) {
  Instruction in("dma_transpose", {{"dst", &dst}, {"src", &src}});
  require_dma_operand(in, "dst", dst);
  require_dma_operand(in, "src", src);
  in.in_sbuf("dst", dst);
  in.same_type("dst", dst, "src", src);
  in.require(!dst.has_vector_offset(), "only src may have indices");
  std::span<const int> permutation = axes_of(in, src, axes);
  if (src.has_vector_offset())
    require_indirect(in, src, dge);
  else
    require_direct(in, src, dge, oob);
  bool same = dst.ndim() == src.ndim();
  for (int d = 0; same && d < dst.ndim(); ++d)
    same = dst.shape(d) == src.shape(permutation[size_t(d)]);
  in.require(same, "dst must have the transposed shape of src, with as many dimensions");
  require_priority(in, priority);
  if (!in.starts_in_bounds("dst", dst) || !in.starts_in_bounds("src", src, oob == oob_mode::skip))
    return;

  if (src.has_vector_offset())
    transpose_rows(in, chip::view_of(dst), src, permutation, IndexedRows(in, src, oob));
  else
    transpose_direct(in, chip::view_of(dst), src, permutation);
}

} // namespace nki::isa
