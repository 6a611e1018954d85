#include "nki/collective.h"

#include "chip/isa/alu.h"
#include "chip/isa/dma.h"
#include "chip/stream.h"
#include "nki/describe.h"
#include "nki/error.h"
#include "nki/isa/transfer.h"

#include <algorithm>
#include <cstring>

namespace nki::collectives {

namespace {

chip::View run_of(uint8_t *memory, DType type, int64_t elements) {
  chip::View run = chip::scratch_view(reinterpret_cast<float *>(memory), 1, elements);
  run.type = type;
  run.pattern.dims[0].stride = int64_t(size_of(type));
  return run;
}

void write(const Tensor &to, const Bytes &bytes, int64_t first_element) {
  const int64_t elements = int64_t(bytes.size() / size_of(to.dtype()));
  if (elements == 0)
    return;
  Tensor place = to;
  if (elements != to.size()) // a part of an HBM tensor
    place = to.reshape({to.size()}).slice(0, first_element, first_element + elements);
  chip::View view = chip::view_of(place);
  chip::begin_write(view);
  chip::isa::dma_copy(view, run_of(const_cast<uint8_t *>(bytes.data()), to.dtype(), elements));
  chip::end_write(view);
  if (view.storage->outlives_kernel())
    current_core().has_stored = true;
}

} // namespace

Call::Call(const char *name, Tensors srcs, Tensors dsts)
    : name_(name), core_(current_core()),
      part_{&core_, {srcs.begin(), srcs.end()}, {dsts.begin(), dsts.end()}} {
  require(core_.group, "needs cores that run together (chip::CoreGroup)");
}

void Call::fail(const std::string &rule) const {
  std::string operands;
  for (const auto *list : {&part_.srcs, &part_.dsts})
    for (const Tensor &tensor : *list)
      operands += (operands.empty() ? "" : ", ") +
                  std::string(list == &part_.srcs ? "src " : "dst ") + describe(tensor);
  throw Error(std::string("nki.collectives.") + name_, rule, operands);
}

// ---- rules --------------------------------------------------------------------------------------

void Call::priority(std::optional<int> priority) const {
  require(!priority || core_.generation().has(chip::Feature::dma_priority),
          "priority exists from NeuronCore-v4 on");
  require(!priority || (*priority >= 0 && *priority <= 3), "priority is 0 to 3");
}

void Call::lists(bool sbuf_can) const {
  require(!part_.srcs.empty() && part_.srcs.size() == part_.dsts.size(),
          "srcs and dsts are lists of equal length");
  bool in_sbuf = part_.srcs[0] && part_.srcs[0].buffer() == Buffer::sbuf;
  for (const auto *list : {&part_.srcs, &part_.dsts})
    for (const Tensor &tensor : *list) {
      require(bool(tensor), "a tensor is missing");
      require(!tensor.is_indirect(), "addresses are known beforehand");
      require(tensor.buffer() == Buffer::hbm || (sbuf_can && tensor.buffer() == Buffer::sbuf),
              sbuf_can ? "tensors are in HBM or SBUF" : "tensors are in HBM");
      require((tensor.buffer() == Buffer::sbuf) == in_sbuf,
              "all tensors are in HBM or all in SBUF");
      require(!in_sbuf || tensor.ndim() == 2, "tensors in SBUF have two dimensions");
    }
  require(!in_sbuf || part_.srcs.size() == 1, "several tensors at once must be in HBM");
  for (size_t i = 0; i < part_.srcs.size(); ++i)
    require(part_.srcs[i].dtype() == part_.dsts[i].dtype(), "src and dst have the same data type");
}

void Call::one_tensor_each() const {
  require(part_.srcs.size() == 1 && part_.dsts.size() == 1, "each list has exactly one tensor");
}

void Call::reduction(Op op) const {
  require(op == Op::add || op == Op::minimum || op == Op::maximum,
          "op must be add, minimum or maximum");
  for (const Tensor &tensor : part_.srcs)
    require(!chip::is_packed(tensor.dtype()), "arithmetic does not take packed types");
}

void Call::sizes(int64_t factor, int64_t divisor) const {
  for (size_t i = 0; i < part_.srcs.size(); ++i)
    if (part_.dsts[i].size() * divisor != part_.srcs[i].size() * factor)
      fail("dst must have " + std::to_string(factor) + "/" + std::to_string(divisor) +
           " times the elements of src");
}

std::vector<int> Call::ranks(const ReplicaGroup &group) const {
  std::vector<int> seen;
  const std::vector<int> *mine = nullptr;
  for (const std::vector<int> &list : group.groups)
    for (int rank : list) {
      if (rank < 0 || rank >= core_.place.ranks)
        fail("there is no rank " + std::to_string(rank) + ": the kernel runs on " +
             std::to_string(core_.place.ranks));
      if (std::find(seen.begin(), seen.end(), rank) != seen.end())
        fail("rank " + std::to_string(rank) + " is in the replica group twice");
      seen.push_back(rank);
      if (rank == core_.place.rank)
        mine = &list;
    }
  if (!mine)
    fail("rank " + std::to_string(core_.place.rank) + " is not in the replica group");
  return *mine;
}

// ---- meeting ------------------------------------------------------------------------------------

void Call::run(const std::vector<int> &ranks, const std::string &parameters, double traffic,
               int steps, const Work &work) {
  const int cores = core_.place.programs;
  std::vector<int> members, sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  for (int rank : sorted)
    for (int program = 0; program < cores; ++program)
      members.push_back(rank * cores + program);
  auto act = [&](std::span<void *const> messages) {
    std::vector<Write> writes;
    for (int program = 0; program < cores; ++program) {
      std::vector<const Part *> parts;
      for (int rank : ranks) {
        size_t place = size_t(std::find(sorted.begin(), sorted.end(), rank) - sorted.begin());
        parts.push_back(
            static_cast<const Part *>(messages[place * size_t(cores) + size_t(program)]));
      }
      work(parts, writes);
    }
    for (const Write &one : writes)
      write(*one.to, one.bytes, one.first_element);
    take_time(messages, traffic, steps);
  };
  std::string list;
  for (int rank : ranks)
    list += " " + std::to_string(rank);
  core_.group->meet(core_.index(), {std::string("nki.collectives.") + name_ + "(ranks" + list + ")",
                                    name_ + (" " + parameters) + list, members, &part_, act});
}

void Call::take_time(std::span<void *const> messages, double traffic, int steps) const {
  double start = 0, seconds = 0;
  struct Touched {
    std::vector<chip::Storage *> reads, writes;
    std::vector<chip::TransferShape::Range> hbm;
    int64_t bytes = 0, hbm_bytes = 0;
  };
  std::vector<Touched> all;
  for (void *message : messages) {
    const Part &part = *static_cast<const Part *>(message);
    Touched &touched = all.emplace_back();
    for (const auto *list : {&part.srcs, &part.dsts})
      for (const Tensor &tensor : *list) {
        const int64_t bytes = tensor.size() * int64_t(size_of(tensor.dtype()));
        touched.bytes += list == &part.srcs ? bytes : 0;
        if (tensor.buffer() == Buffer::hbm) {
          touched.hbm.push_back(isa::hbm_range(chip::view_of(tensor)));
          touched.hbm_bytes += bytes;
        } else {
          (list == &part.srcs ? touched.reads : touched.writes).push_back(tensor.storage().get());
        }
      }
    start = std::max(start, part.core->timeline().free_since(chip::Unit::dma, touched.reads,
                                                             touched.writes, touched.hbm));
    const chip::Generation &generation = core_.generation();
    seconds =
        std::max(seconds, traffic * double(touched.bytes) /
                              (generation.dma_engines * generation.dma_engine_bytes_per_second));
  }
  const double end = start + seconds + steps * chip::costs::kTransferLatency;
  for (size_t i = 0; i < messages.size(); ++i)
    static_cast<const Part *>(messages[i])
        ->core->timeline()
        .together({name_, chip::Unit::dma, start, end, seconds, all[i].hbm_bytes}, all[i].reads,
                  all[i].writes, all[i].hbm);
}

// ---- data ---------------------------------------------------------------------------------------

Bytes Call::read(const Tensor &tensor) const {
  chip::View view = chip::view_of(tensor);
  if (chip::begin_read(view))
    chip::require_written((std::string("nki.collectives.") + name_).c_str(), "src", view);
  Bytes bytes(size_t(tensor.size()) * size_of(tensor.dtype()));
  chip::isa::dma_copy(run_of(bytes.data(), tensor.dtype(), tensor.size()), view);
  return bytes;
}

Bytes Call::reduce(std::span<const Bytes> values, DType type, Op op) const {
  const int64_t elements = int64_t(values[0].size() / size_of(type));
  const int64_t stride = int64_t(size_of(type));
  std::vector<float> total(static_cast<size_t>(elements)), added(static_cast<size_t>(elements));
  chip::load(total.data(), type, values[0].data(), stride, elements);
  for (size_t i = 1; i < values.size(); ++i) {
    chip::load(added.data(), type, values[i].data(), stride, elements);
    chip::float_binary(op, core_.assumptions())(total.data(), total.data(), added.data(), elements);
  }
  Bytes result(values[0].size());
  chip::store(result.data(), type, stride, total.data(), elements);
  return result;
}

} // namespace nki::collectives
