// Device functions leave the host code; what host code still needs of them stays.
#include "host/rewriter.h"
#include "host/text.h"
#include "host/usage.h"

#include "clang/AST/DeclCXX.h"

namespace neuronify::rewrite {

namespace {

class DeviceFunctions : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void declaration(const clang::Decl &declaration) override {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
      visit(*function);
    else if (const auto *alias = llvm::dyn_cast<clang::NamespaceAliasDecl>(&declaration))
      remove_if(is_device_namespace(alias->getNamespace()), declaration);
    else if (const auto *directive = llvm::dyn_cast<clang::UsingDirectiveDecl>(&declaration))
      remove_if(is_device_namespace(directive->getNominatedNamespace()), declaration);
    else if (const auto *named = llvm::dyn_cast<clang::UsingDecl>(&declaration))
      remove_if(only_removed(*named), declaration);
  }

private:
  void visit(const clang::FunctionDecl &function) {
    Role kind = role(function);
    if (function.isImplicit() || kind == Role::kernel || is_lambda(function))
      return;
    if (kind == Role::host) {
      if (!function.isExternallyVisible() && function.isFirstDecl() &&
          context.usage->used_by_device_only(function))
        mark_unused(context, function);
      return;
    }
    std::optional<Span> span = whole_declaration(context, function);
    if (!span)
      return;
    Span gone = with_lines(*span);
    if (context.usage->removed(function)) {
      gone.file->edits.replace(gone.begin, gone.end, "");
      return;
    }
    gone.file->edits.keep(gone.begin, gone.end);
    if (function.doesThisDeclarationHaveABody() && context.usage->needs_device(function))
      replace_body(context, function);
  }

  static bool is_lambda(const clang::FunctionDecl &function) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return method && method->getParent()->isLambda();
  }

  /// Namespaces of CUDA that hold nothing but device code.
  bool is_device_namespace(const clang::NamespaceDecl *space) {
    return space && !context.in_user_file(space->getLocation()) &&
           (space->getName() == "cooperative_groups" || space->getName() == "cub");
  }

  bool only_removed(const clang::UsingDecl &named) {
    bool any = false;
    for (const clang::UsingShadowDecl *shadow : named.shadows()) {
      const clang::NamedDecl *target = shadow->getTargetDecl();
      const auto *function = target->getAsFunction();
      if (!function || !context.usage->removed(*function))
        return false;
      any = true;
    }
    return any;
  }

  void remove_if(bool condition, const clang::Decl &declaration) {
    if (!condition)
      return;
    if (std::optional<Span> span = whole_declaration(context, declaration)) {
      Span gone = with_lines(*span);
      gone.file->edits.replace(gone.begin, gone.end, "");
    }
  }
};

} // namespace

std::unique_ptr<HostRewriter> device_functions(Context &context) {
  return std::make_unique<DeviceFunctions>(context);
}

} // namespace neuronify::rewrite
