// Results for machines (--json).
#pragma once

#include "porting.h"

#include "llvm/Support/JSON.h"

namespace neuronify::tool {

llvm::json::Array diagnostics_json(const Porting &porting);
llvm::json::Array kernels_json(const Porting &porting);

/// What `port --json` writes.
std::string port_results(const Porting &porting);

/// A value as text, with a line break at the end.
std::string print(const llvm::json::Value &value);

} // namespace neuronify::tool
