// A C++ block of the emitted code while it is being lowered. Private to tile/lower_*.cpp.
#pragma once

#include "tile/lowering.h"

namespace neuronify::tile {

/// Statements go to `body` until the end of the scope; what was declared in it is forgotten then.
struct Lowering::Scope {
  Scope(Lowering &lowering, std::vector<Statement> &body)
      : lowering(lowering), outer(lowering.out_), mark(lowering.log_.size()) {
    lowering.out_ = &body;
  }
  ~Scope() {
    lowering.out_ = outer;
    while (lowering.log_.size() > mark) {
      auto [value, form] = lowering.log_.back();
      lowering.values_as(form).erase(value);
      lowering.log_.pop_back();
    }
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

  Lowering &lowering;
  std::vector<Statement> *outer;
  size_t mark;
};

} // namespace neuronify::tile
