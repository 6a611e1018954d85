#include "frontend/fields.h"

#include "frontend/element_layout.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/RecordLayout.h"

namespace neuronify::frontend {

namespace {

/// Beyond this, leaves of an array are no longer worth a name each.
constexpr uint64_t longest_array = 64;

class Leaves {
public:
  Leaves(const clang::ASTContext &context, const clang::PrintingPolicy &policy,
         std::vector<Field> &fields)
      : context(context), policy(policy), fields(fields) {}

  void add(clang::QualType type, const std::string &name, uint64_t offset) {
    const auto *record = type->getAsCXXRecordDecl();
    if (record && half_type(*record).empty()) // those are scalars for whoever reads the source
      return add_record(*record, name, offset);
    if (const clang::ConstantArrayType *array = context.getAsConstantArrayType(type))
      if (array->getZExtSize() <= longest_array)
        return add_array(*array, name, offset);
    add_leaf(type, name, offset, bytes(type));
  }

private:
  const clang::ASTContext &context;
  const clang::PrintingPolicy &policy;
  std::vector<Field> &fields;

  uint64_t bytes(clang::QualType type) const {
    return static_cast<uint64_t>(context.getTypeSizeInChars(type).getQuantity());
  }

  void add_leaf(clang::QualType type, const std::string &name, uint64_t offset, uint64_t size) {
    fields.push_back({.name = name,
                      .type = type.getAsString(policy),
                      .offset = offset,
                      .size = size,
                      .is_pointer = type->isAnyPointerType() || type->isReferenceType(),
                      .pointee = pointee(type)});
  }

  std::string pointee(clang::QualType type) const {
    const clang::QualType target = type->getPointeeType();
    return target.isNull() ? "" : element_layout(target, context);
  }

  void add_array(const clang::ConstantArrayType &array, const std::string &name, uint64_t offset) {
    const clang::QualType element = array.getElementType();
    for (uint64_t i = 0; i < array.getZExtSize(); ++i)
      add(element, name + '[' + std::to_string(i) + ']', offset + i * bytes(element));
  }

  void add_record(const clang::CXXRecordDecl &record, const std::string &name, uint64_t offset) {
    const clang::CXXRecordDecl *definition = record.getDefinition();
    if (!definition || definition->isInvalidDecl())
      return;
    const clang::ASTRecordLayout &layout = context.getASTRecordLayout(definition);
    for (const clang::CXXBaseSpecifier &base : definition->bases()) {
      const auto *base_record = base.getType()->getAsCXXRecordDecl();
      if (base_record && !base.isVirtual())
        add_record(*base_record, name,
                   offset +
                       static_cast<uint64_t>(layout.getBaseClassOffset(base_record).getQuantity()));
    }
    const auto captures = capture_names(*definition);
    for (const clang::FieldDecl *field : definition->fields())
      add_member(*field, layout, member_name(*field, captures, name), offset);
  }

  void add_member(const clang::FieldDecl &field, const clang::ASTRecordLayout &layout,
                  const std::string &name, uint64_t offset) {
    const uint64_t bit = layout.getFieldOffset(field.getFieldIndex());
    if (!field.isBitField())
      return add(field.getType(), name, offset + bit / 8);
    if (field.isUnnamedBitField() || field.getBitWidthValue() == 0)
      return;
    const uint64_t end = (bit + field.getBitWidthValue() + 7) / 8;
    add_leaf(field.getType(), name, offset + bit / 8, end - bit / 8);
  }

  /// The fields of a lambda have no names; what they hold has.
  static llvm::DenseMap<const clang::FieldDecl *, std::string>
  capture_names(const clang::CXXRecordDecl &record) {
    llvm::DenseMap<const clang::FieldDecl *, std::string> names;
    if (!record.isLambda())
      return names;
    llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures;
    clang::FieldDecl *captured_this = nullptr;
    record.getCaptureFields(captures, captured_this);
    for (const auto &[variable, field] : captures)
      names[field] = variable->getNameAsString();
    if (captured_this)
      names[captured_this] = "this";
    return names;
  }

  /// Members of unnamed structs and unions are named as if they stood outside of them.
  static std::string
  member_name(const clang::FieldDecl &field,
              const llvm::DenseMap<const clang::FieldDecl *, std::string> &captures,
              const std::string &name) {
    if (const auto capture = captures.find(&field); capture != captures.end())
      return name + '.' + capture->second;
    if (!field.getDeclName())
      return name;
    return name + '.' + field.getNameAsString();
  }
};

} // namespace

Parameter make_parameter(const clang::ParmVarDecl &parameter, const clang::ASTContext &context,
                         const clang::PrintingPolicy &policy) {
  const clang::QualType type = parameter.getType();
  Parameter result;
  result.name = parameter.getNameAsString();
  if (result.name.empty())
    result.name = "arg" + std::to_string(parameter.getFunctionScopeIndex());
  result.type = type.getAsString(policy);
  result.is_pointer = type->isAnyPointerType() || type->isReferenceType();
  // A reference parameter is passed as its address.
  const clang::QualType passed =
      type->isReferenceType() ? context.getPointerType(type.getNonReferenceType()) : type;
  result.size = static_cast<uint64_t>(context.getTypeSizeInChars(passed).getQuantity());
  result.align = static_cast<uint64_t>(context.getTypeAlignInChars(passed).getQuantity());
  Leaves leaves(context, policy, result.fields);
  leaves.add(type->isReferenceType() ? passed : type, result.name, 0);
  if (type->isReferenceType())
    result.fields.front().type = result.type;
  return result;
}

} // namespace neuronify::frontend
