// printf, failed assertions and traps.
#include "tile/lowering.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>

using namespace llvm;

namespace neuronify::tile {

/// The string at a constant address; false where it is none.
static bool read_string(const Value *address, std::string &out) {
  StringRef text;
  if (!getConstantStringInfo(address, text))
    return false;
  out = text.str();
  return true;
}

void Lowering::lower_print(CallInst &call) {
  PrintedText text;
  if (!read_string(call.getArgOperand(0), text.format)) {
    fail(call, "NFY4010", "printf with a computed format");
    return;
  }
  std::vector<Expr> operands{literal({Kind::host_int}, int64_t(program.texts.size()))};
  std::vector<std::string> strings; // what the next value chooses from
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    const Value *value = call.getArgOperand(i);
    if (value->getType()->isPointerTy()) {
      if (!read_string(value, strings.emplace_back())) {
        fail(call, "NFY4010", "printf of a pointer");
        return;
      }
      continue;
    }
    if (a_.known(value) != Known::chip)
      operands.push_back(known(value));
    else
      operands.push_back(value->getType()->isIntegerTy(64) ? wide(value) : tile(value));
    if (!operands.back()) {
      failed_ = true;
      return;
    }
    text.choices.push_back(std::move(strings));
    strings.clear();
  }
  operands.push_back(mask_of(call.getParent()));
  program.texts.push_back(std::move(text));
  issue("print", std::move(operands));
}

void Lowering::lower_stop(CallInst &call, StringRef operation) {
  const Expr lanes = mask_of(call.getParent());
  if (operation == "trap")
    return issue("trap", {lanes});
  // __assertfail(condition, file, line, function, size of a character)
  PrintedText text;
  text.choices.resize(2, std::vector<std::string>(1));
  auto *line = dyn_cast<ConstantInt>(call.getArgOperand(2));
  if (!line || !read_string(call.getArgOperand(0), text.format) ||
      !read_string(call.getArgOperand(1), text.choices[0][0]) ||
      !read_string(call.getArgOperand(3), text.choices[1][0])) {
    fail(call, "NFY4010", "assert with a computed text");
    return;
  }
  const Expr number = literal({Kind::host_int}, int64_t(program.texts.size()));
  program.texts.push_back(std::move(text));
  issue("assert_fail", {number, literal({Kind::host_int}, line->getSExtValue()), lanes});
}

} // namespace neuronify::tile
