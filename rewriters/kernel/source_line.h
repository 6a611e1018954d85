// The line that a diagnostic is about.
#pragma once

namespace llvm {
class DebugLoc;
class DILocation;
} // namespace llvm

namespace neuronify::kernel {

/// The line of `location` or, where a header of Clang, the system or neuronify has it, the line
/// that it was inlined into. Null without one.
const llvm::DILocation *source_line(const llvm::DebugLoc &location);

} // namespace neuronify::kernel
