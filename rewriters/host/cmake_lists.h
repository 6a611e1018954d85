// The texts that go with a ported project.
#pragma once

#include "host/project.h"

namespace neuronify::rewrite {

/// CMakeLists.txt: builds every program of the layout with find_package(neuronify).
std::string cmake_lists(const Layout &layout, const std::vector<std::string> &originals);

/// README.md: where the project comes from and how to build and run it.
std::string readme(const Layout &layout, const std::vector<std::string> &originals);

} // namespace neuronify::rewrite
