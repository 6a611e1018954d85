#include "chip/core_group.h"
#include "nki/describe.h"
#include "nki/error.h"
#include "nki/isa/transfer.h"

#include <algorithm>
#include <string>

namespace nki::isa {

nc_version get_nc_version() { return nc_version(current_core().generation().core_version); }
int get_nc_sub_version() { return current_core().generation().core_sub_version; }

namespace {

chip::CoreGroup &require_pair(const Instruction &in) {
  in.require(in.has(Feature::several_cores), "several cores work together from NeuronCore-v3 on");
  in.require(in.core().group && in.core().place.programs == 2,
             "needs a kernel that was launched on two cores (LNC 2)");
  return *in.core().group;
}

/// The indices in the group of the two cores that share HBM with this one.
std::vector<int> pair_of(const chip::Core &core) {
  int first = core.index() - core.place.program;
  return {first, first + 1};
}

// ---- core_barrier -------------------------------------------------------------------------------

struct Arrival {
  chip::Core *core;
  View data;
  Unit engine;
};

Unit barrier_engine(const Instruction &in, engine on) {
  switch (on) {
  case engine::tensor:
    return Unit::tensor;
  case engine::vector:
    return Unit::vector;
  case engine::scalar:
    return Unit::scalar;
  case engine::sync:
    return Unit::sync;
  case engine::gpsimd:
  case engine::unknown:
    return Unit::gpsimd;
  case engine::dma:
    break;
  }
  in.fail("DMA engines cannot wait in a barrier");
}

void cross_barrier(const Instruction &in, std::span<void *const> messages) {
  double end = 0;
  std::vector<double> starts;
  const Arrival &first = *static_cast<const Arrival *>(messages[0]);
  for (void *message : messages) {
    const Arrival &arrival = *static_cast<const Arrival *>(message);
    in.require(arrival.data.base == first.data.base,
               "data must be the same shared tensor on all cores");
    const chip::TransferShape::Range range[] = {hbm_range(arrival.data)};
    starts.push_back(arrival.core->timeline().free_since(arrival.engine, {}, {}, range));
    end = std::max(end, starts.back() + chip::costs::kBarrier);
  }
  for (size_t i = 0; i < messages.size(); ++i) {
    const Arrival &arrival = *static_cast<const Arrival *>(messages[i]);
    const chip::TransferShape::Range range[] = {hbm_range(arrival.data)};
    arrival.core->timeline().together(
        {"core_barrier", arrival.engine, starts[i], end, chip::costs::kBarrier}, {}, {}, range);
  }
}

} // namespace

void core_barrier(const Tensor &data, std::span<const int> cores, engine on) {
  Instruction in("core_barrier", {{"data", &data}});
  chip::CoreGroup &group = require_pair(in);
  in.require(cores.size() == 2 && std::min(cores[0], cores[1]) == 0 &&
                 std::max(cores[0], cores[1]) == 1,
             "cores must be (0, 1)");
  in.require(bool(data), "data is missing");
  in.require(data.buffer() == Buffer::hbm && data.storage()->visible_to_all(),
             "data must be in shared HBM");
  Arrival arrival{&in.core(), chip::view_of(data), barrier_engine(in, on)};
  group.meet(in.core().index(),
             {"nisa.core_barrier", "barrier", pair_of(in.core()), &arrival,
              [&](std::span<void *const> messages) { cross_barrier(in, messages); }});
}

// ---- sendrecv -----------------------------------------------------------------------------------

namespace {

struct Exchange {
  chip::Core *core;
  const Tensor *src, *dst;
  int send_to, recv_from;
};

/// Moves bytes and what was never written alike.
void move(const View &to, const View &from) {
  PoisonFlags flags;
  if (chip::begin_read(from))
    flags = chip::poison_of(from);
  chip::begin_write(to);
  chip::isa::dma_copy(to, from);
  chip::end_write(to, flags);
}

void require_match(const Instruction &in, const Exchange &receiver, int self,
                   const Exchange &sender) {
  if (sender.send_to != self)
    in.fail("core " + std::to_string(self) + " receives from core " +
            std::to_string(receiver.recv_from) + ", which sends to core " +
            std::to_string(sender.send_to));
  const Tensor &src = *sender.src, &dst = *receiver.dst;
  if (src.dtype() != dst.dtype() || src.partitions() != dst.partitions() ||
      src.elements_per_partition() != dst.elements_per_partition())
    throw Error("nisa.sendrecv", "what is sent must have the size and type of what is received",
                "sent " + describe(src) + ", received " + describe(dst));
}

void swap_tiles(const Instruction &in, std::span<void *const> messages) {
  std::vector<const Exchange *> all;
  for (void *message : messages)
    all.push_back(static_cast<const Exchange *>(message));
  double start = 0, seconds = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    require_match(in, *all[i], int(i), *all[size_t(all[i]->recv_from)]);
    chip::Storage *const reads[] = {all[i]->src->storage().get()};
    chip::Storage *const writes[] = {all[i]->dst->storage().get()};
    start = std::max(start, all[i]->core->timeline().free_since(Unit::dma, reads, writes, {}));
    chip::TransferShape shape = shape_of(chip::view_of(*all[i]->dst), chip::view_of(*all[i]->src));
    seconds = std::max(seconds, chip::costs::transfer(in.generation(), shape));
  }
  for (const Exchange *one : all)
    move(chip::view_of(*one->dst), chip::view_of(*all[size_t(one->recv_from)]->src));
  start += chip::costs::kTransferLatency;
  for (const Exchange *one : all) {
    chip::Storage *const reads[] = {one->src->storage().get()};
    chip::Storage *const writes[] = {one->dst->storage().get()};
    one->core->timeline().together({"sendrecv", Unit::dma, start, start + seconds, seconds}, reads,
                                   writes, {});
  }
}

} // namespace

void sendrecv(const Tensor &src, const Tensor &dst, int send_to_rank, int recv_from_rank,
              int pipe_id, dma_engine mode) {
  Instruction in("sendrecv", {{"src", &src}, {"dst", &dst}});
  chip::CoreGroup &group = require_pair(in);
  require_dma_operand(in, "src", src);
  require_dma_operand(in, "dst", dst);
  in.in_sbuf("src", src);
  in.in_sbuf("dst", dst);
  in.starts_in_bounds("src", src);
  in.starts_in_bounds("dst", dst);
  in.same_type("src", src, "dst", dst);
  in.same_size("src", src, "dst", dst);
  auto is_rank = [](int rank) { return rank == 0 || rank == 1; };
  in.require(is_rank(send_to_rank) && is_rank(recv_from_rank),
             "send_to_rank and recv_from_rank are 0 or 1");
  if (mode == dma_engine::gpsimd_dma)
    in.require(src.elements_per_partition() <= 256,
               "GpSimdE's own DMA moves at most 256 elements per partition (1024 bytes of 32-bit "
               "types, 512 of 16-bit, 256 of 8-bit)");
  View to = chip::view_of(dst), from = chip::view_of(src);
  in.require(to.storage != from.storage || !chip::shares_bytes(to, from), "dst lies over src");
  Exchange message{&in.core(), &src, &dst, send_to_rank, recv_from_rank};
  const std::string pipe = std::to_string(pipe_id);
  group.meet(in.core().index(),
             {"nisa.sendrecv(pipe_id " + pipe + ")", "pipe " + pipe, pair_of(in.core()), &message,
              [&](std::span<void *const> messages) { swap_tiles(in, messages); }});
}

} // namespace nki::isa
