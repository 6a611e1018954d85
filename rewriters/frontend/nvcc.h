// Compiler options of nvcc and of other drivers, in Clang's words.
#pragma once

#include <string>
#include <vector>

namespace neuronify::frontend {

/// What a program is linked with besides CUDA.
struct Linking {
  bool openmp = false;                ///< -fopenmp
  std::vector<std::string> libraries; ///< -l, without the option; NVIDIA's are left out
  std::vector<std::string> folders;   ///< -L, without the option
};

/// What of a compile command matters for reading a file, and for linking the ported program.
struct Translation {
  std::vector<std::string> args; ///< options for Clang's driver, in their order
  Linking linking;
  std::vector<std::string> archs;      ///< "sm_80", in their order
  std::vector<std::string> left_out;   ///< options that may matter and have no counterpart
  std::vector<std::string> positional; ///< what is no option: the input files
};

/// Translates options, without the compiler's own name. Knows nvcc's and Clang's; options that only
/// concern code generation, dependencies or the output are dropped silently, `-Xcompiler`
/// lists are unpacked, and response files (`@file`, `--options-file`) are read relative to
/// `directory`. Source: nvcc's documentation, "NVCC Command Options".
Translation translate(const std::vector<std::string> &options, const std::string &directory);

} // namespace neuronify::frontend
