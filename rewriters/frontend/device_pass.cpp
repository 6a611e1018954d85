#include "frontend/passes.h"

#include "frontend/kernels.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

namespace neuronify::frontend {

namespace {

/// Where Clang says that a line of --instantiate is.
constexpr const char instantiate_file[] = "--instantiate";

/// CodeGen without a back end; reads the kernels while declarations still exist.
class DeviceAction : public clang::ASTFrontendAction {
public:
  explicit DeviceAction(Unit &unit) : unit(unit) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef file) override {
    auto consumer = clang::CreateLLVMCodeGen(instance, file, *unit.context);
    generator = consumer.get();
    return consumer;
  }

  void ExecuteAction() override {
    clang::ASTFrontendAction::ExecuteAction();
    if (getCompilerInstance().getDiagnostics().hasErrorOccurred() || !generator->GetModule())
      return;
    read_declarations(getCompilerInstance().getASTContext(), *generator, unit);
    unit.original.reset(generator->ReleaseModule().release());
  }

private:
  Unit &unit;
  clang::CodeGenerator *generator = nullptr;
};

/// The file with lines at its end that refer to each template once. A reference instantiates and,
/// for a kernel, emits; it needs no signature as an explicit instantiation would.
std::unique_ptr<llvm::MemoryBuffer> with_instantiations(llvm::StringRef source,
                                                        llvm::StringRef name,
                                                        const std::vector<std::string> &wanted) {
  std::string text = source.str();
  text += "\n# 1 \"";
  text += instantiate_file;
  text += "\"\n";
  for (size_t i = 0; i < wanted.size(); ++i)
    text += "[[maybe_unused]] static auto *const neuronify_instantiation_" + std::to_string(i) +
            " = &" + wanted[i] + ";\n";
  return llvm::MemoryBuffer::getMemBufferCopy(text, name);
}

/// Clang's message about a generated line, told as one about the option.
void explain_instantiations(std::vector<Message> &messages, size_t first,
                            const std::vector<std::string> &wanted) {
  for (size_t i = first; i < messages.size(); ++i) {
    Message &message = messages[i];
    if (message.file != instantiate_file || message.line == 0 || message.line > wanted.size())
      continue;
    const std::string &name = wanted[message.line - 1];
    // Clang would speak of a variable that the user has never seen.
    if (name.find('<') == std::string::npos)
      message.text = "write it with its arguments, as in '" + name + "<float>'";
    message.text = "'" + name + "': " + message.text;
    if (message.level == "error")
      message.code = "NFY1003";
    message.line = message.column = 0;
  }
}

} // namespace

void device_pass(const Command &command, const std::vector<std::string> &instantiate,
                 const SharedMessages &messages, Unit &unit) {
  auto invocation = make_invocation(command, Side::device, messages);
  if (!invocation)
    return;
  const auto files = file_system(command);
  if (!instantiate.empty()) {
    const auto source = files->getBufferForFile(command.file);
    if (!source)
      return;
    invocation->getPreprocessorOpts().addRemappedFile(
        command.file,
        with_instantiations((*source)->getBuffer(), command.file, instantiate).release());
  }
  const size_t first_message = messages->size();
  unit.context = std::make_unique<llvm::LLVMContext>();
  clang::CompilerInstance instance(std::move(invocation));
  instance.setVirtualFileSystem(files);
  instance.createDiagnostics(collect(messages).release(), /*ShouldOwnClient=*/true);
  instance.createFileManager();
  DeviceAction action(unit);
  instance.ExecuteAction(action);
  explain_instantiations(*messages, first_message, instantiate);
}

} // namespace neuronify::frontend
