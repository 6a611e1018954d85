#include "chip/isa/copy.h"

#include "nki/isa/indirection.h"
#include "nki/isa/instruction.h"

#include <algorithm>
#include <cmath>

namespace nki::isa {

namespace {

bool in_psum(const Tensor &tensor) { return tensor.buffer() == Buffer::psum; }

/// Poison after a predicated copy: of the source where it was taken, of dst elsewhere.
PoisonFlags predicated_flags(const View &dst, const PoisonFlags &source, const View &predicate,
                             bool reverse) {
  PoisonFlags old = chip::kept_poison_of(dst), flags;
  if (!old.any() && !source.any())
    return flags;
  int64_t size = dst.partitions * dst.elements;
  for (int64_t p = 0; p < dst.partitions; ++p) {
    chip::PatternWalk walk(predicate.pattern);
    for (int64_t e = 0; e < dst.elements; ++e, walk.advance()) {
      uint32_t bits = 0;
      __builtin_memcpy(&bits, predicate.row(p) + walk.offset(), size_of(predicate.type));
      int64_t index = p * dst.elements + e;
      if ((bits != 0) != reverse ? source.at(index) : old.at(index))
        flags.set(index, size);
    }
  }
  return flags;
}

/// The start rule of nc_stream_shuffle counts whole quadrants.
void require_shuffle_start(const Instruction &in, const Tensor &dst, const Tensor &src) {
  int64_t quadrants =
      (std::max(dst.partitions(), src.partitions()) + chip::kQuadrant - 1) / chip::kQuadrant;
  int64_t step = quadrants > 2 ? 128 : quadrants > 1 ? 64 : 32;
  in.require(dst.start_partition() % step == 0 && src.start_partition() % step == 0,
             "dst and src start at 0 with 3 or 4 active quadrants, at 0 or 64 with two, at 0, 32, "
             "64 or 96 with one");
}

void require_shuffle_mask(const Instruction &in, std::span<const int> mask, const Tensor &dst,
                          const Tensor &src) {
  in.require(mask.size() == chip::kQuadrant, "shuffle_mask must have 32 entries");
  for (int entry : mask)
    in.require((entry >= 0 && entry < chip::kQuadrant) || entry == 255,
               "shuffle_mask holds partitions 0 to 31, or 255");
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    int entry = mask[size_t(p % chip::kQuadrant)];
    in.require(entry == 255 || p / chip::kQuadrant * chip::kQuadrant + entry < src.partitions(),
               "shuffle_mask names a partition that src does not have");
  }
}

PoisonFlags shuffled_flags(const View &dst, const View &src, std::span<const int> mask) {
  PoisonFlags old = chip::kept_poison_of(dst), source = chip::poison_of(src), flags;
  for (int64_t p = 0; (old.any() || source.any()) && p < dst.partitions; ++p) {
    int entry = mask[size_t(p % chip::kQuadrant)];
    int64_t q = p / chip::kQuadrant * chip::kQuadrant + entry;
    for (int64_t e = 0; e < dst.elements; ++e)
      if (entry == 255 ? old.at(p * dst.elements + e) : source.at(q * src.elements + e))
        flags.set(p * dst.elements + e, dst.partitions * dst.elements);
  }
  return flags;
}

engine choose_transpose(const Instruction &in, const Tensor &dst, const Tensor &data, engine on) {
  in.require(on == engine::unknown || on == engine::tensor || on == engine::vector,
             "runs on TensorE or VectorE only");
  if (on == engine::unknown)
    on = in_psum(dst) && !in_psum(data) ? engine::tensor : engine::vector;
  if (on == engine::tensor) {
    in.in_sbuf("data", data);
    in.in_psum("dst", dst);
    in.require(data.elements_per_partition() <= 128, "TensorE transposes tiles of up to 128 x 128");
  } else {
    in.require(data.partitions() <= 32 && data.elements_per_partition() <= 32,
               "VectorE transposes tiles of up to 32 x 32");
  }
  return on;
}

/// TensorE without a transpose mode multiplies by an identity matrix: what is not finite meets
/// zeros and fills its row with NaN.
void spread_infinities(const View &dst) {
  for (int64_t p = 0; p < dst.partitions; ++p) {
    bool finite = true;
    chip::PatternWalk walk(dst.pattern);
    for (int64_t e = 0; e < dst.elements; ++e, walk.advance())
      finite &= std::isfinite(chip::load_float(dst.type, dst.row(p) + walk.offset()));
    walk = chip::PatternWalk(dst.pattern);
    for (int64_t e = 0; !finite && e < dst.elements; ++e, walk.advance())
      chip::store_float(dst.type, dst.row(p) + walk.offset(), NAN);
  }
}

} // namespace

void tensor_copy(const Tensor &dst, const Tensor &src, engine on) {
  Instruction in("tensor_copy", {{"dst", &dst}, {"src", &src}});
  if (through_indices(dst, src)) [[unlikely]] {
    in.require(on != engine::gpsimd, "with tensor indirection it runs on VectorE or ScalarE");
    const engine chosen = on == engine::unknown ? engine::vector : on;
    return run_indirectly(
        in, {.scalar = on == engine::scalar}, dst, {{"src", &src}},
        [&](const Tensor &to, std::span<const Tensor> from) { tensor_copy(to, from[0], chosen); });
  }
  in.tile("dst", dst);
  in.tile("src", src);
  in.same_size("dst", dst, "src", src);
  in.require(on == engine::unknown || on == engine::vector || on == engine::scalar ||
                 on == engine::gpsimd,
             "runs on VectorE, ScalarE or GpSimdE only");
  bool scalar_can = in.has(Feature::tensor_copy_on_scalar);
  in.require(on != engine::scalar || scalar_can, "NeuronCore-v2 has no tensor_copy on ScalarE");
  in.require(on != engine::gpsimd || (!in_psum(dst) && !in_psum(src)),
             "GpSimdE cannot access PSUM");
  if (dst.dtype() != src.dtype()) {
    in.unpacked("dst", dst);
    in.unpacked("src", src);
  }

  View to = chip::view_of(dst), from = chip::view_of(src);
  Access access(in);
  access.read("src", from);
  access.write(to);
  chip::isa::tensor_copy(to, from);
  access.end(to);
  Unit unit = on == engine::gpsimd   ? Unit::gpsimd
              : on == engine::scalar ? Unit::scalar
              : on == engine::vector || !scalar_can
                  ? Unit::vector
                  : in.core().timeline().freer(Unit::vector, Unit::scalar);
  access.take(unit, chip::costs::one_input(in.generation(), unit, to, from));
}

void memset(const Tensor &dst, const Operand &value, engine on) {
  Instruction in("memset", {{"dst", &dst}});
  in.tile("dst", dst);
  in.require(!value.is_tensor() && !value.is_none(), "value must be a constant");
  in.require(on == engine::unknown || on == engine::vector || on == engine::gpsimd,
             "runs on VectorE or GpSimdE only");
  in.require(on != engine::gpsimd || !in_psum(dst), "GpSimdE cannot access PSUM");
  bool integers = chip::is_integer(dst.dtype()) || dst.dtype() == DType::bool_;
  in.require(!integers || value.is_integer(), "an integer tile takes an integer value");
  in.require(!chip::is_packed(dst.dtype()) || value.value() == 0,
             "a tile of packed type takes the value 0 only");

  View to = chip::view_of(dst);
  Access access(in);
  access.write(to);
  chip::isa::memset(to, value.value());
  access.end(to);
  Unit unit = on == engine::gpsimd ? Unit::gpsimd
              : on == engine::vector || in_psum(dst)
                  ? Unit::vector
                  : in.core().timeline().freer(Unit::vector, Unit::gpsimd);
  access.take(unit, double(to.elements) * chip::costs::stride_factor({&to}));
}

void tensor_copy_predicated(const Tensor &dst, const Operand &src, const Tensor &predicate,
                            bool reverse_pred) {
  const Tensor &tensor = src.tensor();
  Instruction in("tensor_copy_predicated",
                 {{"dst", &dst}, {"src", &tensor}, {"predicate", &predicate}});
  if (through_indices(dst, predicate)) [[unlikely]]
    return run_indirectly(in, {.keeps = true}, dst, {{"predicate", &predicate}},
                          [&](const Tensor &to, std::span<const Tensor> where) {
                            tensor_copy_predicated(to, src, where[0], reverse_pred);
                          });
  in.tile("dst", dst);
  in.tile("predicate", predicate);
  in.same_size("dst", dst, "predicate", predicate);
  in.require(!src.is_none(), "src is missing");
  in.require(predicate.dtype() == DType::uint8 || predicate.dtype() == DType::uint16 ||
                 predicate.dtype() == DType::uint32,
             "predicate must be uint8, uint16 or uint32");
  if (src.is_tensor()) {
    in.tile("src", tensor);
    in.same_size("dst", dst, "src", tensor);
    in.same_type("dst", dst, "src", tensor);
    in.not_both_in_psum("src", tensor, "predicate", predicate);
  } else {
    in.unpacked("dst", dst);
  }

  View to = chip::view_of(dst), take = chip::view_of(predicate);
  View from = src.is_tensor() ? chip::view_of(tensor) : View();
  Access access(in);
  access.read_written("predicate", take);
  if (src.is_tensor())
    access.read("src", from);
  bool maybe_poison = chip::begin_read(to) || access.maybe_poison();
  PoisonFlags source, flags;
  if (src.is_tensor() && maybe_poison)
    source = chip::poison_of(from);
  if (maybe_poison)
    flags = predicated_flags(to, source, take, reverse_pred);
  access.write(to);
  if (src.is_tensor())
    chip::isa::tensor_copy_predicated(to, from, take, reverse_pred);
  else
    chip::isa::tensor_copy_predicated(to, float(src.value()), take, reverse_pred);
  access.end(to, flags);
  access.take(Unit::vector, src.is_tensor()
                                ? chip::costs::two_inputs(in.generation(), to, from, take)
                                : double(to.elements) * chip::costs::stride_factor({&to, &take}));
}

void nc_stream_shuffle(const Tensor &dst, const Tensor &src, std::span<const int> shuffle_mask) {
  Instruction in("nc_stream_shuffle", {{"dst", &dst}, {"src", &src}});
  in.tile("dst", dst);
  in.tile("src", src);
  in.same_type("dst", dst, "src", src);
  in.require(dst.elements_per_partition() == src.elements_per_partition(),
             "dst and src must have as many elements per partition");
  require_shuffle_start(in, dst, src);
  require_shuffle_mask(in, shuffle_mask, dst, src);

  View to = chip::view_of(dst), from = chip::view_of(src);
  Access access(in);
  access.read("src", from);
  bool keeps = std::find(shuffle_mask.begin(), shuffle_mask.end(), 255) != shuffle_mask.end();
  bool maybe_poison = (keeps && chip::begin_read(to)) || access.maybe_poison();
  PoisonFlags flags;
  if (maybe_poison)
    flags = shuffled_flags(to, from, shuffle_mask);
  access.write_after(to);
  chip::isa::nc_stream_shuffle(to, from, shuffle_mask);
  access.end(to, flags);
  access.take(Unit::vector, double(to.elements) * chip::costs::stride_factor({&to, &from}));
}

void nc_transpose(const Tensor &dst, const Tensor &data, engine on) {
  Instruction in("nc_transpose", {{"dst", &dst}, {"data", &data}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_type("dst", dst, "data", data);
  on = choose_transpose(in, dst, data, on);
  in.require(dst.partitions() == data.elements_per_partition() &&
                 dst.elements_per_partition() == data.partitions(),
             "dst must be [F, P] for data of [P, F]");

  View to = chip::view_of(dst), from = chip::view_of(data);
  in.require(to.storage != from.storage || !chip::shares_bytes(to, from),
             "dst may not lie over data");
  Access access(in);
  access.read("data", from);
  PoisonFlags source = access.maybe_poison() ? chip::poison_of(from) : PoisonFlags(), flags;
  for (int64_t i = 0; source.any() && i < from.partitions * from.elements; ++i)
    if (source.at(i))
      flags.set(i % from.elements * from.partitions + i / from.elements,
                from.partitions * from.elements);
  access.write(to);
  chip::isa::nc_transpose(to, from);
  if (on == engine::tensor && !in.has(Feature::exact_transpose) && chip::is_float(to.type))
    spread_infinities(to);
  access.end(to, flags);
  if (on == engine::tensor)
    chip::mark_products(to, true);
  if (on == engine::tensor)
    access.take(Unit::tensor, chip::costs::matmul(from, false));
  else
    access.take(Unit::vector, double(to.elements));
}

} // namespace nki::isa
