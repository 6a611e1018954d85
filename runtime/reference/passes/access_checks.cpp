#include "device/operations.h"
#include "passes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace neuronify::reference {

namespace {

/// One read or write of `size` bytes at `address`.
struct Access {
  Value *address;
  Value *size;
  uint32_t flags;
  Value *stored = nullptr; ///< what a plain store writes
};

/// A thread's own locals, its copy of a by-value parameter and the symbol table need no check.
bool isOwn(const Value *address) {
  const Value *object = getUnderlyingObject(address, 0);
  if (isa<AllocaInst>(object))
    return true;
  const auto *parameter = dyn_cast<Argument>(object);
  return parameter && (parameter->hasByValAttr() ||
                       parameter == coordinate(*const_cast<Function *>(parameter->getParent()),
                                               Coordinate::Symbols));
}

class CheckInserter {
public:
  CheckInserter(Module &module, std::vector<Site> &sites) : module_(module), sites_(sites) {
    LLVMContext &context = module.getContext();
    Type *pointer = PointerType::getUnqual(context), *word = Type::getInt32Ty(context);
    check_ =
        module.getOrInsertFunction("neuronify_check_access", Type::getInt1Ty(context), pointer,
                                   word, word, pointer, Type::getInt64Ty(context), word, pointer);
    cast<Function>(check_.getCallee())->addRetAttr(Attribute::ZExt);
  }

  void insert(Instruction &instruction) {
    std::vector<Access> accesses = accessesOf(instruction);
    erase_if(accesses, [](const Access &access) { return isOwn(access.address); });
    if (accesses.empty())
      return;
    IRBuilder<> builder(&instruction);
    Value *allowed = nullptr;
    for (const Access &access : accesses) {
      Value *this_one = callCheck(builder, access, instruction);
      allowed = allowed ? builder.CreateAnd(allowed, this_one) : this_one;
    }
    guard(instruction, allowed);
  }

private:
  std::vector<Access> accessesOf(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    const DataLayout &layout = module_.getDataLayout();
    auto sizeOf = [&](Type *type) { return builder.getInt64(layout.getTypeStoreSize(type)); };
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return {{load->getPointerOperand(), sizeOf(load->getType()),
               load->isAtomic() ? AccessAtomic : 0u}};
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      Value *value = store->getValueOperand();
      return {{store->getPointerOperand(), sizeOf(value->getType()),
               AccessWrite | (store->isAtomic() ? AccessAtomic : 0u), value}};
    }
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return {{update->getPointerOperand(), sizeOf(update->getType()), AccessWrite | AccessAtomic}};
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return {{exchange->getPointerOperand(), sizeOf(exchange->getNewValOperand()->getType()),
               AccessWrite | AccessAtomic}};
    auto *bulk = dyn_cast<MemIntrinsic>(&instruction);
    if (!bulk)
      return {};
    Value *size = builder.CreateZExtOrTrunc(bulk->getLength(), builder.getInt64Ty());
    std::vector<Access> accesses = {{bulk->getRawDest(), size, AccessWrite | AccessBulk}};
    if (auto *transfer = dyn_cast<MemTransferInst>(bulk))
      accesses.push_back({transfer->getRawSource(), size, AccessBulk});
    return accesses;
  }

  Value *callCheck(IRBuilder<> &builder, const Access &access, Instruction &instruction) {
    Function &function = *instruction.getFunction();
    Value *stored = ConstantPointerNull::get(builder.getPtrTy());
    if (access.stored) {
      IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
      stored = entry.CreateAlloca(access.stored->getType());
      builder.CreateStore(access.stored, stored);
    }
    Value *address = builder.CreateAddrSpaceCast(access.address, builder.getPtrTy());
    CallInst *call = builder.CreateCall(
        check_, {coordinate(function, Coordinate::Context), linearThread(builder),
                 builder.getInt32(siteOf(instruction, sites_)), address, access.size,
                 builder.getInt32(access.flags), stored});
    call->addRetAttr(Attribute::ZExt);
    return call;
  }

  /// Runs `instruction` only where `allowed`; a load that may not happen yields zero.
  static void guard(Instruction &instruction, Value *allowed) {
    BasicBlock *before = instruction.getParent();
    Instruction *end = SplitBlockAndInsertIfThen(allowed, &instruction, false);
    instruction.moveBefore(end->getIterator());
    if (instruction.getType()->isVoidTy())
      return;
    BasicBlock *after = end->getSuccessor(0);
    IRBuilder<> builder(after, after->begin());
    PHINode *result = builder.CreatePHI(instruction.getType(), 2);
    instruction.replaceAllUsesWith(result);
    result->addIncoming(&instruction, instruction.getParent());
    result->addIncoming(Constant::getNullValue(instruction.getType()), before);
  }

  Module &module_;
  std::vector<Site> &sites_;
  FunctionCallee check_;
};

} // namespace

void insertAccessChecks(Module &module, std::vector<Site> &sites) {
  CheckInserter inserter(module, sites);
  for (Function &function : module) {
    // Only functions with coordinates: the kernel, and what could not be inlined into it.
    if (function.isDeclaration() || function.arg_size() < coordinate_count ||
        function.hasFnAttribute(Attribute::StrictFP))
      continue;
    std::vector<Instruction *> candidates;
    for (Instruction &instruction : instructions(function))
      if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst, MemIntrinsic>(instruction))
        candidates.push_back(&instruction);
    for (Instruction *instruction : candidates)
      inserter.insert(*instruction);
  }
}

} // namespace neuronify::reference
