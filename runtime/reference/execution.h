// Runs the threads of a grid: block after block, and within a block the threads in turn, each until
// it has to wait for others.
#pragma once

#include "checker.h"
#include "compiler.h"
#include "fiber.h"
#include "findings.h"
#include "frame.h"
#include "reference.h"

#include <array>
#include <map>
#include <span>

namespace neuronify::reference {

class Execution {
public:
  struct Launch {
    Dim3 grid, block;
    void *const *arguments;
    void *const *symbols;
    std::byte *shared;
    size_t shared_bytes;
  };
  /// `checker` may be null. `stacks` must hold one stack per thread of a block (kernels that do not
  /// wait: one) from number `first_stack` on.
  Execution(const CompiledKernel &kernel, const Launch &launch, const Checks &checks,
            Findings &findings, Checker *checker, Stacks &stacks, size_t first_stack = 0);

  /// Runs the whole grid. False, and a sentence in error(), where the kernel stopped by itself
  /// (assert, trap) or cannot go on (deadlock).
  bool run();
  const std::string &error() const { return error_; }
  Result::Stop stopped() const { return stopped_; }
  const std::string &stopText() const { return stop_text_; }

  // One block among others that are there at the same time (grid.h), for kernels that wait.
  void startBlock(Dim3 block);
  /// Runs the block up to its next barrier of the grid, or to its end. False as run().
  bool continueBlock();
  /// Whether the block has stopped at a barrier of the grid.
  bool waitsForGrid() const { return at_grid_ != 0; }
  void passGridBarrier();
  /// "thread (0,0,0) of block (1,0,0) waits at FILE:LINE", for a block that waits.
  std::string describeWait() const;
  /// "(1,0,0)".
  std::string name() const;

  /// What was printed, in the order of blocks and threads.
  std::string takeOutput();

  // What running threads ask for: see device/operations.h.
  uint64_t waitBarrier(uint32_t thread, uint32_t site, uint32_t id, uint32_t count,
                       uint32_t predicate);
  void arriveBarrier(uint32_t thread, uint32_t site, uint32_t id, uint32_t count);
  uint64_t waitWarp(uint32_t thread, uint32_t site, uint32_t mask, uint32_t operation,
                    uint64_t value, uint32_t lane, uint32_t clamp);
  uint32_t waitConverge(uint32_t thread, uint32_t site);
  void waitGrid(uint32_t thread, uint32_t site);
  void waitOthers(uint32_t thread);
  [[noreturn]] void exitThread(uint32_t thread);
  /// Ends the launch: "thread (1,0,0) of block (0,0,0) `what` `detail` at FILE:LINE".
  [[noreturn]] void fail(uint32_t thread, uint32_t site, const char *what, const char *detail = "");
  [[noreturn]] void failAssertion(uint32_t thread, uint32_t site, const char *condition,
                                  const char *file, uint32_t line, const char *function);
  [[noreturn]] void trap(uint32_t thread, uint32_t site);
  /// Where what a thread prints goes.
  std::string &printedBy(uint32_t thread);
  bool isShared(const std::byte *address) const {
    return address >= launch_.shared && address < launch_.shared + launch_.shared_bytes;
  }
  /// Counts the reads of a thread: there is no time here.
  uint64_t clock(uint32_t thread) { return clocks_[thread] += 16; }
  Checker *checker() { return checker_; }

private:
  static constexpr uint32_t lanes = 32;
  /// What a thread waits for; one that is ready keeps what it waited for last.
  enum class State : uint8_t { Ready, AtBarrier, AtGrid, InWarp, Converging, Exited };
  struct Thread {
    Fiber fiber;
    Execution *execution = nullptr;
    uint64_t result = 0; ///< of the warp operation it waits for
    uint32_t site = 0;   ///< where it waits
    State state = State::Ready;
    Dim3 place;
  };
  /// Threads by number, in the order in which they run. Never more than there are in a block.
  class Queue {
  public:
    void resize(size_t capacity) { threads_.resize(capacity); }
    void clear() { begin_ = end_ = 0; }
    bool empty() const { return begin_ == end_; }
    void push(uint32_t thread) {
      if (end_ == threads_.size())
        compact();
      threads_[end_++] = uint16_t(thread);
    }
    /// Threads that run before all others, in their order.
    void pushFirst(std::span<const uint16_t> threads);
    uint32_t pop() { return threads_[begin_++]; }
    std::span<const uint16_t> all() const { return {threads_.data() + begin_, end_ - begin_}; }
    void swap(Queue &other) noexcept {
      threads_.swap(other.threads_);
      std::swap(begin_, other.begin_);
      std::swap(end_, other.end_);
    }

  private:
    void compact();

    std::vector<uint16_t> threads_;
    size_t begin_ = 0, end_ = 0;
  };
  /// The last arrival copies `waiting` into the run queue and leaves `result` for those to read.
  struct Barrier {
    Queue waiting;
    uint32_t arrived = 0, predicates = 0, count = 0;
    uint64_t result = 0;
    bool same_site = true; ///< all that wait came from one place
  };
  /// Lanes that are about to do one operation together.
  struct Meeting {
    uint32_t mask, arrived, operation;
    std::array<uint64_t, lanes> value;
    std::array<uint32_t, lanes> lane, clamp;
  };
  struct Warp {
    uint32_t alive = 0;
    std::vector<Meeting> meetings;
  };

  void endBlock();
  void runBlocksWithoutWaiting();
  void startThreads();
  static void threadBody(void *thread);
  static void gridBody(void *execution);

  uint32_t number(const Thread &thread) const { return uint32_t(&thread - threads_.data()); }
  void suspend(uint32_t thread, uint32_t site, State state);
  /// Runs the next thread that can run; the main fiber where none can.
  void switchToNext(Fiber &from, bool for_good = false);

  bool isComplete(const Barrier &barrier) const;
  void release(Barrier &barrier);
  void lookForDivergence(const Barrier &barrier);
  void finish(uint32_t warp, size_t meeting);
  uint64_t warpResult(const Meeting &meeting, uint32_t lane) const;

  bool unblock();
  bool releaseConverging();
  bool releaseIncompleteMeetings();
  std::string describeDeadlock();

  const CompiledKernel &kernel_;
  Launch launch_;
  const Checks &checks_;
  Findings &findings_;
  Checker *checker_;
  Stacks &stacks_;
  size_t first_stack_;
  Frame frame_{};
  Fiber main_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::array<Barrier, 16> barriers_;
  Queue ready_;
  uint32_t exited_ = 0;
  uint32_t at_grid_ = 0;                 ///< threads that wait for the whole grid
  uint32_t ahead_ = 0, times_ahead_ = 0; ///< warp that last went ahead, and how often on end
  std::map<uint32_t, uint64_t> clocks_;  ///< of the running block, by thread
  bool failed_ = false;
  std::map<uint32_t, std::string> printed_; ///< of the running block, by thread
  std::string output_;                      ///< of the blocks before it
  Result::Stop stopped_ = Result::Stop::none;
  std::string stop_text_;
  std::string error_;
};

inline void Execution::switchToNext(Fiber &from, bool for_good) {
  Fiber &next = ready_.empty() ? main_ : threads_[ready_.pop()].fiber;
  if (&next != &from)
    switchFiber(from, next, for_good);
}

} // namespace neuronify::reference
