// Which values and addresses are affine in the coordinates of a lane.
#include "kernel/analysis.h"
#include "kernel/calls.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace neuronify::kernel {

bool Analysis::is_affine(const Value *value) const {
  if (known(value) == Known::host)
    return true;
  if (auto *call = dyn_cast<CallInst>(value)) {
    const auto callee = find_callee(*call);
    return callee.known == Known::launch;
  }
  if (isa<PHINode>(value) || isa<LoadInst>(value))
    return true; // the launch-known form is the only one
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return false;
  switch (instruction->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return is_affine(instruction->getOperand(0)) && is_affine(instruction->getOperand(1));
  case Instruction::Mul:
    return is_affine(instruction->getOperand(0)) && is_affine(instruction->getOperand(1)) &&
           (known(instruction->getOperand(0)) == Known::host ||
            known(instruction->getOperand(1)) == Known::host);
  case Instruction::Shl:
    return is_affine(instruction->getOperand(0)) &&
           known(instruction->getOperand(1)) == Known::host;
  case Instruction::Trunc:
  case Instruction::SExt:
  case Instruction::ZExt:
    return instruction->getOperand(0)->getType() != Type::getInt1Ty(instruction->getContext()) &&
           is_affine(instruction->getOperand(0));
  default:
    return false;
  }
}

/// Sum of base and scaled indices, all of them affine.
static bool is_affine_address(const Analysis &analysis, const Value *pointer,
                              const DataLayout &layout) {
  while (true) {
    if (auto *gep = dyn_cast<GEPOperator>(pointer)) {
      SmallMapVector<Value *, APInt, 4> variables;
      APInt constant(64, 0);
      if (!gep->collectOffset(layout, 64, variables, constant))
        return false;
      for (auto &[index, scale] : variables)
        if (analysis.known(index) == Known::chip || !analysis.is_affine(index))
          return false;
      pointer = gep->getPointerOperand();
    } else if (Operator::getOpcode(pointer) == Instruction::AddrSpaceCast) {
      pointer = cast<Operator>(pointer)->getOperand(0);
    } else {
      return true;
    }
  }
}

bool Analysis::all_global_addresses_affine() const {
  for (const Instruction &instruction : instructions(function)) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
      pointer = atomic->getPointerOperand();
    if (!pointer)
      continue;
    if (auto *load = dyn_cast<LoadInst>(&instruction);
        load && (is_host_element(*load) || is_launch_element(*load)))
      continue;
    const Object where = object(pointer);
    const bool on_chip = where.space == Object::Space::shared ||
                         where.space == Object::Space::dynamic_shared ||
                         where.space == Object::Space::local;
    if (!on_chip && (where.space == Object::Space::none || where.space == Object::Space::address ||
                     !is_affine_address(*this, pointer, function.getDataLayout())))
      return false;
  }
  return true;
}

} // namespace neuronify::kernel
