// Runs a port on the cores of the chip model.
#pragma once

#include "chip/core.h"
#include "lanes/launch.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace neuronify {

/// What the model says about one launch.
struct Prediction {
  double chip_seconds = 0;     ///< of the core that takes longest
  double one_core_seconds = 0; ///< of all cores' work, one after the other
  std::string bound;           ///< engine that is busiest, or "HBM"; empty where nothing ran
  uint64_t instructions = 0;   ///< on all cores
  double engine_seconds = 0;   ///< of the busiest compute engine, on all cores together
  double hbm_seconds = 0;      ///< what its bytes take at a core's share of the memory's bandwidth
};

/// Why a port did not run to its end; no text where it did.
struct PortError {
  std::string text;
  bool nothing_happened = false; ///< it does not fit the chip, and memory is as it was
  /// A thread ended the launch: `text` is what CUDA prints of an assertion.
  bool asserted = false, trapped = false;
  std::string output{}; ///< what its threads printed, by block and thread; whether it ended or not
};

class Executor {
public:
  Executor(const nki::chip::Generation &generation, nki::chip::Hbm &hbm, int cores);
  ~Executor();

  int cores() const { return cores_; }
  /// Runs `kernel` once per core, each with its own copy of `launch`; several at a time. Returns
  /// the error of the lowest core that failed. Results do not depend on how many host threads there
  /// are, except in launches whose blocks race.
  PortError run(void (*kernel)(nki::Launch &), const nki::Launch &launch, Prediction &prediction);

  /// Every core's timeline of the last run, as events of the Chrome/Perfetto JSON format that start
  /// at `offset` seconds. Nothing unless traced(true) was called before it.
  void write_events(std::ostream &out, double offset) const;
  void traced(bool on) { traced_ = on; }

private:
  Prediction predict() const;
  const nki::chip::Generation &generation_;
  nki::chip::Hbm &hbm_;
  int cores_;
  bool traced_ = false;
  std::vector<std::unique_ptr<nki::chip::Core>> chip_; ///< made at the first launch
};

} // namespace neuronify
