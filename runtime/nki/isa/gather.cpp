#include "chip/isa/gather.h"

#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

chip::isa::AffinePattern affine_pattern(const Instruction &in, const Tensor &dst,
                                        std::span<const Dim> pattern, int32_t offset,
                                        int32_t channel_multiplier) {
  in.require(!pattern.empty() && pattern.size() <= 4, "pattern has 1 to 4 levels");
  chip::isa::AffinePattern result;
  int64_t count = 1;
  for (size_t i = 0; i < pattern.size(); ++i) {
    in.require(pattern[i].count >= 1, "every level of pattern has at least one step");
    count *= pattern[i].count;
    result.dims[4 - pattern.size() + i] = pattern[i];
  }
  in.require(count == dst.elements_per_partition(),
             "pattern must have as many elements as dst has per partition");
  result.offset = offset;
  result.channel_multiplier = channel_multiplier;
  return result;
}

} // namespace

void iota(const Tensor &dst, std::span<const Dim> pattern, int32_t offset,
          int32_t channel_multiplier) {
  Instruction in("iota", {{"dst", &dst}});
  in.tile("dst", dst);
  in.in_sbuf("dst", dst);
  in.require(!chip::is_packed(dst.dtype()), "dst has a packed type, which only matmuls take");
  auto affine = affine_pattern(in, dst, pattern, offset, channel_multiplier);

  chip::View to = chip::view_of(dst);
  chip::begin_write(to);
  chip::isa::iota(to, affine);
  chip::end_write(to);
}

void iota(const Tensor &dst, std::initializer_list<Dim> pattern, int32_t offset,
          int32_t channel_multiplier) {
  iota(dst, std::span<const Dim>(pattern.begin(), pattern.size()), offset, channel_multiplier);
}

void affine_select(const Tensor &dst, std::span<const Dim> pattern, int32_t channel_multiplier,
                   const Tensor &on_true_tile, float on_false_value, Op cmp_op, int32_t offset) {
  Instruction in("affine_select", {{"dst", &dst}, {"on_true_tile", &on_true_tile}});
  in.tile("dst", dst);
  in.tile("on_true_tile", on_true_tile);
  in.in_sbuf("dst", dst);
  in.in_sbuf("on_true_tile", on_true_tile);
  in.same_size("dst", dst, "on_true_tile", on_true_tile);
  in.require(chip::is_comparison(cmp_op), "cmp_op must be a comparison");
  in.require(!chip::is_packed(dst.dtype()) && !chip::is_packed(on_true_tile.dtype()),
             "packed types are for matmuls only");
  auto affine = affine_pattern(in, dst, pattern, offset, channel_multiplier);

  chip::View to = chip::view_of(dst), from = chip::view_of(on_true_tile);
  ElementWise memory;
  memory.read(from);
  memory.begin(to);
  chip::isa::affine_select(to, affine, from, on_false_value, cmp_op);
  memory.end(to);
}

void affine_select(const Tensor &dst, std::initializer_list<Dim> pattern,
                   int32_t channel_multiplier, const Tensor &on_true_tile, float on_false_value,
                   Op cmp_op, int32_t offset) {
  affine_select(dst, std::span<const Dim>(pattern.begin(), pattern.size()), channel_multiplier,
                on_true_tile, on_false_value, cmp_op, offset);
}

void nc_n_gather(const Tensor &dst, const Tensor &data, const Tensor &indices) {
  Instruction in("nc_n_gather", {{"dst", &dst}, {"data", &data}, {"indices", &indices}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.tile("indices", indices);
  in.in_sbuf("dst", dst);
  in.in_sbuf("data", data);
  in.in_sbuf("indices", indices);
  in.same_partitions("data", data, "indices", indices);
  in.same_size("dst", dst, "indices", indices);
  in.same_type("dst", dst, "data", data);
  in.require(indices.dtype() == DType::uint32, "indices must be uint32");

  chip::View to = chip::view_of(dst), from = chip::view_of(data), index = chip::view_of(indices);
  if (chip::begin_read(index))
    chip::require_written("nisa.nc_n_gather", "indices", index);
  if (int64_t bad = chip::isa::first_bad_index(from, index); bad >= 0)
    in.fail("the index at partition " + std::to_string(bad / index.elements) + ", element " +
            std::to_string(bad % index.elements) + " is not below the " +
            std::to_string(from.elements) + " elements per partition of data");
  bool maybe_poison = chip::begin_read(from);
  chip::begin_write(to);
  chip::PoisonFlags flags;
  chip::PoisonFlags source = maybe_poison ? chip::poison_of(from) : chip::PoisonFlags();
  for (int64_t p = 0; source.any() && p < to.partitions; ++p) {
    chip::PatternWalk walk(index.pattern);
    for (int64_t e = 0; e < to.elements; ++e, walk.advance()) {
      uint32_t i = 0;
      __builtin_memcpy(&i, index.row(p) + walk.offset(), 4);
      if (source.at(p * from.elements + i))
        flags.set(p * to.elements + e, to.partitions * to.elements);
    }
  }
  chip::isa::nc_n_gather(to, from, index);
  chip::end_write(to, flags);
}

} // namespace nki::isa
