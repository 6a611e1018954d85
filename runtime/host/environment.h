// What a run is told by the environment, so that a ported program built by hand can do everything
// that `neuronify verify` does. docs/report.md lists the variables for users.
#pragma once

#include "host/compare.h"

#include <string>
#include <vector>

namespace neuronify {

enum class Mode { run, verify };

struct Environment {
  Mode mode = Mode::run;             ///< NEURONIFY_MODE=run|verify
  std::string report;                ///< NEURONIFY_REPORT=FILE, JSON lines
  std::string trace;                 ///< NEURONIFY_TRACE=FILE, Perfetto JSON
  std::string device_ir;             ///< NEURONIFY_DEVICE_IR=FOLDER
  std::string reference;             ///< NEURONIFY_REFERENCE=FILE of libneuronify-reference.so
  std::string nki;                   ///< NEURONIFY_NKI=FOLDER of NAME_nki.py: run these too
  std::string python = "python3";    ///< NEURONIFY_PYTHON
  std::string program;               ///< NEURONIFY_PROGRAM, else the name of the executable
  bool precise = false;              ///< NEURONIFY_PRECISE=1
  bool check_original = false;       ///< NEURONIFY_CHECK_ORIGINAL=1
  bool continue_from_port = false;   ///< NEURONIFY_VERIFY_CONTINUE=reference|port
  std::string generation = "trn3";   ///< NEURONIFY_GENERATION=trn1, trn2 or trn3
  int cores = 8;                     ///< NEURONIFY_CORES; default: all of the chip
  Tolerances tolerances;             ///< NEURONIFY_TOLERANCE
  std::vector<std::string> messages; ///< one per variable that could not be understood
};

/// Reads the process environment. A value that makes no sense keeps the default and gives a
/// message that says what is allowed.
Environment read_environment();

/// Path of the running executable, or "" where the system does not tell.
std::string executable_path();

} // namespace neuronify
