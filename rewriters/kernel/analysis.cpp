#include "kernel/analysis.h"

#include "kernel/calls.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace neuronify::kernel {

Analysis::Analysis(Function &f) : function(f), dominators(f), loops(dominators) {
  build_orders();
  classify();
  find_wide();
}

// ---- the graph of each loop ------------------------------------------------------------------

BasicBlock *Analysis::node(const Loop *loop, BasicBlock *block) const {
  const Loop *inner = loops.getLoopFor(block);
  if (inner == loop)
    return block;
  while (inner && inner->getParentLoop() != loop)
    inner = inner->getParentLoop();
  return inner ? inner->getHeader() : nullptr;
}

void Analysis::build_orders() {
  ReversePostOrderTraversal<Function *> rpo(&function);
  for (BasicBlock *block : rpo) {
    const Loop *inner = loops.getLoopFor(block);
    orders_[inner].push_back(block);
    if (inner && inner->getHeader() == block)
      orders_[inner->getParentLoop()].push_back(block);
  }
}

const std::vector<BasicBlock *> &Analysis::order(const Loop *loop) const {
  static const std::vector<BasicBlock *> empty;
  auto found = orders_.find(loop);
  return found == orders_.end() ? empty : found->second;
}

std::vector<Analysis::Edge> Analysis::edges(const Loop *loop, BasicBlock *block) const {
  std::vector<Edge> result;
  const Loop *inner = loops.getLoopFor(block);
  if (inner != loop) { // a subloop: its exits
    SmallVector<Loop::Edge, 4> exits;
    inner->getExitEdges(exits);
    for (auto &[from, to] : exits)
      result.push_back({from, to});
    return result;
  }
  for (BasicBlock *to : successors(block))
    result.push_back({block, to});
  return result;
}

bool Analysis::always_reaches(const Loop *loop, const BasicBlock *from,
                              const BasicBlock *to) const {
  BasicBlock *start = node(loop, const_cast<BasicBlock *>(from));
  if (!start)
    return false;
  SmallVector<BasicBlock *, 8> work{start};
  DenseSet<const BasicBlock *> seen{start};
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (block == to)
      continue;
    auto out = edges(loop, block);
    if (out.empty() && !isa<UnreachableInst>(block->getTerminator()))
      return false; // returns
    for (const Edge &edge : out) {
      if (loop && !loop->contains(edge.to)) {
        if (edge.from == block && is_uniform_exit(loop, block))
          continue;
        return false; // some lanes leave
      }
      if (loop && edge.to == loop->getHeader())
        return false; // ends the iteration
      BasicBlock *next = node(loop, edge.to);
      if (!next)
        return false; // leaves several loops at once
      if (seen.insert(next).second)
        work.push_back(next);
    }
  }
  return seen.contains(to);
}

bool Analysis::is_uniform_exit(const Loop *loop, const BasicBlock *block) const {
  auto [found, inserted] = uniform_exits_.try_emplace({loop, block}, false);
  if (!inserted)
    return found->second;
  const bool uniform = loops.getLoopFor(block) == loop && loop->isLoopExiting(block) &&
                       branch(block) == Known::host &&
                       always_reaches(loop, loop->getHeader(), block);
  return uniform_exits_[{loop, block}] = uniform;
}

// ---- what is known when
// --------------------------------------------------------------------------

static Known later(Known a, Known b) { return a > b ? a : b; }

/// Floats are never launch-known per lane: they live on the chip.
static Known of_type(const Type *type, Known known) {
  return known == Known::launch && type->isFloatingPointTy() ? Known::chip : known;
}

Known Analysis::known(const Value *value) const {
  if (isa<Constant>(value) || isa<Argument>(value))
    return Known::host;
  auto found = known_.find(value);
  return found == known_.end() ? Known::host : found->second;
}

Known Analysis::branch(const BasicBlock *block) const {
  const Instruction *terminator = block->getTerminator();
  if (auto *br = dyn_cast<BranchInst>(terminator))
    return br->isConditional() ? known(br->getCondition()) : Known::host;
  if (auto *sw = dyn_cast<SwitchInst>(terminator))
    return known(sw->getCondition());
  return Known::host;
}

Known Analysis::join(const PHINode &phi) const {
  const BasicBlock *block = phi.getParent();
  Known result = Known::host;
  for (const Value *value : phi.incoming_values())
    result = later(result, known(value));
  const Loop *loop = loops.getLoopFor(block);
  if (loop && loop->getHeader() == block)
    return of_type(phi.getType(), result); // lanes that are active share the iteration
  // All lanes take the same way here unless a branch between the dominator and here tells them
  // apart.
  const BasicBlock *top =
      dominators.getNode(const_cast<BasicBlock *>(block))->getIDom()->getBlock();
  SmallVector<const BasicBlock *, 8> work(pred_begin(block), pred_end(block));
  DenseSet<const BasicBlock *> seen;
  while (!work.empty()) {
    const BasicBlock *from = work.pop_back_val();
    if (!seen.insert(from).second)
      continue;
    result = later(result, branch(from));
    if (from != top)
      work.append(pred_begin(from), pred_end(from));
  }
  // Lanes that leave a loop in different rounds have different values of whatever changes in it.
  for (const BasicBlock *from : predecessors(block))
    for (const Loop *left = loops.getLoopFor(from); left && !left->contains(block);
         left = left->getParentLoop())
      if (!is_uniform_exit(left, from))
        for (const BasicBlock *inside : left->blocks())
          result = later(result, branch(inside));
  return of_type(phi.getType(), result);
}

std::optional<Field> Analysis::field(const Value *value) const {
  auto *load = dyn_cast<LoadInst>(value);
  if (!load)
    return {};
  const DataLayout &layout = function.getDataLayout();
  APInt offset(64, 0);
  const Value *base =
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  auto *argument = dyn_cast<Argument>(base);
  if (!argument || !argument->hasByValAttr())
    return {};
  return Field{argument->getArgNo(), offset.getZExtValue()};
}

bool Analysis::is_host_element(const LoadInst &load) const {
  return object(load.getPointerOperand()).space == Object::Space::parameter &&
         known(load.getPointerOperand()) == Known::host;
}

bool Analysis::is_launch_element(const LoadInst &load) const {
  const llvm::Type *type = load.getType();
  return type->isIntegerTy() && type->getIntegerBitWidth() % 8 == 0 &&
         type->getIntegerBitWidth() <= 64 && isPowerOf2_32(type->getIntegerBitWidth()) &&
         object(load.getPointerOperand()).space == Object::Space::parameter &&
         known(load.getPointerOperand()) == Known::launch;
}

Object Analysis::object(const Value *pointer) const {
  using Space = Object::Space;
  const Value *base = getUnderlyingObject(pointer, 0);
  if (auto *argument = dyn_cast<Argument>(base))
    return {argument->hasByValAttr() ? Space::parameter : Space::argument, base};
  if (auto *global = dyn_cast<GlobalVariable>(base)) {
    if (global->getAddressSpace() != 3)
      return {Space::symbol, base};
    const DataLayout &layout = function.getDataLayout();
    bool dynamic = global->isDeclaration() || layout.getTypeAllocSize(global->getValueType()) == 0;
    return {dynamic ? Space::dynamic_shared : Space::shared, base};
  }
  if (isa<AllocaInst>(base))
    return {Space::local, base};
  if (auto *load = dyn_cast<LoadInst>(base); load && is_host_element(*load))
    return {Space::argument, base};
  if (isa<IntToPtrInst>(base))
    return {Space::address, base};
  return {};
}

Known Analysis::classify(const Instruction &instruction) const {
  if (auto *phi = dyn_cast<PHINode>(&instruction))
    return join(*phi);
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return is_host_element(*load)     ? Known::host
           : is_launch_element(*load) ? Known::launch
                                      : Known::chip;
  if (isa<AllocaInst>(instruction))
    return Known::host;
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction))
    return Known::chip;
  if (auto *call = dyn_cast<CallInst>(&instruction)) {
    const Callee callee = find_callee(*call);
    Known result = callee.known;
    if (callee.known != Known::chip)
      for (const Value *argument : call->args())
        result = later(result, known(argument));
    return of_type(call->getType(), result);
  }
  Known result = Known::host;
  for (const Value *operand : instruction.operands())
    if (!isa<BasicBlock>(operand))
      result = later(result, known(operand));
  if (isa<FCmpInst>(instruction))
    return result == Known::launch ? Known::chip : result;
  return of_type(instruction.getType(), result);
}

void Analysis::classify() {
  ReversePostOrderTraversal<Function *> rpo(&function);
  bool changed = true;
  while (changed) {
    changed = false;
    uniform_exits_.clear(); // what is known of the branches has changed
    for (BasicBlock *block : rpo)
      for (Instruction &instruction : *block) {
        Known now = later(classify(instruction), known(&instruction));
        Known &entry = known_[&instruction];
        changed |= entry != now;
        entry = now;
      }
  }
  uniform_exits_.clear();
  for (BasicBlock *block : rpo)
    for (Instruction &instruction : *block) {
      for (const Value *operand : instruction.operands())
        if (auto *global = dyn_cast<GlobalVariable>(getUnderlyingObject(operand, 0)))
          uses_shared |= global->getAddressSpace() == 3;
      if (auto *call = dyn_cast<CallInst>(&instruction)) {
        const Callee callee = find_callee(*call);
        const bool of_block = callee.operation.starts_with("block_");
        uses_barriers |=
            callee.effect == Effect::barrier || callee.effect == Effect::grid_barrier || of_block;
        uses_warps |= callee.effect == Effect::warp || (callee.effect == Effect::vote && !of_block);
      }
    }
}

} // namespace neuronify::kernel
