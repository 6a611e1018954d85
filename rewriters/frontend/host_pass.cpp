#include "frontend/passes.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/Stack.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"

namespace neuronify::frontend {

std::unique_ptr<clang::ASTUnit> host_pass(const Command &command, const SharedMessages &messages,
                                          const std::map<std::string, std::string> &texts) {
  const auto invocation = make_invocation(command, Side::host, messages);
  if (!invocation)
    return nullptr;
  clang::noteBottomOfStack(); // deep recursion then continues on a new stack
  invocation->getLangOpts().CommentOpts.ParseAllComments = true;
  remap(*invocation, texts);
  const auto files = file_system(command);
  const auto options = std::make_shared<clang::DiagnosticOptions>(invocation->getDiagnosticOpts());
  const auto diagnostics = clang::CompilerInstance::createDiagnostics(
      *files, *options, collect(messages).release(), /*ShouldOwnClient=*/true);
  const auto file_manager =
      llvm::makeIntrusiveRefCnt<clang::FileManager>(invocation->getFileSystemOpts(), files);
  auto unit = clang::ASTUnit::LoadFromCompilerInvocation(
      invocation, std::make_shared<clang::PCHContainerOperations>(), options, diagnostics,
      file_manager);
  if (!unit || diagnostics->hasErrorOccurred())
    return nullptr;
  return unit;
}

} // namespace neuronify::frontend
