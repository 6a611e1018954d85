#include "host/executor.h"

#include "nki/device.h"
#include "nki/error.h"

#include <algorithm>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

namespace neuronify {

namespace {

/// One core's share; the error's text, or "".
std::string run_core(void (*kernel)(nki::Launch &), nki::Launch launch, nki::chip::Core &core) {
  nki::CoreScope scope(core);
  core.vector_accumulators = core.scalar_accumulators = {}; // nothing survives a launch
  core.timeline().reset();
  try {
    kernel(launch);
    return {};
  } catch (const std::exception &error) { // nki::Error, or the host's memory is at its end
    return error.what();
  }
}

} // namespace

Executor::Executor(const nki::chip::Generation &generation, nki::chip::Hbm &hbm, int cores)
    : generation_(generation), hbm_(hbm), cores_(cores) {}

Executor::~Executor() = default;

std::string Executor::run(void (*kernel)(nki::Launch &), const nki::Launch &launch,
                          Prediction &prediction) {
  while (int(chip_.size()) < cores_)
    chip_.push_back(std::make_unique<nki::chip::Core>(
        generation_, hbm_, nki::chip::ChipAssumptions(), int(chip_.size())));
  std::vector<std::string> errors(cores_);
  for (const auto &core : chip_)
    core->timeline().trace(traced_);
  tbb::parallel_for(
      tbb::blocked_range<int>(0, cores_),
      [&](const tbb::blocked_range<int> &range) {
        for (int index = range.begin(); index < range.end(); ++index) {
          nki::Launch share = launch;
          share.core = index;
          share.cores = cores_;
          errors[index] = run_core(kernel, share, *chip_[index]);
        }
      },
      tbb::simple_partitioner()); // one core at a time: their shares may differ much
  prediction = predict();
  for (const std::string &error : errors)
    if (!error.empty())
      return error;
  return {};
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
    all.hbm_bytes += summary.hbm_bytes;
    all.instructions += summary.instructions;
  }
  result.instructions = all.instructions;
  result.bound = all.bound(generation_.hbm_bytes_per_second / generation_.cores);
  return result;
}

} // namespace neuronify
