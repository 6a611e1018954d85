#include "chip/isa/statistics.h"

#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

/// Runs `compute` and does what both instructions share around it.
template <class F>
void aggregate(const Instruction &in, const Tensor &dst, const Tensor &data, int64_t results,
               F &&compute) {
  in.same_partitions("dst", dst, "data", data);
  if (dst.elements_per_partition() != results)
    in.fail("dst must have " + std::to_string(results) + " elements per partition");
  in.unpacked("dst", dst);
  in.unpacked("data", data);
  View to = chip::view_of(dst), from = chip::view_of(data);
  Access access(in);
  access.read("data", from);
  PoisonFlags source = access.maybe_poison() ? chip::poison_of(from) : PoisonFlags(), flags;
  for (int64_t i = 0; source.any() && i < from.partitions * from.elements; ++i)
    for (int64_t e = 0; source.at(i) && e < results; ++e)
      flags.set(i / from.elements * results + e, to.partitions * results);
  access.write_after(to);
  compute(to, from);
  access.end(to, flags);
  access.take(Unit::vector, double(from.elements) * chip::costs::stride_factor({&from}));
}

} // namespace

void bn_stats(const Tensor &dst, const Tensor &data) {
  Instruction in("bn_stats", {{"dst", &dst}, {"data", &data}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.require(data.elements_per_partition() <= 512, "data has at most 512 elements per partition");
  aggregate(in, dst, data, 6, chip::isa::bn_stats);
}

void bn_aggr(const Tensor &dst, const Tensor &data) {
  Instruction in("bn_aggr", {{"dst", &dst}, {"data", &data}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.require(data.elements_per_partition() % 3 == 0,
             "data holds triples: its elements per partition are a multiple of 3");
  aggregate(in, dst, data, 2, chip::isa::bn_aggr);
}

} // namespace nki::isa
