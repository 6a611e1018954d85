// `neuronify explain`: the page of a diagnostic.
#include "commands.h"
#include "diagnostics/codes.h"
#include "installation.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace neuronify::tool {

int explain(const Options &options, Console &console) {
  int result = 0;
  for (const std::string &name : options.inputs) {
    std::string code = llvm::StringRef(name).upper();
    if (!llvm::StringRef(code).starts_with("NFY"))
      code = "NFY" + code;
    const DiagnosticCode *known = find_code(code);
    if (!known) {
      console.error("there is no diagnostic '" + name + "'");
      result = 1;
      continue;
    }
    auto page = llvm::MemoryBuffer::getFile(find_installation().diagnostics + "/" + code + ".md");
    console.print(page ? (*page)->getBuffer().str()
                       : code + ": " + std::string(known->title) + "\n");
  }
  return result;
}

} // namespace neuronify::tool
