#include "frontend/assembly_carry.h"

#include "frontend/assembly_text.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace neuronify::frontend {

namespace {

/// What the statements of a function do with the flag.
struct CarryUse {
  bool takes = false; ///< one begins with what another has left
  bool leaves = false;
};

CarryUse use_of(const llvm::Function &function) {
  CarryUse use;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !call->isInlineAsm())
      continue;
    const llvm::StringRef text =
        llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString();
    bool set = false;
    for (const Line &line : parse(text)) {
      use.takes |= !set && (line.name == "addc" || line.name == "subc" || line.name == "madc");
      set |= line.has("cc");
    }
    use.leaves |= set;
  }
  return use;
}

bool calls_itself(const llvm::Function &function) {
  return llvm::any_of(function.users(), [&](const llvm::User *user) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    return call && call->getFunction() == &function;
  });
}

} // namespace

void inline_carry_functions(llvm::Module &module) {
  if (llvm::none_of(module, [](const llvm::Function &f) { return use_of(f).takes; }))
    return;
  constexpr int most_levels = 32; // of functions that call each other
  bool changed = true;
  for (int level = 0; changed && level < most_levels; ++level) {
    changed = false;
    for (llvm::Function &function : module) {
      if (function.size() != 1 || calls_itself(function))
        continue;
      const CarryUse use = use_of(function);
      if (!use.takes && !use.leaves)
        continue;
      for (llvm::User *user : llvm::make_early_inc_range(function.users()))
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(user);
            call && call->getCalledFunction() == &function) {
          llvm::InlineFunctionInfo info;
          changed |= llvm::InlineFunction(*call, info).isSuccess();
        }
    }
  }
}

CarryFlag::CarryFlag(llvm::Function &function) : function_(function) {
  const CarryUse use = use_of(function);
  crosses_ = use.takes && use.leaves;
}

llvm::Value *CarryFlag::place() {
  if (!place_) {
    llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    place_ = entry.CreateAlloca(entry.getInt1Ty(), nullptr, "carry");
    entry.CreateStore(entry.getFalse(), place_);
  }
  return place_;
}

llvm::Value *CarryFlag::read(llvm::IRBuilder<> &builder) {
  llvm::Value *from = place();
  return builder.CreateLoad(builder.getInt1Ty(), from);
}

void CarryFlag::write(llvm::IRBuilder<> &builder, llvm::Value *carry) {
  llvm::Value *to = place();
  builder.CreateStore(carry, to);
}

} // namespace neuronify::frontend
