// Predicted time: what each instruction costs and when it can start.
//
// Every engine, and the DMA rings together, is a queue that works in program order. An instruction
// starts when its queue is free and the allocations it reads have been written and those it writes
// are no longer read. Costs are the published rules (docs/chip-assumptions.md lists them with their
// sources, and which are our own guess). What is left out: contention for SBUF ports, semaphores
// that were not needed, and dependencies through device memory.
#pragma once

#include "chip/generations.h"

#include <array>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nki {
class Tensor;
}

namespace nki::chip {

enum class Unit : uint8_t { tensor, vector, scalar, gpsimd, sync, dma };
inline constexpr int kUnits = 6;
/// "TensorE", "VectorE", …, "DMA".
std::string_view name_of(Unit unit);

/// What one instruction takes.
struct Cost {
  Unit unit = Unit::vector;
  double busy = 0;       ///< seconds its unit is occupied
  double latency = 0;    ///< seconds until the result can be used, on top of that
  int64_t hbm_bytes = 0; ///< read from or written to device memory
};

/// The cost of instruction `name` (as nki.isa spells it) on these operands, destination first.
Cost cost_of(std::string_view name, std::span<const Tensor *const> operands,
             const Generation &generation);

struct Summary {
  double seconds = 0;                ///< predicted, from the first start to the last end
  std::array<double, kUnits> busy{}; ///< seconds each unit worked
  int64_t hbm_bytes = 0;
  uint64_t instructions = 0;
  /// What bounds it: "HBM" where device memory is as busy as the busiest unit, else that unit;
  /// empty where nothing ran. `hbm_bytes_per_second` is the core's share.
  std::string bound(double hbm_bytes_per_second) const;
};

/// The queues of one core.
class Timeline {
public:
  /// Forgets everything: time 0. Tracing stays as it is.
  void reset();
  /// Keep every instruction for write_trace(), at most `limit` of them.
  void trace(bool on, size_t limit = 2'000'000) { traced_ = on ? limit : 0; }

  void record(const char *name, std::span<const Tensor *const> operands,
              const Generation &generation);
  const Summary &summary() const { return summary_; }

  /// One event of the Chrome/Perfetto JSON trace format per traced instruction, each followed by a
  /// comma and a newline; `process` is the number the events get. Times start at `offset` seconds.
  void write_events(std::ostream &out, int process, double offset) const;

private:
  struct Event {
    const char *name;
    double start, duration;
    Unit unit;
  };
  std::array<double, kUnits> free_at_{};
  Summary summary_;
  size_t traced_ = 0;
  double epoch_ = 0; ///< times of allocations before this are from before the last reset
  std::vector<Event> events_;
};

} // namespace nki::chip
