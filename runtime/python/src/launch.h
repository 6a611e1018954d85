// A run of a kernel: the cores it runs on, what was traced.
#pragma once

#include "chip/core.h"
#include "chip/core_group.h"
#include "chip/generations.h"
#include "chip/hbm.h"
#include "errors.h"
#include "nki/device.h"
#include "tensor.h"

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nki::python {

class Launch {
public:
  struct Options {
    int ranks = 1;              ///< logical cores
    bool trace = false;         ///< keep every instruction, with its source line
    bool check_capacity = true; ///< SBUF and PSUM end where the chip's do
  };
  Launch(const std::string &generation, int cores_per_rank, Options options);

  const chip::Generation &generation() const { return generation_; }
  int cores() const { return group_->size(); }
  chip::Core &core(int index) { return group_->core(index); }
  const Options &options() const { return options_; }

  /// body(core's number) on every core. `body` must not raise. `grid` is what the kernel was asked
  /// to run on, 0 where nothing was said.
  void run(const py::function &body, int grid);

private:
  chip::Generation generation_;
  Options options_;
  std::unique_ptr<chip::CoreGroup> group_;
};

/// What runs on this thread; null outside of kernels.
struct Running {
  Launch *launch = nullptr;
  int core = 0;
  int grid = 0; ///< cores asked for with kernel[n]; 0 without
};
Running *running();
/// The same; throws nki::Error outside of kernels.
Running &require_running(const char *what);

/// While a launch is traced, the kernel's current line is that of this thread's instructions.
class TracedLine {
public:
  TracedLine();

private:
  std::optional<SourceLine> line_;
};

/// Device memory for all launches of this process.
chip::Hbm &device_memory();

void bind_launch(py::module_ &module);
void bind_arrays(py::module_ &module);

} // namespace nki::python
