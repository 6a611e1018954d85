#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

using namespace llvm;

namespace neuronify::reference {

namespace {

std::vector<Type *> coordinateTypes(LLVMContext &context) {
  std::vector<Type *> types(coordinate_count, Type::getInt32Ty(context));
  for (Coordinate pointer : {Coordinate::Shared, Coordinate::Symbols, Coordinate::Context})
    types[unsigned(pointer)] = PointerType::getUnqual(context);
  return types;
}

FunctionType *withCoordinates(FunctionType *type) {
  std::vector<Type *> parameters = type->params().vec();
  append_range(parameters, coordinateTypes(type->getContext()));
  return FunctionType::get(type->getReturnType(), parameters, false);
}

/// A function's type cannot change: its body moves to a new one.
Function *extended(Function &old) {
  Function *function = Function::Create(withCoordinates(old.getFunctionType()), old.getLinkage(),
                                        "", old.getParent());
  function->takeName(&old);
  function->setAttributes(old.getAttributes());
  function->setSubprogram(old.getSubprogram());
  old.setSubprogram(nullptr);
  function->splice(function->begin(), &old);
  for (auto [before, after] : zip(old.args(), function->args())) {
    before.replaceAllUsesWith(&after);
    after.takeName(&before);
  }
  old.replaceAllUsesWith(function);
  old.eraseFromParent();
  return function;
}

// All functions with a body take coordinates, so whatever an indirect call reaches does too.
bool takesCoordinates(const CallBase &call) {
  if (call.isInlineAsm())
    return false;
  const Function *callee = call.getCalledFunction();
  return !callee || !callee->isDeclaration();
}

void passCoordinates(CallBase &call, Function &caller) {
  std::vector<Value *> arguments(call.arg_begin(), call.arg_end());
  for (unsigned i = 0; i < coordinate_count; ++i)
    arguments.push_back(coordinate(caller, Coordinate(i)));
  auto *replacement = CallInst::Create(withCoordinates(call.getFunctionType()),
                                       call.getCalledOperand(), arguments, "", call.getIterator());
  replacement->setAttributes(call.getAttributes());
  replacement->setDebugLoc(call.getDebugLoc());
  replacement->takeName(&call);
  call.replaceAllUsesWith(replacement);
  call.eraseFromParent();
}

/// The coordinate that a special register holds, or none.
std::optional<Coordinate> coordinateOf(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return Coordinate::ThreadX;
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return Coordinate::ThreadY;
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return Coordinate::ThreadZ;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return Coordinate::BlockX;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return Coordinate::BlockY;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return Coordinate::BlockZ;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return Coordinate::BlockSizeX;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return Coordinate::BlockSizeY;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return Coordinate::BlockSizeZ;
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return Coordinate::GridX;
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return Coordinate::GridY;
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return Coordinate::GridZ;
  default:
    return std::nullopt;
  }
}

} // namespace

Value *coordinate(Function &function, Coordinate coordinate) {
  return function.getArg(function.arg_size() - coordinate_count + unsigned(coordinate));
}

Value *linearThread(IRBuilderBase &builder) {
  Function &function = *builder.GetInsertBlock()->getParent();
  auto at = [&](Coordinate which) { return coordinate(function, which); };
  Value *row = builder.CreateMul(at(Coordinate::ThreadZ), at(Coordinate::BlockSizeY));
  row = builder.CreateAdd(row, at(Coordinate::ThreadY));
  Value *thread = builder.CreateMul(row, at(Coordinate::BlockSizeX));
  return builder.CreateAdd(thread, at(Coordinate::ThreadX));
}

void addCoordinates(Module &module) {
  std::vector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *&function : functions)
    function = extended(*function);

  for (Function *function : functions)
    for (Instruction &instruction : make_early_inc_range(instructions(*function))) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call)
        continue;
      if (std::optional<Coordinate> which = coordinateOf(call->getIntrinsicID())) {
        call->replaceAllUsesWith(coordinate(*function, *which));
        call->eraseFromParent();
      } else if (takesCoordinates(*call)) {
        passCoordinates(*call, *function);
      }
    }
}

} // namespace neuronify::reference
