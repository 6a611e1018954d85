#include "passes.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <map>

using namespace llvm;

namespace neuronify::reference {

namespace {

bool isShared(const Value *pointer, Function &function) {
  return function.arg_size() >= coordinate_count &&
         getUnderlyingObject(pointer, 0) == coordinate(function, Coordinate::Shared);
}

/// Which shared variable an address is in, as its offset; dynamic and unknown ones are one.
int64_t variableOf(const Value *pointer, const Value *shared) {
  const DataLayout &layout = cast<Argument>(shared)->getParent()->getDataLayout();
  while (const auto *element = dyn_cast<GEPOperator>(pointer)) {
    APInt offset(layout.getIndexTypeSizeInBits(element->getType()), 0);
    pointer = element->getPointerOperand();
    if (pointer == shared && element->accumulateConstantOffset(layout, offset))
      return offset.getSExtValue();
  }
  return 0;
}

/// Accesses to shared memory with no barrier behind them, by variable: their address, or null for
/// several.
struct Accesses {
  std::map<int64_t, const Value *> stored, loaded;

  static void add(std::map<int64_t, const Value *> &to, int64_t variable, const Value *address) {
    auto [found, is_new] = to.try_emplace(variable, address);
    if (!is_new && found->second != address)
      found->second = nullptr;
  }
  void merge(const Accesses &other) {
    for (auto [variable, address] : other.stored)
      add(stored, variable, address);
    for (auto [variable, address] : other.loaded)
      add(loaded, variable, address);
  }
  /// An address that `block` computes is another one from here on.
  void enter(const BasicBlock &block) {
    for (auto *side : {&stored, &loaded})
      for (auto &[variable, address] : *side)
        if (const auto *instruction = dyn_cast_or_null<Instruction>(address);
            instruction && instruction->getParent() == &block)
          address = nullptr;
  }
  bool operator==(const Accesses &) const = default;
};

/// Finds where a lane may depend on what other lanes of its warp have done without a barrier: it
/// reads what they have written, or, in kernels without barriers, writes what they have read.
class WarpSynchronous {
public:
  explicit WarpSynchronous(Function &function)
      : function_(function), shared_(coordinate(function, Coordinate::Shared)) {
    for (Instruction &instruction : instructions(function))
      has_barriers_ |= meets(instruction);
  }

  std::vector<Instruction *> find() {
    ReversePostOrderTraversal<Function *> order(&function_);
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *block : order) {
        Accesses now = before(*block);
        for (Instruction &instruction : *block)
          pass(instruction, now, nullptr);
        changed |= !(now == after_[block]);
        after_[block] = std::move(now);
      }
    }
    std::vector<Instruction *> found;
    for (BasicBlock *block : order) {
      Accesses now = before(*block);
      for (Instruction &instruction : *block)
        pass(instruction, now, &found);
    }
    return found;
  }

private:
  static bool meets(const Instruction &instruction) {
    const auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().starts_with("neuronify_wait_");
  }

  Accesses before(const BasicBlock &block) {
    Accesses result;
    for (const BasicBlock *predecessor : predecessors(&block))
      result.merge(after_[predecessor]);
    result.enter(block);
    return result;
  }

  static bool elsewhere(const std::map<int64_t, const Value *> &accesses, int64_t variable,
                        const Value *address) {
    auto found = accesses.find(variable);
    return found != accesses.end() && found->second != address;
  }

  void pass(Instruction &instruction, Accesses &now, std::vector<Instruction *> *found) {
    if (meets(instruction))
      now = {};
    const Value *address = getLoadStorePointerOperand(&instruction);
    if (!address || !isShared(address, function_))
      return;
    const int64_t variable = variableOf(address, shared_);
    const bool loads = isa<LoadInst>(instruction);
    if (loads ? elsewhere(now.stored, variable, address)
              : !has_barriers_ && elsewhere(now.loaded, variable, address)) {
      if (found)
        found->push_back(&instruction);
      now = {};
    }
    Accesses::add(loads ? now.loaded : now.stored, variable, address);
  }

  Function &function_;
  const Value *shared_;
  bool has_barriers_ = false;
  std::map<const BasicBlock *, Accesses> after_;
};

void converge(Instruction &at, const DebugLoc &location) {
  Module &module = *at.getModule();
  IRBuilder<> builder(&at);
  builder.SetCurrentDebugLocation(location);
  FunctionCallee converge =
      module.getOrInsertFunction("neuronify_wait_converge", builder.getInt32Ty(),
                                 builder.getPtrTy(), builder.getInt32Ty(), builder.getInt32Ty());
  builder.CreateCall(converge, {coordinate(*at.getFunction(), Coordinate::Context),
                                linearThread(builder), builder.getInt32(0)});
}

} // namespace

void keepLockStep(Module &module) {
  std::vector<StoreInst *> stores;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *store = dyn_cast<StoreInst>(&instruction);
          store && store->isVolatile() && isShared(store->getPointerOperand(), function))
        stores.push_back(store);
  for (StoreInst *store : stores) {
    converge(*store, store->getDebugLoc());
    converge(*store->getNextNode(), store->getDebugLoc());
  }

  std::vector<Instruction *> accesses;
  for (Function &function : module)
    if (!function.isDeclaration() && function.arg_size() >= coordinate_count)
      append_range(accesses, WarpSynchronous(function).find());
  for (Instruction *access : accesses)
    converge(*access, access->getDebugLoc());
}

} // namespace neuronify::reference
