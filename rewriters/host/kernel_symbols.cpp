#include "host/kernel_symbols.h"

#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

namespace neuronify::rewrite {

namespace {

class Finder : public clang::RecursiveASTVisitor<Finder> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (function->hasAttr<clang::CUDAGlobalAttr>() && !function->isDependentContext() &&
        function->isDefined())
      found.try_emplace(kernel_symbol(*function), function);
    return true;
  }
  std::map<std::string, const clang::FunctionDecl *> found;
};

} // namespace

std::string kernel_symbol(const clang::FunctionDecl &kernel) {
  std::unique_ptr<clang::MangleContext> names(kernel.getASTContext().createMangleContext());
  if (!names->shouldMangleDeclName(&kernel))
    return kernel.getNameAsString();
  std::string symbol;
  llvm::raw_string_ostream stream(symbol);
  names->mangleName(clang::GlobalDecl(&kernel, clang::KernelReferenceKind::Kernel), stream);
  return symbol;
}

std::map<std::string, const clang::FunctionDecl *> kernels_by_symbol(clang::ASTContext &ast) {
  Finder finder;
  const clang::SourceManager &sources = ast.getSourceManager();
  for (clang::Decl *declaration : ast.getTranslationUnitDecl()->decls())
    if (!sources.isInSystemHeader(declaration->getLocation()))
      finder.TraverseDecl(declaration);
  return std::move(finder.found);
}

std::string without_anonymous(std::string name) {
  const std::string_view part = "(anonymous namespace)::";
  for (size_t at; (at = name.find(part)) != std::string::npos;)
    name.erase(at, part.size());
  return name;
}

bool is_overloaded(const clang::FunctionDecl &kernel) {
  const clang::Decl *own = kernel.getCanonicalDecl();
  if (const clang::FunctionTemplateDecl *primary = kernel.getPrimaryTemplate())
    own = primary->getCanonicalDecl();
  else if (const clang::FunctionTemplateDecl *described = kernel.getDescribedFunctionTemplate())
    own = described->getCanonicalDecl();
  const clang::DeclContext *scope = kernel.getDeclContext()->getRedeclContext();
  return llvm::any_of(scope->lookup(kernel.getDeclName()), [&](const clang::NamedDecl *other) {
    return other->getUnderlyingDecl()->getCanonicalDecl() != own;
  });
}

} // namespace neuronify::rewrite
