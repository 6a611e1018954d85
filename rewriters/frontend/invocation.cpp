#include "frontend/passes.h"

#include "frontend/toolchain.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"

namespace neuronify::frontend {

namespace {

/// The CUDA version that our headers and Clang 22 both know fully.
constexpr unsigned sdk_major = 12, sdk_minor = 8;
/// The PTX version of that toolkit: builtins exist from a PTX version on.
constexpr const char ptx_feature[] = "+ptx87";

class Collector : public clang::DiagnosticConsumer {
public:
  explicit Collector(SharedMessages messages) : messages(std::move(messages)) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info); // counts
    Message message;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    message.text = text.str().str();
    message.level = name(level);
    if (info.getLocation().isValid() && info.hasSourceManager()) {
      const auto place = info.getSourceManager().getPresumedLoc(
          info.getSourceManager().getFileLoc(info.getLocation()));
      if (place.isValid()) {
        message.file = place.getFilename();
        message.line = place.getLine();
        message.column = place.getColumn();
      }
    }
    messages->push_back(std::move(message));
  }

private:
  SharedMessages messages;

  static const char *name(clang::DiagnosticsEngine::Level level) {
    switch (level) {
    case clang::DiagnosticsEngine::Ignored:
    case clang::DiagnosticsEngine::Note:
    case clang::DiagnosticsEngine::Remark:
      return "note";
    case clang::DiagnosticsEngine::Warning:
      return "warning";
    case clang::DiagnosticsEngine::Error:
    case clang::DiagnosticsEngine::Fatal:
      return "error";
    }
    return "error";
  }
};

std::vector<std::string> driver_line(const Command &command, Side side,
                                     const std::string &resources) {
  // The program's place tells the driver where Clang's own tree is.
  llvm::SmallString<256> program(resources);
  llvm::sys::path::append(program, "..", "..", "..");
  llvm::sys::path::append(program, "bin", "clang++");
  llvm::sys::path::remove_dots(program, /*remove_dot_dot=*/true);
  std::vector<std::string> line = {program.str().str(),
                                   "-resource-dir=" + resources,
                                   "-fsyntax-only",
                                   "-Qunused-arguments",
                                   "-nocudalib",
                                   "-Wno-unknown-cuda-version",
                                   "-fno-caret-diagnostics"};
  line.insert(line.end(), command.args.begin(), command.args.end());
  line.insert(line.end(), {"--offload-arch=" + command.arch, "-ffp-contract=off", "-Xclang",
                           "-fcuda-allow-variadic-functions"});
  line.push_back(side == Side::host ? "--cuda-host-only" : "--cuda-device-only");
  if (side == Side::device)
    line.push_back("-O1");
  line.insert(line.end(), {"-x", "cuda", command.file});
  return line;
}

/// Without a toolkit, or with one newer than itself, the driver knows no version and would take the
/// oldest.
void set_sdk(clang::TargetOptions &target, Side side) {
  if (!target.SDKVersion.empty())
    return;
  target.SDKVersion = llvm::VersionTuple(sdk_major, sdk_minor);
  if (side != Side::device)
    return;
  llvm::erase_if(target.FeaturesAsWritten,
                 [](llvm::StringRef feature) { return feature.starts_with("+ptx"); });
  target.FeaturesAsWritten.push_back(ptx_feature);
}

void set_code_generation(clang::CompilerInvocation &invocation) {
  clang::CodeGenOptions &options = invocation.getCodeGenOpts();
  options.DisableLLVMPasses = true;
  options.DiscardValueNames = false; // emitted code uses the original's names
  options.ClearASTBeforeBackend = false;
  options.setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
  options.DebugCompilationDir = ""; // the IR shall not depend on where it was made
  options.CoverageCompilationDir = "";
  options.DwarfVersion = 4;
}

} // namespace

std::unique_ptr<clang::DiagnosticConsumer> collect(SharedMessages messages) {
  return std::make_unique<Collector>(std::move(messages));
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system(const Command &command) {
  // Not the real file system: that one's working directory is the process's.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files =
      llvm::vfs::createPhysicalFileSystem().release();
  if (!command.directory.empty())
    files->setCurrentWorkingDirectory(command.directory);
  return files;
}

std::shared_ptr<clang::CompilerInvocation> make_invocation(const Command &command, Side side,
                                                           const SharedMessages &messages) {
  const std::string resources = resource_directory();
  if (resources.empty()) {
    messages->push_back({.file = command.file,
                         .level = "error",
                         .code = "NFY1005",
                         .text = "Clang 22's own headers are not found; install clang-22"});
    return nullptr;
  }
  const std::vector<std::string> line = driver_line(command, side, resources);
  std::vector<const char *> words;
  for (const std::string &word : line)
    words.push_back(word.c_str());

  clang::CreateInvocationOptions options;
  options.VFS = file_system(command);
  clang::DiagnosticOptions diagnostic_options;
  diagnostic_options.Warnings = {"no-unknown-cuda-version"};
  options.Diags = clang::CompilerInstance::createDiagnostics(
      *options.VFS, diagnostic_options, collect(messages).release(), /*ShouldOwnClient=*/true);
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(words, options);
  if (!invocation)
    return nullptr;
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getFrontendOpts().LLVMArgs.clear();
  set_sdk(invocation->getTargetOpts(), side);
  if (side == Side::device)
    set_code_generation(*invocation);
  return invocation;
}

void remap(clang::CompilerInvocation &invocation, const std::map<std::string, std::string> &texts) {
  for (const auto &[name, text] : texts)
    invocation.getPreprocessorOpts().addRemappedFile(
        name, llvm::MemoryBuffer::getMemBufferCopy(text, name).release());
}

} // namespace neuronify::frontend
