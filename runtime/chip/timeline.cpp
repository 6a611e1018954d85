#include "chip/timeline.h"

#include "chip/storage.h"
#include "nki/tensor.h"

#include <algorithm>
#include <cstdio>

namespace nki::chip {

std::string_view name_of(Unit unit) {
  constexpr std::string_view names[kUnits] = {"TensorE", "VectorE", "ScalarE",
                                              "GpSimdE", "SyncE",   "DMA"};
  return names[int(unit)];
}

// ---- costs
// ------------------------------------------------------------------------------------------

namespace {

constexpr double kFloorCycles = 64;      // an engine instruction takes no less
constexpr double kDependentCycles = 100; // until a following instruction sees the result
constexpr double kDmaStart = 1.3e-6;     // from trigger to first byte
constexpr double kRunOverhead = 256;     // bytes' worth of time that each contiguous run costs
constexpr double kDescriptors = 600e-9;  // to generate a set of descriptors; by GpSimdE: our guess

bool is_two_bytes(const Tensor &tensor) {
  return size_of(tensor.dtype()) == 2 && tensor.buffer() == Buffer::sbuf;
}

bool is_integer_32(const Tensor &tensor) {
  return tensor.dtype() == DType::int32 || tensor.dtype() == DType::uint32;
}

/// Elements per partition of the largest operand: what streams through the engine.
double streamed(std::span<const Tensor *const> operands) {
  int64_t most = 1;
  for (const Tensor *tensor : operands)
    if (tensor->buffer() != Buffer::hbm)
      most = std::max(most, tensor->elements_per_partition());
  return double(most);
}

Cost engine(Unit unit, double cycles, double hz) {
  return {unit, std::max(cycles, kFloorCycles) / hz, kDependentCycles / hz, 0};
}

/// Bytes of the longest contiguous run of a view.
int64_t run_bytes(const Tensor &tensor) {
  int64_t elements = 1;
  const auto dims = tensor.dims();
  const size_t first = tensor.buffer() == Buffer::hbm ? 0 : 1;
  for (size_t d = dims.size(); d > first; --d) {
    if (dims[d - 1].count != 1 && dims[d - 1].stride != elements)
      break;
    elements *= dims[d - 1].count;
  }
  return elements * int64_t(size_of(tensor.dtype()));
}

Cost dma(std::span<const Tensor *const> operands, const Generation &generation) {
  const Tensor &dst = *operands[0], &src = operands.size() > 1 ? *operands[1] : dst;
  const double bytes =
      double(dst.size()) * double(std::max(size_of(dst.dtype()), size_of(src.dtype())));
  const double run = double(std::max<int64_t>(1, std::min(run_bytes(dst), run_bytes(src))));
  const double rate = generation.dma_engines * generation.dma_engine_bytes_per_second;
  Cost cost{Unit::dma, bytes * (1 + kRunOverhead / run) / rate, kDmaStart, 0};
  for (const Tensor *side : operands.first(std::min<size_t>(2, operands.size())))
    if (side->buffer() == Buffer::hbm)
      cost.hbm_bytes += side->size() * int64_t(size_of(side->dtype()));
  if (dst.is_indirect() || src.is_indirect())
    cost.latency += kDescriptors;
  return cost;
}

} // namespace

Cost cost_of(std::string_view name, std::span<const Tensor *const> operands, const Generation &g) {
  if (operands.empty())
    return engine(Unit::sync, kFloorCycles, g.gpsimd_hz);
  const double n = streamed(operands);
  const bool all_two_bytes = std::all_of(operands.begin(), operands.end(),
                                         [](const Tensor *t) { return is_two_bytes(*t); });
  if (name.starts_with("dma_"))
    return dma(operands, g);
  if (name.starts_with("register_"))
    return engine(Unit::sync, kFloorCycles, g.gpsimd_hz);
  if (name.starts_with("nc_matmul") || name == "nc_transpose") {
    const bool fp32 = operands.size() > 1 && operands.back()->dtype() == DType::float32;
    return engine(Unit::tensor, n * (fp32 ? 4 : 1), g.tensor_hz);
  }
  if (name.starts_with("activat"))
    return engine(Unit::scalar, n / (all_two_bytes && g.core_version >= 4 ? 2 : 1), g.scalar_hz);
  if (name == "iota" || name == "affine_select" || name == "nc_n_gather" ||
      name == "local_gather" || name == "tensor_partition_reduce")
    return engine(Unit::gpsimd, n, g.gpsimd_hz);
  if (name == "tensor_tensor") {
    const bool integers = std::all_of(operands.begin(), operands.end(),
                                      [](const Tensor *t) { return is_integer_32(*t); });
    return engine(integers ? Unit::gpsimd : Unit::vector,
                  n * (all_two_bytes && g.core_version >= 3 ? 1 : 2),
                  integers ? g.gpsimd_hz : g.vector_hz);
  }
  if (name == "reciprocal")
    return engine(Unit::vector, 8 * n, g.vector_hz);
  if (name == "tensor_copy_predicated" || name == "scalar_tensor_tensor" ||
      name == "tensor_tensor_scan" || name == "select_reduce")
    return engine(Unit::vector, 2 * n, g.vector_hz);
  const bool four_times =
      all_two_bytes && g.core_version >= 3 && (name == "tensor_copy" || name == "tensor_scalar");
  return engine(Unit::vector, n / (four_times ? 4 : 1), g.vector_hz);
}

// ---- queues
// -----------------------------------------------------------------------------------------

std::string Summary::bound(double hbm_bytes_per_second) const {
  if (instructions == 0)
    return "";
  const auto busiest = std::max_element(busy.begin(), busy.end());
  if (double(hbm_bytes) / hbm_bytes_per_second >= 0.85 * *busiest)
    return "HBM";
  return std::string(name_of(Unit(busiest - busy.begin())));
}

void Timeline::reset() {
  // Allocations that live on (constants) are ready: their times count from before the reset.
  epoch_ += summary_.seconds;
  free_at_.fill(epoch_);
  summary_ = {};
  events_.clear();
}

void Timeline::record(const char *name, std::span<const Tensor *const> operands,
                      const Generation &generation) {
  const Cost cost = cost_of(name, operands, generation);
  double start = std::max(free_at_[int(cost.unit)], epoch_);
  for (size_t i = 0; i < operands.size(); ++i) {
    const Storage &storage = *operands[i]->storage();
    start = std::max(start, storage.written_at);
    if (i == 0)
      start = std::max(start, storage.read_until);
  }
  const double end = start + cost.busy, ready = end + cost.latency;
  free_at_[int(cost.unit)] = end;
  for (size_t i = 0; i < operands.size(); ++i) {
    Storage &storage = *operands[i]->storage();
    (i == 0 ? storage.written_at : storage.read_until) =
        std::max(i == 0 ? storage.written_at : storage.read_until, i == 0 ? ready : end);
  }
  summary_.seconds = std::max(summary_.seconds, ready - epoch_);
  summary_.busy[int(cost.unit)] += cost.busy;
  summary_.hbm_bytes += cost.hbm_bytes;
  ++summary_.instructions;
  if (events_.size() < traced_)
    events_.push_back({name, start - epoch_, cost.busy, cost.unit});
}

void Timeline::write_events(std::ostream &out, int process, double offset) const {
  char text[256];
  for (const Event &event : events_) {
    std::snprintf(text, sizeof text,
                  "{\"name\":\"%s\",\"cat\":\"nki\",\"ph\":\"X\",\"ts\":%.6f,\"dur\":%.6f,\"pid\":%"
                  "d,\"tid\":%d},\n",
                  event.name, (offset + event.start) * 1e6, event.duration * 1e6, process,
                  int(event.unit));
    out << text;
  }
}

} // namespace nki::chip
