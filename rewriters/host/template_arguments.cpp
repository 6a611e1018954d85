#include "host/template_arguments.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallString.h"

namespace neuronify::rewrite {

namespace {

clang::PrintingPolicy policy(const Context &context) {
  clang::PrintingPolicy policy(context.ast.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.FullyQualifiedName = true;
  policy.SuppressUnwrittenScope = true;
  policy.UsePreferredNames = false;
  return policy;
}

std::string source_text(const Context &context, const clang::Expr &value) {
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(value.getSourceRange()),
                                     context.sources, context.ast.getLangOpts())
      .str();
}

/// A type that has no name: a lambda, or an unnamed struct.
bool is_unnamed(clang::QualType type) {
  const clang::TagDecl *tag = type.getCanonicalType()->getAsTagDecl();
  return tag && !tag->getDeclName() && !tag->getTypedefNameForAnonDecl();
}

bool has_unnamed_part(const std::string &text) {
  return text.find('(') != std::string::npos && (text.find("(lambda") != std::string::npos ||
                                                 text.find("(anonymous") != std::string::npos ||
                                                 text.find("(unnamed") != std::string::npos);
}

std::optional<std::string> spell_unnamed(const Context &context, clang::QualType type,
                                         llvm::ArrayRef<const clang::Expr *> values) {
  for (const clang::Expr *value : values) {
    const clang::Expr *inner = value->IgnoreImplicit();
    if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
        construct && construct->getNumArgs() == 1)
      inner = construct->getArg(0)->IgnoreImplicit();
    if (llvm::isa<clang::DeclRefExpr>(inner) &&
        context.ast.hasSameUnqualifiedType(inner->getType(), type))
      return "decltype(" + source_text(context, *inner) + ")";
  }
  return std::nullopt;
}

std::optional<std::string> spell_argument(const Context &context,
                                          const clang::TemplateArgument &argument,
                                          llvm::ArrayRef<const clang::Expr *> values) {
  if (argument.getKind() == clang::TemplateArgument::Type) {
    if (is_unnamed(argument.getAsType()))
      return spell_unnamed(context, argument.getAsType(), values);
    std::string text = spell(context, argument.getAsType());
    return has_unnamed_part(text) ? std::nullopt : std::optional(text);
  }
  return spell_value(context, argument);
}

/// Matches parameter types of a kernel template against types of arguments, structurally.
class Deduction {
public:
  Deduction(const Context &context, unsigned depth) : context_(context), depth_(depth) {}

  /// Whether the type of an argument is open until its template is instantiated.
  static bool is_unknown(const clang::Expr &value) {
    const clang::QualType type = value.getType();
    return type->isSpecificBuiltinType(clang::BuiltinType::Dependent) ||
           (type->getContainedDeducedType() && type->isDependentType());
  }

  /// A call argument: arrays and functions decay, references and top-level qualifiers go. One whose
  /// type is unknown says it itself, by `decltype`.
  void match_value(clang::QualType parameter, const clang::Expr &value) {
    if (is_unknown(value)) {
      match_unknown(parameter, source_text(context_, value));
      return;
    }
    clang::QualType type = value.getType();
    if (type->isArrayType())
      type = context_.ast.getArrayDecayedType(type);
    match(parameter.getNonReferenceType().getUnqualifiedType(),
          type.getNonReferenceType().getUnqualifiedType());
  }

  std::optional<std::string> found(unsigned index) const {
    auto place = found_.find(index);
    return place == found_.end() ? std::nullopt : std::optional(place->second);
  }

private:
  std::optional<unsigned> index(clang::QualType type) const {
    const auto *parameter = type->getAs<clang::TemplateTypeParmType>();
    if (!parameter || parameter->getDepth() != depth_)
      return std::nullopt;
    return parameter->getIndex();
  }

  void match(clang::QualType parameter, clang::QualType type) {
    if (auto here = index(parameter)) {
      clang::Qualifiers left = type.getQualifiers() - parameter.getQualifiers();
      found_.try_emplace(
          *here, spell(context_, context_.ast.getQualifiedType(type.getUnqualifiedType(), left)));
      return;
    }
    if (parameter->isPointerType() && type->isPointerType()) {
      match(parameter->getPointeeType(), type->getPointeeType());
      return;
    }
    const auto *left = parameter->getAs<clang::TemplateSpecializationType>();
    const auto *right = type->getAs<clang::TemplateSpecializationType>();
    if (!left || !right || left->template_arguments().size() != right->template_arguments().size())
      return;
    for (auto [a, b] : llvm::zip(left->template_arguments(), right->template_arguments()))
      if (a.getKind() == clang::TemplateArgument::Type &&
          b.getKind() == clang::TemplateArgument::Type)
        match(a.getAsType(), b.getAsType());
  }

  /// The type of the argument is known once its template is: let the compiler say it.
  void match_unknown(clang::QualType parameter, const std::string &value) {
    std::string type = "std::decay_t<decltype(" + value + ")>";
    clang::QualType inner = parameter.getNonReferenceType();
    if (auto here = index(inner)) {
      found_.try_emplace(*here, type);
    } else if (inner->isPointerType()) {
      if (auto pointee = index(inner->getPointeeType())) {
        type = "std::remove_pointer_t<" + type + ">";
        if (inner->getPointeeType().isConstQualified())
          type = "std::remove_const_t<" + type + ">";
        found_.try_emplace(*pointee, type);
      }
    }
  }

  const Context &context_;
  unsigned depth_;
  llvm::DenseMap<unsigned, std::string> found_;
};

} // namespace

/// The first name of a qualified one: "a" of `a::b::S`.
static std::string outermost_name(const clang::TagDecl &tag) {
  const auto *scope = llvm::dyn_cast<clang::NamedDecl>(&tag);
  for (const clang::DeclContext *around = tag.getDeclContext();
       around && !around->isTranslationUnit(); around = around->getParent())
    if (const auto *named = llvm::dyn_cast<clang::NamespaceDecl>(around);
        named && !named->isAnonymousNamespace() && !named->isInline())
      scope = named;
    else if (const auto *record = llvm::dyn_cast<clang::RecordDecl>(around))
      scope = record;
  return scope->getNameAsString();
}

std::string spell(const Context &context, clang::QualType type) {
  std::string text = clang::TypeName::getFullyQualifiedName(type, context.ast, policy(context));
  // From the global namespace on: text is put where names may mean something else.
  clang::QualType inner = type;
  while (inner->isPointerType())
    inner = inner->getPointeeType();
  const clang::TagDecl *tag = inner->getAsTagDecl();
  if (tag && !tag->getParentFunctionOrMethod() &&
      llvm::StringRef(text).starts_with(outermost_name(*tag)))
    text.insert(0, "::");
  return text;
}

std::string spell_value(const Context &context, const clang::TemplateArgument &argument) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  argument.print(policy(context), stream, /*IncludeType=*/false);
  return text;
}

std::string spell_pointer(const Context &context, const clang::FunctionDecl &function) {
  std::string types;
  for (const clang::ParmVarDecl *parameter : function.parameters())
    types +=
        (types.empty() ? "" : ", ") + spell(context, parameter->getType().getUnqualifiedType());
  return "void (*)(" + types + ")";
}

std::optional<std::vector<std::string>>
spell_arguments(const Context &context, const clang::FunctionDecl &specialization,
                llvm::ArrayRef<const clang::Expr *> values) {
  const clang::TemplateArgumentList *list = specialization.getTemplateSpecializationArgs();
  if (!list)
    return std::nullopt;
  std::vector<std::string> out;
  for (const clang::TemplateArgument &argument : list->asArray()) {
    llvm::ArrayRef<clang::TemplateArgument> parts(argument);
    if (argument.getKind() == clang::TemplateArgument::Pack)
      parts = argument.pack_elements();
    for (const clang::TemplateArgument &part : parts) {
      std::optional<std::string> text = spell_argument(context, part, values);
      if (!text)
        return std::nullopt;
      out.push_back(std::move(*text));
    }
  }
  return out;
}

std::optional<std::vector<std::string>>
deduce_dependent(const Context &context, const clang::FunctionTemplateDecl &kernel, unsigned given,
                 llvm::ArrayRef<const clang::Expr *> values) {
  const clang::TemplateParameterList &parameters = *kernel.getTemplateParameters();
  if (parameters.hasParameterPack())
    return std::nullopt;
  Deduction deduction(context, parameters.getDepth());
  const clang::FunctionDecl &function = *kernel.getTemplatedDecl();
  for (bool unknown : {false, true})
    for (unsigned i = 0; i < std::min<size_t>(values.size(), function.getNumParams()); ++i)
      if (Deduction::is_unknown(*values[i]) == unknown)
        deduction.match_value(function.getParamDecl(i)->getType(), *values[i]);
  std::vector<std::string> out;
  for (unsigned i = given; i < parameters.size(); ++i) {
    std::optional<std::string> text = deduction.found(i);
    if (text) {
      out.push_back(std::move(*text));
      continue;
    }
    const auto *type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameters.getParam(i));
    const auto *value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameters.getParam(i));
    if ((type && type->hasDefaultArgument()) || (value && value->hasDefaultArgument()))
      break; // and so have all that follow
    return std::nullopt;
  }
  return out;
}

} // namespace neuronify::rewrite
