// A NeuronCore: its memories, its accumulator registers, its clock.
#pragma once

#include "chip/assumptions.h"
#include "chip/generations.h"
#include "chip/hbm.h"
#include "chip/random.h"
#include "chip/timeline.h"
#include "nki/device.h"
#include "nki/tensor.h"

#include <array>
#include <cstdint>
#include <memory>

namespace nki::chip {

class CoreGroup;
class CoreMemory;

/// Accumulator registers of an engine: one fp32 per lane.
struct Accumulators {
  std::array<float, kPartitions> value{};
  std::array<bool, kPartitions> poison{}; ///< something that was never written went in
  bool defined = false;                   ///< a reset or a load has happened
};

/// Where a core stands among those that run a kernel with it.
struct Place {
  int rank = 0, ranks = 1;       ///< logical cores
  int program = 0, programs = 1; ///< cores of one logical core
};

class Core {
public:
  Core(const Generation &generation, Hbm &hbm, ChipAssumptions assumptions = {}, int index = 0);
  ~Core();
  Core(const Core &) = delete;
  Core &operator=(const Core &) = delete;

  const Generation &generation() const { return generation_; }
  Hbm &hbm() const { return hbm_; }
  const ChipAssumptions &assumptions() const { return assumptions_; }
  int index() const { return index_; }
  Timeline &timeline() { return timeline_; }

  /// Bytes per partition in use now, and the most there ever were.
  int64_t used(Buffer buffer) const;
  int64_t peak(Buffer buffer) const;
  int64_t capacity(Buffer buffer) const;
  const std::shared_ptr<CoreMemory> &memory() const { return memory_; }

  /// The cores that run with this one; null where it runs alone.
  CoreGroup *group = nullptr;
  Place place;

  /// Whether anything was written to device memory that outlives the kernel since this was cleared.
  bool has_stored = false;

  Accumulators vector_accumulators, scalar_accumulators;
  RandomGenerators vector_random{4}, gpsimd_random{1};

private:
  const Generation &generation_;
  Hbm &hbm_;
  ChipAssumptions assumptions_;
  int index_;
  std::shared_ptr<CoreMemory> memory_;
  Timeline timeline_;
};

} // namespace nki::chip
