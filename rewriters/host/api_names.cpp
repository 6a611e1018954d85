// Functions, types and enumerators of the CUDA host API take their names from api.json. What the
// table does not know is reported where it is used and stays as it is.
#include "host/api_table.h"
#include "host/rewriter.h"
#include "host/usage.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

namespace neuronify::rewrite {

namespace {

class ApiNames : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void declaration(const clang::Decl &declaration) override {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
    if (!function)
      return;
    if (role(*function) != Role::kernel && context.usage->removed(*function))
      gone(function->getSourceRange());
    else if (function->doesThisDeclarationHaveABody() &&
             (role(*function) == Role::kernel ||
              (role(*function) != Role::host && context.usage->needs_device(*function))))
      gone(function->getBody()->getSourceRange());
  }

  void statement(const clang::Stmt &statement) override {
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement))
      rename(*reference->getDecl(), reference->getLocation());
    else if (const auto *overload = llvm::dyn_cast<clang::OverloadExpr>(&statement);
             overload && overload->getNumDecls())
      rename(**overload->decls_begin(), overload->getNameLoc());
  }

  void type(clang::TypeLoc type) override {
    if (auto alias = type.getAs<clang::TypedefTypeLoc>();
        alias && type.getTypeLocClass() == clang::TypeLoc::Typedef)
      rename(*alias.getDecl(), alias.getNameLoc());
    else if (auto tag = type.getAs<clang::TagTypeLoc>();
             tag && (type.getTypeLocClass() == clang::TypeLoc::Record ||
                     type.getTypeLocClass() == clang::TypeLoc::Enum))
      rename(*tag.getDecl(), tag.getNameLoc(), tag.getElaboratedKeywordLoc());
    else if (auto of = type.getAs<clang::TemplateSpecializationTypeLoc>();
             of && type.getTypeLocClass() == clang::TypeLoc::TemplateSpecialization)
      if (const clang::TemplateDecl *declaration =
              of.getTypePtr()->getTemplateName().getAsTemplateDecl())
        rename(*declaration, of.getTemplateNameLoc()); // texture<float, 2>
  }

private:
  /// The new name at the place of the old one; `keyword` is a `struct` or `enum` that goes too,
  /// because the counterpart may be an alias.
  void rename(const clang::NamedDecl &declaration, clang::SourceLocation location,
              clang::SourceLocation keyword = {}) {
    if (!declaration.getDeclName().isIdentifier() ||
        context.in_user_file(declaration.getLocation()))
      return;
    std::string_view name = declaration.getName();
    std::optional<Span> span = context.token(location);
    if (!span || span->text() != name)
      return;
    const ApiEntry *entry = ApiTable::get().find(name);
    if (!entry) {
      if ((looks_like_cuda_api(name) || from_missing_header(declaration) ||
           from_device_library(declaration)) &&
          !in_gone_code(location))
        context.report(llvm::isa<clang::TypeDecl, clang::ClassTemplateDecl>(declaration)
                           ? "NFY5002"
                           : "NFY5001",
                       Severity::error, location,
                       "'" + declaration.getNameAsString() + "' has no counterpart on Trainium");
      return;
    }
    if (!in_gone_code(location))
      context.result.used_apis.insert(entry->cuda);
    if (!entry->renamed())
      return;
    unsigned begin = span->begin;
    if (keyword.isValid())
      if (std::optional<Span> first = context.before(keyword, *span))
        begin = first->begin;
    std::string text(entry->neuronify);
    if (would_be_a_macro(text, location))
      text = "(" + text + ")";
    span->file->edits.replace(begin, span->end, text);
  }

  /// Whether the user's own macro, `#define malloc(size) …`, would take the new name for its own.
  bool would_be_a_macro(llvm::StringRef text, clang::SourceLocation location) {
    const llvm::StringRef last = text.rsplit("::").second;
    clang::IdentifierInfo *name =
        last.empty() ? nullptr : context.preprocessor.getIdentifierInfo(last);
    const clang::MacroInfo *macro =
        name && name->hadMacroDefinition()
            ? context.preprocessor.getMacroDefinitionAtLoc(name, location).getMacroInfo()
            : nullptr;
    return macro && macro->isFunctionLike();
  }

  /// Whether a declaration is one of CUB, Thrust or libcu++ without a counterpart for host code.
  bool from_device_library(const clang::NamedDecl &declaration) {
    const clang::DeclContext *outermost = nullptr;
    for (const clang::DeclContext *space = declaration.getDeclContext();
         space && !space->isTranslationUnit(); space = space->getParent())
      outermost = space;
    const auto *space = llvm::dyn_cast_or_null<clang::NamespaceDecl>(outermost);
    if (!space ||
        (space->getName() != "cub" && space->getName() != "thrust" && space->getName() != "cuda"))
      return false;
    const clang::PresumedLoc place =
        context.sources.getPresumedLoc(context.sources.getExpansionLoc(declaration.getLocation()));
    return place.isValid() &&
           !llvm::StringRef(place.getFilename()).contains("complex"); // these have one
  }

  /// Whether a declaration comes from a header of which nothing is left in the port.
  bool from_missing_header(const clang::NamedDecl &declaration) {
    clang::PresumedLoc place =
        context.sources.getPresumedLoc(context.sources.getExpansionLoc(declaration.getLocation()));
    if (place.isInvalid())
      return false;
    const ApiHeader *header =
        ApiTable::get().find_header(llvm::sys::path::filename(place.getFilename()).str());
    return header && header->missing;
  }

  void gone(const clang::SourceRange &code) {
    gone_.push_back({context.sources.getExpansionLoc(code.getBegin()),
                     context.sources.getExpansionLoc(code.getEnd())});
  }

  bool in_gone_code(clang::SourceLocation location) {
    clang::SourceLocation place = context.sources.getExpansionLoc(location);
    for (const clang::SourceRange &range : gone_)
      if (!context.sources.isBeforeInTranslationUnit(place, range.getBegin()) &&
          !context.sources.isBeforeInTranslationUnit(range.getEnd(), place))
        return true;
    return false;
  }

  std::vector<clang::SourceRange> gone_; ///< bodies and whole functions that do not stay
};

} // namespace

std::unique_ptr<HostRewriter> api_names(Context &context) {
  return std::make_unique<ApiNames>(context);
}

} // namespace neuronify::rewrite
