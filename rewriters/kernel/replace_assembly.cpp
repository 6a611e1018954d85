// Inline PTX that real code uses becomes what it stands for: registers, approximations, orders of
// memory, lop3; statements without text only order.
#include "kernel/analysis.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

/// One space between words, no statement end.
std::string normalised(StringRef text) {
  SmallVector<StringRef> words;
  SplitString(text, words, " \t\n\r\v\f");
  return StringRef(join(words, " ")).rtrim("; ").str();
}

/// Registers that are moved to the result: the intrinsic that reads each.
StringRef register_intrinsic(StringRef name) {
  static const StringMap<StringRef> table{
      {"%laneid", "laneid"},
      {"%warpid", "warpid"},
      {"%lanemask_eq", "lanemask.eq"},
      {"%lanemask_lt", "lanemask.lt"},
      {"%lanemask_le", "lanemask.le"},
      {"%lanemask_gt", "lanemask.gt"},
      {"%lanemask_ge", "lanemask.ge"},
      {"%clock", "clock"},
      {"%clock64", "clock64"},
      {"%globaltimer", "globaltimer"},
      {"%smid", "smid"},
      {"%nsmid", "nsmid"},
  };
  return table.lookup(name);
}

/// Instructions whose operands, in order, are those of a function.
StringRef function_of(StringRef text) {
  static const StringMap<StringRef> table{
      {"bar.warp.sync $0", "llvm.nvvm.bar.warp.sync"},
      {"trap", "llvm.trap"},
      {"ex2.approx.f32 $0, $1", "__nv_exp2f"},
      {"ex2.approx.ftz.f32 $0, $1", "__nv_exp2f"},
      {"lg2.approx.f32 $0, $1", "__nv_log2f"},
      {"lg2.approx.ftz.f32 $0, $1", "__nv_log2f"},
      {"rcp.approx.f32 $0, $1", "__nv_frcp_rn"},
      {"rcp.approx.ftz.f32 $0, $1", "__nv_frcp_rn"},
      {"rcp.rn.f32 $0, $1", "__nv_frcp_rn"},
      {"rsqrt.approx.f32 $0, $1", "__nv_rsqrtf"},
      {"rsqrt.approx.ftz.f32 $0, $1", "__nv_rsqrtf"},
      {"sqrt.approx.f32 $0, $1", "__nv_sqrtf"},
      {"sqrt.approx.ftz.f32 $0, $1", "__nv_sqrtf"},
      {"sqrt.rn.f32 $0, $1", "__nv_sqrtf"},
      {"sin.approx.f32 $0, $1", "__nv_sinf"},
      {"cos.approx.f32 $0, $1", "__nv_cosf"},
      {"tanh.approx.f32 $0, $1", "__nv_tanhf"},
      {"fma.rn.f32 $0, $1, $2, $3", "__nv_fmaf"},
      {"prmt.b32 $0, $1, $2, $3", "llvm.nvvm.prmt"},
  };
  return table.lookup(text);
}

/// What lock-step execution need not do.
bool is_order_only(StringRef text) {
  for (StringRef prefix : {"membar.", "fence.", "nanosleep.", "prefetch", "griddepcontrol."})
    if (text.starts_with(prefix) && !text.contains(';'))
      return true;
  return text.empty();
}

/// Any function of three bits: the number of the row (a, b, c) is a bit of the table.
Value *lop3(IRBuilder<> &builder, Value *a, Value *b, Value *c, unsigned table) {
  Value *result = nullptr;
  const bool inverted = popcount(table & 0xff) > 4;
  const unsigned rows = inverted ? ~table & 0xff : table & 0xff;
  auto either = [&](Value *x, bool plain) { return plain ? x : builder.CreateNot(x); };
  for (unsigned row = 0; row < 8; ++row) {
    if (!(rows >> row & 1))
      continue;
    Value *all = builder.CreateAnd(builder.CreateAnd(either(a, row & 4), either(b, row & 2)),
                                   either(c, row & 1));
    result = result ? builder.CreateOr(result, all) : all;
  }
  if (!result)
    result = ConstantInt::get(a->getType(), 0);
  return inverted ? builder.CreateNot(result) : result;
}

/// The usual ones as a person would write them.
Value *short_lop3(IRBuilder<> &builder, Value *a, Value *b, Value *c, unsigned table) {
  switch (table) {
  case 0x96:
    return builder.CreateXor(builder.CreateXor(a, b), c);
  case 0xca: // a ? b : c
    return builder.CreateXor(builder.CreateAnd(a, builder.CreateXor(b, c)), c);
  case 0xe8: // the majority
    return builder.CreateOr(builder.CreateAnd(a, b), builder.CreateAnd(builder.CreateOr(a, b), c));
  default:
    return lop3(builder, a, b, c, table);
  }
}

/// There is one multiprocessor, as far as a kernel can tell, and one grid.
Value *known_register(StringRef name, Type *type) {
  if (name == "smid" || name == "gridid")
    return ConstantInt::get(type, 0);
  return name == "nsmid" ? ConstantInt::get(type, 1) : nullptr;
}

class Assembly {
public:
  explicit Assembly(CallInst &call)
      : call_(call), builder_(&call),
        text_(normalised(cast<InlineAsm>(call.getCalledOperand())->getAsmString())) {}

  /// What the statement gives; null where it stays. The call itself where it gives nothing.
  Value *run() {
    if (is_order_only(text_))
      return order();
    if (text_ == "bar.sync 0" || text_ == "barrier.sync 0")
      return intrinsic("llvm.nvvm.barrier.cta.sync.aligned.all", builder_.getVoidTy(),
                       {builder_.getInt32(0)});
    if (Value *value = read_register())
      return value;
    if (Value *value = logic())
      return value;
    if (StringRef name = function_of(text_); !name.empty()) {
      SmallVector<Value *, 4> operands(call_.args());
      return intrinsic(name, call_.getType(), operands);
    }
    return nullptr;
  }

private:
  Value *intrinsic(StringRef name, Type *result, ArrayRef<Value *> operands) {
    SmallVector<Type *, 4> types;
    for (Value *operand : operands)
      types.push_back(operand->getType());
    return builder_.CreateCall(
        call_.getModule()->getOrInsertFunction(name.str(), FunctionType::get(result, types, false)),
        operands);
  }

  /// An operand that is tied to the result goes through.
  Value *order() {
    if (call_.getType()->isVoidTy())
      return &call_;
    const bool tied = call_.arg_size() == 1 && call_.getArgOperand(0)->getType() == call_.getType();
    return tied ? call_.getArgOperand(0) : nullptr;
  }

  Value *read_register() {
    SmallVector<StringRef, 4> words;
    SplitString(text_, words, " ,");
    if (words.size() != 3 || !words[0].starts_with("mov.") || words[1] != "$0" ||
        !call_.arg_empty())
      return nullptr;
    StringRef name = register_intrinsic(words[2]);
    const bool wide = name == "clock64" || name == "globaltimer";
    if (name.empty() || !call_.getType()->isIntegerTy(wide ? 64 : 32))
      return nullptr;
    if (Value *known = known_register(name, call_.getType()))
      return known;
    return intrinsic(("llvm.nvvm.read.ptx.sreg." + name).str(), call_.getType(), {});
  }

  Value *logic() {
    StringRef rest = text_;
    unsigned table;
    if (!rest.consume_front("lop3.b32 $0, $1, $2, $3, ") || rest.getAsInteger(0, table) ||
        call_.arg_size() != 3 || !call_.getType()->isIntegerTy(32))
      return nullptr;
    return short_lop3(builder_, call_.getArgOperand(0), call_.getArgOperand(1),
                      call_.getArgOperand(2), table & 0xff);
  }

  CallInst &call_;
  IRBuilder<> builder_;
  std::string text_;
};

} // namespace

bool replace_assembly(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call)
      continue;
    StringRef name = call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
    Value *value = call->isInlineAsm() ? Assembly(*call).run()
                   : name.consume_front("llvm.nvvm.read.ptx.sreg.")
                       ? known_register(name, call->getType())
                       : nullptr;
    if (!value)
      continue;
    if (!call->getType()->isVoidTy()) {
      if (isa<Instruction>(value) && !value->hasName())
        value->takeName(call);
      call->replaceAllUsesWith(value);
    }
    call->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace neuronify::kernel
