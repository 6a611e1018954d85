// Loops in which a lane waits for another one. Lock-step would wait for ever: the other lane is in
// the same loop, or comes after it.
#pragma once

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace neuronify::kernel {

/// The access on which every way out of `loop` depends, if lanes of the loop itself cannot change
/// what it finds: an atomic or a load of one place, whose operands are the same in every round,
/// while nothing else in the loop writes there. Null for loops that go on by themselves, such as
/// one that tries compare-and-swap again with what it found.
const llvm::Instruction *find_wait(const llvm::Loop &loop);

} // namespace neuronify::kernel
