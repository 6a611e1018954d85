#include "frame.h"
#include "passes.h"

#include <llvm/IR/IRBuilder.h>

#include <array>

using namespace llvm;

namespace neuronify::reference {

namespace {

/// Builds the function that the runner calls.
class EntryBuilder {
public:
  EntryBuilder(Module &module, Function &kernel, bool waits)
      : module_(module), kernel_(kernel), waits_(waits), builder_(module.getContext()) {}

  void build() {
    Type *pointer = builder_.getPtrTy(), *word = builder_.getInt32Ty();
    std::vector<Type *> parameters = {pointer};
    if (waits_)
      parameters.insert(parameters.end(), 3, word);
    entry_ = Function::Create(FunctionType::get(builder_.getVoidTy(), parameters, false),
                              GlobalValue::ExternalLinkage, entry_name, module_);
    entry_->addFnAttr(Attribute::NoUnwind);
    builder_.SetInsertPoint(BasicBlock::Create(module_.getContext(), "entry", entry_));
    loadArguments();
    loadCoordinates();
    if (waits_)
      callKernel({entry_->getArg(1), entry_->getArg(2), entry_->getArg(3)});
    else
      loop(2, {});
    builder_.CreateRetVoid();
  }

private:
  Value *field(Type *type, size_t offset) {
    Value *address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), entry_->getArg(0), offset);
    return builder_.CreateLoad(type, address);
  }

  void loadArguments() {
    Value *addresses = field(builder_.getPtrTy(), offsetof(Frame, arguments));
    unsigned own = kernel_.arg_size() - coordinate_count;
    for (unsigned i = 0; i < own; ++i) {
      Value *slot = builder_.CreateConstGEP1_64(builder_.getPtrTy(), addresses, i);
      Value *address = builder_.CreateLoad(builder_.getPtrTy(), slot);
      arguments_.push_back(loadArgument(*kernel_.getArg(i), address));
    }
  }

  /// The host's copy of an argument may be less aligned than the kernel expects.
  Value *loadArgument(Argument &parameter, Value *address) {
    if (parameter.hasByValAttr()) {
      Type *type = parameter.getParamByValType();
      AllocaInst *copy = builder_.CreateAlloca(type);
      copy->setAlignment(parameter.getParamAlign().value_or(Align(16)));
      builder_.CreateMemCpy(copy, copy->getAlign(), address, Align(1),
                            module_.getDataLayout().getTypeAllocSize(type));
      return copy;
    }
    if (parameter.getType()->isIntegerTy(1)) // bool: a byte on the host
      return builder_.CreateTrunc(builder_.CreateLoad(builder_.getInt8Ty(), address),
                                  builder_.getInt1Ty());
    return builder_.CreateAlignedLoad(parameter.getType(), address, Align(1));
  }

  void loadCoordinates() {
    coordinates_.resize(coordinate_count);
    auto triple = [&](Coordinate first, size_t offset) {
      for (unsigned i = 0; i < 3; ++i)
        coordinates_[unsigned(first) + i] = field(builder_.getInt32Ty(), offset + 4 * i);
    };
    triple(Coordinate::BlockX, offsetof(Frame, block_index));
    triple(Coordinate::BlockSizeX, offsetof(Frame, block_size));
    triple(Coordinate::GridX, offsetof(Frame, grid_size));
    auto pointer = [&](Coordinate which, size_t offset) {
      coordinates_[unsigned(which)] = field(builder_.getPtrTy(), offset);
    };
    pointer(Coordinate::Shared, offsetof(Frame, shared));
    pointer(Coordinate::Symbols, offsetof(Frame, symbols));
    pointer(Coordinate::Context, offsetof(Frame, context));
  }

  void callKernel(std::array<Value *, 3> thread) {
    std::vector<Value *> arguments = arguments_;
    for (unsigned i = 0; i < coordinate_count; ++i)
      arguments.push_back(i < 3 ? thread[i] : coordinates_[i]);
    CallInst *call = builder_.CreateCall(&kernel_, arguments);
    call->setAttributes(kernel_.getAttributes().removeFnAttributes(module_.getContext()));
  }

  /// for (i = 0; i < block_size[axis]; ++i), z outside, x inside; sizes are at least one.
  void loop(int axis, std::array<Value *, 3> thread) {
    if (axis < 0)
      return callKernel(thread);
    BasicBlock *before = builder_.GetInsertBlock();
    BasicBlock *body = BasicBlock::Create(module_.getContext(), "thread", entry_);
    builder_.CreateBr(body);
    builder_.SetInsertPoint(body);
    PHINode *index = builder_.CreatePHI(builder_.getInt32Ty(), 2);
    index->addIncoming(builder_.getInt32(0), before);
    thread[axis] = index;
    loop(axis - 1, thread);
    Value *next = builder_.CreateAdd(index, builder_.getInt32(1), "", true, true);
    index->addIncoming(next, builder_.GetInsertBlock());
    BasicBlock *after = BasicBlock::Create(module_.getContext(), "", entry_);
    Value *more =
        builder_.CreateICmpULT(next, coordinates_[unsigned(Coordinate::BlockSizeX) + axis]);
    builder_.CreateCondBr(more, body, after);
    builder_.SetInsertPoint(after);
  }

  Module &module_;
  Function &kernel_;
  bool waits_;
  IRBuilder<> builder_;
  Function *entry_ = nullptr;
  std::vector<Value *> arguments_, coordinates_;
};

} // namespace

void buildEntry(Module &module, Function &kernel, bool waits) {
  kernel.setLinkage(GlobalValue::InternalLinkage);
  kernel.addFnAttr(Attribute::AlwaysInline);
  EntryBuilder(module, kernel, waits).build();
}

} // namespace neuronify::reference
