#include "chip/isa/search.h"

#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

/// Poison in a partition of the sources makes `count` results of that partition poison.
PoisonFlags row_flags(std::initializer_list<const View *> sources, int64_t count) {
  PoisonFlags flags;
  for (const View *source : sources) {
    PoisonFlags poison = chip::poison_of(*source);
    for (int64_t i = 0; poison.any() && i < source->partitions * source->elements; ++i)
      for (int64_t e = 0; poison.at(i) && e < count; ++e)
        flags.set(i / source->elements * count + e, source->partitions * count);
  }
  return flags;
}

void require_data(const Instruction &in, const char *role, const Tensor &data) {
  in.tile(role, data, 2);
  int64_t count = data.elements_per_partition();
  if (count < 8 || count > 16384)
    in.fail(std::string(role) + " must have 8 to 16384 elements per partition");
  in.unpacked(role, data);
}

void require_eight(const Instruction &in, const char *role, const Tensor &tensor, int free_dims,
                   const Tensor &data) {
  in.tile(role, tensor, free_dims);
  in.same_partitions(role, tensor, "data", data);
  if (tensor.elements_per_partition() != 8)
    in.fail(std::string(role) + " must have 8 elements per partition");
}

void require_index_type(const Instruction &in, const char *role, const Tensor &tensor) {
  if (tensor.dtype() != DType::uint16 && tensor.dtype() != DType::uint32)
    in.fail(std::string(role) + " must be uint16 or uint32");
}

double cycles(const View &data) {
  return double(data.elements) * chip::costs::stride_factor({&data});
}

} // namespace

void max8(const Tensor &dst, const Tensor &src) {
  Instruction in("max8", {{"dst", &dst}, {"src", &src}});
  require_data(in, "src", src);
  require_eight(in, "dst", dst, 1, src);
  in.unpacked("dst", dst);

  View to = chip::view_of(dst), from = chip::view_of(src);
  Access access(in);
  access.read("src", from);
  PoisonFlags flags = access.maybe_poison() ? row_flags({&from}, 8) : PoisonFlags();
  access.write_after(to);
  chip::isa::max8(to, from);
  access.end(to, flags);
  access.take(Unit::vector, cycles(from));
}

void nc_find_index8(const Tensor &dst, const Tensor &data, const Tensor &vals) {
  Instruction in("nc_find_index8", {{"dst", &dst}, {"data", &data}, {"vals", &vals}});
  require_data(in, "data", data);
  require_eight(in, "vals", vals, 2, data);
  require_eight(in, "dst", dst, 1, data);
  require_index_type(in, "dst", dst);
  in.unpacked("vals", vals);

  View to = chip::view_of(dst), from = chip::view_of(data), wanted = chip::view_of(vals);
  Access access(in);
  access.read("data", from);
  access.read("vals", wanted);
  PoisonFlags flags = access.maybe_poison() ? row_flags({&from, &wanted}, 8) : PoisonFlags();
  access.write_after(to);
  chip::isa::nc_find_index8(to, from, wanted);
  access.end(to, flags);
  access.take(Unit::vector, cycles(from));
}

void nc_match_replace8(const Tensor &dst, const Tensor &data, const Tensor &vals, float imm,
                       const Tensor &dst_idx) {
  Instruction in("nc_match_replace8",
                 {{"dst", &dst}, {"data", &data}, {"vals", &vals}, {"dst_idx", &dst_idx}});
  require_data(in, "data", data);
  in.tile("dst", dst);
  in.same_size("dst", dst, "data", data);
  in.unpacked("dst", dst);
  require_eight(in, "vals", vals, 2, data);
  in.unpacked("vals", vals);
  if (dst_idx) {
    require_eight(in, "dst_idx", dst_idx, 1, data);
    require_index_type(in, "dst_idx", dst_idx);
  }

  View to = chip::view_of(dst), from = chip::view_of(data), wanted = chip::view_of(vals), places;
  Access access(in);
  access.read("data", from);
  access.read("vals", wanted);
  PoisonFlags flags, place_flags;
  if (access.maybe_poison()) {
    flags = row_flags({&wanted}, to.elements);
    flags.merge(chip::poison_of(from));
    place_flags = row_flags({&from, &wanted}, 8);
  }
  access.write_after(to);
  if (dst_idx) {
    places = chip::view_of(dst_idx);
    access.write_after(places);
  }
  chip::isa::nc_match_replace8(to, from, wanted, imm, dst_idx ? &places : nullptr);
  access.end(to, flags);
  if (dst_idx)
    access.end(places, place_flags);
  access.take(Unit::vector, cycles(from));
}

} // namespace nki::isa
