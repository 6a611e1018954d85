#include "shared_shadow.h"
#include "device/operations.h"

#include <algorithm>

namespace neuronify::reference {

namespace {
constexpr uint32_t lanes = 32;
}

SharedShadow::SharedShadow(const Checks &checks, Findings &findings, const std::byte *base,
                           size_t bytes, uint32_t threads)
    : checks_(checks), findings_(findings), base_(base) {
  if (!checks.shared_races && !checks.uninitialized)
    return;
  bytes_.resize(bytes);
  clocks_.assign(threads, 1);
  known_.resize(threads);
}

void SharedShadow::startBlock() {
  ++epoch_;
  ++block_;
}

void SharedShadow::meet(uint32_t warp, uint32_t mask) {
  if (clocks_.empty())
    return;
  std::array<uint32_t, lanes> all{};
  auto eachLane = [&](auto action) {
    for (uint32_t lane = 0; lane < lanes; ++lane)
      if (mask >> lane & 1)
        action(lane, warp * lanes + lane);
  };
  eachLane([&](uint32_t lane, uint32_t thread) {
    for (uint32_t i = 0; i < lanes; ++i)
      all[i] = std::max(all[i], known_[thread][i]);
    all[lane] = std::max(all[lane], clocks_[thread]);
  });
  eachLane([&](uint32_t, uint32_t thread) {
    known_[thread] = all;
    ++clocks_[thread];
  });
}

bool SharedShadow::races(const Event &before, uint32_t thread) const {
  if (before.epoch != epoch_ || before.thread == thread)
    return false;
  bool same_warp = before.thread / lanes == thread / lanes;
  return !same_warp || known_[thread][before.thread % lanes] < before.clock;
}

void SharedShadow::report(const Event &before, bool before_writes, uint32_t thread, uint32_t site,
                          bool writes) {
  if (!findings_.isNew("race", site, before.site))
    return;
  std::string message = findings_.thread(thread) + (writes ? " writes" : " reads") +
                        " shared memory that " + findings_.thread(before.thread) +
                        (before_writes ? " wrote" : " read") + " at " +
                        findings_.place(before.site) + ", with no barrier between";
  findings_.add("race", thread, site, std::move(message), before.site);
}

void SharedShadow::lookForRaces(uint32_t thread, uint32_t site, Byte &byte, uint32_t flags,
                                bool same_value) {
  bool writes = flags & AccessWrite, atomic = flags & AccessAtomic;
  // Threads that store the same value do not care who comes last.
  if (races(byte.write, thread) && !(atomic && byte.write.atomic) && !(writes && same_value))
    report(byte.write, true, thread, site, writes);
  if (!writes)
    return;
  for (const Event &read : byte.reads)
    if (races(read, thread) && !(atomic && read.atomic))
      report(read, false, thread, site, true);
}

void SharedShadow::remember(Byte &byte, const Event &event, bool writes) {
  if (writes) {
    byte.write = event;
    return;
  }
  auto &[latest, other_thread, other_warp] = byte.reads;
  if (latest.thread != event.thread) {
    if (latest.thread / lanes != event.thread / lanes)
      other_warp = latest;
    other_thread = latest;
  }
  latest = event;
}

void SharedShadow::lookForUnwritten(uint32_t thread, uint32_t site, std::span<const Byte> bytes,
                                    uint32_t flags) {
  auto unwritten = [&](const Byte &byte) { return byte.written_in != block_; };
  // A copy of a structure takes its padding along.
  bool bad = flags & AccessBulk ? std::ranges::all_of(bytes, unwritten)
                                : std::ranges::any_of(bytes, unwritten);
  if (bad && findings_.isNew("uninitialized read", site))
    findings_.add("uninitialized read", thread, site,
                  findings_.thread(thread) + " of block " + text(findings_.block()) + " reads " +
                      std::to_string(bytes.size()) +
                      " bytes of shared memory that no thread has written");
}

void SharedShadow::access(uint32_t thread, uint32_t site, const std::byte *address, size_t size,
                          uint32_t flags, const void *value) {
  if (bytes_.empty())
    return;
  const bool writes = flags & AccessWrite, atomic = flags & AccessAtomic;
  std::span<Byte> bytes(bytes_.data() + (address - base_), size);
  if (checks_.uninitialized && (!writes || (atomic && !value)))
    lookForUnwritten(thread, site, bytes, flags);
  const Event event{epoch_, clocks_[thread], site, uint16_t(thread), atomic};
  for (size_t i = 0; i < size; ++i) {
    if (checks_.shared_races) {
      bool same = value && static_cast<const std::byte *>(value)[i] == address[i];
      lookForRaces(thread, site, bytes[i], flags, same);
      remember(bytes[i], event, writes);
    }
    if (writes)
      bytes[i].written_in = block_;
  }
}

} // namespace neuronify::reference
