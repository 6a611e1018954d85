// Results for machines (--json).
#pragma once

#include "porting.h"

#include "llvm/Support/JSON.h"

namespace neuronify::tool {

llvm::json::Array diagnostics_json(const Porting &porting);
llvm::json::Array kernels_json(const Porting &porting);

/// "error", "warning" or "note".
const char *severity_json(Severity severity);

/// What `port --json` writes; `output` is the folder of the ported project, or "" where none was
/// written.
std::string port_results(const Porting &porting, const std::string &output);

/// A value as text, with a line break at the end.
std::string print(const llvm::json::Value &value);

} // namespace neuronify::tool
