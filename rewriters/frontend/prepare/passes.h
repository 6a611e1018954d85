// The passes of our own in prepare(); each in a file of its name.
#pragma once

namespace llvm {
class Argument;
class Function;
class Module;
} // namespace llvm

namespace neuronify::frontend {

/// Keeps kernels and what they need: every other function becomes internal and is marked for
/// inlining, and functions that nothing refers to go. Variables stay, since host code names them.
void mark_for_inlining(llvm::Module &module);

/// Says of libdevice's functions that they compute and do nothing else, so that equal calls merge
/// and no call stands between two loads; integer minima, maxima, absolute values and bit casts
/// become instructions, which analyses of addresses understand.
void describe_library(llvm::Module &module);

/// Replaces scalars taken out of an aggregate value by what was put in.
void fold_aggregates(llvm::Function &kernel);

/// How a kernel uses a struct parameter.
struct ParameterUses {
  bool only_read = true;       ///< no store to it, and its address goes nowhere
  bool computed_index = false; ///< some address in it is not a constant
};
ParameterUses parameter_uses(const llvm::Argument &parameter);

/// Gives every struct parameter (`byval`) a local copy that SROA can split into scalars. A
/// parameter that is only read and that some computed index reaches into stays where it is: its
/// copy could not be split.
void copy_parameters(llvm::Function &kernel);

/// Reads struct parameters themselves where a local copy of one, or of a copy, is never changed:
/// what functions that take or are members of the struct leave behind, where a computed index keeps
/// SROA from splitting it.
void forward_parameter_copies(llvm::Function &kernel);

/// Replaces all reads of a thread's coordinates and of the launch's dimensions by one read of each
/// at the kernel's entry, named as in CUDA ("threadIdx.x"). They are constant for a thread, and `i
/// += blockDim.x` is a recurrence only if the step is loop-invariant.
void hoist_special_registers(llvm::Function &kernel);

/// Lets ways into a block that only chooses where to go on, by a number that they bring, go there
/// themselves. Clang makes such blocks where a `goto` or `return` leaves a scope; a loop that a
/// `goto` makes would otherwise contain all that follows it, and threads that leave it in different
/// rounds would not meet before the barriers there.
void thread_cleanups(llvm::Function &kernel);

/// Lowers `switch` to branches, and merges the blocks with one way in that this leaves.
void lower_switches(llvm::Function &kernel);

/// Removes what is of use to optimisers only: lifetimes, assumptions, scope declarations.
void remove_markers(llvm::Function &function);

/// Names values after the source variables that hold them, as debug records tell, and then drops
/// the records. Phis have the first choice, since they become variables again.
void name_values(llvm::Function &kernel);

} // namespace neuronify::frontend
