#include "frontend/prepare/passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace neuronify::frontend {

namespace {

/// The first source name that each value bears, in the order of the code. Pieces of a struct get
/// the struct's name and the byte where they start.
using Names = llvm::MapVector<llvm::Value *, std::string>;

std::string name_of(const llvm::DbgVariableRecord &record) {
  std::string name = record.getVariable()->getName().str();
  if (const auto fragment = record.getExpression()->getFragmentInfo())
    name += '.' + std::to_string(fragment->OffsetInBits / 8);
  return name;
}

/// Whether the record says "the variable is this value", not an expression of it.
bool is_the_value(const llvm::DbgVariableRecord &record) {
  if (!record.isDbgValue() || record.getNumVariableLocationOps() != 1)
    return false;
  const llvm::DIExpression *expression = record.getExpression();
  return llvm::all_of(expression->expr_ops(), [](const auto &op) {
    return op.getOp() == llvm::dwarf::DW_OP_LLVM_fragment;
  });
}

Names names_in(llvm::Function &function) {
  Names names;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
        llvm::Value *value = is_the_value(record) ? record.getVariableLocationOp(0) : nullptr;
        const bool nameable =
            value && (llvm::isa<llvm::Instruction>(value) || llvm::isa<llvm::Argument>(value));
        if (nameable && !record.getVariable()->getName().empty())
          names.try_emplace(value, name_of(record));
      }
  return names;
}

/// mem2reg names phis after the variable's storage: "i.0" or "i.addr.1".
void strip_storage_suffix(llvm::PHINode &phi) {
  auto [base, rest] = phi.getName().rsplit('.');
  if (base.empty() || rest.empty() || !llvm::all_of(rest, llvm::isDigit))
    return;
  base.consume_back(".addr");
  phi.setName(base.str());
}

void name_parameters(llvm::Function &function) {
  for (llvm::Argument &parameter : function.args())
    if (!parameter.hasName())
      parameter.setName("arg" + llvm::Twine(parameter.getArgNo()));
}

} // namespace

void name_values(llvm::Function &kernel) {
  name_parameters(kernel);
  const Names names = names_in(kernel);
  const auto rename = [&names](bool phis) {
    for (const auto &[value, name] : names)
      if (llvm::isa<llvm::PHINode>(value) == phis && !llvm::isa<llvm::Argument>(value))
        value->setName(name);
  };
  // A name given twice gets a number; so what deserves the plain name takes it first.
  for (llvm::BasicBlock &block : kernel)
    for (llvm::PHINode &phi : block.phis())
      if (!names.contains(&phi))
        strip_storage_suffix(phi);
  rename(/*phis=*/true);
  rename(/*phis=*/false);
  for (llvm::BasicBlock &block : kernel)
    for (llvm::Instruction &instruction : block)
      instruction.dropDbgRecords();
}

} // namespace neuronify::frontend
