#include "execution.h"

#include <algorithm>
#include <cstring>

// The sanitizer for calls through pointers looks for its mark in front of a function; code made at
// run time has none.
#if defined(__clang__)
#define NEURONIFY_CALLS_COMPILED_CODE __attribute__((no_sanitize("function")))
#else
#define NEURONIFY_CALLS_COMPILED_CODE
#endif

namespace neuronify::reference {

Execution::Execution(const CompiledKernel &kernel, const Launch &launch, const Checks &checks,
                     Findings &findings, Checker *checker, Stacks &stacks, size_t first_stack)
    : kernel_(kernel), launch_(launch), checks_(checks), findings_(findings), checker_(checker),
      stacks_(stacks), first_stack_(first_stack) {
  const Dim3 &block = launch.block, &grid = launch.grid;
  frame_.arguments = launch.arguments;
  frame_.symbols = launch.symbols;
  frame_.shared = launch.shared;
  frame_.context = this;
  std::ranges::copy(std::array{block.x, block.y, block.z}, frame_.block_size);
  std::ranges::copy(std::array{grid.x, grid.y, grid.z}, frame_.grid_size);
  threads_.resize(kernel.waits ? block.x * block.y * block.z : 1);
  warps_.resize((threads_.size() + lanes - 1) / lanes);
  ready_.resize(threads_.size());
  for (Barrier &barrier : barriers_)
    barrier.waiting.resize(threads_.size());
  for (Thread &thread : threads_) {
    thread.execution = this;
    thread.fiber.owner = &thread;
    thread.place = unflattened(number(thread), block);
  }
}

void Execution::Queue::compact() {
  std::ranges::copy(all(), threads_.begin());
  end_ -= begin_;
  begin_ = 0;
}

void Execution::Queue::pushFirst(std::span<const uint16_t> threads) {
  if (begin_ < threads.size()) { // room is behind
    size_t count = end_ - begin_;
    std::copy_backward(threads_.begin() + ptrdiff_t(begin_), threads_.begin() + ptrdiff_t(end_),
                       threads_.end());
    end_ = threads_.size();
    begin_ = end_ - count;
  }
  begin_ -= threads.size();
  std::ranges::copy(threads, threads_.begin() + ptrdiff_t(begin_));
}

bool Execution::run() {
  if (!kernel_.waits) {
    runBlocksWithoutWaiting();
    return !failed_;
  }
  const Dim3 &grid = launch_.grid;
  for (uint32_t z = 0; z < grid.z; ++z)
    for (uint32_t y = 0; y < grid.y; ++y)
      for (uint32_t x = 0; x < grid.x; ++x) {
        startBlock({x, y, z});
        const bool ok = continueBlock();
        endBlock();
        if (!ok)
          return false;
      }
  return true;
}

// Kernels that do not wait still run on a fiber: one stack, known to the checks, left by a failing
// thread without unwinding.
void Execution::runBlocksWithoutWaiting() {
  Fiber &fiber = threads_[0].fiber;
  fiber.owner = this;
  prepare(fiber, stacks_, 0, gridBody);
  switchFiber(main_, fiber);
}

NEURONIFY_CALLS_COMPILED_CODE void Execution::gridBody(void *execution) {
  Execution &self = *static_cast<Execution *>(execution);
  auto entry = reinterpret_cast<BlockEntry>(const_cast<void *>(self.kernel_.entry));
  const Dim3 &grid = self.launch_.grid;
  for (uint32_t z = 0; z < grid.z; ++z)
    for (uint32_t y = 0; y < grid.y; ++y)
      for (uint32_t x = 0; x < grid.x; ++x) {
        std::ranges::copy(std::array{x, y, z}, self.frame_.block_index);
        self.findings_.setBlock({x, y, z});
        if (self.launch_.shared_bytes)
          std::memset(self.launch_.shared, 0xff, self.launch_.shared_bytes);
        if (self.checker_)
          self.checker_->startBlock();
        entry(&self.frame_);
        self.endBlock();
      }
  switchFiber(self.threads_[0].fiber, self.main_, true);
  __builtin_unreachable();
}

void Execution::startThreads() {
  exited_ = at_grid_ = 0;
  ready_.clear();
  for (Barrier &barrier : barriers_) {
    barrier.waiting.clear();
    barrier.arrived = barrier.predicates = 0;
    barrier.same_site = true;
  }
  for (Warp &warp : warps_) {
    warp.alive = 0;
    warp.meetings.clear();
  }
  for (uint32_t i = 0; i < threads_.size(); ++i) {
    prepare(threads_[i].fiber, stacks_, first_stack_ + i, threadBody);
    threads_[i].state = State::Ready;
    warps_[i / lanes].alive |= 1u << i % lanes;
    ready_.push(i);
  }
}

void Execution::startBlock(Dim3 block) {
  std::ranges::copy(std::array{block.x, block.y, block.z}, frame_.block_index);
  // Fresh shared memory is the same in every block and run; as floats it is NaN.
  if (launch_.shared_bytes)
    std::memset(launch_.shared, 0xff, launch_.shared_bytes);
  if (checker_)
    checker_->startBlock();
  startThreads();
}

bool Execution::continueBlock() {
  findings_.setBlock({frame_.block_index[0], frame_.block_index[1], frame_.block_index[2]});
  do
    switchToNext(main_);
  while (!failed_ && unblock());
  if (!failed_ && exited_ + at_grid_ < threads_.size()) {
    failed_ = true;
    error_ = describeDeadlock();
  }
  return !failed_;
}

NEURONIFY_CALLS_COMPILED_CODE void Execution::threadBody(void *owner) {
  Thread &thread = *static_cast<Thread *>(owner);
  Execution &self = *thread.execution;
  Dim3 at = unflattened(self.number(thread), self.launch_.block);
  reinterpret_cast<ThreadEntry>(const_cast<void *>(self.kernel_.entry))(&self.frame_, at.x, at.y,
                                                                        at.z);
  self.exitThread(self.number(thread));
}

void Execution::suspend(uint32_t thread, uint32_t site, State state) {
  threads_[thread].site = site;
  threads_[thread].state = state;
  switchToNext(threads_[thread].fiber);
}

void Execution::waitOthers(uint32_t thread) {
  if (ready_.empty())
    return;
  ready_.push(thread);
  switchToNext(threads_[thread].fiber);
}

// A thread that has returned is not waited for any more: that may complete what others wait for.
void Execution::exitThread(uint32_t thread) {
  threads_[thread].state = State::Exited;
  ++exited_;
  Warp &warp = warps_[thread / lanes];
  warp.alive &= ~(1u << thread % lanes);
  for (size_t i = warp.meetings.size(); i-- > 0;)
    if (warp.meetings[i].arrived == (warp.meetings[i].mask & warp.alive))
      finish(thread / lanes, i);
  for (Barrier &barrier : barriers_)
    if (!barrier.waiting.empty() && isComplete(barrier))
      release(barrier);
  switchToNext(threads_[thread].fiber, true);
  __builtin_unreachable();
}

void Execution::fail(uint32_t thread, uint32_t site, const char *what, const char *detail) {
  failed_ = true;
  error_ = findings_.thread(thread) + " of block " + text(findings_.block()) + " " + what + detail +
           " at " + findings_.place(site);
  switchFiber(threads_[kernel_.waits ? thread : 0].fiber, main_, true);
  __builtin_unreachable();
}

void Execution::failAssertion(uint32_t thread, uint32_t site, const char *condition,
                              const char *file, uint32_t line, const char *function) {
  const Dim3 block = findings_.block(), place = findings_.threadAt(thread);
  auto brackets = [](Dim3 at) {
    return "[" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) +
           "]";
  };
  stopped_ = Result::Stop::assertion;
  stop_text_ = std::string(file) + ":" + std::to_string(line) + ": " + function +
               ": block: " + brackets(block) + ", thread: " + brackets(place) + " Assertion `" +
               condition + "` failed.";
  fail(thread, site, "failed the assertion ", condition);
}

void Execution::trap(uint32_t thread, uint32_t site) {
  stopped_ = Result::Stop::trap;
  fail(thread, site, "executed a trap");
}

// Threads of a block take turns at barriers; what they print is told thread by thread.
std::string &Execution::printedBy(uint32_t thread) { return printed_[thread]; }

void Execution::endBlock() {
  for (const auto &[thread, text] : printed_)
    output_ += text;
  printed_.clear();
  clocks_.clear();
}

std::string Execution::takeOutput() {
  endBlock();
  return std::move(output_);
}

bool Execution::unblock() { return releaseConverging() || releaseIncompleteMeetings(); }

std::string Execution::describeDeadlock() {
  std::string message = "block " + text(findings_.block()) + " cannot go on:";
  std::vector<uint32_t> sites;
  for (const Thread &thread : threads_) {
    if (thread.state == State::Exited || std::ranges::count(sites, thread.site))
      continue;
    message += std::string(sites.empty() ? " " : ", ") + findings_.thread(number(thread)) +
               " waits at " + findings_.place(thread.site);
    sites.push_back(thread.site);
  }
  if (exited_)
    message += ", and " + std::to_string(exited_) + " threads have returned";
  if (checks_.divergent_barriers)
    for (const Thread &thread : threads_)
      if (thread.state == State::AtBarrier) {
        findings_.add("divergent barrier", number(thread), thread.site, message);
        break;
      }
  return message;
}

} // namespace neuronify::reference
