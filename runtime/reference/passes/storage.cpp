#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

namespace neuronify::reference {

namespace {

// Address spaces of NVPTX.
constexpr unsigned global_space = 1, shared_space = 3, constant_space = 4;

/// Replaces every use of `variable` by what `address` builds in the using function's entry.
template <class Build> void replaceByAddress(GlobalVariable &variable, Build address) {
  convertUsersOfConstantsToInstructions({&variable});
  std::map<Function *, Value *> addresses;
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue; // the initial value of another global: see removeOrDeclare
    Function *function = user->getFunction();
    Value *&value = addresses[function];
    if (!value) {
      IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
      value = builder.CreateAddrSpaceCast(address(builder, *function), variable.getType());
    }
    use.set(value);
  }
}

/// A variable whose address some constant data holds cannot be replaced there. As a declaration it
/// is reported by linkDeviceLibrary.
void removeOrDeclare(GlobalVariable &variable) {
  variable.removeDeadConstantUsers();
  if (variable.use_empty())
    return variable.eraseFromParent();
  variable.setInitializer(nullptr);
  variable.setLinkage(GlobalValue::ExternalLinkage);
}

} // namespace

size_t placeShared(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  std::vector<GlobalVariable *> fixed, dynamic;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == shared_space)
      (variable.isDeclaration() ? dynamic : fixed).push_back(&variable);

  auto place = [&](GlobalVariable &variable, size_t offset) {
    replaceByAddress(variable, [&](IRBuilder<> &builder, Function &function) {
      return builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                        coordinate(function, Coordinate::Shared), offset,
                                        variable.getName());
    });
    removeOrDeclare(variable);
  };
  size_t size = 0;
  for (GlobalVariable *variable : fixed) {
    size = alignTo(size,
                   variable->getAlign().value_or(layout.getABITypeAlign(variable->getValueType())));
    size_t bytes = layout.getTypeAllocSize(variable->getValueType());
    place(*variable, size);
    size += bytes;
  }
  // `extern __shared__` arrays all start at the same address.
  Align align(16);
  for (GlobalVariable *variable : dynamic)
    align = std::max(align, variable->getAlign().valueOrOne());
  size = alignTo(size, align);
  for (GlobalVariable *variable : dynamic)
    place(*variable, size);
  return size;
}

bool isDeviceVariable(const GlobalVariable &variable) {
  unsigned space = variable.getAddressSpace();
  if (space != global_space && space != constant_space)
    return false;
  // A constant that the host cannot set is plain data.
  return !(variable.isConstant() && variable.hasDefinitiveInitializer());
}

std::vector<size_t> placeVariables(Module &module, const std::map<std::string, size_t> &index) {
  std::vector<size_t> used;
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    auto known = index.find(variable.getName().str());
    if (known == index.end())
      continue;
    used.push_back(known->second);
    replaceByAddress(variable, [&](IRBuilder<> &builder, Function &function) {
      Value *slot = builder.CreateConstGEP1_64(
          builder.getPtrTy(), coordinate(function, Coordinate::Symbols), known->second);
      LoadInst *address = builder.CreateLoad(builder.getPtrTy(), slot, variable.getName());
      address->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(module.getContext(), {}));
      return address;
    });
    removeOrDeclare(variable);
  }
  return used;
}

} // namespace neuronify::reference
