#include "chip/isa/matmul.h"

#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

void require_matmul_types(const Instruction &in, const Tensor &stationary, const Tensor &moving) {
  auto legal = [&](DType type) {
    return type == DType::float8_e4m3 || type == DType::float8_e5m2 || type == DType::bfloat16 ||
           type == DType::float16 || type == DType::tfloat32 || type == DType::float32 ||
           (type == DType::float8_e4m3fn && in.generation().core_version >= 4);
  };
  auto wide = [](DType type) { return type == DType::float32 || type == DType::tfloat32; };
  DType s = stationary.dtype(), m = moving.dtype();
  in.require(legal(s) && legal(m),
             "stationary and moving must have a type that TensorE multiplies");
  in.require(wide(s) == wide(m), "float32 and tfloat32 go with float32 and tfloat32 only");
  in.require(!(s == DType::float8_e4m3 && m == DType::float8_e4m3fn) &&
                 !(s == DType::float8_e4m3fn && m == DType::float8_e4m3),
             "float8_e4m3 and float8_e4m3fn do not mix");
}

void require_tiling(const Instruction &in, const MatmulOptions &options, const Tensor &stationary) {
  in.require(options.tile_position.has_value() == options.tile_size.has_value(),
             "tile_position and tile_size go together");
  if (!options.tile_size)
    return;
  auto [rows, columns] = *options.tile_size;
  auto [row, column] = *options.tile_position;
  auto legal = [&](int size) {
    return size == 128 || size == 64 || (size == 32 && in.generation().core_version > 2);
  };
  in.require(legal(rows) && legal(columns), "tile_size must be of 128, 64 or (from v3 on) 32");
  in.require(row >= 0 && row % rows == 0 && row < 128 && column >= 0 && column % columns == 0 &&
                 column < 128,
             "tile_position must be multiples of tile_size below 128");
  in.require(stationary.partitions() <= rows && stationary.elements_per_partition() <= columns,
             "stationary must fit tile_size");
}

} // namespace

void nc_matmul(const Tensor &dst, const Tensor &stationary, const Tensor &moving,
               const MatmulOptions &options) {
  Instruction in("nc_matmul", {{"dst", &dst}, {"stationary", &stationary}, {"moving", &moving}});
  in.tile("dst", dst);
  in.tile("stationary", stationary);
  in.tile("moving", moving);
  in.in_sbuf("stationary", stationary);
  in.in_sbuf("moving", moving);
  in.in_psum("dst", dst);
  require_matmul_types(in, stationary, moving);
  require_tiling(in, options, stationary);
  in.require(options.perf_mode == matmul_perf_mode::none,
             "this model has no double_row performance mode");
  in.require(dst.dtype() == DType::float32 ||
                 (dst.dtype() == DType::bfloat16 && in.generation().core_version >= 4) ||
                 options.is_transpose,
             "dst must be float32 (or bfloat16 from v4 on)");
  in.same_partitions("stationary", stationary, "moving", moving);
  int64_t rows = stationary.elements_per_partition(), columns = moving.elements_per_partition();
  in.require(rows <= 128, "stationary has at most 128 elements per partition");
  int64_t limit = in.generation().core_version < 4 ? 512
                  : dst.dtype() == DType::bfloat16 ? 8192
                                                   : 4096;
  in.require(columns <= limit, "moving has too many elements per partition for this core");
  in.require(dst.partitions() == rows && dst.elements_per_partition() == columns,
             "dst must be [M, N] for stationary [K, M] and moving [K, N]");

  chip::View to = chip::view_of(dst), left = chip::view_of(stationary),
             right = chip::view_of(moving);
  bool maybe_poison = chip::begin_read(left);
  maybe_poison |= chip::begin_read(right);
  chip::PoisonFlags overwrite, flags;
  bool accumulate = options.accumulate.value_or(true);
  if (accumulate) {
    // What was never written is where an accumulation starts.
    if (chip::begin_read(to))
      overwrite = chip::poison_of(to);
    if (options.accumulate.value_or(false))
      in.require(!overwrite.any(), "accumulate is set, but dst was never written");
  } else {
    chip::begin_write(to);
  }
  if (maybe_poison && (chip::is_poisoned(left) || chip::is_poisoned(right))) {
    chip::PoisonFlags l = chip::poison_of(left), r = chip::poison_of(right);
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t n = 0; n < columns; ++n)
        for (int64_t k = 0; k < left.partitions; ++k)
          if (l.at(k * rows + m) || r.at(k * columns + n)) {
            flags.set(m * columns + n, rows * columns);
            break;
          }
  }
  chip::isa::nc_matmul(to, left, right, accumulate, overwrite);
  chip::end_write(to, flags);
}

} // namespace nki::isa
