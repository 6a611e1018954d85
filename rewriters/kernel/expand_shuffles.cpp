// Shuffles that the tile program does not have become ones by lane number over the whole warp:
// those that stop at a lane inside of a segment, and those whose segments or distances only the
// chip or the lanes know. Which lane is arithmetic, mostly of what the launch knows.
#include "frontend/shuffles.h"
#include "kernel/analysis.h"
#include "kernel/rewrites.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/KnownBits.h>

using namespace llvm;

namespace neuronify::kernel {

namespace {

/// "up" of `llvm.nvvm.shfl.sync.up.i32`; empty for other calls.
StringRef mode_of(const CallInst &call) {
  const Function *function = call.getCalledFunction();
  StringRef name = function ? function->getName() : "";
  if (!name.consume_front("llvm.nvvm.shfl.sync.") || name.ends_with("p"))
    return "";
  return name.split('.').first;
}

/// Whether the operand says the last lane of the segment, or its first one, as C++ code does.
bool goes_to_the_end(const Value *clamp, StringRef mode, const DataLayout &layout) {
  const KnownBits bits = computeKnownBits(clamp, layout);
  return (mode == "up" ? bits.Zero : bits.One).extractBits(5, 0).isAllOnes();
}

bool is_plain(const CallInst &call, StringRef mode, const Analysis *analysis) {
  const Value *lane = call.getArgOperand(2), *clamp = call.getArgOperand(3);
  if (!goes_to_the_end(clamp, mode, call.getDataLayout()))
    return false;
  auto known = [&](const Value *value) {
    return isa<Constant>(value) ? Known::host : analysis ? analysis->known(value) : Known::chip;
  };
  return known(clamp) == Known::host && (mode == "idx" || known(lane) != Known::chip);
}

void expand(CallInst &call, StringRef mode) {
  IRBuilder<> builder(&call);
  const frontend::ShuffleSource source =
      frontend::source_of_shuffle(builder, mode, call.getArgOperand(2), call.getArgOperand(3));
  Value *lane = builder.CreateSelect(source.in_segment, source.from, source.own);
  const Intrinsic::ID by_number = call.getType()->isFloatTy() ? Intrinsic::nvvm_shfl_sync_idx_f32
                                                              : Intrinsic::nvvm_shfl_sync_idx_i32;
  Value *result = builder.CreateIntrinsic(
      by_number, {call.getArgOperand(0), call.getArgOperand(1), lane, builder.getInt32(31)});
  result->takeName(&call);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

bool expand_shuffles(Function &function) {
  SmallVector<CallInst *, 8> shuffles;
  bool any = false;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && !mode_of(*call).empty()) {
      shuffles.push_back(call);
      any |= !is_plain(*call, mode_of(*call), nullptr);
    }
  if (!any)
    return false;
  SmallVector<CallInst *, 8> found;
  {
    const Analysis analysis(function);
    for (CallInst *call : shuffles)
      if (!is_plain(*call, mode_of(*call), &analysis))
        found.push_back(call);
  }
  for (CallInst *call : found)
    expand(*call, mode_of(*call));
  return !found.empty();
}

} // namespace neuronify::kernel
