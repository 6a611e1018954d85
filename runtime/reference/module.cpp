// neuronify::reference::Module: a launch from its arguments to its result.
#include "compiler.h"
#include "execution.h"
#include "grid.h"
#include "reference.h"

#include <cfenv>
#include <cstdlib>
#include <mutex>

namespace neuronify::reference {

namespace {

constexpr size_t shared_alignment = 1024;
constexpr size_t most_shared_bytes = 227 * 1024; ///< compute capability 9.0

/// Threads of a grid whose blocks wait for each other: each has a stack. More than fit a device.
constexpr size_t most_threads_together = size_t(1) << 19;

/// Why CUDA would refuse this launch, or "".
std::string invalidConfiguration(Dim3 grid, Dim3 block, size_t shared_bytes) {
  if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    return "the grid " + text(grid) + " is outside of CUDA's limits";
  if (!block.x || !block.y || !block.z || block.x > 1024 || block.y > 1024 || block.z > 64 ||
      block.x * block.y * block.z > 1024)
    return "the block " + text(block) + " is outside of CUDA's limits";
  if (shared_bytes > most_shared_bytes)
    return "the kernel needs " + std::to_string(shared_bytes) +
           " bytes of shared memory, a block can have " + std::to_string(most_shared_bytes);
  return "";
}

struct Free {
  void operator()(std::byte *memory) const { std::free(memory); }
};

/// The default rounding mode, whatever the caller has set.
class DefaultFloatingPoint {
public:
  DefaultFloatingPoint() {
    fegetenv(&before_);
    fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatingPoint() { fesetenv(&before_); }

private:
  fenv_t before_;
};

class JitModule : public Module {
public:
  explicit JitModule(std::unique_ptr<Compiler> compiler) : compiler_(std::move(compiler)) {}

  Result run(std::string_view mangled, Dim3 grid, Dim3 block, uint32_t dynamic_shared_bytes,
             std::span<void *const> arguments, const Memory &memory,
             const Checks &checks) override {
    std::lock_guard lock(mutex_);
    Result result;
    const bool checked =
        checks.shared_races || checks.out_of_bounds || checks.uninitialized || checks.watched;
    if (checks.out_of_bounds && !memory.allocation)
      return failure("the out-of-bounds check needs to know the allocations");
    const CompiledKernel *kernel = compiler_->kernel(mangled, checked, result.error);
    if (!kernel)
      return result;
    const size_t shared_bytes = kernel->static_shared_bytes + dynamic_shared_bytes;
    if (std::string problem = invalidConfiguration(grid, block, shared_bytes); !problem.empty())
      return failure(problem);
    if (arguments.size() != kernel->parameters)
      return failure("kernel " + std::string(mangled) + " takes " +
                     std::to_string(kernel->parameters) + " arguments, not " +
                     std::to_string(arguments.size()));
    if (std::string problem = findVariables(*kernel, memory); !problem.empty())
      return failure(problem);
    const size_t threads = size_t(block.x) * block.y * block.z;
    const size_t blocks = size_t(grid.x) * grid.y * grid.z;
    if (kernel->waits_for_grid &&
        (threads > most_threads_together || blocks > most_threads_together / threads))
      return failure("a grid of " + text(grid) + " blocks that wait for each other is too large");
    const size_t together = kernel->waits_for_grid ? blocks : 1;
    if (!stacks_.reserve(kernel->waits ? threads * together : 1, kernel->stack_bytes))
      return failure("there is no memory for the stacks of a block");
    return execute(*kernel,
                   {grid, block, arguments.data(), addresses_.data(), nullptr, shared_bytes},
                   memory, checks, checked);
  }

private:
  static Result failure(std::string error) {
    Result result;
    result.error = std::move(error);
    return result;
  }

  /// Fills in the symbol table; a sentence where a variable has no address.
  std::string findVariables(const CompiledKernel &kernel, const Memory &memory) {
    addresses_.resize(compiler_->variables().size());
    for (size_t index : kernel.variables) {
      const std::string &name = compiler_->variables()[index].mangled;
      addresses_[index] = memory.symbol ? memory.symbol(name) : nullptr;
      if (!addresses_[index])
        return "device variable " + name + " has no address, because host code cannot name it";
    }
    return "";
  }

  void allowOwnMemory(Checker &checker, const CompiledKernel &kernel) {
    auto allow = [&](const void *begin, size_t size) {
      auto *first = static_cast<const std::byte *>(begin);
      checker.allow({first, first + size});
    };
    allow(stacks_.begin(), stacks_.size());
    for (size_t index : kernel.variables)
      allow(addresses_[index], compiler_->variables()[index].size);
    for (const ConstantObject &constant : kernel.constants)
      allow(constant.address, constant.size);
  }

  Result execute(const CompiledKernel &kernel, Execution::Launch launch, const Memory &memory,
                 const Checks &checks, bool checked) {
    const size_t rounded =
        (launch.shared_bytes + shared_alignment) / shared_alignment * shared_alignment;
    const size_t blocks = size_t(launch.grid.x) * launch.grid.y * launch.grid.z;
    std::unique_ptr<std::byte, Free> shared(static_cast<std::byte *>(
        std::aligned_alloc(shared_alignment, kernel.waits_for_grid ? rounded * blocks : rounded)));
    if (!shared)
      return failure("there is no memory for the blocks' shared memory");
    launch.shared = shared.get();

    Findings findings(kernel.sites, launch.block);
    auto makeChecker = [&](std::byte *own) -> std::unique_ptr<Checker> {
      if (!checked)
        return nullptr;
      auto checker =
          std::make_unique<Checker>(checks, memory, findings, Range{own, own + launch.shared_bytes},
                                    launch.block.x * launch.block.y * launch.block.z);
      allowOwnMemory(*checker, kernel);
      return checker;
    };
    DefaultFloatingPoint floating_point;
    Result result;
    if (kernel.waits_for_grid) {
      GridExecution execution(kernel, launch, checks, findings, stacks_, rounded, makeChecker);
      finish(execution, result);
      result.writer = execution.writer();
    } else {
      const std::unique_ptr<Checker> checker = makeChecker(launch.shared);
      Execution execution(kernel, launch, checks, findings, checker.get(), stacks_);
      finish(execution, result);
      if (checker)
        result.writer = checker->writer();
    }
    result.findings = findings.take();
    return result;
  }

  static void finish(auto &execution, Result &result) {
    result.ok = execution.run();
    result.error = execution.error();
    result.output = execution.takeOutput();
    result.stopped = execution.stopped();
    result.stop_text = execution.stopText();
  }

  std::mutex mutex_;
  std::unique_ptr<Compiler> compiler_;
  std::vector<void *> addresses_;
  Stacks stacks_;
};

} // namespace

} // namespace neuronify::reference

// A unique_ptr is returned through a hidden pointer, in C linkage as in C++: only the name differs.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" __attribute__((visibility("default"))) std::unique_ptr<neuronify::reference::Module>
neuronify_reference_load(const void *bitcode, size_t size, std::string *error) {
  std::string problem;
  auto compiler = neuronify::reference::Compiler::create(bitcode, size, problem);
  if (!compiler) {
    if (error)
      *error = problem;
    return nullptr;
  }
  return std::make_unique<neuronify::reference::JitModule>(std::move(compiler));
}
