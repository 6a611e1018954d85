// Constant tables of the code itself (initial values of local arrays, string-free lookup tables):
// loads from known places become their values, and a table that is indexed becomes a local array.
#include "frontend/frontend.h"
#include "kernel/analysis.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

constexpr uint64_t kLargest = 1024; // bytes a lane may hold of its own

bool is_private_table(const GlobalVariable &global) {
  return global.isConstant() && global.hasDefinitiveInitializer() && is_nameless(global);
}

Value *as_array(Function &function, GlobalVariable &global, uint64_t size) {
  const DataLayout &layout = function.getDataLayout();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  auto *array = builder.CreateAlloca(global.getValueType(), nullptr, "table");
  const uint64_t bytes = size % 4 == 0 ? 4 : 1;
  Type *type = builder.getIntNTy(unsigned(bytes * 8));
  for (uint64_t at = 0; at < size; at += bytes) {
    Constant *value =
        ConstantFoldLoadFromConst(global.getInitializer(), type, APInt(64, at), layout);
    if (!value || isa<UndefValue>(value))
      continue;
    builder.CreateStore(value, builder.CreateConstGEP1_64(builder.getInt8Ty(), array, at));
  }
  return array;
}

/// Replaces `global` by `array` in the addresses that lead to `pointer`.
Value *rebase(Value *pointer, GlobalVariable &global, Value *array, Instruction *at) {
  if (pointer == &global)
    return array;
  if (auto *gep = dyn_cast<GEPOperator>(pointer)) {
    IRBuilder<> builder(at);
    SmallVector<Value *, 4> indices(gep->indices());
    return builder.CreateGEP(gep->getSourceElementType(),
                             rebase(gep->getPointerOperand(), global, array, at), indices);
  }
  if (Operator::getOpcode(pointer) == Instruction::AddrSpaceCast)
    return rebase(cast<Operator>(pointer)->getOperand(0), global, array, at);
  return nullptr;
}

} // namespace

bool is_nameless(const GlobalVariable &global) {
  return global.hasPrivateLinkage() || global.getName().starts_with("__const") ||
         global.getName().starts_with("_ZZ") || global.hasAttribute(frontend::kNameless);
}

static bool is_plain(const Constant &value) {
  if (isa<ConstantInt, ConstantFP, ConstantDataSequential, ConstantAggregateZero, UndefValue>(
          value))
    return true;
  return isa<ConstantAggregate>(value) && all_of(value.operands(), [](const Use &element) {
           return is_plain(*cast<Constant>(element));
         });
}

bool has_plain_data(const GlobalVariable &global) {
  return global.hasInitializer() && !global.isThreadLocal() &&
         global.getAttribute(frontend::kNameless).getValueAsString() != frontend::kOfClass &&
         is_plain(*global.getInitializer());
}

bool use_constant_data(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<LoadInst *, 8> folded, indexed;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (auto *global =
              dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand(), 0));
          global && is_private_table(*global)) {
        APInt offset(64, 0);
        const Value *base =
            load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
        Constant *value = base == global
                              ? ConstantFoldLoadFromConst(global->getInitializer(), load->getType(),
                                                          offset, layout)
                              : nullptr;
        if (value) {
          load->replaceAllUsesWith(value);
          folded.push_back(load);
        } else {
          indexed.push_back(load);
        }
      }
  DenseMap<GlobalVariable *, Value *> arrays;
  for (LoadInst *load : indexed) {
    auto *global = cast<GlobalVariable>(
        const_cast<Value *>(getUnderlyingObject(load->getPointerOperand(), 0)));
    const uint64_t size = layout.getTypeAllocSize(global->getValueType());
    if (size > kLargest)
      continue;
    Value *&array = arrays[global];
    if (!array)
      array = as_array(function, *global, size);
    if (Value *pointer = rebase(load->getPointerOperand(), *global, array, load))
      load->setOperand(0, pointer);
  }
  for (LoadInst *load : folded)
    load->eraseFromParent();
  return !folded.empty() || !arrays.empty();
}

} // namespace neuronify::kernel
