// `neuronify explain`: the page of a diagnostic.
#include "commands.h"
#include "diagnostics/codes.h"
#include "host/directory.h"
#include "installation.h"
#include "json_results.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace neuronify::tool {

namespace {

/// "4001" and "nfy4001" mean NFY4001.
const DiagnosticCode *find(const std::string &name) {
  std::string code = llvm::StringRef(name).upper();
  if (!llvm::StringRef(code).starts_with("NFY"))
    code = "NFY" + code;
  return find_code(code);
}

std::string page(const DiagnosticCode &code) {
  auto text = llvm::MemoryBuffer::getFile(find_installation().diagnostics + "/" +
                                          std::string(code.code) + ".md");
  return text ? (*text)->getBuffer().str()
              : std::string(code.code) + ": " + std::string(code.title) + "\n";
}

} // namespace

int explain(const Options &options, Console &console) {
  int result = 0;
  llvm::json::Array codes;
  for (const std::string &name : options.inputs) {
    const DiagnosticCode *known = find(name);
    if (!known) {
      console.error("there is no diagnostic '" + name + "'");
      codes.push_back(llvm::json::Object{{"code", name}, {"found", false}});
      result = 1;
      continue;
    }
    const std::string text = page(*known);
    console.print(text);
    codes.push_back(llvm::json::Object{{"code", std::string(known->code)},
                                       {"found", true},
                                       {"severity", severity_json(known->severity)},
                                       {"title", std::string(known->title)},
                                       {"page", text}});
  }
  if (options.json.empty())
    return result;
  if (llvm::Error error = rewrite::write_file(
          options.json,
          print(llvm::json::Object{
              {"version", 1}, {"command", "explain"}, {"codes", std::move(codes)}}))) {
    console.error(llvm::toString(std::move(error)));
    return 1;
  }
  return result;
}

} // namespace neuronify::tool
