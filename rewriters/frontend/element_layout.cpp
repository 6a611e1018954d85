#include "frontend/element_layout.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>
#include <vector>

namespace neuronify::frontend {

namespace {

constexpr size_t most_scalars = 64;

std::string layout_of(clang::QualType type, const clang::ASTContext &context, int depth);

class Scalars {
public:
  /// Pointers tell what they point to down to `depth` of them one after the other.
  Scalars(const clang::ASTContext &context, int depth) : context(context), depth(depth) {}

  std::optional<std::vector<std::string>> of(clang::QualType type) {
    add(type, 0);
    pad_to(bytes(type));
    if (!good)
      return std::nullopt;
    return std::move(names);
  }

private:
  const clang::ASTContext &context;
  int depth;
  std::vector<std::string> names;
  uint64_t end = 0; ///< bytes covered so far
  bool good = true;

  uint64_t bytes(clang::QualType type) const {
    return static_cast<uint64_t>(context.getTypeSizeInChars(type).getQuantity());
  }

  void add(clang::QualType type, uint64_t offset) {
    if (!good || type->isIncompleteType() || type->isDependentType()) {
      good = false;
      return;
    }
    pad_to(offset);
    type = type.getCanonicalType();
    if (const clang::ConstantArrayType *array = context.getAsConstantArrayType(type)) {
      for (uint64_t i = 0; good && i < array->getZExtSize(); ++i)
        add(array->getElementType(), offset + i * bytes(array->getElementType()));
    } else if (const auto *record = type->getAsCXXRecordDecl()) {
      add_record(*record->getDefinition(), type, offset);
    } else {
      std::string name = scalar(type);
      push(name.empty() ? "bytes" : name, name.empty() ? bytes(type) : 1, bytes(type));
    }
  }

  void add_record(const clang::CXXRecordDecl &record, clang::QualType type, uint64_t offset) {
    llvm::StringRef half = half_type(record);
    if (!half.empty())
      return push(half.str(), 1, bytes(type));
    if (record.isUnion() || record.isDynamicClass() || record.getNumVBases() ||
        llvm::any_of(record.fields(), [](const auto *field) { return field->isBitField(); }))
      return push("bytes", bytes(type), bytes(type));
    const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&record);
    for (const clang::CXXBaseSpecifier &base : record.bases()) {
      const clang::CXXRecordDecl *base_record = base.getType()->getAsCXXRecordDecl();
      if (!base_record->isEmpty())
        add(base.getType(),
            offset + static_cast<uint64_t>(layout.getBaseClassOffset(base_record).getQuantity()));
    }
    for (const clang::FieldDecl *field : record.fields())
      if (!field->isZeroSize(context))
        add(field->getType(), offset + layout.getFieldOffset(field->getFieldIndex()) / 8);
  }

  /// `count` elements that cover `size` bytes.
  void push(const std::string &name, uint64_t count, uint64_t size) {
    if (names.size() + count > most_scalars) {
      good = false;
      return;
    }
    names.insert(names.end(), count, name);
    end += size;
  }

  /// Padding has no value to compare. A member inside of what is covered already cannot be told.
  void pad_to(uint64_t offset) {
    if (offset < end)
      good = false;
    else if (good && offset > end)
      push("pad", offset - end, offset - end);
  }

  std::string scalar(clang::QualType type) const {
    const std::string bits = std::to_string(8 * bytes(type));
    if (type->isRealFloatingType())
      return type->isBFloat16Type()                 ? "bf16"
             : bytes(type) <= 8 && bytes(type) >= 2 ? "f" + bits
                                                    : "";
    if (bytes(type) > 8)
      return "";
    if (type->isAnyPointerType() || type->isReferenceType()) {
      const std::string pointee = layout_of(type->getPointeeType(), context, depth - 1);
      if (pointee.empty() || bytes(type) != 8)
        return "u" + bits;
      return pointee.find(' ') == std::string::npos ? "&" + pointee : "&(" + pointee + ")";
    }
    if (type->isNullPtrType())
      return "u" + bits;
    if (type->isIntegralOrEnumerationType())
      return (type->isSignedIntegerOrEnumerationType() ? "i" : "u") + bits;
    return "";
  }
};

/// Drops repetitions: "f32 f32 f32 f32" is "f32".
void shorten(std::vector<std::string> &names) {
  for (size_t period = 1; period <= names.size() / 2; ++period) {
    if (names.size() % period)
      continue;
    bool repeats = true;
    for (size_t i = period; repeats && i < names.size(); ++i)
      repeats = names[i] == names[i - period];
    if (repeats)
      return names.resize(period);
  }
}

std::string layout_of(clang::QualType type, const clang::ASTContext &context, int depth) {
  if (depth < 0 || type->isVoidType() || type->isFunctionType() || type->isIncompleteType())
    return "";
  auto names = Scalars(context, depth).of(type);
  if (!names)
    return "";
  shorten(*names);
  return llvm::join(*names, " ");
}

} // namespace

llvm::StringRef half_type(const clang::CXXRecordDecl &record) {
  return llvm::StringSwitch<llvm::StringRef>(record.getIdentifier() ? record.getName() : "")
      .Case("__half", "f16")
      .Case("__nv_bfloat16", "bf16")
      .Default("");
}

std::string element_layout(clang::QualType type, const clang::ASTContext &context) {
  constexpr int most_pointers = 2; // one after the other
  return layout_of(type, context, most_pointers);
}

} // namespace neuronify::frontend
