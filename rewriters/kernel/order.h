// Kernels whose result depends on the order in which threads come to an atomic operation, beyond
// the order of threads at one statement.
#pragma once

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace neuronify::kernel {

/// An atomic operation whose old value (or what it leaves) depends on what other threads have done,
/// in a place where running whole threads in turn and running statement by statement for all
/// threads differ: in a loop, or on memory that the kernel uses elsewhere too. Null where both
/// give the same, as for a counter that each thread asks once.
const llvm::Instruction *find_order_dependence(llvm::Function &function);

} // namespace neuronify::kernel
