#include "frontend/frontend.h"
#include "frontend/prepare/passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueSymbolTable.h"

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

/// Special registers keep CUDA's names, and arguments their own.
bool is_nameable(const llvm::Value *value) {
  if (const auto *call = llvm::dyn_cast_or_null<llvm::IntrinsicInst>(value))
    return !call->getCalledFunction()->getName().contains(".sreg.");
  return llvm::isa_and_present<llvm::Instruction>(value);
}

/// Of which C++ type the variable is that a loop or branch carries: LLVM's integers have no sign.
void mark_unsigned(llvm::Value *value, const llvm::DIType *type) {
  while (const auto *derived = llvm::dyn_cast_if_present<llvm::DIDerivedType>(type))
    type = derived->getBaseType();
  const auto *basic = llvm::dyn_cast_if_present<llvm::DIBasicType>(type);
  auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
  if (phi && basic && basic->getSignedness() == llvm::DIBasicType::Signedness::Unsigned)
    phi->setMetadata(kUnsigned, llvm::MDNode::get(phi->getContext(), {}));
}

/// Names of the kernel's own variables, or those of the functions inlined into it.
void add_names(llvm::Function &function, bool inlined, Names &names) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
        const llvm::StringRef name = record.getVariable()->getName();
        if ((record.getDebugLoc().getInlinedAt() != nullptr) != inlined || name.empty() ||
            name.starts_with("__") || !is_the_value(record))
          continue;
        llvm::Value *value = record.getVariableLocationOp(0);
        if (is_nameable(value) && names.try_emplace(value, name_of(record)).second)
          mark_unsigned(value, record.getVariable()->getType());
      }
}

/// A name that LLVM made, without what its passes appended: "add.i.i12" was inlined, "i.addr.0" was
/// in memory, "p.sroa.2.0.copyload" was split. Temporaries have no name worth keeping.
llvm::StringRef plain(llvm::StringRef name) {
  name = name.split(".sroa.").first;
  const auto cut_number = [&name] {
    const auto [base, rest] = name.rsplit('.');
    if (base.size() == name.size() || rest.empty() || !llvm::all_of(rest, llvm::isDigit))
      return false;
    name = base;
    return true;
  };
  const auto cut_inlining = [&name] {
    const llvm::StringRef base = name.rtrim("0123456789");
    if (!base.ends_with(".i") || base.size() == 2)
      return false;
    name = base.drop_back(2);
    return true;
  };
  while (cut_number() || cut_inlining() || name.consume_back(".addr") ||
         name.consume_back(".lcssa") || name.consume_back(".copy")) {
  }
  return name.starts_with("agg.tmp") || name.starts_with("ref.tmp") ? "" : name;
}

/// Gives values names or, where one is taken, the name with a small number. (LLVM's own numbers
/// count all names there ever were.)
class Namer {
public:
  explicit Namer(const llvm::ValueSymbolTable &taken) : taken(taken) {}

  void operator()(llvm::Value &value, llvm::StringRef name) {
    if (value.getName() == name)
      return;
    const std::string base = name.str(); // may live in the value's own name
    value.setName("");
    std::string unique = base;
    if (!base.empty() && taken.lookup(base))
      for (unsigned &n = last_number[base]; taken.lookup(unique);)
        unique = base + '_' + std::to_string(++n);
    value.setName(unique);
  }

private:
  const llvm::ValueSymbolTable &taken;
  llvm::StringMap<unsigned> last_number;
};

void shorten_names(llvm::Function &function, const Names &names, Namer &set_name) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      if (!instruction.hasName() || names.contains(&instruction) || !is_nameable(&instruction))
        continue;
      const std::string name = plain(instruction.getName()).str();
      set_name(instruction, name);
    }
}

void name_parameters(llvm::Function &function) {
  for (llvm::Argument &parameter : function.args())
    if (!parameter.hasName())
      parameter.setName("arg" + llvm::Twine(parameter.getArgNo()));
}

} // namespace

void name_values(llvm::Function &kernel) {
  name_parameters(kernel);
  Names names;
  add_names(kernel, /*inlined=*/false, names);
  add_names(kernel, /*inlined=*/true, names);
  Namer set_name(*kernel.getValueSymbolTable());
  const auto rename = [&](bool phis) {
    for (const auto &[value, name] : names)
      if (llvm::isa<llvm::PHINode>(value) == phis)
        set_name(*value, name);
  };
  // A name given twice gets a number; so what deserves the plain name takes it first.
  rename(/*phis=*/true);
  rename(/*phis=*/false);
  shorten_names(kernel, names, set_name);
  for (llvm::BasicBlock &block : kernel)
    for (llvm::Instruction &instruction : block)
      instruction.dropDbgRecords();
}

} // namespace neuronify::frontend
