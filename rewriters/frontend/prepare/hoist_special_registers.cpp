#include "frontend/prepare/passes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <map>

namespace neuronify::frontend {

namespace {

/// CUDA's name of a register that is constant for a thread, or "".
llvm::StringRef name_of(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return "threadIdx.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return "threadIdx.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return "threadIdx.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return "blockIdx.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return "blockIdx.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return "blockIdx.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return "blockDim.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return "blockDim.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return "blockDim.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return "gridDim.x";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return "gridDim.y";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return "gridDim.z";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_laneid:
    return "laneid";
  case llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return "warpSize";
  default:
    return "";
  }
}

} // namespace

void hoist_special_registers(llvm::Function &kernel) {
  std::map<llvm::Intrinsic::ID, llvm::SmallVector<llvm::IntrinsicInst *>> reads;
  for (llvm::BasicBlock &block : kernel)
    for (llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        if (!name_of(call->getIntrinsicID()).empty())
          reads[call->getIntrinsicID()].push_back(call);

  llvm::BasicBlock &entry = kernel.getEntryBlock();
  llvm::Instruction *last = nullptr;
  for (auto &[id, calls] : reads) {
    llvm::Instruction *read = calls.front()->clone();
    read->insertInto(&entry,
                     last ? std::next(last->getIterator()) : entry.getFirstNonPHIOrDbgOrAlloca());
    read->setName(name_of(id));
    read->dropLocation(); // it stands for reads on many lines
    for (llvm::IntrinsicInst *call : calls) {
      call->replaceAllUsesWith(read);
      call->eraseFromParent();
    }
    last = read;
  }
}

} // namespace neuronify::frontend
