#include "chip/isa/matmul.h"
#include "chip/isa/copy.h"
#include "nki/isa/indirection.h"
#include "nki/isa/matmul.h"

namespace nki::isa {

void require_tiling(const Instruction &in, const std::optional<std::pair<int, int>> &position,
                    const std::optional<std::pair<int, int>> &size, int64_t depth, int64_t rows) {
  in.require(position.has_value() == size.has_value(), "tile_position and tile_size go together");
  if (!size)
    return;
  auto [row_size, column_size] = *size;
  auto [row, column] = *position;
  auto legal = [&](int size) {
    return size == 128 || size == 64 || (size == 32 && in.has(Feature::quarter_tiles));
  };
  in.require(legal(row_size) && legal(column_size),
             "tile_size must be made of 128, 64 or, from NeuronCore-v3 on, 32");
  in.require(row >= 0 && row % row_size == 0 && row < 128 && column >= 0 &&
                 column % column_size == 0 && column < 128,
             "tile_position must be multiples of tile_size below 128");
  in.require(depth <= row_size && rows <= column_size, "stationary must fit tile_size");
}

void require_product(const Instruction &in, const Tensor &dst, int64_t rows, int64_t columns,
                     bool any_type) {
  in.in_psum("dst", dst);
  in.require(dst.dtype() == DType::float32 ||
                 (dst.dtype() == DType::bfloat16 && in.has(Feature::bfloat16_products)) || any_type,
             "dst must be float32 or, from NeuronCore-v4 on, bfloat16");
  const bool whole = in.has(Feature::products_over_banks);
  const int64_t bank = in.generation().psum_bank_bytes;
  // As many float32 as fit a bank, or elements as fit all banks.
  const int64_t limit = whole ? in.generation().psum_partition_bytes() /
                                    std::max<int64_t>(int64_t(size_of(dst.dtype())), 2)
                              : bank / 4;
  if (columns > limit)
    in.fail("moving has " + std::to_string(columns) + " elements per partition, at most " +
            std::to_string(limit) + " are allowed here");
  in.require(dst.partitions() == rows && dst.elements_per_partition() == columns,
             "dst must be [M, N] for stationary [K, M] and moving [K, N]");
  int64_t bytes = columns * int64_t(size_of(dst.dtype()));
  if (!whole && dst.is_contiguous() && dst.offset_bytes() % bank + bytes > bank)
    in.fail("dst crosses a PSUM bank: bytes " + std::to_string(dst.offset_bytes()) + " to " +
            std::to_string(dst.offset_bytes() + bytes) + ", banks have " + std::to_string(bank));
}

bool begins_written(const Tensor &dst) {
  return dst.storage()->contents != chip::Contents::unwritten;
}

namespace {

/// Where a generation's products accumulate on products only: what else was written may only be
/// zeros, and with `accumulate` left open, so that overwriting and adding are the same.
void require_zeros(const Instruction &in, const View &dst, const PoisonFlags &products,
                   const PoisonFlags &unwritten, bool is_open) {
  for (int64_t p = 0; p < dst.partitions; ++p) {
    chip::PatternWalk walk(dst.pattern);
    for (int64_t e = 0; e < dst.elements; ++e, walk.advance()) {
      const int64_t at = p * dst.elements + e;
      if (products.at(at) || unwritten.at(at))
        continue;
      const float value = chip::load_float(dst.type, dst.row(p) + walk.offset());
      if (!is_open || value != 0)
        in.fail("accumulates on partition " + std::to_string(p) + ", element " + std::to_string(e) +
                ", which another instruction than a product wrote last: that is undefined on "
                "NeuronCore-v2 and v3");
    }
  }
}

} // namespace

AccumulationStart begin_accumulation(const Instruction &in, const View &dst,
                                     std::optional<bool> accumulate) {
  AccumulationStart start{accumulate.value_or(true), {}, {}};
  if (!start.accumulate)
    return start;
  const PoisonFlags poison = chip::begin_read(dst) ? chip::kept_poison_of(dst) : PoisonFlags();
  const bool all =
      !poison.any() && (in.has(Feature::accumulation_on_any_write) || chip::all_products(dst));
  if (all)
    return start;
  const PoisonFlags products = chip::products_of(dst);
  for (int64_t i = 0; poison.any() && i < dst.partitions * dst.elements; ++i)
    if (poison.at(i)) // an accumulation starts where nothing was written
      (products.at(i) ? start.poison : start.overwrite).set(i, dst.partitions * dst.elements);
  in.require(!accumulate || !start.overwrite.any(), "accumulate is set, but dst was never written");
  if (!in.has(Feature::accumulation_on_any_write))
    require_zeros(in, dst, products, poison, !accumulate.has_value());
  return start;
}

PoisonFlags product_flags(const View &stationary, const View &moving, int64_t rows,
                          int64_t columns) {
  PoisonFlags flags;
  std::vector<bool> row(static_cast<size_t>(rows)), column(static_cast<size_t>(columns));
  PoisonFlags left = chip::poison_of(stationary), right = chip::poison_of(moving);
  for (int64_t i = 0; left.any() && i < stationary.partitions * stationary.elements; ++i)
    row[size_t(i % rows)] = row[size_t(i % rows)] || left.at(i);
  for (int64_t i = 0; right.any() && i < moving.partitions * moving.elements; ++i)
    column[size_t(i % columns)] = column[size_t(i % columns)] || right.at(i);
  for (int64_t m = 0; m < rows; ++m)
    for (int64_t n = 0; n < columns; ++n)
      if (row[size_t(m)] || column[size_t(n)])
        flags.set(m * columns + n, rows * columns);
  return flags;
}

namespace {

bool is_fp8(DType type) {
  return type == DType::float8_e4m3 || type == DType::float8_e5m2 || type == DType::float8_e4m3fn;
}

void require_matmul_types(const Instruction &in, const Tensor &stationary, const Tensor &moving) {
  auto legal = [](DType type) {
    return is_fp8(type) || type == DType::bfloat16 || type == DType::float16 ||
           type == DType::tfloat32 || type == DType::float32;
  };
  auto wide = [](DType type) { return type == DType::float32 || type == DType::tfloat32; };
  DType s = stationary.dtype(), m = moving.dtype();
  in.require(legal(s) && legal(m),
             "stationary and moving must have a type that TensorE multiplies");
  in.require(in.has(Feature::float8_e4m3fn_products) ||
                 (s != DType::float8_e4m3fn && m != DType::float8_e4m3fn),
             "TensorE multiplies float8_e4m3fn from NeuronCore-v4 on");
  in.require(wide(s) == wide(m), "float32 and tfloat32 go with float32 and tfloat32 only");
  in.require(!(s == DType::float8_e4m3 && m == DType::float8_e4m3fn) &&
                 !(s == DType::float8_e4m3fn && m == DType::float8_e4m3),
             "float8_e4m3 and float8_e4m3fn do not mix");
}

/// Two values of k per partition in double-row mode, else one.
int require_double_row(const Instruction &in, const MatmulOptions &options,
                       const Tensor &stationary, const Tensor &moving) {
  if (options.perf_mode == matmul_perf_mode::none)
    return 1;
  in.require(in.has(Feature::double_row), "NeuronCore-v2 has no double-row mode");
  in.require(is_fp8(stationary.dtype()) && is_fp8(moving.dtype()),
             "double-row mode needs fp8 on both sides");
  in.require(!options.tile_size || options.tile_size->second == 128,
             "double-row mode does not go with column tiling");
  in.require(stationary.ndim() > 2 && stationary.shape(1) == 2 && moving.ndim() > 2 &&
                 moving.shape(1) == 2,
             "in double-row mode the first free dimension has size 2");
  return 2;
}

/// Transpose mode: `stationary` comes out transposed, bit for bit; `moving` is an identity matrix.
void transpose(const Instruction &in, const Tensor &dst, const Tensor &stationary,
               const Tensor &moving) {
  in.require(dst.dtype() == stationary.dtype(), "in transpose mode dst has stationary's type");
  in.require(moving.elements_per_partition() == stationary.partitions(),
             "in transpose mode moving is a square identity matrix");
  View to = chip::view_of(dst), from = chip::view_of(stationary), identity = chip::view_of(moving);
  Access access(in);
  access.read("stationary", from);
  access.read("moving", identity);
  access.write(to);
  PoisonFlags source = access.maybe_poison() ? chip::poison_of(from) : PoisonFlags(), flags;
  for (int64_t i = 0; source.any() && i < from.partitions * from.elements; ++i)
    if (source.at(i))
      flags.set(i % from.elements * from.partitions + i / from.elements,
                from.partitions * from.elements);
  chip::isa::nc_transpose(to, from);
  access.end(to, flags);
  chip::mark_products(to, true);
  access.take(Unit::tensor, chip::costs::matmul(from, true));
}

void multiply_indirectly(const Instruction &in, const Tensor &dst, const Tensor &stationary,
                         const Tensor &moving, const MatmulOptions &options) {
  in.require(!options.is_transpose || !through_indices(moving),
             "in transpose mode moving may not go through tensor indirection");
  in.require(!options.tile_position || *options.tile_position == std::pair(0, 0),
             "tensor indirection does not go with tiling: tile_position must be (0, 0)");
  for (const Tensor *tensor : {&stationary, &moving})
    in.require(!through_indices(*tensor) || is_fp8(tensor->dtype()) ||
                   tensor->dtype() == DType::float16 || tensor->dtype() == DType::bfloat16,
               "TensorE takes 16- and 8-bit floats only through tensor indirection");
  const bool keeps = !options.is_transpose && options.accumulate.value_or(begins_written(dst));
  run_indirectly(in, {.group = 32, .keeps = keeps}, dst,
                 {{"stationary", &stationary}, {"moving", &moving}},
                 [&](const Tensor &to, std::span<const Tensor> from) {
                   nc_matmul(to, from[0], from[1], options);
                 });
}

} // namespace

void nc_matmul(const Tensor &dst, const Tensor &stationary, const Tensor &moving,
               const MatmulOptions &options) {
  Instruction in("nc_matmul", {{"dst", &dst}, {"stationary", &stationary}, {"moving", &moving}});
  if (through_indices(dst, stationary, moving)) [[unlikely]]
    return multiply_indirectly(in, dst, stationary, moving, options);
  in.tile("dst", dst, 4, 8192);
  in.tile("stationary", stationary);
  in.tile("moving", moving);
  in.in_sbuf("stationary", stationary);
  in.in_sbuf("moving", moving);
  require_matmul_types(in, stationary, moving);
  int doubled = require_double_row(in, options, stationary, moving);
  in.same_partitions("stationary", stationary, "moving", moving);
  int64_t rows = stationary.elements_per_partition() / doubled;
  int64_t columns = moving.elements_per_partition() / doubled;
  in.require(rows <= 128, "stationary has at most 128 columns");
  require_tiling(in, options.tile_position, options.tile_size, stationary.partitions(), rows);
  require_product(in, dst, rows, columns,
                  options.is_transpose && dst.dtype() == stationary.dtype());
  if (options.is_transpose && in.has(Feature::exact_transpose))
    return transpose(in, dst, stationary, moving);

  View to = chip::view_of(dst), left = chip::view_of(stationary), right = chip::view_of(moving);
  Access access(in);
  access.read("stationary", left);
  access.read("moving", right);
  PoisonFlags flags;
  AccumulationStart start = begin_accumulation(in, to, options.accumulate);
  access.write(to);
  if (access.maybe_poison())
    flags = product_flags(left, right, rows, columns);
  flags.merge(start.poison);
  chip::isa::nc_matmul(to, left, right, doubled, start.accumulate, start.overwrite);
  access.end(to, flags);
  chip::mark_products(to, true);
  in.core().timeline().add_flops(2.0 * double(stationary.partitions() * doubled * rows * columns));
  access.take(Unit::tensor, chip::costs::matmul(right, options.is_stationary_onezero ||
                                                           options.is_moving_onezero) /
                                doubled);
}

} // namespace nki::isa
