// Predicted time: what each instruction costs and when it can start.
//
// Every engine takes its instructions in order; engines and transfers run side by side and wait for
// the storages they touch. Costs are in chip/costs.h. The figures are published rules or, where
// there are none, guesses that docs/chip-assumptions.md lists; the model has not been calibrated on
// hardware.
#pragma once

#include "chip/generations.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nki::chip {

class Storage;

enum class Unit : uint8_t { tensor, vector, scalar, gpsimd, sync, dma };
inline constexpr int kUnits = 6;
/// "TensorE", "VectorE", "ScalarE", "GpSimdE", "SyncE", "DMA".
std::string_view name_of(Unit unit);

/// What a stretch of instructions would take on the chip.
struct Summary {
  double seconds = 0;                ///< predicted, from the first start to the last end
  std::array<double, kUnits> busy{}; ///< seconds each unit worked
  int64_t hbm_bytes = 0;             ///< read from or written to device memory
  int64_t dma_bytes = 0;             ///< moved by transfers
  double flops = 0;                  ///< of products: two per multiply-add
  uint64_t instructions = 0;
  /// What bounds it: "latency" where every unit and device memory rest for more than half of the
  /// time, since each step waits for the one before; else "HBM" where device memory is as busy as
  /// the busiest unit, else that unit; empty where nothing ran. `hbm_bytes_per_second` is the
  /// core's share.
  std::string bound(double hbm_bytes_per_second) const;
};

/// A transfer, as far as its cost depends on it.
struct TransferShape {
  int64_t bytes = 0;
  int64_t run_bytes = 0;  ///< contiguous on both sides
  int64_t partitions = 0; ///< on the on-chip side; 0 from HBM to HBM
  bool software_descriptors = false;
  int64_t indices = 0; ///< of an indirect transfer
  /// HBM ranges; empty where a side is on chip.
  struct Range {
    const uint8_t *begin = nullptr, *end = nullptr;
  } reads, writes;
  /// Of the on-chip side that is written: partitions and bytes that hold all it touches; none: any.
  int64_t first_partition = 0, written_partitions = 0, first_byte = 0, written_bytes = 0;
};

class Timeline {
public:
  explicit Timeline(const Generation &generation) : generation_(generation) {}

  /// Switched off, nothing is recorded and times stand still. On by default.
  void enable(bool on) { enabled_ = on; }
  bool enabled() const { return enabled_; }
  /// Keeps instructions for write_events(), at most `limit` of them.
  void trace(bool on, size_t limit = 2'000'000) { trace_limit_ = on ? limit : 0; }
  /// Forgets everything: time 0. What still lives on the core is ready. Tracing stays as it is.
  void reset();

  /// An instruction of `cycles` on an engine.
  void instruction(Unit engine, const char *name, double cycles, std::span<Storage *const> reads,
                   std::span<Storage *const> writes);
  void transfer(const char *name, const TransferShape &shape, std::span<Storage *const> reads,
                std::span<Storage *const> writes);
  /// Counts what a product computes.
  void add_flops(double flops) { summary_.flops += enabled_ ? flops : 0; }
  /// The next instruction or transfer does not start before `until`.
  void hold(double until) { held_until_ = std::max(held_until_, until); }
  /// The program waits for a register that `source` was loaded into: nothing later starts before.
  void wait_for(Storage &source, const char *name);
  /// When `engine`, these storages and a range of HBM are free to use, in seconds from the start.
  double free_since(Unit engine, std::span<Storage *const> reads, std::span<Storage *const> writes,
                    std::span<const TransferShape::Range> hbm) const;
  /// What several cores do together from `start` to `end` seconds after the start; the engine works
  /// for `busy` of them and waits for the others else.
  struct Joint {
    const char *name;
    Unit engine;
    double start, end, busy;
    int64_t hbm_bytes = 0;
  };
  void together(const Joint &joint, std::span<Storage *const> reads,
                std::span<Storage *const> writes, std::span<const TransferShape::Range> hbm);
  /// The one of two engines that is free first; `first` if both are.
  Unit freer(Unit first, Unit second) const {
    return free_at_[size_t(first)] <= free_at_[size_t(second)] ? first : second;
  }

  const Summary &summary() const { return summary_; }
  /// The chain of instructions that the end waited for, in words: how much of the time each unit
  /// and its dearest instructions take on it. Empty where nothing was traced.
  std::string critical_path() const;
  /// One event of the Chrome/Perfetto JSON trace format per traced instruction, each followed by a
  /// comma and a newline; `process` is the number the events get, units are its threads. Transfers
  /// that overlap get further threads, which are named here. Times start at `offset` seconds.
  void write_events(std::ostream &out, int process, double offset) const;

private:
  struct Event {
    const char *name;
    const char *file;
    int line;
    int track;
    double start, end;
    double ready;   ///< when what it needs was there; a transfer starts later by its latency
    double visible; ///< when others can use its results
  };
  struct HbmUse {
    const uint8_t *begin = nullptr, *end = nullptr;
    double until = 0;
  };
  /// The last uses of HBM, to order transfers that touch the same bytes.
  class HbmLog {
  public:
    double until(const TransferShape::Range &range) const;
    void add(const TransferShape::Range &range, double until);

  private:
    std::array<HbmUse, 16> uses_{};
    int next_ = 0;
  };
  /// The DMA engines, or the generators of descriptors, as one server whose idle time before a late
  /// transfer can still be used.
  class DmaServer {
  public:
    void reset(double now);
    /// Takes `duration` from `ready` on; returns start and end.
    std::pair<double, double> take(double ready, double duration);

  private:
    struct Gap {
      double start, end;
    };
    std::vector<Gap> gaps_;
    double free_at_ = 0;
  };

  double clock(Unit engine) const;
  double ready(std::span<Storage *const> reads, std::span<Storage *const> writes) const;
  void done(double reads_until, double written_at, std::span<Storage *const> reads,
            std::span<Storage *const> writes);
  void record(const char *name, int track, double start, double end, double ready, double visible);
  size_t predecessor(const Event &event, const std::map<double, size_t> &ended) const;
  int dma_track(double start, double end);
  double descriptors(const TransferShape &shape, double at);

  const Generation &generation_;
  bool enabled_ = true;
  size_t trace_limit_ = 0;
  double begin_ = 0, end_ = 0, control_ = 0, held_until_ = 0;
  std::array<double, kUnits> free_at_{};
  Summary summary_;
  DmaServer generators_; // hardware descriptor generation
  DmaServer dma_;
  HbmLog hbm_reads_, hbm_writes_;
  std::vector<Event> events_;
  std::array<double, 8> dma_tracks_{};
};

} // namespace nki::chip
