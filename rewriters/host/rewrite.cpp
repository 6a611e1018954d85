#include "host/rewrite.h"

#include "host/context.h"
#include "host/kernel_keys.h"
#include "host/kernel_symbols.h"
#include "host/rewriter.h"
#include "host/usage.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cctype>

namespace neuronify::rewrite {

namespace {

/// One walk over the user's code that every rewriter hears.
class Walk : public clang::RecursiveASTVisitor<Walk> {
public:
  Walk(Rewriters &rewriters, Result &result) : rewriters_(rewriters), result_(result) {}

  bool VisitDecl(clang::Decl *declaration) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      result_.defines_main |= function->isMain() && function->isThisDeclarationADefinition();
    for (auto &rewriter : rewriters_)
      rewriter->declaration(*declaration);
    return true;
  }
  bool VisitStmt(clang::Stmt *statement) {
    for (auto &rewriter : rewriters_)
      rewriter->statement(*statement);
    return true;
  }
  bool VisitTypeLoc(clang::TypeLoc type) {
    for (auto &rewriter : rewriters_)
      rewriter->type(type);
    return true;
  }

private:
  Rewriters &rewriters_;
  Result &result_;
};

} // namespace

Result rewrite(clang::ASTUnit &unit, const Options &options) {
  Result result;
  Context context(unit.getASTContext(), unit.getPreprocessor(), options, result);
  context.kernels = kernels_by_symbol(context.ast);
  context.usage = std::make_unique<Usage>(context);
  context.keys = std::make_unique<KernelKeys>(context);
  Rewriters rewriters = all_rewriters(context);
  Walk walk(rewriters, result);
  for (clang::Decl *declaration : context.ast.getTranslationUnitDecl()->decls())
    if (context.in_user_file(declaration->getLocation()))
      walk.TraverseDecl(declaration);
  for (auto &rewriter : rewriters) {
    for (const auto &file : context.files())
      rewriter->tokens(*file);
    rewriter->finish();
  }
  result.main = context.main().edits;
  for (const auto &file : context.files())
    if (file.get() != &context.main())
      result.headers.push_back(file->edits);
  std::ranges::sort(result.headers, {}, &FileEdits::path);
  std::ranges::sort(result.diagnostics, [](const Diagnostic &a, const Diagnostic &b) {
    return std::tie(a.file, a.line, a.column, a.code, a.text) <
           std::tie(b.file, b.line, b.column, b.code, b.text);
  });
  return result;
}

Result rewrite(frontend::Unit &unit, const frontend::Options &reading, Options options) {
  constexpr int rounds = 4; // a macro may come to light in what another one held
  for (int round = 0; round < rounds; ++round) {
    Result result = rewrite(*unit.host, options);
    if (result.expand.empty())
      return result;
    if (!frontend::expand_macros(unit, reading, result.expand))
      break;
  }
  options.expand_macros = false;
  return rewrite(*unit.host, options);
}

std::string kernels_namespace(const std::string &file) {
  std::string name = llvm::sys::path::stem(file).str();
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])))
    name = "_" + name;
  return name + "_kernels";
}

} // namespace neuronify::rewrite
