#include "passes.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace neuronify::reference {

namespace {

/// PTX written by hand that has an equal in the device library. Operands follow in order.
const StringMap<StringRef> &knownInstructions() {
  static const StringMap<StringRef> table = {
      {"membar.gl", "nvvm.membar.gl"},
      {"membar.cta", "nvvm.membar.cta"},
      {"membar.sys", "nvvm.membar.sys"},
      {"fence.acq_rel.gpu", "nvvm.membar.gl"},
      {"bar.sync $0, $1", "nvvm.barrier.cta.sync.aligned.count"},
      {"bar.arrive $0, $1", "nvvm.barrier.cta.arrive.aligned.count"},
      {"bar.warp.sync $0", "nvvm.bar.warp.sync"},
      {"nanosleep.u32 $0", "nvvm.nanosleep"},
      {"exit", "nvvm.exit"},
      {"trap", "nvvm.trap"},
      {"mov.u32 $0, %laneid", "nvvm.read.ptx.sreg.laneid"},
      {"mov.u32 $0, %warpid", "nvvm.read.ptx.sreg.warpid"},
      {"mov.u32 $0, %smid", "nvvm.read.ptx.sreg.smid"},
      {"mov.u32 $0, %nsmid", "nvvm.read.ptx.sreg.nsmid"},
      {"mov.u32 $0, %clock", "nvvm.read.ptx.sreg.clock"},
      {"mov.u64 $0, %clock64", "nvvm.read.ptx.sreg.clock64"},
      {"mov.u64 $0, %globaltimer", "nvvm.read.ptx.sreg.globaltimer"},
      {"mov.u32 $0, %lanemask_eq", "nvvm.read.ptx.sreg.lanemask.eq"},
      {"mov.u32 $0, %lanemask_lt", "nvvm.read.ptx.sreg.lanemask.lt"},
      {"mov.u32 $0, %lanemask_le", "nvvm.read.ptx.sreg.lanemask.le"},
      {"mov.u32 $0, %lanemask_gt", "nvvm.read.ptx.sreg.lanemask.gt"},
      {"mov.u32 $0, %lanemask_ge", "nvvm.read.ptx.sreg.lanemask.ge"},
      {"ex2.approx.f32 $0, $1", "nvvm.ex2.approx.f"},
      {"ex2.approx.ftz.f32 $0, $1", "nvvm.ex2.approx.ftz.f"},
      {"lg2.approx.f32 $0, $1", "nvvm.lg2.approx.f"},
      {"rcp.approx.ftz.f32 $0, $1", "nvvm.rcp.approx.ftz.f"},
      {"rcp.rn.f32 $0, $1", "nvvm.rcp.rn.f"},
      {"rsqrt.approx.f32 $0, $1", "nvvm.rsqrt.approx.f"},
      {"sqrt.approx.f32 $0, $1", "nvvm.sqrt.approx.f"},
      {"sqrt.rn.f32 $0, $1", "nvvm.sqrt.rn.f"},
      {"tanh.approx.f32 $0, $1", "nvvm.tanh.approx.f32"},
      {"lg2.approx.ftz.f32 $0, $1", "nvvm.lg2.approx.ftz.f"},
      {"rcp.approx.f32 $0, $1", "nvvm.rcp.rn.f"},
      {"rsqrt.approx.ftz.f32 $0, $1", "nvvm.rsqrt.approx.ftz.f"},
      {"sqrt.approx.ftz.f32 $0, $1", "nvvm.sqrt.approx.ftz.f"},
      {"sin.approx.f32 $0, $1", "nvvm.sin.approx.f"},
      {"cos.approx.f32 $0, $1", "nvvm.cos.approx.f"},
      {"fma.rn.f32 $0, $1, $2, $3", "nvvm.fma.rn.f"},
      {"prmt.b32 $0, $1, $2, $3", "nvvm.prmt"},
  };
  return table;
}

/// One space between words, no statement end.
std::string normalised(StringRef text) {
  SmallVector<StringRef> words;
  SplitString(text, words, " \t\n\r\v\f");
  std::string joined = join(words, " ");
  return StringRef(joined).rtrim("; ").str();
}

/// An empty statement only orders: its one result, if any, is the operand tied to it.
bool removeIfEmpty(CallInst &call) {
  auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  if (!normalised(assembly->getAsmString()).empty())
    return false;
  if (!call.getType()->isVoidTy()) {
    bool tied = call.arg_size() == 1 && call.getArgOperand(0)->getType() == call.getType();
    if (!tied)
      return false;
    call.replaceAllUsesWith(call.getArgOperand(0));
  }
  call.eraseFromParent();
  return true;
}

/// A function of three bits: `table` is its truth table.
void replaceLop3(Module &module, CallInst &call, StringRef table) {
  unsigned rows;
  if (table.getAsInteger(0, rows) || call.arg_size() != 3)
    return;
  IRBuilder<> builder(&call);
  Type *word = builder.getInt32Ty();
  FunctionCallee function = module.getOrInsertFunction((Twine(device_prefix) + "nvvm.lop3").str(),
                                                       word, word, word, word, word);
  Value *result =
      builder.CreateCall(function, {call.getArgOperand(0), call.getArgOperand(1),
                                    call.getArgOperand(2), builder.getInt32(rows & 0xff)});
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

void replaceAssembly(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call || !call->isInlineAsm() || removeIfEmpty(*call))
        continue;
      std::string text = normalised(cast<InlineAsm>(call->getCalledOperand())->getAsmString());
      StringRef name = knownInstructions().lookup(text);
      if (StringRef table = text; table.consume_front("lop3.b32 $0, $1, $2, $3, ")) {
        replaceLop3(module, *call, table);
        continue;
      }
      if (text == "bar.sync 0" || text == "barrier.sync 0") {
        IRBuilder<> builder(call);
        FunctionCallee barrier = module.getOrInsertFunction(
            "nvvm.barrier.cta.sync.aligned.all", builder.getVoidTy(), builder.getInt32Ty());
        builder.CreateCall(barrier, {builder.getInt32(0)});
        call->eraseFromParent();
      } else if (!name.empty()) {
        call->setCalledFunction(
            module.getOrInsertFunction((device_prefix + name).str(), call->getFunctionType()));
      }
    }
}

} // namespace neuronify::reference
