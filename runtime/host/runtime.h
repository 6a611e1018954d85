// The state behind the host API. One per process, like CUDA's context.
#pragma once

#include "host/arrays.h"
#include "host/copy_check.h"
#include "host/device_memory.h"
#include "host/environment.h"
#include "host/executor.h"
#include "host/launch.h"
#include "host/model_clock.h"
#include "host/nki_side.h"
#include "host/reference_library.h"
#include "host/registry_table.h"
#include "host/report.h"
#include "host/side_by_side.h"
#include "host/snapshot.h"
#include "host/trace.h"

#include <map>
#include <mutex>
#include <new>

namespace neuronify {

class Runtime {
public:
  /// The process's runtime, made at the first use and never destroyed, because destructors of a
  /// program's own statics may still free device memory. Its report is finished at exit.
  static Runtime &get();

  std::recursive_mutex mutex; ///< held by every function of the API while it works
  const Environment environment;
  const nki::chip::Generation &generation;
  DeviceMemory memory;
  Arrays arrays;
  Registry registry;
  ModelClock clock;
  CopyCosts copy_costs;
  Executor executor;
  ReferenceLibrary references;
  Report report;
  Trace trace;
  NkiSide nki;
  BufferTypes buffer_types;
  Snapshot snapshot;
  std::map<const void *, size_t> shared_opt_in; ///< by stub
  std::map<const void *, size_t> registered;    ///< hostRegister(): start, size
  std::map<Limit, size_t> limits;               ///< kept for deviceGetLimit(); they have no effect
  bool ended = false;       ///< the report is written; what destructors launch now comes too late
  Error_t sticky = Success; ///< spoils every call until deviceReset()

  /// A validated or rejected launch of a known kernel, from checking to the report.
  Error_t launch(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared,
                 StreamState &stream);
  /// A launch of a kernel that no registration knows: it counts as one that failed.
  Error_t refuse(const std::string &kernel);
  void reset();
  /// Whether results of the comparison go to standard error, because no report is asked for.
  bool tells() const { return environment.mode == Mode::verify && environment.report.empty(); }

private:
  Runtime();
  struct Job;
  void run(Job &job);
  void run_both(Job &job);
  PortError run_port(Job &job);
  std::string run_nki(Job &job);
  SideResult run_reference(Job &job);
  void tell(const SideResult &side, const std::string &kernel);
  std::optional<reference::Writer> find_writer(Job &job, const char *address, size_t bytes);
  reference::Result run_reference(Job &job, const reference::Checks &checks);
  void note_buffer_types(Job &job);

  uint64_t launches_ = 0;
};

/// What DeviceProp counts as multiprocessors: a partition of SBUF is where a block lives, so grids
/// that programs size by this count times the occupancy fill the partitions of all cores.
int multiprocessors(const nki::chip::Generation &generation);

/// The last error of this thread.
void set_last_error(Error_t error);
/// The text that getErrorString adds to ErrorLaunchFailure.
void set_launch_failure(const std::string &text);

/// The frame of every function of the API: one at a time, nothing after a sticky error, the result
/// becomes the last error, no exception leaves.
template <class F> Error_t api(F &&body) {
  Error_t error;
  try {
    Runtime &runtime = Runtime::get();
    std::lock_guard lock(runtime.mutex);
    error = runtime.sticky != Success ? runtime.sticky : body(runtime);
  } catch (const std::bad_alloc &) {
    error = ErrorMemoryAllocation;
  }
  if (error != Success)
    set_last_error(error);
  return error;
}

} // namespace neuronify
