#include "passes.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace neuronify::reference {

namespace {

// By-value parameters and struct returns are how arguments travel; every other attribute is a
// promise (nonnull, noalias, range, align, memory, convergent) that a faulty program may break, or
// that means something else on the host.
AttributeList keepArgumentPassing(LLVMContext &context, AttributeList list, unsigned arguments) {
  AttributeList kept;
  for (unsigned i = 0; i < arguments; ++i) {
    AttributeSet set = list.getParamAttrs(i);
    AttrBuilder builder(context);
    if (Type *type = set.getByValType()) {
      builder.addByValAttr(type);
      builder.addAlignmentAttr(set.getAlignment());
    } else if (Type *type = set.getStructRetType()) {
      builder.addStructRetAttr(type);
    }
    kept = kept.addParamAttributes(context, i, builder);
  }
  return kept;
}

bool isOnlyAHint(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::prefetch:
  case Intrinsic::var_annotation:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
  case Intrinsic::pseudoprobe:
    return true;
  default:
    return false;
  }
}

// Host memory accesses fault where the device would have been content with an element's alignment.
void forgetAlignment(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction); load && !load->isAtomic())
    load->setAlignment(Align(1));
  if (auto *store = dyn_cast<StoreInst>(&instruction); store && !store->isAtomic())
    store->setAlignment(Align(1));
  if (auto *copy = dyn_cast<MemIntrinsic>(&instruction)) {
    copy->setDestAlignment(Align(1));
    if (auto *transfer = dyn_cast<MemTransferInst>(copy))
      transfer->setSourceAlignment(Align(1));
  }
}

void retargetFunction(Function &function) {
  LLVMContext &context = function.getContext();
  function.setAttributes(
      keepArgumentPassing(context, function.getAttributes(), function.arg_size()));
  function.setCallingConv(CallingConv::C);
  function.addFnAttr(Attribute::NoUnwind);
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (isOnlyAHint(instruction)) {
      instruction.eraseFromParent();
      continue;
    }
    instruction.dropUnknownNonDebugMetadata();
    forgetAlignment(instruction);
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || isa<IntrinsicInst>(call))
      continue;
    call->setCallingConv(CallingConv::C);
    call->setAttributes(keepArgumentPassing(context, call->getAttributes(), call->arg_size()));
    if (auto *plain = dyn_cast<CallInst>(call))
      plain->setTailCallKind(CallInst::TCK_None);
  }
}

} // namespace

void retarget(Module &module, const Triple &triple, const DataLayout &layout) {
  stripNonLineTableDebugInfo(module);
  module.setTargetTriple(triple);
  module.setDataLayout(layout);
  module.setModuleInlineAsm("");
  for (Function &function : module)
    if (!function.isIntrinsic())
      retargetFunction(function);
  // The runner's own functions may be anywhere in memory.
  for (GlobalValue &value : module.global_values())
    if (!value.hasLocalLinkage())
      value.setDSOLocal(false);
  // Module flags speak of the device ("nvvm-reflect-ftz") except for debug information's own.
  if (NamedMDNode *flags = module.getModuleFlagsMetadata())
    flags->eraseFromParent();
  module.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

} // namespace neuronify::reference
