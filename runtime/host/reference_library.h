// Finds and loads the reference runner and the originals' device IR.
#pragma once

#include "host/environment.h"
#include "host/registry_table.h"

#include <string>

namespace neuronify {

class ReferenceLibrary {
public:
  explicit ReferenceLibrary(const Environment &environment) : environment_(environment) {}

  /// The reference of a unit, loaded once; null and `error` where that is not possible.
  reference::Module *load(Unit &unit, std::string &error);

private:
  reference::LoadFunction library(std::string &error);

  const Environment &environment_;
  bool tried_ = false;
  reference::LoadFunction function_ = nullptr;
  std::string error_;
};

} // namespace neuronify
