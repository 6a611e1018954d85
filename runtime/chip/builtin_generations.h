// The data files of generations/, as text in the library.
#pragma once

#include <span>

namespace nki::chip {

struct BuiltinGeneration {
  const char *file, *text;
};
/// Made from generations/*.json when the build is configured.
extern const std::span<const BuiltinGeneration> kBuiltinGenerations;

} // namespace nki::chip
