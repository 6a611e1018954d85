// Control flow: blocks in topological order, masks for edges that lanes take apart, real branches
// and loops for what host scalars decide.
#include "frontend/frontend.h"
#include "tile/lowering.h"
#include "tile/scope.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>

using namespace llvm;

namespace neuronify::tile {

static const Type kMask{Kind::mask};

static bool is_undefined(const Value *value) { return isa<UndefValue>(value); }

// ---- masks
// ------------------------------------------------------------------------------------------

Expr Lowering::mask_of(const BasicBlock *block) const {
  auto found = masks_.find(block);
  return found == masks_.end() ? all_ : found->second;
}

/// Lanes that go from `from` to `to`; declared where it is first asked for.
Expr Lowering::edge_mask(BasicBlock *from, BasicBlock *to) {
  auto found = edge_masks_.find({from, to});
  if (found != edge_masks_.end())
    return found->second;
  auto *br = dyn_cast<BranchInst>(from->getTerminator());
  Expr result = mask_of(from);
  if (br && br->isConditional() && br->getSuccessor(0) != br->getSuccessor(1)) {
    Expr condition = mask(br->getCondition());
    const bool taken = br->getSuccessor(0) == to;
    if (same(result, all_))
      result = taken ? condition : negate(condition);
    else
      result = operation(taken ? "and" : "andnot", kMask, {result, condition});
    result = declare("m", kMask, result);
  }
  edge_masks_[{from, to}] = result;
  return result;
}

Expr Lowering::incoming_mask(const Loop *loop, BasicBlock *from, BasicBlock *to) {
  const Loop *inner = a_.loops.getLoopFor(from);
  if (inner == loop)
    return edge_mask(from, to);
  while (inner->getParentLoop() != loop)
    inner = inner->getParentLoop();
  return exits_[{inner, from, to}];
}

/// Fixes the mask of a node that is about to be lowered.
void Lowering::enter(const Loop *loop, BasicBlock *block) {
  Loop *inner = a_.loops.getLoopFor(block);
  const bool is_subloop = inner != loop;
  if (!is_subloop && masks_.count(block))
    return;
  Expr result;
  if (auto *dominator = a_.dominators.getNode(block)->getIDom()) {
    BasicBlock *top = dominator->getBlock();
    BasicBlock *node = a_.node(loop, top);
    if (node && a_.always_reaches(loop, top, block)) {
      const Loop *of_node = a_.loops.getLoopFor(node);
      result = of_node != loop ? entry_masks_[of_node] : mask_of(node);
    }
  } else {
    result = all_;
  }
  if (!result) {
    for (BasicBlock *from : predecessors(block)) {
      if (is_subloop && inner->contains(from))
        continue;
      Expr edge = incoming_mask(loop, from, block);
      result = result ? operation("or", kMask, {result, edge}) : edge;
    }
    if (result->form == Expression::Form::operation)
      result = declare("m", kMask, result);
  }
  (is_subloop ? entry_masks_[inner] : masks_[block]) = result;
}

// ---- phis
// ------------------------------------------------------------------------------------------

/// `value` in the form that the variable of `phi` holds.
Expr Lowering::value_for(const PHINode &phi, const Value *value) {
  const Type type = type_of(phi);
  if (type.kind == Kind::tile_wide)
    return wide(value);
  if (type.is_tile())
    return tile(value);
  if (type.kind == Kind::place)
    return place(value, llvm::Type::getInt8Ty(phi.getContext()), phi);
  return phi.getType()->isIntegerTy(1) ? mask(value) : known(value);
}

bool Lowering::is_representable(const PHINode &phi) {
  if (phi.getType()->isIntegerTy() && phi.getType()->getIntegerBitWidth() > 64)
    return fail(phi, "NFY4003", "integer data of more than 64 bits");
  if (phi.getType()->isDoubleTy() && a_.known(&phi) != Known::host)
    return fail(phi, "NFY4001", "double precision data");
  if (phi.getType()->isPointerTy() && a_.known(&phi) != Known::host)
    return fail(phi, "NFY4008", "lanes choose between pointers into different objects");
  return true;
}

Expr Lowering::declare_phi(const PHINode &phi, Expr value) {
  Type type = type_of(phi);
  type.is_signed = type.kind != Kind::host_int || !phi.getMetadata(frontend::kUnsigned);
  const std::string name = name_of(phi);
  Expr variable = declare(name, type, std::move(value), !name.empty());
  remember(&phi, variable, type.is_tile());
  return variable;
}

/// `mask` as it decides the value of `phi`: of truth values that are launch-known, by what is
/// launch-known of it. All lanes that come to the phi agree on the rest.
Expr Lowering::deciding(const PHINode &phi, const Expr &mask) const {
  const bool needed = type_of(phi).kind == Kind::mask && a_.known(&phi) != Known::chip;
  return needed ? operation("launch_part", kMask, {mask}) : mask;
}

void Lowering::assign_phi(const PHINode &phi, const Value *value, const Expr &edge) {
  if (is_undefined(value))
    return;
  const Type type = type_of(phi);
  const Expr mask = deciding(phi, edge);
  const Expr variable = type.is_tile() ? tiles_[&phi] : known_[&phi];
  if (type.is_host() || type.kind == Kind::place) {
    Statement branch;
    branch.form = Statement::Form::branch;
    branch.value = operation("maybe_any", {Kind::host_bool}, {mask});
    Scope scope(*this, emit(std::move(branch)).body);
    set(variable, value_for(phi, value));
  } else {
    issue("assign",
          {variable, type.is_tile() ? operand_for(type, value) : value_for(phi, value), mask});
  }
}

/// Where all lanes take the edge together: its phis become their values, all at once.
void Lowering::set_phis(BasicBlock *from, BasicBlock *to) {
  std::vector<std::pair<Expr, Expr>> sets;
  for (PHINode &phi : to->phis()) {
    const Value *value = phi.getIncomingValueForBlock(from);
    if (value == &phi || is_undefined(value) ||
        (set_.contains(&phi) && !tiles_.count(&phi) && !known_.count(&phi)))
      continue;
    const Type type = type_of(phi);
    Expr now = value_for(phi, value);
    auto *other = dyn_cast<PHINode>(value);
    if (other && other->getParent() == to) // would be overwritten before it is read
      now = declare("", now->type, now);
    sets.push_back({type.is_tile() ? tiles_[&phi] : known_[&phi], now});
  }
  // What reads another of the variables under a new name (an extension, a word of a pair) is read
  // before that one is set.
  for (size_t i = 1; i < sets.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (sets[i].second && reads(sets[i].second, sets[j].first->variable))
        sets[i].second = declare("", sets[i].second->type, sets[i].second);
  for (auto &[variable, now] : sets)
    set(variable, now);
}

void Lowering::join_phi(const Loop *loop, PHINode &phi) {
  if (!is_representable(phi))
    return;
  SmallVector<unsigned, 4> defined;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    if (!is_undefined(phi.getIncomingValue(i)) && phi.getIncomingValue(i) != &phi)
      defined.push_back(i);
  if (defined.empty())
    defined.push_back(0);
  const Value *first = phi.getIncomingValue(defined[0]);
  if (defined.size() == 1) {
    declare_phi(phi, value_for(phi, first));
    return;
  }
  const Type type = type_of(phi);
  auto edge = [&](unsigned i) {
    return incoming_mask(loop, phi.getIncomingBlock(i), phi.getParent());
  };
  if (phi.getType()->isIntegerTy(1) && defined.size() == 2) {
    auto *a = dyn_cast<ConstantInt>(first);
    auto *b = dyn_cast<ConstantInt>(phi.getIncomingValue(defined[1]));
    if (a && b && a->isOne() != b->isOne() && type.kind == Kind::mask) {
      Expr came = edge(a->isOne() ? defined[0] : defined[1]); // lanes that came by the true edge
      declare_phi(phi, deciding(phi, came));
      return;
    }
  }
  if (type.is_tile() && defined.size() == 2) {
    Expr mask = edge(defined[1]);
    Expr last = operand_for(type, phi.getIncomingValue(defined[1]));
    Expr other = operand_for(type, first);
    issue("select", {declare_phi(phi, fresh(type)), mask, last, other});
    return;
  }
  if (type.is_tile()) {
    Expr start = operand_for(type, first);
    Expr variable = declare_phi(phi, fresh(type));
    issue(start->type.is_tile() ? "copy" : "fill", {variable, start});
  } else {
    declare_phi(phi, value_for(phi, first));
  }
  for (unsigned i : ArrayRef(defined).drop_front())
    assign_phi(phi, phi.getIncomingValue(i), edge(i));
}

void Lowering::lower_join(const Loop *loop, BasicBlock *block) {
  for (PHINode &phi : block->phis())
    if (!set_.contains(&phi))
      join_phi(loop, phi);
}

// ---- blocks
// -------------------------------------------------------------------------------------------

void Lowering::lower_block(BasicBlock *block) {
  for (Instruction &instruction : *block) {
    if (failed_)
      return;
    if (isa<PHINode>(instruction) || instruction.isTerminator())
      continue;
    if (const DebugLoc &location = instruction.getDebugLoc()) {
      const DILocation *outer = location.get();
      while (outer->getInlinedAt())
        outer = outer->getInlinedAt();
      line_ = location->getLine() && location->getFilename() == info_.file ? location->getLine()
                                                                           : outer->getLine();
    }
    lower_instruction(instruction);
  }
}

void Lowering::lower_nodes(const Loop *loop, ArrayRef<BasicBlock *> nodes) {
  for (BasicBlock *block : nodes) {
    if (failed_)
      return;
    if (done_.contains(block))
      continue;
    done_.insert(block);
    enter(loop, block);
    const Loop *inner = a_.loops.getLoopFor(block);
    if (inner != loop) {
      done_.erase(block); // it is a node of its own loop too
      lower_loop(inner);
      if (failed_)
        return;
      done_.insert(block);
      if (loop)
        lower_exits(loop, block);
      continue;
    }
    if (!loop || block != loop->getHeader())
      lower_join(loop, block);
    lower_block(block);
    if (failed_)
      return;
    if (loop)
      lower_exits(loop, block);
    auto *br = dyn_cast<BranchInst>(block->getTerminator());
    if (!br || !br->isConditional() || lower_diamond(loop, block))
      continue;
    for (BasicBlock *to : successors(block)) // here, where later blocks can see them
      if (!loop || (loop->contains(to) && !a_.is_uniform_exit(loop, block)))
        edge_mask(block, to);
      else if (loop->contains(to))
        edge_masks_[{block, to}] = mask_of(block);
  }
}

// ---- branches on host scalars
// -----------------------------------------------------------------------

/// Both sides of a branch are entered from it only and meet in `join`, each by one edge.
struct Lowering::Diamond {
  BasicBlock *join = nullptr;
  std::vector<BasicBlock *> sides[2];
  BasicBlock *last[2] = {nullptr, nullptr}; ///< predecessor of `join` on each side
};

bool Lowering::find_diamond(const Loop *loop, BasicBlock *block, Diamond &diamond) const {
  const auto &order = a_.order(loop);
  auto position = std::find(order.begin(), order.end(), block);
  for (auto candidate = position + 1; candidate < order.end(); ++candidate)
    if (*candidate != block && a_.dominators.dominates(block, *candidate) &&
        pred_size(*candidate) == 2 && a_.loops.getLoopFor(*candidate) == loop &&
        a_.always_reaches(loop, block, *candidate)) {
      diamond.join = *candidate;
      break;
    }
  if (!diamond.join)
    return false;
  DenseSet<BasicBlock *> seen;
  for (int side = 0; side < 2; ++side) {
    BasicBlock *start = block->getTerminator()->getSuccessor(side);
    if (start == diamond.join) {
      diamond.last[side] = block;
      continue;
    }
    SmallVector<BasicBlock *, 8> work{start};
    DenseSet<BasicBlock *> members;
    while (!work.empty()) {
      BasicBlock *at = work.pop_back_val();
      if (!members.insert(at).second)
        continue;
      if (!seen.insert(at).second || !a_.dominators.dominates(start, at))
        return false;
      for (const auto &edge : a_.edges(loop, at)) {
        if (edge.to == diamond.join) {
          if (diamond.last[side])
            return false;
          diamond.last[side] = edge.from;
        } else if (BasicBlock *next = a_.node(loop, edge.to)) {
          work.push_back(next);
        } else {
          return false;
        }
      }
    }
    for (BasicBlock *node : order)
      if (members.contains(node))
        diamond.sides[side].push_back(node);
    if (!diamond.last[side])
      return false;
  }
  return diamond.last[0] != diamond.last[1];
}

/// A branch that all lanes take together becomes a branch of the emitted code.
bool Lowering::lower_diamond(const Loop *loop, BasicBlock *block) {
  auto *br = cast<BranchInst>(block->getTerminator());
  if (a_.branch(block) != Known::host ||
      (loop && a_.is_uniform_exit(loop, block) && a_.edges(loop, block).size() == 2 &&
       (!loop->contains(br->getSuccessor(0)) || !loop->contains(br->getSuccessor(1)))))
    return false;
  Diamond diamond;
  if (!find_diamond(loop, block, diamond))
    return false;
  for (PHINode &phi : diamond.join->phis()) {
    declare_phi(phi, nullptr);
    set_.insert(&phi);
  }
  Statement statement;
  statement.form = Statement::Form::branch;
  statement.value = known(br->getCondition());
  Statement &branch = emit(std::move(statement));
  std::vector<Statement> *bodies[2] = {&branch.body, &branch.otherwise};
  for (int side = 0; side < 2; ++side) {
    Scope scope(*this, *bodies[side]);
    if (!diamond.sides[side].empty())
      masks_[diamond.sides[side].front()] = mask_of(block);
    lower_nodes(loop, diamond.sides[side]);
    set_phis(diamond.last[side], diamond.join);
  }
  return true;
}

// ---- loops
// --------------------------------------------------------------------------------------------

bool Lowering::is_divergent(const Loop *loop) const {
  SmallVector<Loop::Edge, 4> exits;
  loop->getExitEdges(exits);
  for (auto &[from, to] : exits)
    if (!a_.is_uniform_exit(loop, from))
      return true;
  return false;
}

/// Is `value` in a variable that is declared before the loop, with its last value after it?
bool Lowering::outlives(const Loop *loop, const Value *value) const {
  auto *phi = dyn_cast<PHINode>(value);
  return phi && phi->getParent() == loop->getHeader();
}

/// Variables that outlive the loop: phis of its exits, and who left by which edge.
void Lowering::declare_exits(const Loop *loop) {
  SmallVector<Loop::Edge, 4> exits;
  loop->getExitEdges(exits);
  for (auto &[from, to] : exits) {
    exits_[{loop, from, to}] = declare("left", kMask, operation("none", kMask, {}));
    const bool together = exits.size() == 1 && a_.is_uniform_exit(loop, from) &&
                          a_.loops.getLoopFor(to) == loop->getParentLoop();
    for (PHINode &phi : to->phis()) {
      if (!set_.insert(&phi).second)
        continue; // an outer loop has it
      const Value *value = phi.getIncomingValueForBlock(from);
      if (together && outlives(loop, value)) {
        lasting_.push_back({&phi, value}); // the loop's variable still has the value then
        continue;
      }
      const Type type = type_of(phi);
      Expr variable = declare_phi(phi, together || !type.is_tile() ? nullptr : fresh(type));
      if (!together && type.is_tile()) // lanes that never come here are computed on all the same
        issue("fill", {variable, type.kind == Kind::tile_float ? float_literal(0)
                                                               : literal({Kind::host_int}, 0)});
    }
  }
}

void Lowering::lower_loop(const Loop *loop) {
  BasicBlock *header = loop->getHeader(), *preheader = loop->getLoopPreheader();
  BasicBlock *latch = loop->getLoopLatch();
  if (!preheader || !latch) {
    fail(*header->getTerminator(), "NFY4007", "loop with several entries");
    return;
  }
  declare_exits(loop);
  for (PHINode &phi : header->phis()) {
    set_.insert(&phi);
    if (!is_representable(phi))
      return;
    const Value *start = phi.getIncomingValueForBlock(preheader);
    if (is_undefined(start) && type_of(phi).is_tile()) {
      issue("fill", {declare_phi(phi, fresh(type_of(phi))),
                     phi.getType()->isFloatTy() ? float_literal(0) : literal({Kind::host_int}, 0)});
      continue;
    }
    declare_phi(phi, value_for(phi, start));
  }
  const bool divergent = is_divergent(loop);
  Expr active = entry_masks_[loop];
  if (divergent)
    active = active_[loop] = declare("active", kMask, active);
  masks_[header] = active;

  Statement statement;
  statement.form = Statement::Form::loop;
  statement.line = line_;
  {
    Scope scope(*this, emit(std::move(statement)).body);
    lower_nodes(loop, a_.order(loop));
    if (!failed_)
      lower_latch(loop);
  }
  for (auto [phi, value] : lasting_)
    if (tiles_.count(value) || known_.count(value)) {
      const bool as_tile = type_of(*phi).is_tile();
      if (cast<PHINode>(value)->getParent() == header)
        remember(phi, as_tile ? tiles_[value] : known_[value], as_tile);
    }
}

void Lowering::lower_exits(const Loop *loop, BasicBlock *block) {
  for (const auto &edge : a_.edges(loop, block)) {
    if (loop->contains(edge.to))
      continue;
    if (a_.is_uniform_exit(loop, edge.from))
      leave_together(loop, edge.from, edge.to);
    else
      leave_apart(loop, edge.from, edge.to);
  }
}

/// `if (condition) { …; break; }`: every lane that is still in the loop goes.
void Lowering::leave_together(const Loop *loop, BasicBlock *from, BasicBlock *to) {
  auto *br = cast<BranchInst>(from->getTerminator());
  Expr condition = br->isConditional() ? known(br->getCondition()) : literal({Kind::host_bool}, 1);
  if (br->isConditional() && br->getSuccessor(0) != to)
    condition = negate(condition);
  Statement statement;
  statement.form = Statement::Form::branch;
  statement.value = condition;
  Scope scope(*this, emit(std::move(statement)).body);
  SmallVector<Loop::Edge, 4> exits;
  loop->getExitEdges(exits);
  if (exits.size() == 1 && a_.loops.getLoopFor(to) == loop->getParentLoop())
    set_phis(from, to);
  else
    for (PHINode &phi : to->phis())
      assign_phi(phi, phi.getIncomingValueForBlock(from), mask_of(from));
  Expr left = exits_[{loop, from, to}];
  set(left, operation("or", kMask, {left, mask_of(from)}));
  emit_leave();
}

void Lowering::emit_leave() {
  Statement leave;
  leave.form = Statement::Form::leave;
  emit(std::move(leave));
}

/// `if (!remaining.any()) break;`, or just leaves where nothing can remain.
void Lowering::leave_without_lanes(const Expr &remaining) {
  Statement branch;
  branch.form = Statement::Form::branch;
  branch.value = remaining ? negate(operation("any", {Kind::host_bool}, {remaining}))
                           : literal({Kind::host_bool}, 1);
  Scope scope(*this, emit(std::move(branch)).body);
  emit_leave();
}

/// Some lanes go: they keep what they had, and the others go on under what remains of the mask.
void Lowering::leave_apart(const Loop *loop, BasicBlock *from, BasicBlock *to) {
  const Loop *inner = a_.loops.getLoopFor(from);
  const bool from_subloop = inner != loop;
  Expr mask = from_subloop ? incoming_mask(loop, from, to) : edge_mask(from, to);
  if (!from_subloop)
    for (PHINode &phi : to->phis())
      assign_phi(phi, phi.getIncomingValueForBlock(from), mask);
  Expr left = exits_[{loop, from, to}];
  set(left, operation("or", kMask, {left, mask}));
  if (from_subloop || !a_.always_reaches(loop, loop->getHeader(), from))
    return;
  Expr remaining;
  for (BasicBlock *next : successors(from))
    if (loop->contains(next))
      remaining = edge_mask(from, next);
  leave_without_lanes(remaining);
}

void Lowering::lower_latch(const Loop *loop) {
  BasicBlock *latch = loop->getLoopLatch(), *header = loop->getHeader();
  if (active_.count(loop)) {
    Expr active = active_[loop], next = edge_mask(latch, header);
    set(active, next);
    bool checked = false; // some exit that all lanes pass has asked already
    SmallVector<Loop::Edge, 4> exits;
    loop->getExitEdges(exits);
    for (auto &[from, to] : exits)
      checked |= a_.loops.getLoopFor(from) == loop && a_.always_reaches(loop, header, from);
    if (!checked)
      leave_without_lanes(active);
  }
  set_phis(latch, header);
}

} // namespace neuronify::tile
