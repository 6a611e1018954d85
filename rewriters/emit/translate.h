// All kernels of one translation unit, from device IR to C++.
#pragma once

#include "diagnostics/diagnostic.h"
#include "frontend/frontend.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neuronify {

/// What becomes of double precision on the chip.
enum class Doubles : uint8_t {
  demote, ///< computed in single precision, NFY2002
  df32,   ///< computed with pairs of floats, NFY2012
  error,  ///< the kernel is not ported, NFY4001
};

struct TranslateOptions {
  /// Name of the emitted files without extension, "foo" for foo_kernels.h: also their namespace.
  std::string stem;
  /// `/`, sqrtf and fmaf bit for bit (docs/numerics.md); the ported kernels say so themselves.
  bool precise_math = false;
  /// Called with each kernel's tile program after lowering ("lower") and after each pass, as text.
  std::function<void(std::string_view kernel, std::string_view pass, const std::string &text)>
      after_pass;
  Doubles doubles = Doubles::demote;
  bool formatted = true;   ///< as clang-format does it; otherwise for compilers only
  bool python = false;     ///< NKI Python too
  std::string python_stem; ///< of its modules
};

/// What became of one kernel.
struct KernelReport {
  std::string name, identifier, mangled, file;
  unsigned line = 0;
  bool ported = false;
  bool affine = false;    ///< every address in device memory is affine in block and thread numbers
  std::string mapping;    ///< "block -> partition, thread -> free"
  std::string diagnostic; ///< "NFY4001: ..." where it was not ported
  bool in_python = false; ///< it has an NKI Python form
  std::string no_python;  ///< "NFY6002: ..." where it was looked for and there is none
  unsigned no_python_line = 0;
};

struct PortedKernels {
  std::string header; ///< STEM_kernels.h
  std::string source; ///< STEM_kernels.cpp
  std::string python; ///< STEM_nki.py; empty where no kernel has this form
  std::string runner; ///< STEM_nki_run.py
  std::vector<Diagnostic> diagnostics;
  std::vector<KernelReport> kernels; ///< in source order
  /// Symbols in the header for what host code cannot name; the registration takes them.
  std::vector<std::string> private_data;
};

/// Ports every kernel that can be ported; the others get a diagnostic and an object that says so.
/// Deterministic: the same unit gives the same bytes.
PortedKernels translate(const frontend::Unit &unit, const TranslateOptions &options);

} // namespace neuronify
