#include "json_results.h"

#include "llvm/Support/raw_ostream.h"

namespace neuronify::tool {

llvm::json::Array diagnostics_json(const Porting &porting) {
  llvm::json::Array out;
  for (const PortedInput &input : porting.inputs)
    for (const Diagnostic &diagnostic : input.diagnostics) {
      const char *severity = diagnostic.severity == Severity::error     ? "error"
                             : diagnostic.severity == Severity::warning ? "warning"
                                                                        : "note";
      out.push_back(llvm::json::Object{{"code", diagnostic.code},
                                       {"severity", severity},
                                       {"file", diagnostic.file},
                                       {"line", diagnostic.line},
                                       {"column", diagnostic.column},
                                       {"kernel", diagnostic.kernel},
                                       {"text", diagnostic.text}});
    }
  return out;
}

llvm::json::Array kernels_json(const Porting &porting) {
  llvm::json::Array out;
  for (const PortedInput &input : porting.inputs)
    for (const KernelReport &kernel : input.kernels)
      out.push_back(llvm::json::Object{{"name", kernel.name},
                                       {"file", kernel.file},
                                       {"line", kernel.line},
                                       {"ported", kernel.ported},
                                       {"mapping", kernel.mapping},
                                       {"diagnostic", kernel.diagnostic}});
  return out;
}

std::string port_results(const Porting &porting) {
  llvm::json::Array files;
  for (const PortedInput &input : porting.inputs) {
    llvm::json::Array launches, apis;
    for (const rewrite::Launch &launch : input.file.host.launches)
      launches.push_back(llvm::json::Object{
          {"kernel", launch.kernel}, {"file", launch.file}, {"line", launch.line}});
    for (const std::string &api : input.file.host.used_apis)
      apis.push_back(api);
    files.push_back(llvm::json::Object{{"file", input.path},
                                       {"readable", input.readable},
                                       {"launches", std::move(launches)},
                                       {"apis", std::move(apis)},
                                       {"seconds", input.seconds},
                                       {"clang_seconds", input.clang_seconds}});
  }
  return print(llvm::json::Object{{"version", 1},
                                  {"command", "port"},
                                  {"files", std::move(files)},
                                  {"kernels", kernels_json(porting)},
                                  {"diagnostics", diagnostics_json(porting)}});
}

std::string print(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::formatv("{0:2}", value) << '\n';
  return text;
}

} // namespace neuronify::tool
