// Files in, a ported project out: what `port` and `verify` share.
#pragma once

#include "console.h"
#include "emit/translate.h"
#include "host/project.h"
#include "options.h"

namespace neuronify::tool {

/// What became of one input file.
struct PortedInput {
  std::string path; ///< as given
  rewrite::PortedFile file;
  std::vector<KernelReport> kernels;
  std::vector<Diagnostic> diagnostics; ///< of all stages, by place
  std::string dump;                    ///< what --dump and --print-after ask for
  bool readable = false;               ///< Clang understood it; false: nothing was ported
  double clang_seconds = 0, seconds = 0;
  bool waits = false;               ///< misses device functions: its turn comes behind the others
  std::vector<std::string> offered; ///< symbols of device functions that it defines for others
  std::string device_code;          ///< bitcode of them; empty where nobody could ask
};

struct Porting {
  std::vector<PortedInput> inputs; ///< CUDA files, in the order of the command line
  rewrite::Layout layout;
  bool complete = true;                      ///< every file was read
  unsigned ported = 0, not_ported = 0;       ///< kernels
  unsigned in_python = 0, not_in_python = 0; ///< of the ported ones, where that was asked for

  /// Everything that is wrong, of severity error.
  bool clean() const;
};

/// Ports all inputs, `options.jobs` at a time, and reports diagnostics in the order of the inputs.
/// The same inputs give the same result with any number of jobs.
Porting port_inputs(const Options &options, Console &console);

} // namespace neuronify::tool
