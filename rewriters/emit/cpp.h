// Tile program -> C++ against runtime/lanes.
#pragma once

#include "tile/program.h"

#include <string>

namespace neuronify::emit {

/// The function of one kernel, formatted except for line breaks (clang-format does those).
std::string function(const tile::Program &program);
/// The neuronify::Kernel object that ties it to the runtime.
std::string kernel_object(const tile::Program &program);
/// The same for a kernel that could not be ported.
std::string missing_kernel_object(const std::string &name, const std::string &identifier,
                                  const std::string &mangled, const std::string &file,
                                  unsigned line, const std::string &diagnostic);
/// The last part of a path.
std::string base_name(const std::string &path);

} // namespace neuronify::emit
