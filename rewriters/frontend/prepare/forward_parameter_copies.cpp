#include "frontend/prepare/passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

namespace neuronify::frontend {

namespace {

/// Bytes of a struct parameter, at a constant offset.
struct Source {
  llvm::Argument *parameter = nullptr;
  int64_t offset = 0;
};

std::optional<Source> source_of(llvm::Value *pointer, const llvm::DataLayout &layout) {
  llvm::APInt offset(64, 0);
  llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset,
                                                                 /*AllowNonInbounds=*/true);
  auto *parameter = llvm::dyn_cast<llvm::Argument>(base);
  if (!parameter || !parameter->hasByValAttr())
    return std::nullopt;
  return Source{parameter, offset.getSExtValue()};
}

/// A local struct that holds bytes of one parameter and nothing else.
class Copy {
public:
  explicit Copy(llvm::AllocaInst &local)
      : local_(local), layout_(local.getFunction()->getDataLayout()) {}

  /// Whether that is so, and everything is written before anything is read.
  bool find(const llvm::DominatorTree &dominators) {
    if (!visit(local_, 0) || writes_.empty())
      return false;
    const auto size = local_.getAllocationSize(layout_);
    const uint64_t whole =
        layout_.getTypeAllocSize(source_.parameter->getParamByValType()).getFixedValue();
    if (!size || size->isScalable() || source_.offset < 0 ||
        uint64_t(source_.offset) + size->getFixedValue() > whole ||
        !parameter_uses(*source_.parameter).only_read)
      return false;
    return llvm::all_of(writes_, [&](const llvm::Instruction *write) {
      return llvm::all_of(
          reads_, [&](const llvm::Instruction *read) { return dominators.dominates(write, read); });
    });
  }

  void replace() {
    llvm::IRBuilder<> builder(&local_);
    llvm::Value *address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), source_.parameter, source_.offset);
    if (address->getType() != local_.getType())
      address = builder.CreateAddrSpaceCast(address, local_.getType());
    for (llvm::Instruction *write : writes_)
      write->eraseFromParent();
    for (llvm::Instruction *marker : markers_)
      marker->eraseFromParent();
    local_.replaceAllUsesWith(address);
    local_.eraseFromParent();
  }

private:
  /// Looks at all uses of `address`, which is `offset` bytes into the struct, or anywhere in it.
  bool visit(llvm::Value &address, std::optional<int64_t> offset) {
    for (llvm::Use &use : address.uses()) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      if (auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt step(64, 0);
        std::optional<int64_t> place;
        if (offset && element->accumulateConstantOffset(layout_, step))
          place = *offset + step.getSExtValue();
        if (!visit(*element, place))
          return false;
      } else if (llvm::isa<llvm::AddrSpaceCastInst>(user)) {
        if (!visit(*user, offset))
          return false;
      } else if (llvm::isa<llvm::LifetimeIntrinsic>(user)) {
        markers_.push_back(user);
      } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user); load && !load->isVolatile()) {
        reads_.push_back(user);
      } else if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(user);
                 copy && !copy->isVolatile() && use.getOperandNo() == 1) {
        reads_.push_back(user);
      } else if (!write(*user, use, offset)) {
        return false;
      }
    }
    return true;
  }

  /// Whether `user` writes to the struct what its parameter holds at the same place.
  bool write(llvm::Instruction &user, const llvm::Use &use, std::optional<int64_t> offset) {
    llvm::Value *from = nullptr;
    if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&user)) {
      if (!copy->isVolatile() && llvm::isa<llvm::ConstantInt>(copy->getLength()))
        from = copy->getRawSource();
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(store->getValueOperand());
      if (load && !store->isVolatile() && use.getOperandNo() == 1)
        from = load->getPointerOperand();
    }
    const auto source = from && offset ? source_of(from, layout_) : std::nullopt;
    if (!source)
      return false;
    const Source start{source->parameter, source->offset - *offset};
    if (source_.parameter &&
        (source_.parameter != start.parameter || source_.offset != start.offset))
      return false;
    source_ = start;
    writes_.push_back(&user);
    return true;
  }

  llvm::AllocaInst &local_;
  const llvm::DataLayout &layout_;
  Source source_;
  llvm::SmallVector<llvm::Instruction *, 4> writes_, reads_, markers_;
};

} // namespace

void forward_parameter_copies(llvm::Function &kernel) {
  const llvm::DominatorTree dominators(kernel);
  for (bool changed = true; changed;) { // a copy of a copy becomes a copy of the parameter
    changed = false;
    llvm::SmallVector<llvm::AllocaInst *, 8> locals;
    for (llvm::Instruction &instruction : kernel.getEntryBlock())
      if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        locals.push_back(local);
    for (llvm::AllocaInst *local : locals)
      if (Copy copy(*local); copy.find(dominators)) {
        copy.replace();
        changed = true;
      }
  }
}

} // namespace neuronify::frontend
