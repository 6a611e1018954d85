// The lowering's frame: values in the forms that operations want, names, and emission.
#include "tile/lower.h"

#include "kernel/source_line.h"
#include "kernel/unsupported.h"
#include "tile/chip_masks.h"
#include "tile/lowering.h"
#include "tile/scope.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace neuronify::tile {

std::optional<Program> lower(const frontend::Kernel &kernel, Analysis &analysis,
                             std::vector<Diagnostic> &diagnostics) {
  Lowering lowering(kernel, analysis, diagnostics);
  if (!lowering.run())
    return {};
  return std::move(lowering.program);
}

Lowering::Lowering(const frontend::Kernel &info, Analysis &analysis,
                   std::vector<Diagnostic> &diagnostics)
    : info_(info), a_(analysis), diagnostics_(diagnostics),
      all_(operation("all", {Kind::mask}, {})) {}

/// A store under a mask that only the chip knows may put back what dead lanes read.
static bool may_put_back(const Program &program) {
  const ChipMasks masks(program);
  bool result = false;
  for_each_statement(program.body, [&](const Statement &statement) {
    if (statement.form == Statement::Form::issue &&
        (statement.operation == "store" || statement.operation.starts_with("surface_write_")))
      result |= masks.may_be_tile(statement.operands.back());
  });
  return result;
}

bool Lowering::run() {
  program.name = info_.name;
  program.identifier = info_.identifier;
  program.mangled = info_.mangled;
  program.file = info_.file;
  program.line = info_.line;
  program.block_per_partition = a_.uses_shared || a_.uses_barriers;
  program.warps = a_.uses_warps && !program.block_per_partition;
  out_ = &program.body;
  line_ = info_.line;
  for (const kernel::Unsupported &construct : kernel::find_unsupported(a_.function))
    fail(*construct.at, construct.code.c_str(), construct.what);
  if (failed_)
    return false;
  declare_arrays();
  if (!failed_)
    lower_nodes(nullptr, a_.order(nullptr));
  program.one_core |= may_put_back(program);
  std::sort(program.inputs.begin(), program.inputs.end(), [](const Input &a, const Input &b) {
    return std::tuple(unsigned(a.argument), a.offset, a.variable) <
           std::tuple(unsigned(b.argument), b.offset, b.variable);
  });
  return !failed_;
}

// ---- names
// --------------------------------------------------------------------------------------------

/// The name without the numbers that LLVM and name_values() append: "cmp7_1" is "cmp".
static StringRef without_number(StringRef name) {
  StringRef base = name.rtrim("0123456789");
  if (base.size() < name.size() && base.consume_back("_"))
    base = base.rtrim("0123456789");
  return base;
}

/// Names that Clang makes up for temporaries.
static bool is_made_up(StringRef name) {
  static const DenseSet<StringRef> made_up{
      "add",      "sub",     "mul",     "div",  "rem",      "conv",    "cmp",        "call",
      "arrayidx", "idx",     "idxprom", "inc",  "dec",      "tobool",  "lnot",       "cond",
      "shl",      "shr",     "and",     "or",   "xor",      "neg",     "fneg",       "retval",
      "tmp",      "ref",     "agg",     "this", "cleanup",  "loadedv", "storedv",    "frombool",
      "lcssa",    "not",     "land",    "lor",  "spec",     "sroa",    "arraydecay", "for",
      "while",    "if",      "sext",    "zext", "trunc",    "incdec",  "call",       "ext",
      "unsub",    "or.cond", "brmerge", "sel",  "promoted", "v"};
  return made_up.contains(without_number(name));
}

std::string Lowering::name_of(const Value &value) const {
  if (isa<CallInst>(value) && a_.known(&value) != Known::chip)
    return ""; // a coordinate or dimension has its own name
  const auto plain = [&](const Value &v) {
    StringRef name = v.getName().split('.').first;
    // Versions of one variable are numbered (name_values): the name itself is there too then.
    StringRef stem = name.rtrim("0123456789");
    if (stem != name && stem.consume_back("_") && a_.function.getValueSymbolTable()->lookup(stem))
      name = stem;
    return name.empty() || is_made_up(name) ? std::string() : name.str();
  };
  const std::string name = plain(value);
  if (isa<PHINode>(value) || name.empty())
    return name;
  // The first or next value of a variable that a loop carries: the phi has the name.
  const StringRef stem = without_number(name);
  for (const User *user : value.users())
    if (auto *phi = dyn_cast<PHINode>(user); phi && without_number(plain(*phi)) == stem)
      return "";
  return name;
}

// ---- emission
// -----------------------------------------------------------------------------------------

Statement &Lowering::emit(Statement statement) {
  if (!statement.line)
    statement.line = line_;
  out_->push_back(std::move(statement));
  return out_->back();
}

Expr Lowering::declare(const std::string &name, const Type &type, Expr value, bool named) {
  const int number = program.add_variable(name, type, named && !name.empty());
  Statement statement;
  statement.form = Statement::Form::declare;
  statement.variable = number;
  statement.value = std::move(value);
  emit(std::move(statement));
  return variable(number, type);
}

Expr Lowering::declare_for(const Instruction &instruction, Expr value) {
  const std::string name = name_of(instruction);
  Expr result = declare(name, value->type, value, !name.empty());
  remember(&instruction, result, false);
  return result;
}

Expr Lowering::fresh(const Type &type) { return operation("tile", type, {}); }

Expr Lowering::new_tile(const Instruction *instruction, Kind kind) {
  Type type{kind};
  if (instruction)
    type = type_of(*instruction);
  if (!type.is_tile()) // a launch-known value that is wanted on the chip
    type = Type{kind, uint8_t(kind == Kind::tile_wide ? 64 : 32)};
  const std::string name = instruction ? name_of(*instruction) : "";
  Expr result = declare(name, type, fresh(type), !name.empty());
  if (instruction)
    remember(instruction, result, true);
  return result;
}

void Lowering::issue(std::string operation, std::vector<Expr> operands) {
  Statement statement;
  statement.form = Statement::Form::issue;
  statement.operation = std::move(operation);
  statement.operands = std::move(operands);
  for (const Expr &operand : statement.operands)
    if (!operand)
      failed_ = true;
  emit(std::move(statement));
}

void Lowering::set(const Expr &variable, Expr value) {
  Statement statement;
  statement.form = Statement::Form::set;
  statement.variable = variable->variable;
  statement.value = std::move(value);
  emit(std::move(statement));
}

void Lowering::remember(const Value *value, Expr expression, Form form) {
  if (!expression)
    failed_ = true;
  values_as(form)[value] = std::move(expression);
  log_.push_back({value, form});
}

bool Lowering::fail(const Instruction &at, const char *code, const std::string &text) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.kernel = info_.name;
  diagnostic.file = info_.file;
  diagnostic.line = info_.line;
  diagnostic.column = info_.column;
  if (const DILocation *location = kernel::source_line(at.getDebugLoc())) {
    diagnostic.file = location->getFilename().str();
    diagnostic.line = location->getLine();
    diagnostic.column = location->getColumn();
  }
  diagnostic.text = "kernel '" + info_.name + "' cannot be ported: " + text;
  diagnostics_.push_back(std::move(diagnostic));
  failed_ = true;
  return false;
}

// ---- values
// ------------------------------------------------------------------------------------------

Type Lowering::type_of(const Value &value) const {
  const llvm::Type *type = value.getType();
  const Known known = a_.known(&value);
  if (type->isIntegerTy(1))
    return {known == Known::host ? Kind::host_bool : Kind::mask};
  if (type->isIntegerTy()) {
    const uint8_t bits = uint8_t(std::min(64u, type->getIntegerBitWidth()));
    if (known == Known::chip)
      return a_.is_wide(&value) ? Type{Kind::tile_wide, bits}
                                : Type{Kind::tile_int, uint8_t(std::min<unsigned>(bits, 32))};
    return {known == Known::host ? Kind::host_int : Kind::index, bits};
  }
  if (type->isFloatingPointTy())
    return {known == Known::host ? Kind::host_float : Kind::tile_float,
            uint8_t(type->isDoubleTy() ? 64 : 32)};
  return {Kind::place};
}

Expr Lowering::constant(const Constant &constant) {
  if (auto *integer = dyn_cast<ConstantInt>(&constant)) {
    if (integer->getType()->isIntegerTy(1))
      return literal({Kind::host_bool}, integer->isOne());
    return literal({Kind::host_int, uint8_t(integer->getBitWidth())}, integer->getSExtValue());
  }
  if (auto *number = dyn_cast<ConstantFP>(&constant);
      number && (number->getType()->isFloatTy() || number->getType()->isDoubleTy()))
    return literal({Kind::host_float, uint8_t(number->getType()->getPrimitiveSizeInBits())},
                   number->getValueAPF().bitcastToAPInt().getZExtValue());
  if (auto *number = dyn_cast<ConstantFP>(&constant); number && number->getType()->is16bitFPTy()) {
    APFloat value = number->getValueAPF(); // a float, as halves are
    bool ignored = false;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &ignored);
    return float_literal(value.convertToFloat());
  }
  if (isa<UndefValue>(constant) || isa<ConstantAggregateZero>(constant) ||
      isa<ConstantPointerNull>(constant)) {
    if (constant.getType()->isIntegerTy(1))
      return literal({Kind::host_bool}, 0);
    if (constant.getType()->isFloatTy())
      return float_literal(0);
    if (constant.getType()->isDoubleTy())
      return literal({Kind::host_float, 64}, 0);
    if (constant.getType()->isIntegerTy())
      return literal({Kind::host_int, uint8_t(constant.getType()->getIntegerBitWidth())}, 0);
  }
  return nullptr;
}

std::string type_name(const llvm::Type &type) {
  if (type.isHalfTy())
    return "half";
  if (type.isBFloatTy())
    return "bfloat16";
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

Expr Lowering::known(const Value *value) {
  if (auto found = known_.find(value); found != known_.end())
    return found->second;
  if (auto *c = dyn_cast<Constant>(value)) {
    Expr result = constant(*c);
    if (!result)
      fail(*a_.function.getEntryBlock().getTerminator(),
           value->getType()->isDoubleTy() ? "NFY4001" : "NFY4009",
           value->getType()->isDoubleTy() ? "double precision constant" : "unsupported constant");
    return result;
  }
  if (auto *argument = dyn_cast<Argument>(value))
    return input(argument, argument->getArgNo(), 0);
  if (auto *instruction = dyn_cast<Instruction>(value)) {
    if (value->getType()->isDoubleTy())
      fail(*instruction, "NFY4001", "double precision value");
    else if (!failed_)
      fail(*instruction, "NFY4009", "a value of type '" + type_name(*value->getType()) + "'");
  }
  return nullptr;
}

/// The low word of a pair; any other tile is what it is.
static Expr low_part(const Expr &tile) {
  if (tile->type.kind != Kind::tile_wide)
    return tile;
  return operation("low_word", {Kind::tile_int}, {tile});
}

Expr Lowering::tile(const Value *value) {
  if (auto found = tiles_.find(value); found != tiles_.end())
    return low_part(found->second);
  if (auto found = pairs_.find(value); found != pairs_.end())
    return low_part(found->second);
  const bool is_float = value->getType()->isFloatTy();
  if (!is_float && !value->getType()->isIntegerTy()) {
    known(value); // says what is wrong
    failed_ = true;
    return nullptr;
  }
  if (value->getType()->isIntegerTy(1)) {
    fail(*a_.function.getEntryBlock().getTerminator(), "NFY4009", "a truth value is used as data");
    return nullptr;
  }
  const Known when = a_.known(value);
  if (when == Known::chip) {
    known(value);
    return nullptr;
  }
  if (when == Known::launch && !a_.is_affine(value) && !(value->getType()->isIntegerTy(64))) {
    lower_chip_form(*const_cast<Instruction *>(cast<Instruction>(value)));
    auto found = tiles_.find(value);
    return found == tiles_.end() ? nullptr : found->second;
  }
  const Type type{is_float ? Kind::tile_float : Kind::tile_int};
  Expr source = known(value);
  Expr result = declare("", type, fresh(type));
  issue(when == Known::launch ? "materialize" : "fill", {result, source});
  remember(value, result, true);
  return result;
}

/// Computes a launch-known value on the chip, because it is wanted as data there.
void Lowering::lower_chip_form(Instruction &instruction) {
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return lower_call_on_chip(*call);
  lower_chip(instruction);
}

Expr Lowering::operand(const Value *value) {
  return a_.known(value) == Known::host ? known(value) : tile(value);
}

Expr Lowering::mask(const Value *value) {
  return known(value); // i1 values are remembered as masks or host truth values
}

Expr Lowering::low_word(const Value *value) {
  if (tiles_.count(value) || pairs_.count(value))
    return tile(value);
  if (a_.known(value) == Known::host) {
    const Type type{Kind::tile_int};
    Expr result = declare("", type, fresh(type));
    issue("fill", {result, operation("trunc", {Kind::host_int, 32}, {known(value)})});
    return result;
  }
  return tile(value);
}

} // namespace neuronify::tile
