// Memory: launch arguments, arrays, and the places that loads and stores go to.
#include "tile/lowering.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>

using namespace llvm;

namespace neuronify::tile {

using kernel::Object;
using Space = kernel::Object::Space;

// ---- launch arguments
// -------------------------------------------------------------------------------

/// Element type of a pointer as the source writes it: "const float *" -> "const float".
static std::string element_of(StringRef type) {
  StringRef rest = type.rtrim();
  while (rest.consume_back("__restrict__") || rest.consume_back("__restrict") ||
         rest.consume_back("restrict") || rest.consume_back("const"))
    rest = rest.rtrim();
  if (!rest.consume_back("*"))
    return "";
  return rest.rtrim().str();
}

/// Element types that mean the same in the emitted file, which knows nothing of the user's types.
static std::string plain_element(std::string element) {
  const bool is_const =
      StringRef(element).starts_with("const ") || StringRef(element).ends_with(" const");
  StringRef bare = StringRef(element).trim();
  bare.consume_front("const ");
  bare.consume_back(" const");
  static const std::map<std::string, std::string> plain{
      {"float", "float"},
      {"double", "double"},
      {"int", "int"},
      {"unsigned int", "unsigned int"},
      {"unsigned", "unsigned int"},
      {"char", "char"},
      {"signed char", "signed char"},
      {"unsigned char", "unsigned char"},
      {"short", "short"},
      {"unsigned short", "unsigned short"},
      {"bool", "bool"},
      {"int8_t", "int8_t"},
      {"uint8_t", "uint8_t"},
      {"int16_t", "int16_t"},
      {"uint16_t", "uint16_t"},
      {"int32_t", "int32_t"},
      {"uint32_t", "uint32_t"},
      {"uint", "unsigned int"},
      {"long", "long"},
      {"size_t", "size_t"},
      {"long long", "long long"},
      {"unsigned long", "unsigned long"},
      {"unsigned long long", "unsigned long long"},
      {"int64_t", "int64_t"},
      {"uint64_t", "uint64_t"},
      {"__half", "nki::float16"},
      {"half", "nki::float16"},
      {"nv_half", "nki::float16"},
      {"_Float16", "nki::float16"},
      {"__half2", "nki::float16"},
      {"half2", "nki::float16"},
      {"nv_half2", "nki::float16"},
      {"__nv_bfloat16", "nki::bfloat16"},
      {"nv_bfloat16", "nki::bfloat16"},
      {"__bf16", "nki::bfloat16"},
      {"__nv_bfloat162", "nki::bfloat16"},
      {"nv_bfloat162", "nki::bfloat16"}};
  auto found = plain.find(bare.trim().str());
  if (found == plain.end())
    return is_const ? "const unsigned char" : "unsigned char";
  return (is_const ? "const " : "") + found->second;
}

static int64_t element_size(StringRef element) {
  element.consume_front("const ");
  if (element.contains("64") || element.contains("long") || element == "size_t" ||
      element == "double")
    return 8;
  if (element.contains("16") || element.contains("short"))
    return 2;
  if (element.contains("8_t") || element.contains("char") || element == "bool")
    return 1;
  return 4;
}

Expr Lowering::input(const Value *value, unsigned argument, uint64_t offset) {
  const Argument *parameter = a_.function.getArg(argument);
  auto key = std::pair<const Value *, uint64_t>{parameter, offset};
  if (auto found = inputs_.find(key); found != inputs_.end())
    return found->second;
  const frontend::Parameter *description =
      argument < info_.parameters.size() ? &info_.parameters[argument] : nullptr;
  const bool whole = !parameter->hasByValAttr();
  std::string name = description ? description->name : "arg" + std::to_string(argument);
  std::string written = description ? description->type : "";
  if (!whole && description)
    for (const frontend::Field &field : description->fields)
      if (field.offset == offset) {
        name = field.name;
        written = field.type;
      }
  llvm::Type *type = value->getType();
  Type result;
  if (type->isPointerTy()) {
    result.kind = Kind::pointer;
    result.element = plain_element(element_of(written));
  } else if (type->isIntegerTy(1)) {
    result.kind = Kind::host_bool;
  } else if (type->isIntegerTy()) {
    result.kind = Kind::host_int;
    result.bits = uint8_t(type->getIntegerBitWidth());
    StringRef text = written;
    result.is_signed = !(text.contains("unsigned") || text.contains("uint") ||
                         text.contains("size_t") || text == "bool");
  } else if (type->isFloatTy() || type->isDoubleTy()) {
    result.kind = Kind::host_float;
    result.bits = uint8_t(type->getPrimitiveSizeInBits());
  } else {
    fail(*a_.function.getEntryBlock().getTerminator(), "NFY4009",
         "parameter '" + name + "' of type '" + written + "'");
    return nullptr;
  }
  Input entry;
  entry.variable = program.add_variable(name, result, true);
  entry.argument = int(argument);
  entry.offset = offset;
  entry.is_parameter = whole;
  program.inputs.push_back(entry);
  return inputs_[key] = variable(entry.variable, result);
}

// ---- arrays
// -----------------------------------------------------------------------------------------

static std::string source_name(StringRef mangled) {
  // _ZZ…E4tile: the last length-prefixed name; good enough for people, never for meaning.
  size_t end = mangled.size();
  for (size_t i = mangled.size(); i-- > 0;) {
    if (!isDigit(mangled[i]))
      continue;
    size_t first = i;
    while (first > 0 && isDigit(mangled[first - 1]))
      --first;
    unsigned length = 0;
    if (!mangled.slice(first, i + 1).getAsInteger(10, length) && length && i + 1 + length <= end)
      return mangled.substr(i + 1, length).str();
    i = first;
  }
  return mangled.starts_with("_Z") ? "shared" : mangled.split('.').first.str();
}

/// How C++ calls the elements of a device variable.
static std::string element_of_global(const GlobalVariable &global) {
  llvm::Type *type = global.getValueType();
  while (auto *array = dyn_cast<ArrayType>(type))
    type = array->getElementType();
  if (type->isFloatTy())
    return "float";
  if (type->isDoubleTy())
    return "double";
  if (type->isIntegerTy(32))
    return "int";
  if (type->isIntegerTy(16))
    return "short";
  if (type->isHalfTy())
    return "nki::float16";
  if (type->isBFloatTy())
    return "nki::bfloat16";
  return "unsigned char";
}

/// What lanes read of an argument by value at places of their own: the type of all of it, or bytes.
static std::string element_of_parameter(const Argument &parameter, const Analysis &analysis) {
  const llvm::Type *common = nullptr;
  SmallVector<const Value *, 8> work{&parameter};
  while (!work.empty()) {
    for (const User *user : work.pop_back_val()->users()) {
      if (auto *load = dyn_cast<LoadInst>(user)) {
        if (load->getPointerOperand()->stripInBoundsConstantOffsets() == &parameter ||
            analysis.is_launch_element(*load))
          continue;
        if (common && common != load->getType())
          return "const unsigned char";
        common = load->getType();
      } else {
        work.push_back(user);
      }
    }
  }
  if (common && common->isFloatTy())
    return "const float";
  return common && common->isIntegerTy(32) ? "const int" : "const unsigned char";
}

Expr Lowering::parameter_in_memory(const Argument &parameter) {
  const unsigned number = parameter.getArgNo();
  const Type type{Kind::pointer, 32, true, element_of_parameter(parameter, a_)};
  Input entry;
  entry.variable = program.add_variable(
      number < info_.parameters.size() ? info_.parameters[number].name : "argument", type, true);
  entry.argument = int(number);
  entry.memory_bytes =
      a_.function.getDataLayout().getTypeAllocSize(parameter.getParamByValType()).getFixedValue();
  program.inputs.push_back(entry);
  return variable(entry.variable, type);
}

/// Shared arrays and local arrays that are still memory: one declaration each, before everything
/// else.
void Lowering::declare_arrays() {
  arrays_with_addresses_ = kernel::arrays_with_addresses(a_.function);
  const DataLayout &layout = a_.function.getDataLayout();
  SetVector<const Value *> found;
  for (BasicBlock &block : a_.function)
    for (Instruction &instruction : block) {
      if (isa<AllocaInst>(instruction))
        found.insert(&instruction);
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        if (const Object object = a_.object(load->getPointerOperand());
            object.space == Space::parameter && !a_.is_host_element(*load) &&
            !a_.is_launch_element(*load))
          found.insert(object.value);
      if (auto *call = dyn_cast<CallInst>(&instruction)) { // texts are no memory of the chip
        const kernel::Effect effect = kernel::find_callee(*call).effect;
        if (effect == kernel::Effect::print || effect == kernel::Effect::stop)
          continue;
      }
      for (const Value *operand : instruction.operands())
        if (auto *global = dyn_cast<GlobalVariable>(operand->stripPointerCasts()))
          found.insert(global);
        else if (auto *expression = dyn_cast<ConstantExpr>(operand))
          if (auto *base = dyn_cast<GlobalVariable>(getUnderlyingObject(expression, 0)))
            found.insert(base);
    }
  Expr dynamic;
  for (const Value *value : found) {
    const Object object = a_.object(value);
    if (auto *alloca = dyn_cast<AllocaInst>(value)) {
      auto size = alloca->getAllocationSize(layout);
      if (alloca->use_empty() || !size || size->isScalable())
        continue;
      const std::string name = name_of(*alloca);
      arrays_[value] = declare(name.empty() ? "local" : name, {Kind::place},
                               operation("local_array", {Kind::place},
                                         {literal({Kind::host_int, 64}, size->getFixedValue())}),
                               true);
    } else if (object.space == Space::shared) {
      auto *global = cast<GlobalVariable>(value);
      const int64_t size = layout.getTypeAllocSize(global->getValueType());
      program.static_shared_bytes += size;
      arrays_[value] = declare(
          source_name(global->getName()), {Kind::place},
          operation("shared_array", {Kind::place}, {literal({Kind::host_int, 64}, size)}), true);
    } else if (object.space == Space::dynamic_shared) {
      if (!dynamic)
        dynamic = declare(source_name(value->getName()), {Kind::place},
                          operation("dynamic_shared", {Kind::place}, {}), true);
      arrays_[value] = dynamic;
    } else if (object.space == Space::parameter) {
      arrays_[value] = parameter_in_memory(*cast<Argument>(value));
    } else if (object.space == Space::symbol) {
      Input entry;
      const Type type{Kind::pointer, 32, true, element_of_global(*cast<GlobalVariable>(value))};
      entry.variable = program.add_variable(source_name(value->getName()), type, true);
      entry.symbol = value->getName().str();
      program.inputs.push_back(entry);
      arrays_[value] = variable(entry.variable, type);
    }
  }
}

// ---- places
// -----------------------------------------------------------------------------------------

/// Device memory by the number of its address.
Expr Lowering::at_address(const IntToPtrInst &pointer) {
  const Value *number = pointer.getOperand(0);
  Expr address = a_.known(number) == Known::chip ? wide(number) : known(number);
  return address ? operation("at_address", {Kind::place}, {address}) : nullptr;
}

Expr Lowering::base_of(const Value *pointer, const Instruction &at) {
  const Object object = a_.object(pointer);
  switch (object.space) {
  case Space::argument:
    if (auto *argument = dyn_cast<Argument>(object.value))
      return input(argument, argument->getArgNo(), 0);
    return host_element(*cast<LoadInst>(object.value));
  case Space::address:
    return at_address(*cast<IntToPtrInst>(object.value));
  case Space::none:
    if (auto found = known_.find(getUnderlyingObject(pointer, 0)); found != known_.end())
      return found->second; // a pointer that the host chooses
    break;
  default:
    if (auto found = arrays_.find(object.value); found != arrays_.end())
      return found->second;
  }
  fail(at, "NFY4008", "a pointer into one of several objects");
  return nullptr;
}

namespace {
/// A pointer as base + constant + sum of scale * index.
struct Address {
  int64_t constant = 0;
  MapVector<Value *, APInt> terms;
};
} // namespace

static bool collect(const Value *pointer, const DataLayout &layout, Address &address) {
  while (true) {
    if (auto *gep = dyn_cast<GEPOperator>(pointer)) {
      SmallMapVector<Value *, APInt, 4> variables;
      APInt constant(64, 0);
      if (!gep->collectOffset(layout, 64, variables, constant))
        return false;
      address.constant += constant.getSExtValue();
      for (auto &[index, scale] : variables) {
        auto [entry, inserted] = address.terms.insert({index, scale});
        if (!inserted)
          entry->second += scale;
      }
      pointer = gep->getPointerOperand();
    } else if (Operator::getOpcode(pointer) == Instruction::AddrSpaceCast ||
               Operator::getOpcode(pointer) == Instruction::BitCast) {
      pointer = cast<Operator>(pointer)->getOperand(0);
    } else {
      return true;
    }
  }
}

/// Product of an index and a number of units, without a multiplication by one.
static Expr times(const Expr &index, int64_t factor) {
  if (factor == 1)
    return index;
  return operation("mul", index->type, {index, literal({Kind::host_int, 64}, factor)});
}

/// An element of an argument by value whose place the host knows, or the launch for each lane.
Expr Lowering::host_element(const LoadInst &load) {
  if (auto field = a_.field(&load))
    return input(&load, field->argument, field->offset);
  const DataLayout &layout = a_.function.getDataLayout();
  const auto *parameter = cast<Argument>(a_.object(load.getPointerOperand()).value);
  Address address;
  if (!collect(load.getPointerOperand(), layout, address)) {
    fail(load, "NFY4008", "unsupported address computation");
    return nullptr;
  }
  Expr offset;
  for (auto &[index, scale] : address.terms) {
    Expr number = known(index);
    if (!number)
      return nullptr;
    if (number->type.bits < 64)
      number = operation("sext", {number->type.kind, 64}, {number});
    Expr term = times(number, scale.getSExtValue());
    const bool per_lane =
        term->type.kind == Kind::index || (offset && offset->type.kind == Kind::index);
    const Type sum{per_lane ? Kind::index : Kind::host_int, 64};
    offset = offset ? operation("add", sum, {offset, term}) : term;
  }
  if (address.constant)
    offset = operation("add", {offset->type.kind, 64},
                       {offset, literal({Kind::host_int, 64}, address.constant)});
  Type type = type_of(load);
  if (type.kind == Kind::place)
    type = {Kind::pointer, 32, true, "unsigned char"};
  const uint64_t bytes = layout.getTypeAllocSize(parameter->getParamByValType()).getFixedValue();
  return operation("field", type,
                   {literal({Kind::host_int}, parameter->getArgNo()),
                    literal({Kind::host_int, 64}, int64_t(bytes)), offset});
}

/// Memory is gathered by elements: an offset in bytes that is a multiple of them becomes their
/// number.
std::pair<Expr, int64_t> Lowering::in_elements_of(const llvm::Type *accessed, const Value *index,
                                                  Expr which, int64_t scale) {
  const int64_t bytes = std::max<int64_t>(1, int64_t(accessed->getPrimitiveSizeInBits() / 8));
  if (scale % bytes == 0 || bytes % scale != 0)
    return {std::move(which), scale};
  const KnownBits known = computeKnownBits(index, a_.function.getDataLayout());
  const unsigned shift = Log2_64(uint64_t(bytes / scale));
  if (known.countMinTrailingZeros() < shift)
    return {std::move(which), scale};
  Expr number = new_tile(nullptr, Kind::tile_int);
  issue("ashr", {number, which, literal({Kind::host_int}, shift)});
  return {number, bytes};
}

Expr Lowering::place(const Value *pointer, const llvm::Type *accessed, const Instruction &at) {
  Expr base = base_of(pointer, at);
  Address address;
  if (!base)
    return nullptr;
  if (!collect(pointer, a_.function.getDataLayout(), address)) {
    fail(at, "NFY4008", "unsupported address computation");
    return nullptr;
  }
  // Count in elements where everything is a multiple of them: it reads as the original does.
  int64_t unit = base->type.kind == Kind::pointer ? element_size(base->type.element)
                                                  : int64_t(accessed->getPrimitiveSizeInBits() / 8);
  unit = std::max<int64_t>(unit, 1);
  bool in_elements = address.constant % unit == 0;
  for (auto &[index, scale] : address.terms)
    in_elements &= scale.getSExtValue() % unit == 0;
  if (!in_elements)
    unit = 1;

  Expr offset; // launch-known part, in units
  Expr result = base;
  const Type place_type{Kind::place};
  std::vector<std::pair<Expr, int64_t>> on_chip;
  for (auto &[index, scale] : address.terms) {
    const int64_t factor = scale.getSExtValue();
    if (a_.known(index) == Known::chip) {
      Expr which = index->getType()->getIntegerBitWidth() > 32 ? low_word(index) : tile(index);
      if (!which)
        return nullptr;
      on_chip.push_back(in_elements_of(accessed, index, which, factor));
      continue;
    }
    Expr term = times(known(index), factor / unit);
    if (!term)
      return nullptr;
    const Kind kind = offset && (offset->type.kind == Kind::index || term->type.kind == Kind::index)
                          ? Kind::index
                          : term->type.kind;
    offset = offset ? operation("add", {kind, 64}, {offset, term}) : term;
  }
  if (address.constant) {
    Expr constant = literal({Kind::host_int, 64}, address.constant / unit);
    offset = offset ? operation("add", offset->type, {offset, constant}) : constant;
  }
  if (!offset)
    offset = literal({Kind::host_int, 64}, 0);
  result = operation("element", place_type, {base, offset, literal({Kind::host_int}, unit)});
  for (auto &[index, scale] : on_chip)
    result = operation("plus", place_type, {result, index, literal({Kind::host_int, 64}, scale)});
  return result;
}

static bool is_supported_element(const llvm::Type *type) {
  return type->isFloatTy() || type->isIntegerTy(64) ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 32);
}

/// Says why an element of `type` cannot be accessed; `done` is what happens to a pointer.
bool Lowering::fail_element(const Instruction &at, const llvm::Type *type, const char *done) {
  if (type->isDoubleTy())
    return fail(at, "NFY4001", "double precision data");
  if (type->isPointerTy())
    return fail(at, "NFY4008", std::string("a pointer that is ") + done + " memory");
  if (type->isIntegerTy())
    return fail(at, "NFY4003",
                "an integer of " + std::to_string(type->getIntegerBitWidth()) + " bits in memory");
  return fail(at, "NFY4009", "data of type '" + type_name(*type) + "'");
}

void Lowering::lower_load(LoadInst &load) {
  llvm::Type *type = load.getType();
  if (!is_supported_element(type)) {
    fail_element(load, type, "loaded from");
    return;
  }
  // Little endian: the low word of an eight-byte number is its first four bytes.
  const bool pair = is_pair(load);
  const int bytes = type->isIntegerTy(64) && !pair ? 4
                    : type->isIntegerTy(1)         ? 1
                                                   : int(type->getPrimitiveSizeInBits() / 8);
  const Expr size = literal({Kind::host_int}, bytes);
  const Kind kind = type->isFloatTy() ? Kind::tile_float : pair ? Kind::tile_wide : Kind::tile_int;
  const bool truth = type->isIntegerTy(1);
  const auto sources =
      alternatives(load.getPointerOperand(), mask_of(load.getParent()), load, type);
  Expr result;
  for (const Alternative &source : sources) {
    Expr from = place(source, type, load);
    if (!from)
      return;
    Expr part = new_tile(sources.size() > 1 || truth ? nullptr : &load, kind);
    issue("load", {part, from, size, source.lanes});
    if (result)
      issue("assign", {result, part, source.lanes});
    else
      result = part;
  }
  if (truth)
    remember(&load,
             declare("m", {Kind::mask},
                     operation("test_bit", {Kind::mask}, {result, literal({Kind::host_int}, 0)})),
             false);
  else if (result)
    remember(&load, result, true);
}

void Lowering::lower_store(StoreInst &store) {
  Value *value = store.getValueOperand();
  llvm::Type *type = value->getType();
  if (!is_supported_element(type)) {
    fail_element(store, type, "stored in");
    return;
  }
  Expr source;
  if (type->isIntegerTy(1)) {
    source = new_tile(nullptr, Kind::tile_int);
    issue("from_mask", {source, mask(value)});
  } else {
    source = type->isIntegerTy(64) ? wide_operand(value) : operand(value);
  }
  const int bytes = type->isIntegerTy(1) ? 1 : int(type->getPrimitiveSizeInBits() / 8);
  const auto targets =
      alternatives(store.getPointerOperand(), mask_of(store.getParent()), store, type);
  for (const Alternative &target : targets) {
    Expr to = place(target, type, store);
    if (!source || !to)
      return;
    issue("store", {to, source, literal({Kind::host_int}, bytes), target.lanes});
  }
}

} // namespace neuronify::tile
