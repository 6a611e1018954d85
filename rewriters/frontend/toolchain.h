// Where things lie on this machine: Clang's own headers and our CUDA headers.
#pragma once

#include <string>

namespace neuronify::frontend {

/// Clang 22's resource directory (the one with include/stddef.h), or "" where none is found. Tried
/// in order: the one of the build, and those beside the usual places of clang-22.
std::string resource_directory();

/// Our CUDA headers (the folder with cuda_runtime.h), or "" where none is found. Tried in order:
/// beside the running program as installed, and the source tree of the build.
std::string header_directory();

} // namespace neuronify::frontend
