// The last steps on a kernel's IR before it is analysed: shapes that the lowering does not want to
// know.
#pragma once

namespace llvm {
class Function;
}

namespace neuronify::kernel {

/// Pointers that are chosen or bumped become offsets; small memory copies become loads and stores;
/// instructions nobody uses go away. Keeps loops simple and in LCSSA form. Takes what
/// frontend::prepare made, which has no switches.
void prepare(llvm::Function &function);

} // namespace neuronify::kernel
