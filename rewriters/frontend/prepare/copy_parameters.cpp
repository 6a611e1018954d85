#include "frontend/prepare/passes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace neuronify::frontend {

ParameterUses parameter_uses(const llvm::Argument &parameter) {
  ParameterUses result;
  llvm::SmallVector<const llvm::Value *, 16> work = {&parameter};
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  while (!work.empty()) {
    const llvm::Value *address = work.pop_back_val();
    if (!seen.insert(address).second)
      continue;
    for (const llvm::User *user : address->users()) {
      if (const auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        result.computed_index |= !element->hasAllConstantIndices();
        work.push_back(element);
      } else if (llvm::isa<llvm::AddrSpaceCastInst>(user)) {
        work.push_back(user);
      } else if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        result.only_read &= !load->isVolatile();
      } else if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
        result.only_read &= copy->getRawDest() != address;
      } else if (!llvm::isa<llvm::LifetimeIntrinsic>(user)) {
        result.only_read = false;
      }
    }
  }
  return result;
}

namespace {

void copy_parameter(llvm::Argument &parameter) {
  llvm::Function &kernel = *parameter.getParent();
  const llvm::DataLayout &layout = kernel.getDataLayout();
  llvm::Type *type = parameter.getParamByValType();
  const llvm::Align align = parameter.getParamAlign().value_or(layout.getABITypeAlign(type));
  llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst *copy = builder.CreateAlloca(type, nullptr, parameter.getName() + ".copy");
  copy->setAlignment(align);
  llvm::Value *address = copy;
  if (copy->getType() != parameter.getType())
    address = builder.CreateAddrSpaceCast(copy, parameter.getType());
  parameter.replaceAllUsesWith(address);
  builder.CreateMemCpy(address, align, &parameter, align, layout.getTypeAllocSize(type));
}

} // namespace

void copy_parameters(llvm::Function &kernel) {
  for (llvm::Argument &parameter : kernel.args()) {
    if (!parameter.hasByValAttr())
      continue;
    const ParameterUses uses = parameter_uses(parameter);
    if (!(uses.only_read && uses.computed_index))
      copy_parameter(parameter);
  }
}

} // namespace neuronify::frontend
