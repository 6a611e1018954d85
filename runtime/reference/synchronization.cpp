// How threads of a block meet: barriers, operations of a warp, and what happens when they cannot.
#include "device/operations.h"
#include "execution.h"

#include <algorithm>
#include <bit>

namespace neuronify::reference {

// --- Barriers ---

bool Execution::isComplete(const Barrier &barrier) const {
  return barrier.arrived >= (barrier.count ? barrier.count : threads_.size() - exited_);
}

inline uint64_t Execution::waitBarrier(uint32_t thread, uint32_t site, uint32_t id, uint32_t count,
                                       uint32_t predicate) {
  Barrier &barrier = barriers_[id % barriers_.size()];
  barrier.count = count;
  ++barrier.arrived;
  barrier.predicates += predicate != 0;
  if (!barrier.waiting.empty() && threads_[barrier.waiting.all().front()].site != site)
    barrier.same_site = false;
  threads_[thread].site = site;
  threads_[thread].state = State::AtBarrier;
  barrier.waiting.push(thread);
  // The last one queues behind those that wait already: threads run in the order of their arrival.
  if (isComplete(barrier))
    release(barrier);
  switchToNext(threads_[thread].fiber);
  // Stays until the next release, which needs this thread.
  return barrier.result;
}

void Execution::arriveBarrier(uint32_t, uint32_t, uint32_t id, uint32_t count) {
  Barrier &barrier = barriers_[id % barriers_.size()];
  barrier.count = count;
  ++barrier.arrived;
  if (isComplete(barrier))
    release(barrier);
}

/// Lets the waiting threads run again.
void Execution::release(Barrier &barrier) {
  const bool everybody = !barrier.count;
  if (checks_.divergent_barriers && everybody && (exited_ || !barrier.same_site))
    lookForDivergence(barrier);
  barrier.result = uint64_t(barrier.arrived) << 32 | barrier.predicates;
  barrier.arrived = barrier.predicates = 0;
  barrier.same_site = true;
  if (ready_.empty())
    ready_.swap(barrier.waiting);
  else
    for (uint32_t thread : barrier.waiting.all())
      ready_.push(thread);
  barrier.waiting.clear();
  if (checker_)
    checker_->shadow().barrier();
}

void Execution::lookForDivergence(const Barrier &barrier) {
  const uint32_t first = barrier.waiting.all().front();
  const uint32_t site = threads_[first].site;
  if (exited_ && findings_.isNew("divergent barrier", site)) {
    auto gone = std::ranges::find(threads_, State::Exited, &Thread::state);
    findings_.add("divergent barrier", first, site,
                  findings_.thread(first) + " of block " + text(findings_.block()) +
                      " waits at a barrier that " + findings_.thread(number(*gone)) +
                      " never reaches: it has returned");
  }
  for (uint32_t thread : barrier.waiting.all()) {
    const uint32_t other = threads_[thread].site;
    if (other == site || !findings_.isNew("divergent barrier", site, other))
      continue;
    findings_.add("divergent barrier", first, site,
                  findings_.thread(first) + " of block " + text(findings_.block()) +
                      " waits at this barrier while " + findings_.thread(thread) +
                      " waits at another one, at " + findings_.place(other),
                  other);
  }
}

// --- The grid ---

void Execution::waitGrid(uint32_t thread, uint32_t site) {
  ++at_grid_;
  suspend(thread, site, State::AtGrid);
}

void Execution::passGridBarrier() {
  for (Thread &thread : threads_)
    if (thread.state == State::AtGrid) {
      thread.state = State::Ready;
      ready_.push(number(thread));
    }
  at_grid_ = 0;
  if (checker_)
    checker_->shadow().barrier();
}

std::string Execution::name() const {
  return text({frame_.block_index[0], frame_.block_index[1], frame_.block_index[2]});
}

std::string Execution::describeWait() const {
  const auto waits = std::ranges::find(threads_, State::AtGrid, &Thread::state);
  return findings_.thread(number(*waits)) + " of block " + name() + " waits at " +
         findings_.place(waits->site);
}

// --- Warps ---

inline uint64_t Execution::waitWarp(uint32_t thread, uint32_t site, uint32_t mask,
                                    uint32_t operation, uint64_t value, uint32_t lane,
                                    uint32_t clamp) {
  const uint32_t own = 1u << thread % lanes;
  Warp &warp = warps_[thread / lanes];
  mask |= own;
  auto found = std::ranges::find_if(warp.meetings, [&](const Meeting &meeting) {
    return meeting.mask == mask && meeting.operation == operation && !(meeting.arrived & own);
  });
  if (found == warp.meetings.end()) {
    warp.meetings.emplace_back();
    found = warp.meetings.end() - 1;
    found->mask = mask;
    found->arrived = 0;
    found->operation = operation;
  }
  found->arrived |= own;
  found->value[thread % lanes] = value;
  found->lane[thread % lanes] = lane;
  found->clamp[thread % lanes] = clamp;
  if (found->arrived == (mask & warp.alive))
    finish(thread / lanes, size_t(found - warp.meetings.begin()));
  suspend(thread, site, State::InWarp);
  return threads_[thread].result;
}

/// Does the operation for all lanes that came. They go on in their order and before other threads,
/// so that what warps do one after the other, atomics above all, follows the order of threads. A
/// warp that meets again and again may wait for others: they get their turn.
void Execution::finish(uint32_t warp, size_t index) {
  constexpr uint32_t most_times_ahead = 4096;
  std::vector<Meeting> &meetings = warps_[warp].meetings;
  const Meeting &meeting = meetings[index];
  std::array<uint16_t, lanes> together;
  size_t count = 0;
  for (uint32_t rest = meeting.arrived; rest; rest &= rest - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(rest)), thread = warp * lanes + lane;
    threads_[thread].result = warpResult(meeting, lane);
    together[count++] = uint16_t(thread);
  }
  times_ahead_ = warp == ahead_ ? times_ahead_ + 1 : 0;
  ahead_ = warp;
  if (times_ahead_ % most_times_ahead != most_times_ahead - 1)
    ready_.pushFirst(std::span(together).first(count));
  else
    for (uint16_t thread : std::span(together).first(count))
      ready_.push(thread);
  if (checker_)
    checker_->shadow().meet(warp, meeting.arrived);
  meetings.erase(meetings.begin() + index);
}

namespace {

/// The lane that `lane` reads from, and whether it is in range: PTX ISA, "shfl.sync".
std::pair<uint32_t, bool> shuffleSource(uint32_t operation, uint32_t lane, uint32_t by,
                                        uint32_t clamp) {
  const uint32_t segment = clamp >> 8 & 31;
  const uint32_t last = (lane & segment) | (clamp & 31 & ~segment), first = lane & segment;
  by &= 31;
  switch (operation) {
  case WarpShuffleUp: {
    const int source = int(lane) - int(by);
    return {uint32_t(source), source >= int(last)};
  }
  case WarpShuffleDown:
    return {lane + by, lane + by <= last};
  case WarpShuffleXor:
    return {lane ^ by, (lane ^ by) <= last};
  default:
    return {first | (by & ~segment), (first | (by & ~segment)) <= last};
  }
}

uint32_t combined(uint32_t operation, uint32_t a, uint32_t b) {
  switch (operation) {
  case WarpAdd:
    return a + b;
  case WarpMinSigned:
    return uint32_t(std::min(int32_t(a), int32_t(b)));
  case WarpMaxSigned:
    return uint32_t(std::max(int32_t(a), int32_t(b)));
  case WarpMinUnsigned:
    return std::min(a, b);
  case WarpMaxUnsigned:
    return std::max(a, b);
  case WarpAnd:
    return a & b;
  case WarpOr:
    return a | b;
  default:
    return a ^ b;
  }
}

} // namespace

uint64_t Execution::warpResult(const Meeting &meeting, uint32_t lane) const {
  auto lanesWhere = [&](auto condition) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < lanes; ++i)
      if (meeting.arrived >> i & 1 && condition(meeting.value[i]))
        mask |= 1u << i;
    return mask;
  };
  switch (meeting.operation) {
  case WarpSynchronize:
    return 0;
  case WarpShuffleUp:
  case WarpShuffleDown:
  case WarpShuffleXor:
  case WarpShuffleIndex: {
    auto [source, in_range] =
        shuffleSource(meeting.operation, lane, meeting.lane[lane], meeting.clamp[lane]);
    // What a lane reads from one that does not take part is undefined; here it is its own value.
    const bool there = in_range && meeting.arrived >> source & 1;
    return uint64_t(in_range) << 32 | uint32_t(meeting.value[there ? source : lane]);
  }
  case WarpVote: {
    const uint32_t ballot = lanesWhere([](uint64_t value) { return value != 0; });
    return uint64_t(meeting.arrived) << 32 | ballot;
  }
  case WarpMatchAny:
    return lanesWhere([&](uint64_t value) { return value == meeting.value[lane]; });
  case WarpMatchAll: {
    const uint32_t equal = lanesWhere([&](uint64_t value) { return value == meeting.value[lane]; });
    return equal == meeting.arrived ? uint64_t(1) << 32 | equal : 0;
  }
  default: {
    uint32_t first = uint32_t(std::countr_zero(meeting.arrived));
    uint32_t result = uint32_t(meeting.value[first]);
    for (uint32_t i = first + 1; i < lanes; ++i)
      if (meeting.arrived >> i & 1)
        result = combined(meeting.operation, result, uint32_t(meeting.value[i]));
    return result;
  }
  }
}

// --- When no thread can run ---

uint32_t Execution::waitConverge(uint32_t thread, uint32_t site) {
  suspend(thread, site, State::Converging);
  return uint32_t(threads_[thread].result);
}

/// Lanes of a warp at the same place go on together, each told which ones they are.
bool Execution::releaseConverging() {
  bool any = false;
  for (uint32_t first = 0; first < threads_.size(); ++first) {
    if (threads_[first].state != State::Converging)
      continue;
    const uint32_t warp = first / lanes,
                   end = std::min<uint32_t>((warp + 1) * lanes, threads_.size());
    uint32_t mask = 0;
    for (uint32_t i = first; i < end; ++i)
      if (threads_[i].state == State::Converging && threads_[i].site == threads_[first].site)
        mask |= 1u << i % lanes;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      Thread &thread = threads_[warp * lanes + uint32_t(std::countr_zero(rest))];
      thread.result = mask;
      thread.state = State::Ready;
      ready_.push(number(thread));
    }
    any = true;
  }
  return any;
}

/// Lanes named in a mask that wait elsewhere will not come. A device goes on without them more
/// often than not; so does this, and says so.
bool Execution::releaseIncompleteMeetings() {
  for (uint32_t warp = 0; warp < warps_.size(); ++warp)
    for (size_t i = 0; i < warps_[warp].meetings.size(); ++i) {
      const Meeting &meeting = warps_[warp].meetings[i];
      const uint32_t here = warp * lanes + uint32_t(std::countr_zero(meeting.arrived));
      const uint32_t missing = meeting.mask & warps_[warp].alive & ~meeting.arrived;
      const uint32_t other = warp * lanes + uint32_t(std::countr_zero(missing));
      const uint32_t site = threads_[here].site;
      if (checks_.divergent_barriers && findings_.isNew("divergent barrier", site))
        findings_.add("divergent barrier", here, site,
                      findings_.thread(here) + " of block " + text(findings_.block()) +
                          " waits for " + findings_.thread(other) +
                          ", which its mask names, but that waits at " +
                          findings_.place(threads_[other].site));
      finish(warp, i);
      return true;
    }
  return false;
}

} // namespace neuronify::reference

// --- The two calls that threads make most often, where what they do can be inlined ---

using neuronify::reference::Execution;

uint64_t neuronify_wait_barrier(void *context, uint32_t thread, uint32_t site, uint32_t id,
                                uint32_t count, uint32_t predicate) {
  return static_cast<Execution *>(context)->waitBarrier(thread, site, id, count, predicate);
}

uint64_t neuronify_wait_warp(void *context, uint32_t thread, uint32_t site, uint32_t mask,
                             uint32_t operation, uint64_t value, uint32_t lane, uint32_t clamp) {
  return static_cast<Execution *>(context)->waitWarp(thread, site, mask, operation, value, lane,
                                                     clamp);
}
