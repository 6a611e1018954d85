#include "chip/isa/matmul.h"
#include "chip/isa/mx.h"

#include "nki/isa/indirection.h"
#include "nki/isa/matmul.h"

namespace nki::isa {

namespace {

using chip::kQuadrant;
using chip::isa::kGroupElements;
using chip::isa::kGroupPartitions;

bool is_mx(DType type) { return chip::is_packed(type); }

/// Rules of a scale tile for data of `partitions` partitions and `columns` groups each. Scales lie
/// in the quadrants of their groups, four partitions each from partition 0, 4, 8 or 12 on.
void require_scale(const Instruction &in, const char *role, const Tensor &scale, const Tensor &data,
                   int64_t columns) {
  if (!scale || scale.buffer() != Buffer::sbuf)
    in.fail(std::string(role) + " must be in SBUF");
  if (scale.has_tensor_indirection())
    in.fail(std::string(role) + " may not go through tensor indirection");
  in.starts_in_bounds(role, scale);
  if (scale.dtype() != DType::float8_e8m0fnu && scale.dtype() != DType::uint8)
    in.fail(std::string(role) + " must be float8_e8m0fnu or uint8");
  int64_t start = scale.start_partition() % kQuadrant;
  if (start % 4 != 0 || start > 12)
    in.fail(std::string(role) + " starts at partition 0, 4, 8 or 12 of a quadrant");
  if (scale.start_partition() / kQuadrant != data.start_partition() / kQuadrant)
    in.fail(std::string(role) + " must start in the quadrant of its data");
  int64_t rows = chip::isa::scale_partition(data.partitions() / kGroupPartitions - 1) + 1;
  if (scale.partitions() < rows)
    in.fail(std::string(role) + " needs " + std::to_string(rows) +
            " partitions: four in each quadrant of its data");
  if (scale.elements_per_partition() < columns)
    in.fail(std::string(role) + " needs one element per partition and group");
}

void require_quadrants(const Instruction &in, const char *role, const Tensor &tensor) {
  if (tensor.partitions() % kQuadrant != 0)
    in.fail(std::string(role) + " must have a multiple of 32 partitions");
}

/// Calls f with the part of a scale tile in each quadrant that scales are in.
template <class F>
void over_scales(const Tensor &scale, int64_t partitions, int64_t columns, F &&f) {
  Tensor flat = scale.ndim() == 2
                    ? scale
                    : scale.reshape({scale.partitions(), scale.elements_per_partition()});
  for (int64_t first = 0; first < partitions / kGroupPartitions; first += 4) {
    int64_t row = chip::isa::scale_partition(first);
    f(chip::view_of(flat.slice(0, row, row + 4).slice(1, 0, columns)));
  }
}

void read_scales(const Instruction &in, const char *role, const Tensor &scale, int64_t partitions,
                 int64_t columns) {
  over_scales(scale, partitions, columns, [&](const View &rows) {
    if (chip::begin_read(rows))
      chip::require_written((std::string("nisa.") + in.name()).c_str(), role, rows);
  });
}

/// A tile and its scales go through the same indices, or neither does.
void require_pair(const Instruction &in, const char *role, const Tensor &data,
                  const Tensor &scale) {
  auto same = [](const Tensor &a, const Tensor &b) {
    View x = chip::view_of(a), y = chip::view_of(b);
    return x.base == y.base && a.partitions() == b.partitions() && x.elements == y.elements;
  };
  if (through_indices(data) != through_indices(scale) ||
      (through_indices(data) && !same(*data.indirection()->indices, *scale.indirection()->indices)))
    in.fail(std::string(role) + " and its scale go through the same indices, or neither does");
}

void multiply_indirectly(const Instruction &in, const Tensor &dst, const Tensor &stationary,
                         const Tensor &moving, const Tensor &stationary_scale,
                         const Tensor &moving_scale, const MatmulMxOptions &options) {
  require_pair(in, "stationary", stationary, stationary_scale);
  require_pair(in, "moving", moving, moving_scale);
  in.require(!options.tile_position || *options.tile_position == std::pair(0, 0),
             "tensor indirection does not go with tiling: tile_position must be (0, 0)");
  run_indirectly(in, {.group = 32, .keeps = options.accumulate.value_or(begins_written(dst))}, dst,
                 {{"stationary", &stationary},
                  {"moving", &moving},
                  {"stationary_scale", &stationary_scale},
                  {"moving_scale", &moving_scale}},
                 [&](const Tensor &to, std::span<const Tensor> from) {
                   nc_matmul_mx(to, from[0], from[1], from[2], from[3], options);
                 });
}

View first_columns(const Tensor &scale, int64_t columns) {
  Tensor flat = scale.ndim() == 2
                    ? scale
                    : scale.reshape({scale.partitions(), scale.elements_per_partition()});
  return chip::view_of(flat.slice(1, 0, columns));
}

} // namespace

void quantize_mx(const Tensor &dst, const Tensor &src, const Tensor &dst_scale) {
  Instruction in("quantize_mx", {{"dst", &dst}, {"src", &src}, {"dst_scale", &dst_scale}});
  in.require(in.has(Feature::microscaling), "quantize_mx exists from NeuronCore-v4 on");
  in.tile("dst", dst);
  in.tile("src", src);
  in.in_sbuf("dst", dst);
  in.in_sbuf("src", src);
  in.require(src.dtype() == DType::float16 || src.dtype() == DType::bfloat16,
             "src must be float16 or bfloat16");
  in.require(dst.dtype() == DType::float8_e5m2_x4 || dst.dtype() == DType::float8_e4m3fn_x4,
             "dst must be float8_e5m2_x4 or float8_e4m3fn_x4");
  require_quadrants(in, "src", src);
  in.same_partitions("dst", dst, "src", src);
  in.require(src.elements_per_partition() % kGroupElements == 0,
             "src must have a multiple of 4 elements per partition");
  int64_t columns = src.elements_per_partition() / kGroupElements;
  in.require(dst.elements_per_partition() == columns,
             "dst must have a quarter of the elements of src");
  require_scale(in, "dst_scale", dst_scale, src, columns);

  View to = chip::view_of(dst), from = chip::view_of(src);
  View scales = first_columns(dst_scale, columns);
  Access access(in);
  access.read_written("src", from); // one element decides the scale of a whole group
  access.write_after(to);
  over_scales(dst_scale, src.partitions(), columns,
              [](const View &rows) { chip::begin_write(rows); });
  chip::isa::quantize_mx(to, from, scales);
  access.end(to, {});
  over_scales(dst_scale, src.partitions(), columns,
              [](const View &rows) { chip::end_write(rows); });
  access.also_writes(*scales.storage);
  access.take(Unit::vector, double(from.elements) / 4);
}

void nc_matmul_mx(const Tensor &dst, const Tensor &stationary, const Tensor &moving,
                  const Tensor &stationary_scale, const Tensor &moving_scale,
                  const MatmulMxOptions &options) {
  Instruction in("nc_matmul_mx", {{"dst", &dst},
                                  {"stationary", &stationary},
                                  {"moving", &moving},
                                  {"stationary_scale", &stationary_scale},
                                  {"moving_scale", &moving_scale}});
  in.require(in.has(Feature::microscaling), "nc_matmul_mx exists from NeuronCore-v4 on");
  if (through_indices(dst, stationary, moving, stationary_scale, moving_scale)) [[unlikely]]
    return multiply_indirectly(in, dst, stationary, moving, stationary_scale, moving_scale,
                               options);
  in.tile("dst", dst, 4, 8192);
  in.tile("stationary", stationary);
  in.tile("moving", moving);
  in.in_sbuf("stationary", stationary);
  in.in_sbuf("moving", moving);
  in.require(is_mx(stationary.dtype()) && is_mx(moving.dtype()),
             "stationary and moving must be float8_e5m2_x4, float8_e4m3fn_x4 or float4_e2m1fn_x4");
  in.same_partitions("stationary", stationary, "moving", moving);
  require_quadrants(in, "stationary", stationary);
  int64_t rows = stationary.elements_per_partition(), columns = moving.elements_per_partition();
  in.require(rows % 2 == 0 && rows <= 128, "stationary has an even number of columns, at most 128");
  require_tiling(in, options.tile_position, options.tile_size, stationary.partitions(), rows);
  in.require(!options.tile_size ||
                 (options.tile_size->second == 128 && options.tile_position->second == 0),
             "only rows are tiled: column_size is 128, start_column 0");
  require_product(in, dst, rows, columns, false);
  require_scale(in, "stationary_scale", stationary_scale, stationary, rows);
  require_scale(in, "moving_scale", moving_scale, moving, columns);

  View to = chip::view_of(dst), left = chip::view_of(stationary), right = chip::view_of(moving);
  read_scales(in, "stationary_scale", stationary_scale, stationary.partitions(), rows);
  read_scales(in, "moving_scale", moving_scale, moving.partitions(), columns);
  View left_scale = first_columns(stationary_scale, rows);
  View right_scale = first_columns(moving_scale, columns);
  Access access(in);
  access.read("stationary", left);
  access.read("moving", right);
  access.also_reads(*left_scale.storage);
  access.also_reads(*right_scale.storage);
  PoisonFlags flags;
  AccumulationStart start = begin_accumulation(in, to, options.accumulate);
  access.write(to);
  if (access.maybe_poison())
    flags = product_flags(left, right, rows, columns);
  flags.merge(start.poison);
  chip::isa::nc_matmul_mx(to, left, right, left_scale, right_scale, start.accumulate,
                          start.overwrite);
  access.end(to, flags);
  chip::mark_products(to, true);
  in.core().timeline().add_flops(8.0 * double(stationary.partitions() * rows * columns));
  access.take(Unit::tensor, chip::costs::matmul(right, false));
}

} // namespace nki::isa
