#include "frontend/shuffles.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace neuronify::frontend {

using llvm::StringRef;
using llvm::Value;

Value *shuffled(llvm::IRBuilder<> &builder, StringRef mode, Value *value, Value *lane, Value *clamp,
                Value *members) {
  const auto function = llvm::StringSwitch<llvm::Intrinsic::ID>(mode)
                            .Case("up", llvm::Intrinsic::nvvm_shfl_sync_up_i32)
                            .Case("down", llvm::Intrinsic::nvvm_shfl_sync_down_i32)
                            .Case("bfly", llvm::Intrinsic::nvvm_shfl_sync_bfly_i32)
                            .Case("idx", llvm::Intrinsic::nvvm_shfl_sync_idx_i32)
                            .Default(llvm::Intrinsic::not_intrinsic);
  if (function == llvm::Intrinsic::not_intrinsic)
    return nullptr;
  return builder.CreateIntrinsic(function, {members, value, lane, clamp});
}

ShuffleSource source_of_shuffle(llvm::IRBuilder<> &builder, StringRef mode, Value *lane,
                                Value *clamp) {
  Value *own = builder.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  Value *by = builder.CreateAnd(lane, 31);
  Value *segment = builder.CreateAnd(builder.CreateLShr(clamp, 8), 31);
  Value *inside = builder.CreateNot(segment);
  Value *first = builder.CreateAnd(own, segment);
  Value *last = builder.CreateOr(first, builder.CreateAnd(builder.CreateAnd(clamp, 31), inside));
  Value *from = mode == "up"     ? builder.CreateSub(own, by)
                : mode == "down" ? builder.CreateAdd(own, by)
                : mode == "bfly" ? builder.CreateXor(own, by)
                                 : builder.CreateOr(first, builder.CreateAnd(by, inside));
  Value *in_segment =
      mode == "up" ? builder.CreateICmpSGE(from, last) : builder.CreateICmpSLE(from, last);
  return {own, from, in_segment};
}

} // namespace neuronify::frontend
