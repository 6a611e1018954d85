#include "chip/isa/copy.h"

#include "nki/isa/instruction.h"

#include <algorithm>

namespace nki::isa {

namespace {

/// Poison after a predicated copy: of the source where it was taken, of dst elsewhere.
chip::PoisonFlags predicated_flags(const chip::View &dst, const chip::PoisonFlags &source,
                                   const chip::View &predicate, bool reverse) {
  chip::PoisonFlags old = chip::poison_of(dst), flags;
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

} // namespace

void tensor_copy(const Tensor &dst, const Tensor &src, engine on) {
  Instruction in("tensor_copy", {{"dst", &dst}, {"src", &src}});
  in.tile("dst", dst);
  in.tile("src", src);
  in.same_size("dst", dst, "src", src);
  in.require(on == engine::unknown || on == engine::vector || on == engine::scalar ||
                 on == engine::gpsimd,
             "runs on VectorE, ScalarE or GpSimdE only");
  in.require(on != engine::scalar || in.generation().core_version > 2,
             "NeuronCore-v2 has no tensor_copy on ScalarE");
  bool any_psum = dst.buffer() == Buffer::psum || src.buffer() == Buffer::psum;
  in.require(on != engine::gpsimd || !any_psum, "GpSimdE cannot access PSUM");
  in.require(dst.dtype() == src.dtype() ||
                 (!chip::is_packed(dst.dtype()) && !chip::is_packed(src.dtype())),
             "packed types are not converted");

  chip::View to = chip::view_of(dst), from = chip::view_of(src);
  ElementWise memory;
  memory.read(from);
  memory.begin(to);
  chip::isa::tensor_copy(to, from);
  memory.end(to);
}

void memset(const Tensor &dst, Operand value, engine on) {
  Instruction in("memset", {{"dst", &dst}});
  in.tile("dst", dst);
  in.require(!value.is_tensor() && !value.is_none(), "value must be a constant");
  in.require(on == engine::unknown || on == engine::vector || on == engine::gpsimd,
             "runs on VectorE or GpSimdE only");
  in.require(on != engine::gpsimd || dst.buffer() != Buffer::psum, "GpSimdE cannot access PSUM");
  bool integers = chip::is_integer(dst.dtype()) || dst.dtype() == DType::bool_;
  in.require(!integers || value.is_integer(), "an integer tile takes an integer value");
  in.require(!chip::is_packed(dst.dtype()) || value.value() == 0,
             "a tile of packed type takes the value 0 only");

  chip::View to = chip::view_of(dst);
  ElementWise memory;
  memory.begin(to);
  chip::isa::memset(to, value.value());
  memory.end(to);
}

void tensor_copy_predicated(const Tensor &dst, const Operand &src, const Tensor &predicate,
                            bool reverse_pred) {
  const Tensor &tensor = src.tensor();
  Instruction in("tensor_copy_predicated",
                 {{"dst", &dst}, {"src", &tensor}, {"predicate", &predicate}});
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
  }

  chip::View to = chip::view_of(dst), take = chip::view_of(predicate);
  if (chip::begin_read(take))
    chip::require_written("nisa.tensor_copy_predicated", "predicate", take);
  bool maybe_poison = chip::begin_read(to);
  chip::PoisonFlags source, flags;
  if (!src.is_tensor()) {
    if (maybe_poison)
      flags = predicated_flags(to, source, take, reverse_pred);
    chip::isa::tensor_copy_predicated(to, float(src.value()), take, reverse_pred);
  } else {
    chip::View from = chip::view_of(tensor);
    if (chip::begin_read(from)) {
      maybe_poison = true;
      source = chip::poison_of(from);
    }
    if (maybe_poison)
      flags = predicated_flags(to, source, take, reverse_pred);
    chip::isa::tensor_copy_predicated(to, from, take, reverse_pred);
  }
  chip::end_write(to, flags);
}

void nc_stream_shuffle(const Tensor &dst, const Tensor &src, std::span<const int> shuffle_mask) {
  Instruction in("nc_stream_shuffle", {{"dst", &dst}, {"src", &src}});
  in.require(shuffle_mask.size() == chip::kQuadrant, "shuffle_mask must have 32 entries");
  for (int entry : shuffle_mask)
    in.require((entry >= 0 && entry < chip::kQuadrant) || entry == 255,
               "shuffle_mask holds partitions 0 to 31, or 255");
  in.tile("dst", dst);
  in.tile("src", src);
  in.same_type("dst", dst, "src", src);
  in.require(dst.elements_per_partition() == src.elements_per_partition(),
             "dst and src must have as many elements per partition");
  int64_t active = std::max(dst.partitions(), src.partitions());
  active = (active + chip::kQuadrant - 1) / chip::kQuadrant * chip::kQuadrant;
  int64_t step = active > 64 ? 128 : active > 32 ? 64 : 32;
  in.require(dst.start_partition() % step == 0 && src.start_partition() % step == 0,
             "src and dst must start at a partition that suits the number of active quadrants");

  chip::View to = chip::view_of(dst), from = chip::view_of(src);
  for (int64_t p = 0; p < to.partitions; ++p) {
    int entry = shuffle_mask[size_t(p % chip::kQuadrant)];
    in.require(entry == 255 || p / chip::kQuadrant * chip::kQuadrant + entry < from.partitions,
               "shuffle_mask names a partition that src does not have");
  }
  bool maybe_poison = chip::begin_read(from);
  bool keeps = std::find(shuffle_mask.begin(), shuffle_mask.end(), 255) != shuffle_mask.end();
  chip::PoisonFlags old_flags;
  if (keeps) {
    maybe_poison |= chip::begin_read(to);
    old_flags = chip::poison_of(to);
  }
  chip::begin_write(to);
  chip::PoisonFlags flags;
  if (maybe_poison) {
    chip::PoisonFlags source = chip::poison_of(from);
    for (int64_t p = 0; p < to.partitions; ++p) {
      int entry = shuffle_mask[size_t(p % chip::kQuadrant)];
      int64_t q = p / chip::kQuadrant * chip::kQuadrant + entry;
      for (int64_t e = 0; e < to.elements; ++e)
        if (entry == 255 ? old_flags.at(p * to.elements + e) : source.at(q * to.elements + e))
          flags.set(p * to.elements + e, to.partitions * to.elements);
    }
  }
  chip::isa::nc_stream_shuffle(to, from, shuffle_mask);
  chip::end_write(to, flags);
}

void nc_transpose(const Tensor &dst, const Tensor &data, engine on) {
  Instruction in("nc_transpose", {{"dst", &dst}, {"data", &data}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_type("dst", dst, "data", data);
  in.require(dst.partitions() == data.elements_per_partition() &&
                 dst.elements_per_partition() == data.partitions(),
             "dst must be [F, P] for data of [P, F]");
  in.require(on == engine::unknown || on == engine::tensor || on == engine::vector,
             "runs on TensorE or VectorE only");
  if (on == engine::unknown)
    on = dst.buffer() == Buffer::psum && data.buffer() == Buffer::sbuf ? engine::tensor
                                                                       : engine::vector;
  if (on == engine::tensor) {
    in.in_sbuf("data", data);
    in.in_psum("dst", dst);
    in.require(data.partitions() <= 128 && data.elements_per_partition() <= 128,
               "TensorE transposes tiles of up to 128 x 128");
  } else {
    in.require(data.partitions() <= 32 && data.elements_per_partition() <= 32,
               "VectorE transposes tiles of up to 32 x 32");
  }

  chip::View to = chip::view_of(dst), from = chip::view_of(data);
  bool maybe_poison = chip::begin_read(from);
  chip::begin_write(to);
  chip::PoisonFlags flags;
  if (maybe_poison) {
    chip::PoisonFlags source = chip::poison_of(from);
    for (int64_t p = 0; source.any() && p < from.partitions; ++p)
      for (int64_t f = 0; f < from.elements; ++f)
        if (source.at(p * from.elements + f))
          flags.set(f * from.partitions + p, from.partitions * from.elements);
  }
  chip::isa::nc_transpose(to, from);
  chip::end_write(to, flags);
}

} // namespace nki::isa
