// Grids whose blocks wait for each other: all of them are there at the same time, and take turns.
#pragma once

#include "execution.h"

#include <functional>
#include <memory>
#include <vector>

namespace neuronify::reference {

/// Runs every block up to a barrier of the grid, one after the other (x first), then all of them up
/// to the next one, and so on to their ends.
class GridExecution {
public:
  /// A block's own memory, and who looks at its accesses (or null).
  struct Block {
    std::byte *shared = nullptr;
    std::unique_ptr<Checker> checker;
    std::unique_ptr<Execution> execution;
  };
  /// `make_checker` (given the shared memory of a block) may return null. `stacks` must hold one
  /// stack per thread of the grid, `shared` the shared memory of all blocks, `stride` bytes apart.
  GridExecution(const CompiledKernel &kernel, const Execution::Launch &launch, const Checks &checks,
                Findings &findings, Stacks &stacks, size_t stride,
                const std::function<std::unique_ptr<Checker>(std::byte *)> &make_checker);

  bool run();
  const std::string &error() const { return error_; }
  Result::Stop stopped() const { return stopped_; }
  const std::string &stopText() const { return stop_text_; }
  std::string takeOutput();
  const std::optional<Writer> &writer() const { return writer_; }

private:
  bool goOn(Block &block);
  bool meet();

  std::vector<Block> blocks_;
  std::optional<Writer> writer_;
  Result::Stop stopped_ = Result::Stop::none;
  std::string stop_text_, error_;
};

} // namespace neuronify::reference
