#include "host/executor.h"

#include "lanes/print.h"
#include "nki/device.h"
#include "nki/error.h"

#include <algorithm>
#include <map>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <utility>

namespace neuronify {

namespace {

std::string describe_block(const nki::Dim3 &block) {
  std::string text = std::to_string(block.x);
  if (block.y != 1 || block.z != 1)
    text += "x" + std::to_string(block.y);
  return block.z == 1 ? text : text + "x" + std::to_string(block.z);
}

/// One core's share. A launch that does not fit is tried again with fewer lanes per partition,
/// where it can have fewer and nothing was stored yet: the second try then starts from the same
/// memory.
PortError run_core(void (*kernel)(nki::Launch &), nki::Launch launch, nki::chip::Core &core,
                   std::vector<nki::Printed> &printed, uint64_t &stopped_block) {
  nki::CoreScope scope(core);
  nki::PrintScope prints(printed);
  for (;; ++launch.halvings) {
    core.vector_accumulators = core.scalar_accumulators = {}; // nothing survives a launch
    core.timeline().reset();
    core.has_stored = false;
    printed.clear();
    try {
      kernel(launch);
      return {};
    } catch (const nki::NoSpace &error) {
      if (launch.can_halve && !core.has_stored)
        continue;
      if (launch.waves_together > 1)
        return {"NFY4011: the " + std::to_string(launch.waves_together) +
                    " waves of a grid that waits at barriers do not fit the chip together: " +
                    error.rule(),
                !core.has_stored};
      return {"NFY4011: a block of " + describe_block(launch.blockDim) +
                  " threads does not fit a partition: its values need up to " +
                  std::to_string(launch.needed_bytes) + " bytes; " + error.rule(),
              !core.has_stored};
    } catch (const nki::KernelStopped &stop) {
      stopped_block = stop.block;
      return {stop.what(), false, stop.is_assertion, !stop.is_assertion};
    } catch (const std::exception &error) { // nki::Error, or the host's memory is at its end
      return {error.what(), false};
    }
  }
}

/// Puts what the cores printed into the order of blocks and threads.
std::string in_order(const std::vector<std::vector<nki::Printed>> &cores) {
  std::map<std::pair<uint64_t, uint32_t>, std::string> threads;
  for (const std::vector<nki::Printed> &core : cores)
    for (const nki::Printed &one : core)
      threads[{one.block, one.thread}] += one.text;
  std::string text;
  for (const auto &[thread, lines] : threads)
    text += lines;
  return text;
}

} // namespace

Executor::Executor(const nki::chip::Generation &generation, nki::chip::Hbm &hbm, int cores)
    : generation_(generation), hbm_(hbm), cores_(cores) {}

Executor::~Executor() = default;

PortError Executor::run(void (*kernel)(nki::Launch &), const nki::Launch &launch,
                        Prediction &prediction) {
  while (int(chip_.size()) < cores_)
    chip_.push_back(std::make_unique<nki::chip::Core>(
        generation_, hbm_, nki::chip::ChipAssumptions(), int(chip_.size())));
  std::vector<PortError> errors(cores_);
  std::vector<std::vector<nki::Printed>> printed(static_cast<size_t>(cores_));
  std::vector<uint64_t> stopped(static_cast<size_t>(cores_), UINT64_MAX);
  for (const auto &core : chip_)
    core->timeline().trace(traced_);
  tbb::parallel_for(
      tbb::blocked_range<int>(0, cores_),
      [&](const tbb::blocked_range<int> &range) {
        for (int index = range.begin(); index < range.end(); ++index) {
          nki::Launch share = launch;
          share.core = index;
          share.cores = cores_;
          errors[index] = run_core(kernel, share, *chip_[index], printed[size_t(index)],
                                   stopped[size_t(index)]);
        }
      },
      tbb::simple_partitioner()); // one core at a time: their shares may differ much
  prediction = predict();
  // Memory is as it was before only if no core got any further.
  bool nothing_happened = true;
  for (int core = 0; core < cores_; ++core)
    nothing_happened &= errors[core].nothing_happened || !chip_[core]->has_stored;
  // Of the cores that a thread stopped, the one with the lowest block speaks.
  PortError result;
  const size_t first = size_t(std::min_element(stopped.begin(), stopped.end()) - stopped.begin());
  if (stopped[first] != UINT64_MAX)
    result = errors[first];
  for (PortError &error : errors)
    if (!error.text.empty() && !error.asserted && !error.trapped) {
      result = error; // says more: the rules of the chip were broken
      break;
    }
  result.nothing_happened &= nothing_happened;
  result.output = in_order(printed);
  return result;
}

void Executor::write_events(std::ostream &out, double offset) const {
  for (const auto &core : chip_)
    core->timeline().write_events(out, core->index(), offset);
}

Prediction Executor::predict() const {
  Prediction result;
  nki::chip::Summary all;
  for (const auto &core : chip_) {
    const nki::chip::Summary &summary = core->timeline().summary();
    result.chip_seconds = std::max(result.chip_seconds, summary.seconds);
    result.one_core_seconds += summary.seconds;
    for (size_t unit = 0; unit < all.busy.size(); ++unit)
      all.busy[unit] += summary.busy[unit];
    all.seconds += summary.seconds;
    all.hbm_bytes += summary.hbm_bytes;
    all.instructions += summary.instructions;
  }
  result.instructions = all.instructions;
  const double bandwidth = generation_.hbm_bytes_per_second / generation_.cores;
  result.bound = all.bound(bandwidth);
  for (nki::chip::Unit engine : {nki::chip::Unit::tensor, nki::chip::Unit::vector,
                                 nki::chip::Unit::scalar, nki::chip::Unit::gpsimd})
    result.engine_seconds = std::max(result.engine_seconds, all.busy[size_t(engine)]);
  result.hbm_seconds = double(all.hbm_bytes) / bandwidth;
  return result;
}

} // namespace neuronify
