// Tile programs as NKI Python: kernels over the support package neuronify_lanes.
#pragma once

#include "emit/python_facts.h"
#include "tile/program.h"

#include <string>
#include <vector>

namespace neuronify::emit {

/// One kernel in NKI Python.
struct PythonKernel {
  std::string function;            ///< the `@nki.jit` function, empty where there is none
  std::string description;         ///< its entry in the runner
  std::optional<NoPython> problem; ///< why there is no function
};

/// The kernel's NKI form, or why it has none. Deterministic.
PythonKernel python_kernel(const tile::Program &program);

/// STEM_nki.py of the kernels of `origin`, in order; empty where none has an NKI form.
std::string python_module(const std::string &origin, const std::vector<PythonKernel> &kernels);
/// STEM_nki_run.py: runs them on NumPy arrays.
std::string python_runner(const std::string &origin, const std::string &stem,
                          const std::vector<PythonKernel> &kernels);

} // namespace neuronify::emit
