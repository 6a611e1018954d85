// The two passes of Clang over one file.
#pragma once

#include "frontend/command.h"
#include "frontend/frontend.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <vector>

namespace clang {
class CompilerInvocation;
class DiagnosticConsumer;
class DiagnosticsEngine;
class DiagnosticOptions;
} // namespace clang

namespace neuronify::frontend {

enum class Side { host, device };

/// Messages outlive the pass that writes them: an AST that is kept may still report.
using SharedMessages = std::shared_ptr<std::vector<Message>>;

/// Collects what Clang reports, in its order, notes included.
std::unique_ptr<clang::DiagnosticConsumer> collect(SharedMessages messages);

/// A file system whose relative names start at the command's folder.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system(const Command &command);

/// cc1's options for one pass, or null with messages.
std::shared_ptr<clang::CompilerInvocation> make_invocation(const Command &command, Side side,
                                                           const SharedMessages &messages);

/// Lets these texts stand for the files of these names.
void remap(clang::CompilerInvocation &invocation, const std::map<std::string, std::string> &texts);

/// Parses the file as the host sees it. Null where it does not compile.
/// `texts` stand for files of these names.
std::unique_ptr<clang::ASTUnit> host_pass(const Command &command, const SharedMessages &messages,
                                          const std::map<std::string, std::string> &texts = {});

/// Replaces macro uses in `texts`, or in the files that are not there yet, by their expansions.
/// Uses that have no one expansion stay. False where all of them do.
bool write_expansions(const Command &command, const SharedMessages &messages,
                      const std::set<MacroUse> &uses, std::map<std::string, std::string> &texts);

/// Compiles the file for the device and fills `context`, `original`, `kernels`, `variables` and
/// `uninstantiated` of the unit. `original` stays null where the file does not compile.
void device_pass(const Command &command, const std::vector<std::string> &instantiate,
                 const SharedMessages &messages, Unit &unit);

/// Inline PTX of integer instructions becomes IR.
void read_assembly(llvm::Module &module);

} // namespace neuronify::frontend
