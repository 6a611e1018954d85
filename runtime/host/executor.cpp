#include "host/executor.h"

#include "nki/device.h"
#include "nki/error.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

namespace neuronify {

namespace {

/// One core's share; the error's text, or "".
std::string run_core(void (*kernel)(nki::Launch &), nki::Launch launch, nki::chip::Core &core) {
  nki::CoreScope scope(core);
  core.vector_accumulators = core.scalar_accumulators = {}; // nothing survives a launch
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
  prediction = {};
  for (const std::string &error : errors)
    if (!error.empty())
      return error;
  return {};
}

} // namespace neuronify
