// What the translator knows about a kernel before it lowers it.
//
// Analyses answer questions; the lowering never analyses. One object holds all answers.
#pragma once

#include "diagnostics/diagnostic.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <optional>
#include <string>
#include <vector>

namespace neuronify::kernel {

/// Where a value is known: for the launch, per lane at launch, or only on the chip.
/// Ordered: an operation's result is at least as far as its operands.
enum class Known : uint8_t { host, launch, chip };

/// The object a pointer points into, and from which memory.
struct Object {
  enum class Space : uint8_t {
    argument,
    parameter,
    symbol,
    address,
    shared,
    dynamic_shared,
    local,
    none
  };
  Space space = Space::none;
  /// Argument, load of a struct field, global, or alloca. `parameter`: an argument by value that
  /// lanes read at computed places; nobody writes it. `address`: device memory by the number of an
  /// address, an `inttoptr`.
  const llvm::Value *value = nullptr;
};

/// A launch argument or a field of one: `load` at a constant offset from a by-value parameter.
struct Field {
  unsigned argument = 0;
  uint64_t offset = 0;
};

/// Is an integer of more than 32 bits its low word, extended by zeros, by the sign, or either way?
struct Extension {
  bool zero = false, sign = false;
  bool any() const { return zero || sign; }
};

class Analysis {
public:
  explicit Analysis(llvm::Function &function);

  llvm::Function &function;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  std::vector<Diagnostic> diagnostics; ///< why the kernel cannot be lowered; empty if it can

  Known known(const llvm::Value *value) const;
  /// Is the branch at the end of `block` decided by host scalars only?
  Known branch(const llvm::BasicBlock *block) const;
  /// The object that `pointer` points into; Space::none where it is not one known object.
  Object object(const llvm::Value *pointer) const;
  /// Is `value` a launch argument (or field of one), read through a load?
  std::optional<Field> field(const llvm::Value *value) const;
  /// Is `load` an element of an argument by value at a place that the host knows?
  bool is_host_element(const llvm::LoadInst &load) const;
  /// Is `load` an integer in an argument by value, at a place per lane that the launch knows?
  bool is_launch_element(const llvm::LoadInst &load) const;

  /// Is `value`, known before the chip runs, affine in the coordinates of its lane: sums and
  /// multiples by host scalars of coordinates and of what loops carry?
  bool is_affine(const llvm::Value *value) const;
  /// Is every address in device memory a known base plus affine indices?
  bool all_global_addresses_affine() const;

  // Integers of more than 32 bits, as the chip would hold them (widths.cpp).
  Extension extension(const llvm::Value *value) const;
  /// Of both operands, alike.
  Extension common_extension(const llvm::Instruction &instruction) const;
  /// Does a product, division, right shift or comparison of more than 32 bits get by with the low
  /// words of its operands?
  bool is_narrow(const llvm::Instruction &instruction) const;
  /// Is more than the low word of this instruction's result asked for, and no extension of it?
  bool is_wide(const llvm::Value *value) const { return wide_.contains(value); }

  /// Blocks directly in `loop` (null: the function) and headers of its subloops, in topological
  /// order of the acyclic graph in which each subloop is one node.
  const std::vector<llvm::BasicBlock *> &order(const llvm::Loop *loop) const;
  /// Do all lanes that execute `from` execute `to`, a node of `loop`'s graph, in the same iteration
  /// of `loop`? `from` dominates `to`. Uniform exits do not count: nothing runs after they are
  /// taken.
  bool always_reaches(const llvm::Loop *loop, const llvm::BasicBlock *from,
                      const llvm::BasicBlock *to) const;
  /// Is `block` an exit of `loop`, and does it leave for all lanes that are still in it, or for
  /// none?
  bool is_uniform_exit(const llvm::Loop *loop, const llvm::BasicBlock *block) const;
  /// The node of `block` in the graph of `loop`: itself, or the header of the subloop it is in.
  llvm::BasicBlock *node(const llvm::Loop *loop, llvm::BasicBlock *block) const;
  /// Edges that leave node `block` of `loop`'s graph: target blocks with the block they start in.
  struct Edge {
    llvm::BasicBlock *from, *to;
  };
  std::vector<Edge> edges(const llvm::Loop *loop, llvm::BasicBlock *node) const;

  bool uses_shared = false, uses_warps = false, uses_barriers = false;

private:
  void build_orders();
  void classify();
  void find_wide();
  Known classify(const llvm::Instruction &instruction) const;
  Known join(const llvm::PHINode &phi) const;

  llvm::DenseMap<const llvm::Value *, Known> known_;
  llvm::DenseMap<const llvm::Loop *, std::vector<llvm::BasicBlock *>> orders_;
  mutable llvm::DenseMap<const llvm::Value *, Extension> extensions_;
  llvm::DenseSet<const llvm::Value *> wide_;
  mutable llvm::DenseMap<std::pair<const llvm::Loop *, const llvm::BasicBlock *>, bool>
      uniform_exits_;
};

/// Turns phis and selects of pointers into one object into phis and selects of byte offsets, so
/// that bumped and chosen pointers are addresses like all others.
bool pointers_to_offsets(llvm::Function &function);
/// Pointers that are loaded, chosen by lanes, stored or compared become the numbers of addresses;
/// `inttoptr` is left where memory is accessed.
bool pointers_to_numbers(llvm::Function &function);
/// The shared and local arrays whose addresses, as numbers, may be those that an `inttoptr` takes.
std::vector<const llvm::Value *> arrays_with_addresses(const llvm::Function &function);
/// Comparisons of a choice among constants with a constant become choices among truth values: what
/// Clang's cleanup code and `switch` over a state leave behind.
bool fold_constant_choices(llvm::Function &function);
/// Mathematical functions of constants become their values.
bool fold_constant_math(llvm::Function &function);
/// Data that no host code can name: literals, initial values, static variables of functions,
/// private members of classes.
bool is_nameless(const llvm::GlobalVariable &global);
/// Whether the port itself can hold such data: numbers only, and no host code of the variable's
/// class could ask for it.
bool has_plain_data(const llvm::GlobalVariable &global);
/// Loads from constant tables that belong to the code become values, or local arrays.
bool use_constant_data(llvm::Function &function);
/// Loops around compare-and-swap become one atomic operation where there is one for what they do.
bool raise_compare_swap(llvm::Function &function);
/// Inline PTX that reads a special register becomes the intrinsic for it.
bool replace_assembly(llvm::Function &function);
/// Constant-size memcpy / memset / memmove become loads and stores.
bool expand_memory_intrinsics(llvm::Function &function);
/// Calls that are a few operations, such as __mul24, sincosf or __byte_perm, are written out; those
/// that write through pointers need SROA afterwards. True where anything changed.
bool expand_calls(llvm::Function &function);

} // namespace neuronify::kernel
