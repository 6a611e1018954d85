#include "host/usage.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"

namespace neuronify::rewrite {

namespace {

template <class A> bool written(const clang::Decl &declaration) {
  const auto *attribute = declaration.getAttr<A>();
  return attribute && !attribute->isImplicit();
}

/// The declaration as it is written: an instantiation's template, its first declaration.
const clang::Decl *pattern(const clang::Decl *declaration) {
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
    if (const clang::FunctionDecl *from = function->getTemplateInstantiationPattern())
      function = from;
    return function->getCanonicalDecl();
  }
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
    if (const clang::VarDecl *from = variable->getTemplateInstantiationPattern())
      variable = from;
    return variable->getCanonicalDecl();
  }
  return declaration->getCanonicalDecl();
}

class Collector : public clang::RecursiveASTVisitor<Collector> {
public:
  Collector(Context &context, llvm::DenseMap<const clang::Decl *, Usage::Function> &functions,
            llvm::DenseSet<const clang::Decl *> &outside)
      : context_(context), functions_(functions), outside_(outside) {}

  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl *declaration) {
    const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    const bool device_lambda = function && is_device_lambda(*function);
    if (!function || (current_ && !device_lambda) || function->isImplicit())
      return RecursiveASTVisitor::TraverseDecl(declaration);
    const clang::Decl *around = current_;
    current_ = pattern(function);
    Usage::Function &entry = functions_[current_];
    entry.role = std::max(entry.role, role(*function));
    entry.file_local |= context_.file(function->getLocation()) == &context_.main() &&
                        !function->isExternallyVisible() && !function->isTemplated() &&
                        !llvm::isa<clang::CXXMethodDecl>(function);
    entry.is_lambda |= device_lambda;
    bool done = RecursiveASTVisitor::TraverseDecl(declaration);
    current_ = around;
    return done;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *expression) { return refer(expression->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr *expression) { return refer(expression->getMemberDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *expression) {
    return refer(expression->getConstructor());
  }
  bool VisitOverloadExpr(clang::OverloadExpr *expression) {
    for (clang::NamedDecl *candidate : expression->decls()) {
      candidate = candidate->getUnderlyingDecl();
      if (auto *function = llvm::dyn_cast<clang::FunctionTemplateDecl>(candidate))
        candidate = function->getTemplatedDecl();
      refer(candidate);
    }
    return true;
  }
  bool VisitUnresolvedLookupExpr(clang::UnresolvedLookupExpr *e) { return VisitOverloadExpr(e); }
  bool VisitUnresolvedMemberExpr(clang::UnresolvedMemberExpr *e) { return VisitOverloadExpr(e); }
  bool VisitAsmStmt(clang::AsmStmt *) {
    if (current_)
      functions_[current_].uses_device = true;
    return true;
  }

private:
  static bool is_device_lambda(const clang::FunctionDecl &function) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return method && method->getParent()->isLambda() && role(function) == Role::device;
  }

  bool refer(const clang::Decl *declaration) {
    (current_ ? functions_[current_].references : outside_).insert(pattern(declaration));
    if (current_ && only_on_device(*declaration))
      functions_[current_].uses_device = true;
    return true;
  }

  /// Whether something that the user did not write exists on the device only.
  bool only_on_device(const clang::Decl &declaration) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
      if (unsigned builtin = function->getBuiltinID())
        return context_.ast.BuiltinInfo.isAuxBuiltinID(builtin);
    if (context_.in_user_file(declaration.getLocation()))
      return false;
    return declaration.hasAttr<clang::CUDADeviceAttr>() &&
           !declaration.hasAttr<clang::CUDAHostAttr>();
  }

  Context &context_;
  llvm::DenseMap<const clang::Decl *, Usage::Function> &functions_;
  llvm::DenseSet<const clang::Decl *> &outside_;
  const clang::Decl *current_ = nullptr;
};

} // namespace

Role role(const clang::FunctionDecl &function) {
  if (function.hasAttr<clang::CUDAGlobalAttr>())
    return Role::kernel;
  bool host = written<clang::CUDAHostAttr>(function);
  bool device = written<clang::CUDADeviceAttr>(function);
  return device ? (host ? Role::host_device : Role::device) : Role::host;
}

Usage::Usage(Context &context) {
  collect(context);
  find_device_only();
  keep_what_stays_needs();
}

void Usage::collect(Context &context) {
  Collector collector(context, functions_, outside_);
  for (clang::Decl *declaration : context.ast.getTranslationUnitDecl()->decls())
    if (context.in_user_file(declaration->getLocation()))
      collector.TraverseDecl(declaration);
}

void Usage::find_device_only() {
  bool changed = true;
  auto device_bound = [&](const clang::Decl *reference) {
    auto found = functions_.find(reference);
    return device_bound_.contains(reference) ||
           (found != functions_.end() && found->second.role == Role::device &&
            !found->second.is_lambda);
  };
  while (changed) {
    changed = false;
    for (auto &[declaration, function] : functions_)
      if ((function.role == Role::host_device || function.is_lambda) &&
          !device_bound_.contains(declaration) &&
          (function.uses_device || llvm::any_of(function.references, device_bound)))
        changed = device_bound_.insert(declaration).second;
  }
}

void Usage::keep(const llvm::DenseSet<const clang::Decl *> &references) {
  for (const clang::Decl *reference : references) {
    if (!referenced_.insert(reference).second)
      continue;
    auto found = functions_.find(reference);
    if (found == functions_.end() || found->second.role == Role::kernel ||
        found->second.uses_device)
      continue;
    keep(found->second.references);
  }
}

void Usage::keep_what_stays_needs() {
  keep(outside_);
  for (auto &[declaration, function] : functions_) {
    bool stays = function.role == Role::host ||
                 (function.is_lambda && !device_bound_.contains(declaration)) ||
                 (function.role == Role::host_device && !device_bound_.contains(declaration) &&
                  !function.file_local);
    if (stays)
      keep(function.references);
  }
}

bool Usage::removed(const clang::FunctionDecl &function) const {
  const clang::Decl *declaration = pattern(&function);
  auto found = functions_.find(declaration);
  if (found == functions_.end() || referenced_.contains(declaration))
    return false;
  const Function &entry = found->second;
  return entry.role == Role::device || (entry.role == Role::host_device &&
                                        (device_bound_.contains(declaration) || entry.file_local));
}

bool Usage::needs_device(const clang::FunctionDecl &function) const {
  auto found = functions_.find(pattern(&function));
  return found != functions_.end() && found->second.uses_device;
}

bool Usage::only_on_device(const clang::FunctionDecl &function) const {
  return device_bound_.contains(pattern(&function));
}

bool Usage::referenced(const clang::ValueDecl &declaration) const {
  return referenced_.contains(pattern(&declaration));
}

bool Usage::used_by_device_only(const clang::ValueDecl &declaration) const {
  const clang::Decl *canonical = pattern(&declaration);
  if (referenced_.contains(canonical))
    return false;
  return llvm::any_of(
      functions_, [&](const auto &entry) { return entry.second.references.contains(canonical); });
}

} // namespace neuronify::rewrite
