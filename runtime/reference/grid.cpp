#include "grid.h"

#include <algorithm>

namespace neuronify::reference {

GridExecution::GridExecution(
    const CompiledKernel &kernel, const Execution::Launch &launch, const Checks &checks,
    Findings &findings, Stacks &stacks, size_t stride,
    const std::function<std::unique_ptr<Checker>(std::byte *)> &make_checker) {
  const size_t threads = size_t(launch.block.x) * launch.block.y * launch.block.z;
  blocks_.resize(size_t(launch.grid.x) * launch.grid.y * launch.grid.z);
  for (size_t number = 0; number < blocks_.size(); ++number) {
    Block &block = blocks_[number];
    Execution::Launch own = launch;
    own.shared = launch.shared + number * stride;
    block.checker = make_checker(own.shared);
    block.execution = std::make_unique<Execution>(kernel, own, checks, findings,
                                                  block.checker.get(), stacks, number * threads);
    block.execution->startBlock(unflattened(number, launch.grid));
  }
}

bool GridExecution::run() {
  do
    for (Block &block : blocks_)
      if (!goOn(block))
        return false;
  while (meet());
  return error_.empty();
}

/// To the block's next barrier of the grid, or to its end.
bool GridExecution::goOn(Block &block) {
  if (block.checker)
    block.checker->setWriter(writer_);
  const bool ok = block.execution->continueBlock();
  if (block.checker)
    writer_ = block.checker->writer();
  if (!ok) {
    error_ = block.execution->error();
    stopped_ = block.execution->stopped();
    stop_text_ = block.execution->stopText();
  }
  return ok;
}

/// Lets all blocks go on behind the barrier of the grid where they wait; false where none does.
bool GridExecution::meet() {
  auto waits = [](const Block &block) { return block.execution->waitsForGrid(); };
  const auto waiting = std::ranges::find_if(blocks_, waits);
  const auto gone = std::ranges::find_if_not(blocks_, waits);
  if (waiting == blocks_.end())
    return false;
  if (gone != blocks_.end()) {
    error_ = waiting->execution->describeWait() + " for block " + gone->execution->name() +
             ", which has returned";
    return false;
  }
  for (Block &block : blocks_)
    block.execution->passGridBarrier();
  return true;
}

std::string GridExecution::takeOutput() {
  std::string text;
  for (Block &block : blocks_)
    text += block.execution->takeOutput();
  return text;
}

} // namespace neuronify::reference
