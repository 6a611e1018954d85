#include "host/runtime.h"

#include "host/launch_check.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace neuronify {

namespace {

void complain(const std::string &text) { std::fprintf(stderr, "neuronify: %s\n", text.c_str()); }

SideResult side_of(PortError error) {
  SideResult side(std::move(error.text));
  side.output = std::move(error.output);
  side.asserted = error.asserted;
  side.trapped = error.trapped;
  return side;
}

/// What a port asks for variables with.
struct SymbolContext {
  const Registry *registry;
  Unit *unit;
};

const void *symbol_address(const void *context, std::string_view mangled) {
  auto [registry, unit] = *static_cast<const SymbolContext *>(context);
  Unit::Variable *variable = registry->find_mangled(unit, mangled).variable;
  return variable && variable->memory ? variable->memory->start : nullptr;
}

std::string place_of(const Kernel &kernel) {
  return kernel.file ? std::string(kernel.file) + ":" + std::to_string(kernel.line) + ": " : "";
}

// The model keeps scratch for each thread, and the main thread loses its own before functions run
// that atexit() was given.
thread_local bool thread_is_over = false;
struct ThreadEnd {
  ~ThreadEnd() { thread_is_over = true; }
};

void finish_report() {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (runtime.ended)
    return;
  runtime.report.finish();
  runtime.nki.stop();
  runtime.ended = true;
  if (runtime.tells())
    complain(runtime.report.summary());
  if (!runtime.report.error().empty())
    complain(runtime.report.error());
}

const char *text(const char *maybe) { return maybe ? maybe : ""; }

} // namespace

/// One launch on its way through the runtime.
struct Runtime::Job {
  Unit &unit;
  const Kernel &kernel;
  std::span<void *const> arguments;
  LaunchRow row;
  bool does_not_fit = false; ///< the port needs more than the chip has, and did nothing
};

Runtime &Runtime::get() {
  static Runtime *runtime = [] {
    auto *made = new Runtime();
    std::atexit(finish_report);
    std::at_quick_exit(finish_report);
    return made;
  }();
  return *runtime;
}

Runtime::Runtime()
    : environment(read_environment()), generation(nki::chip::generation(environment.generation)),
      memory(size_t(generation.hbm_bytes)), executor(generation, memory.hbm(), environment.cores),
      references(environment), report(environment.report, environment.program,
                                      environment.mode == Mode::verify ? "verify" : "run"),
      trace(environment.trace, environment.cores), nki(environment.nki, environment.python),
      limits{{LimitStackSize, 1024},
             {LimitPrintfFifoSize, 1 << 20},
             {LimitMallocHeapSize, 8 << 20},
             {LimitDevRuntimeSyncDepth, 2},
             {LimitDevRuntimePendingLaunchCount, 2048},
             {LimitMaxL2FetchGranularity, 64},
             {LimitPersistingL2CacheSize, 0}} {
  copy_costs.hbm_bytes_per_second = generation.hbm_bytes_per_second;
  executor.traced(bool(trace));
  for (const std::string &error : {report.error(), trace.error()})
    if (!error.empty())
      complain(error);
  for (const std::string &message : environment.messages) {
    complain(message);
    report.message(message);
  }
}

void Runtime::reset() {
  memory.clear();
  arrays.clear();
  registry.forget_memory();
  registry.adopt_managed(memory);
  clock.clear();
  shared_opt_in.clear();
  sticky = Success;
}

Error_t Runtime::launch(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared,
                        StreamState &stream) {
  auto [unit, kernel, parameters] = registry.find(stub);
  static thread_local ThreadEnd thread_end;
  (void)thread_end;
  if (ended || thread_is_over) { // CUDA's runtime is gone then, too
    complain("a launch of '" + std::string(kernel ? kernel->name : "(unknown)") +
             "' after the end of the program is left out");
    return ErrorCudartUnloading;
  }
  if (!kernel)
    return refuse("(unknown)");
  if (!arguments && parameters > 0)
    return ErrorInvalidValue;
  Job job{*unit, *kernel, {arguments, parameters}, {}};
  LaunchRow &row = job.row;
  row.kernel = kernel->name;
  row.mangled = text(kernel->mangled);
  row.file = text(kernel->file);
  row.line = kernel->line;
  row.mapping = text(kernel->mapping);
  row.launch = ++launches_;
  row.grid = grid;
  row.block = block;
  row.dynamic_shared = shared;
  auto opt_in = shared_opt_in.find(stub);
  Error_t error = check_launch(
      grid, block,
      {kernel->static_shared_bytes, shared, opt_in == shared_opt_in.end() ? 0 : opt_in->second},
      row.outcome.message);
  if (error == Success && !registry.materialize(memory)) {
    error = ErrorMemoryAllocation;
    row.outcome.message = "out of memory for the program's __device__ variables";
  }
  if (error != Success) {
    row.outcome.verdict = Verdict::failed;
    report.add(row);
    return error;
  }
  report.begin(row.launch, row.kernel);
  if (environment.mode == Mode::verify)
    run_both(job);
  else
    run(job);
  row.start = clock.submit(stream, row.prediction.chip_seconds, Resource::chip);
  if (trace && kernel->run) // without a port the timelines still hold the launch before
    trace.append(executor, row.kernel, row.launch, row.start, row.prediction.chip_seconds);
  report.add(row);
  if (tells() && row.outcome.verdict != Verdict::match)
    complain(place_of(*kernel) + "launch " + std::to_string(row.launch) + " of '" + row.kernel +
             "': " + std::string(name_of(row.outcome.verdict)) + ": " + row.outcome.message);
  if (environment.mode == Mode::run && row.outcome.verdict == Verdict::not_ported)
    return ErrorNotSupported;
  return job.does_not_fit ? ErrorLaunchOutOfResources : Success;
}

Error_t Runtime::refuse(const std::string &kernel) {
  LaunchRow row;
  row.kernel = kernel;
  row.launch = ++launches_;
  row.outcome.verdict = Verdict::failed;
  row.outcome.message = "no port is registered for this kernel";
  complain("launch " + std::to_string(row.launch) + " of '" + kernel +
           "' is skipped: " + row.outcome.message);
  report.add(row);
  return ErrorInvalidDeviceFunction;
}

void Runtime::run(Job &job) {
  Outcome &outcome = job.row.outcome;
  std::string where = place_of(job.kernel) + "launch " + std::to_string(job.row.launch) + " of '" +
                      job.row.kernel + "' ";
  if (!job.kernel.run) {
    outcome.verdict = Verdict::not_ported;
    outcome.message = text(job.kernel.diagnostic);
    complain(where + "is skipped, it was not ported: " + outcome.message);
    return;
  }
  outcome.verdict = Verdict::ran;
  PortError error = run_port(job);
  outcome.message = error.text;
  if (outcome.message.empty() || error.asserted || error.trapped) {
    if (error.asserted || error.trapped)
      outcome.verdict = Verdict::failed;
    tell(side_of(std::move(error)), job.row.kernel);
    return;
  }
  std::fwrite(error.output.data(), 1, error.output.size(), stdout);
  outcome.verdict = Verdict::failed;
  job.does_not_fit = error.nothing_happened;
  if (!job.does_not_fit) {
    sticky = ErrorLaunchFailure;
    set_launch_failure(job.row.kernel + ": " + outcome.message);
  }
  complain(where + "failed: " + outcome.message);
}

void Runtime::run_both(Job &job) {
  note_buffer_types(job);
  SideBySide setup{
      memory,
      snapshot,
      buffer_types,
      environment.tolerances,
      environment.continue_from_port,
      [&](const char *address, size_t bytes) { return find_writer(job, address, bytes); }};
  setup.tolerances.demoted = job.kernel.demoted;
  setup.tolerances.paired = job.kernel.paired;
  RunSide port;
  if (job.kernel.run)
    port = [&] { return side_of(run_port(job)); };
  std::string nki_problem;
  const bool has_form =
      nki && job.kernel.run && nki.has(job.row.mangled, job.row.file, nki_problem);
  if (has_form || !nki_problem.empty())
    setup.run_nki = [&] { return nki_problem.empty() ? run_nki(job) : nki_problem; };
  Outcome outcome = run_side_by_side(setup, [&] { return run_reference(job); }, port);
  if (outcome.verdict == Verdict::not_ported)
    outcome.message = text(job.kernel.diagnostic);
  if (outcome.verdict == Verdict::mismatch)
    outcome.message =
        job.row.kernel + ", launch " + std::to_string(job.row.launch) + ", " + outcome.message;
  if (nki && outcome.nki.empty() && !setup.run_nki)
    outcome.nki = "no form";
  tell(outcome.side, job.row.kernel);
  job.row.outcome = std::move(outcome);
}

std::string Runtime::run_nki(Job &job) {
  NkiLaunch launch;
  launch.mangled = job.row.mangled;
  launch.source = job.row.file;
  launch.grid = job.row.grid;
  launch.block = job.row.block;
  launch.dynamic_shared = job.row.dynamic_shared;
  launch.precise = environment.precise || job.kernel.precise_math;
  launch.arguments = job.arguments;
  launch.variable = [&](std::string_view mangled) -> const DeviceAllocation * {
    Unit::Variable *variable = registry.find_mangled(&job.unit, mangled).variable;
    return variable ? variable->memory : nullptr;
  };
  return nki.run(launch, memory);
}

PortError Runtime::run_port(Job &job) {
  SymbolContext context{&registry, &job.unit};
  nki::Launch launch;
  launch.gridDim = {job.row.grid.x, job.row.grid.y, job.row.grid.z};
  launch.blockDim = {job.row.block.x, job.row.block.y, job.row.block.z};
  launch.dynamic_shared_bytes = uint32_t(job.row.dynamic_shared);
  launch.precise_math = environment.precise || job.kernel.precise_math;
  launch.arguments = job.arguments;
  launch.symbol_address = symbol_address;
  launch.symbol_context = &context;
  return executor.run(job.kernel.run, launch, job.row.prediction);
}

/// Prints what the kernel's threads printed. A failed assertion is told on standard error, as CUDA
/// does, and it and a trap spoil every call from here on.
void Runtime::tell(const SideResult &side, const std::string &kernel) {
  std::fwrite(side.output.data(), 1, side.output.size(), stdout);
  if (!side.stopped())
    return;
  std::fflush(stdout);
  if (side.asserted)
    std::fprintf(stderr, "%s\n", side.error.c_str());
  sticky = side.asserted ? ErrorAssert : ErrorLaunchFailure;
  if (side.trapped)
    set_launch_failure(kernel + ": " + side.error);
}

SideResult Runtime::run_reference(Job &job) {
  bool all = environment.check_original;
  reference::Result result = run_reference(job, {all, true, all, all});
  job.row.findings = std::move(result.findings);
  if (!result.ok && result.error.empty())
    result.error = "the reference could not run it";
  SideResult side(result.ok ? "" : result.error);
  side.output = std::move(result.output);
  side.asserted = result.stopped == reference::Result::Stop::assertion;
  side.trapped = result.stopped == reference::Result::Stop::trap;
  if (side.asserted)
    side.error = std::move(result.stop_text);
  return side;
}

std::optional<reference::Writer> Runtime::find_writer(Job &job, const char *address, size_t bytes) {
  reference::Checks checks;
  checks.watched = address;
  checks.watched_bytes = bytes;
  return run_reference(job, checks).writer;
}

reference::Result Runtime::run_reference(Job &job, const reference::Checks &checks) {
  reference::Result failure;
  reference::Module *module = references.load(job.unit, failure.error);
  if (!module)
    return failure;
  reference::Memory device;
  device.symbol = [&](std::string_view mangled) -> void * {
    Unit::Variable *variable = registry.find_mangled(&job.unit, mangled).variable;
    return variable && variable->memory ? variable->memory->start : nullptr;
  };
  device.allocation = [&](const void *address) -> std::pair<const void *, size_t> {
    const DeviceAllocation *allocation = memory.find(address);
    return allocation ? std::pair<const void *, size_t>(allocation->start, allocation->size)
                      : std::pair<const void *, size_t>(nullptr, 0);
  };
  const dim3 &grid = job.row.grid, &block = job.row.block;
  return module->run(text(job.kernel.mangled), {grid.x, grid.y, grid.z},
                     {block.x, block.y, block.z}, uint32_t(job.row.dynamic_shared), job.arguments,
                     device, checks);
}

void Runtime::note_buffer_types(Job &job) {
  for (Unit::Variable &variable : job.unit.variables)
    if (variable.symbol.type && variable.memory)
      buffer_types.note(memory, *variable.memory, read_layout(variable.symbol.type));
  std::vector<PointerHint> hints = read_pointer_types(job.kernel.pointer_types);
  buffer_types.note(memory, hints, job.arguments);
}

} // namespace neuronify
