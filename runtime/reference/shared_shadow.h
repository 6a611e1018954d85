// What the checks remember of a block's shared memory: who touched each byte last, and when.
#pragma once

#include "findings.h"

#include <array>
#include <cstddef>
#include <span>

namespace neuronify::reference {

/// Two accesses are ordered by a barrier between them or, within a warp, by an operation of the
/// warp that both lanes take part in (`__syncwarp`, a shuffle, a vote). "When" is therefore a pair:
/// the epoch counts barriers of the block, the clock of a thread counts its warp operations.
class SharedShadow {
public:
  SharedShadow(const Checks &checks, Findings &findings, const std::byte *base, size_t bytes,
               uint32_t threads);

  void startBlock();
  /// All threads of the block have met.
  void barrier() { ++epoch_; }
  /// The lanes in `mask` of `warp` have met.
  void meet(uint32_t warp, uint32_t mask);
  /// `value` is what a plain store writes, else null.
  void access(uint32_t thread, uint32_t site, const std::byte *address, size_t size, uint32_t flags,
              const void *value);

private:
  struct Event {
    uint32_t epoch = 0, clock = 0, site = 0;
    uint16_t thread = 0;
    bool atomic = false;
  };
  /// Reads: the latest, the latest by another thread than that, the latest by another warp than it.
  /// Threads of other warps are never ordered within an epoch, and lanes mostly meet all together,
  /// so these three suffice to notice a write that races with any read.
  struct Byte {
    Event write, reads[3];
    uint32_t written_in = 0; ///< block that wrote it last
  };

  bool races(const Event &before, uint32_t thread) const;
  void report(const Event &before, bool before_writes, uint32_t thread, uint32_t site, bool writes);
  void lookForRaces(uint32_t thread, uint32_t site, Byte &byte, uint32_t flags, bool same_value);
  void remember(Byte &byte, const Event &event, bool writes);
  void lookForUnwritten(uint32_t thread, uint32_t site, std::span<const Byte> bytes,
                        uint32_t flags);

  const Checks &checks_;
  Findings &findings_;
  const std::byte *base_;
  std::vector<Byte> bytes_;
  uint32_t epoch_ = 0, block_ = 0;
  std::vector<uint32_t> clocks_;                ///< by thread
  std::vector<std::array<uint32_t, 32>> known_; ///< by thread: clock of each lane it has heard of
};

} // namespace neuronify::reference
