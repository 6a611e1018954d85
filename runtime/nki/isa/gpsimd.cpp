#include "chip/isa/gpsimd.h"

#include "chip/stream.h"
#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

using chip::isa::kCorePartitions;

void require_sbuf_tile(const Instruction &in, const char *role, const Tensor &tensor) {
  in.tile(role, tensor);
  in.in_sbuf(role, tensor);
}

void require_whole_cores(const Instruction &in, const char *role, const Tensor &tensor) {
  if (tensor.partitions() % kCorePartitions != 0)
    in.fail(std::string(role) + " must have a multiple of 16 partitions");
}

/// Every element of a processor's partitions that have poison in one of the sources is poison.
PoisonFlags core_flags(std::initializer_list<const View *> sources, const View &dst) {
  PoisonFlags flags;
  for (const View *source : sources) {
    PoisonFlags poison = chip::poison_of(*source);
    int64_t per_core = kCorePartitions * source->elements, size = kCorePartitions * dst.elements;
    for (int64_t i = 0; poison.any() && i < source->partitions * source->elements; ++i)
      for (int64_t e = 0; poison.at(i) && e < size; ++e)
        flags.set(i / per_core * size + e, dst.partitions * dst.elements);
  }
  return flags;
}

/// Poison of what nonzero_with_count writes, and of what it leaves alone.
PoisonFlags count_flags(const View &dst, const View &src) {
  PoisonFlags old = chip::kept_poison_of(dst), source = chip::poison_of(src), flags;
  for (int64_t p = 0; p < dst.partitions; ++p) {
    bool written = p % kCorePartitions == 0, poisoned = false;
    for (int64_t e = 0; written && e < src.elements; ++e)
      poisoned |= source.at(p * src.elements + e);
    for (int64_t e = 0; e < dst.elements; ++e)
      if (written ? poisoned : old.at(p * dst.elements + e))
        flags.set(p * dst.elements + e, dst.partitions * dst.elements);
  }
  return flags;
}

} // namespace

void local_gather(const Tensor &dst, const Tensor &src_buffer, const Tensor &index,
                  int num_elem_per_idx, std::optional<int> num_valid_indices) {
  Instruction in("local_gather", {{"dst", &dst}, {"src_buffer", &src_buffer}, {"index", &index}});
  require_sbuf_tile(in, "dst", dst);
  require_sbuf_tile(in, "src_buffer", src_buffer);
  require_sbuf_tile(in, "index", index);
  in.same_type("dst", dst, "src_buffer", src_buffer);
  in.require(index.dtype() == DType::uint16, "index must be uint16");
  in.same_partitions("src_buffer", src_buffer, "index", index);
  in.same_partitions("dst", dst, "src_buffer", src_buffer);
  require_whole_cores(in, "src_buffer", src_buffer);
  int64_t per_index = num_elem_per_idx;
  in.require(per_index >= 1 && per_index <= 32 && (per_index & (per_index - 1)) == 0,
             "num_elem_per_idx must be 1, 2, 4, 8, 16 or 32");
  int64_t most = index.elements_per_partition() * kCorePartitions;
  int64_t valid = num_valid_indices.value_or(int(most));
  in.require(valid >= 1 && valid <= most, "num_valid_indices goes up to the indices of a core");
  in.require(valid <= 4096, "a core gathers by at most 4096 indices");
  in.require(dst.elements_per_partition() == valid * per_index,
             "dst must have num_elem_per_idx elements per valid index");

  View to = chip::view_of(dst), from = chip::view_of(src_buffer), at = chip::view_of(index);
  in.require(to.storage != from.storage || !chip::shares_bytes(to, from),
             "dst may not lie over src_buffer");
  Access access(in);
  access.read_written("index", at);
  if (int64_t bad = chip::isa::first_bad_gather(from, at, per_index, valid); bad >= 0)
    in.fail("index " + std::to_string(bad % valid) + " of core " + std::to_string(bad / valid) +
            " reads past the " + std::to_string(from.elements) +
            " elements per partition of src_buffer");
  access.read("src_buffer", from);
  PoisonFlags flags = access.maybe_poison() ? core_flags({&from}, to) : PoisonFlags();
  access.write_after(to);
  chip::isa::local_gather(to, from, at, per_index, valid);
  access.end(to, flags);
  access.take(Unit::gpsimd, double(to.elements));
}

void nonzero_with_count(const Tensor &dst, const Tensor &src, int32_t index_offset,
                        int32_t padding_val) {
  Instruction in("nonzero_with_count", {{"dst", &dst}, {"src", &src}});
  in.require(in.has(Feature::nonzero_with_count), "NeuronCore-v2 has no nonzero_with_count");
  require_sbuf_tile(in, "dst", dst);
  require_sbuf_tile(in, "src", src);
  in.same_partitions("dst", dst, "src", src);
  in.require(dst.elements_per_partition() == src.elements_per_partition() + 1,
             "dst must have one element per partition more than src");
  in.require(src.dtype() == DType::float32 || src.dtype() == DType::int32,
             "src must be float32 or int32");
  in.require(dst.dtype() == DType::int32, "dst must be int32");

  View to = chip::view_of(dst), from = chip::view_of(src);
  in.require(to.storage != from.storage || !chip::shares_bytes(to, from),
             "dst may not lie over src");
  Access access(in);
  access.read("src", from);
  bool maybe_poison = chip::begin_read(to) || access.maybe_poison();
  PoisonFlags flags = maybe_poison ? count_flags(to, from) : PoisonFlags();
  access.write_after(to);
  chip::isa::nonzero_with_count(to, from, index_offset, padding_val);
  access.end(to, flags);
  access.take(Unit::gpsimd, double(from.elements));
}

void topk(const Tensor &val_dst, const Tensor &idx_dst, const Tensor &src, int n) {
  Instruction in("topk", {{"val_dst", &val_dst}, {"idx_dst", &idx_dst}, {"src", &src}});
  require_sbuf_tile(in, "val_dst", val_dst);
  require_sbuf_tile(in, "idx_dst", idx_dst);
  require_sbuf_tile(in, "src", src);
  in.require(src.dtype() == DType::bfloat16 && val_dst.dtype() == DType::bfloat16,
             "src and val_dst must be bfloat16");
  in.require(idx_dst.dtype() == DType::uint32, "idx_dst must be uint32");
  in.same_size("val_dst", val_dst, "idx_dst", idx_dst);
  in.same_partitions("val_dst", val_dst, "src", src);
  require_whole_cores(in, "src", src);
  int64_t k = val_dst.elements_per_partition();
  in.require(n >= 8 && n < 65536, "n must be at least 8 and below 65536");
  in.require(k < 32768 && k <= n, "at most n, and fewer than 32768, elements are selected");
  in.require(src.elements_per_partition() * kCorePartitions >= n,
             "src must have n elements in 16 partitions");

  View values = chip::view_of(val_dst), places = chip::view_of(idx_dst), from = chip::view_of(src);
  Access access(in);
  access.read("src", from);
  PoisonFlags flags = access.maybe_poison() ? core_flags({&from}, values) : PoisonFlags();
  access.write_after(values);
  access.write_after(places);
  chip::isa::topk(values, places, from, n);
  access.end(values, flags);
  access.end(places, flags);
  access.take(Unit::gpsimd, 4.0 * n + double(k)); // as documented
}

void sequence_bounds(const Tensor &dst, const Tensor &segment_ids) {
  Instruction in("sequence_bounds", {{"dst", &dst}, {"segment_ids", &segment_ids}});
  require_sbuf_tile(in, "dst", dst);
  require_sbuf_tile(in, "segment_ids", segment_ids);
  in.require(dst.partitions() == 1 && segment_ids.partitions() == 1,
             "dst and segment_ids have one partition");
  in.require(dst.elements_per_partition() == 2 * segment_ids.elements_per_partition(),
             "dst must have two elements per segment id");
  for (DType type : {dst.dtype(), segment_ids.dtype()})
    in.require(type == DType::float32 || type == DType::int32,
               "dst and segment_ids must be float32 or int32");

  View to = chip::view_of(dst), from = chip::view_of(segment_ids);
  Access access(in);
  access.read_written("segment_ids", from);
  auto ids = chip::scratch<float>(from.elements);
  chip::read_rows(from, ids.get());
  for (int64_t i = 0; i < from.elements; ++i)
    in.require(ids[size_t(i)] >= 0, "segment ids must not be negative");
  access.write_after(to);
  chip::isa::sequence_bounds(to, from);
  access.end(to);
  access.take(Unit::gpsimd, 2 * double(from.elements));
}

} // namespace nki::isa
