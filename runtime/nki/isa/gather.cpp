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

/// Poison of gathered elements.
PoisonFlags gathered_flags(const View &dst, const View &data, const View &indices) {
  PoisonFlags source = chip::poison_of(data), flags;
  for (int64_t p = 0; source.any() && p < dst.partitions; ++p) {
    chip::PatternWalk walk(indices.pattern);
    for (int64_t e = 0; e < dst.elements; ++e, walk.advance()) {
      uint32_t index = 0;
      __builtin_memcpy(&index, indices.row(p) + walk.offset(), 4);
      if (source.at(p * data.elements + index))
        flags.set(p * dst.elements + e, dst.partitions * dst.elements);
    }
  }
  return flags;
}

} // namespace

void iota(const Tensor &dst, std::span<const Dim> pattern, int32_t offset,
          int32_t channel_multiplier) {
  Instruction in("iota", {{"dst", &dst}});
  in.tile("dst", dst);
  in.in_sbuf("dst", dst);
  in.unpacked("dst", dst);
  auto affine = affine_pattern(in, dst, pattern, offset, channel_multiplier);

  View to = chip::view_of(dst);
  Access access(in);
  access.write(to);
  chip::isa::iota(to, affine);
  access.end(to);
  access.take(Unit::gpsimd, double(to.elements) * chip::costs::stride_factor({&to}));
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
  in.unpacked("dst", dst);
  in.unpacked("on_true_tile", on_true_tile);
  auto affine = affine_pattern(in, dst, pattern, offset, channel_multiplier);

  View to = chip::view_of(dst), from = chip::view_of(on_true_tile);
  Access access(in);
  access.read("on_true_tile", from);
  access.write(to);
  chip::isa::affine_select(to, affine, from, on_false_value, cmp_op);
  access.end(to);
  access.take(Unit::gpsimd, double(to.elements) * chip::costs::stride_factor({&to, &from}));
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

  View to = chip::view_of(dst), from = chip::view_of(data), index = chip::view_of(indices);
  Access access(in);
  access.read_written("indices", index);
  if (int64_t bad = chip::isa::first_bad_index(from, index); bad >= 0)
    in.fail("the index at partition " + std::to_string(bad / index.elements) + ", element " +
            std::to_string(bad % index.elements) + " is not below the " +
            std::to_string(from.elements) + " elements per partition of data");
  access.read("data", from);
  // Even the very same elements would be overwritten before they are gathered.
  in.require(to.storage != from.storage || !chip::shares_bytes(to, from),
             "dst may not lie over data");
  access.write(to);
  PoisonFlags flags = access.maybe_poison() ? gathered_flags(to, from, index) : PoisonFlags();
  chip::isa::nc_n_gather(to, from, index);
  access.end(to, flags);
  access.take(Unit::gpsimd, 2 * double(to.elements));
}

} // namespace nki::isa
