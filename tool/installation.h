// Where the parts of neuronify lie: beside the program as installed, or in the build tree.
#pragma once

#include <string>
#include <vector>

namespace neuronify::tool {

struct Installation {
  std::string diagnostics;            ///< folder with NFYnnnn.md
  std::string lanes_package;          ///< folder neuronify_lanes, which NKI Python ports import
  std::vector<std::string> include;   ///< folders with neuronify.h
  std::vector<std::string> libraries; ///< what a ported program is linked with, in order
  std::vector<std::string> flags;     ///< that code has to be compiled and linked with
  std::string reference;              ///< libneuronify-reference.so
  std::string compiler;               ///< the one neuronify was built with
  std::string python;                 ///< $NEURONIFY_PYTHON, or the one the nki module is for
  std::string python_path;            ///< folder with neuronify_nki, or ""
};

/// Looks beside the running program first.
Installation find_installation();

} // namespace neuronify::tool
