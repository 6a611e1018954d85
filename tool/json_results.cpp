#include "json_results.h"

#include "llvm/Support/raw_ostream.h"

namespace neuronify::tool {

const char *severity_json(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

llvm::json::Array diagnostics_json(const Porting &porting) {
  llvm::json::Array out;
  for (const PortedInput &input : porting.inputs)
    for (const Diagnostic &diagnostic : input.diagnostics) {
      out.push_back(llvm::json::Object{{"code", diagnostic.code},
                                       {"severity", severity_json(diagnostic.severity)},
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
                                       {"identifier", kernel.identifier},
                                       {"mangled", kernel.mangled},
                                       {"file", kernel.file},
                                       {"line", kernel.line},
                                       {"ported", kernel.ported},
                                       {"affine", kernel.affine},
                                       {"mapping", kernel.mapping},
                                       {"diagnostic", kernel.diagnostic},
                                       {"nki", kernel.in_python},
                                       {"no_nki", kernel.no_python},
                                       {"no_nki_line", kernel.no_python_line}});
  return out;
}

std::string port_results(const Porting &porting, const std::string &output) {
  llvm::json::Array files;
  for (const PortedInput &input : porting.inputs) {
    llvm::json::Array launches, apis;
    for (const rewrite::Launch &launch : input.file.host.launches)
      launches.push_back(llvm::json::Object{
          {"kernel", launch.kernel}, {"file", launch.file}, {"line", launch.line}});
    for (const std::string &api : input.file.host.used_apis)
      apis.push_back(api);
    files.push_back(llvm::json::Object{{"file", input.path},
                                       {"stem", input.file.stem},
                                       {"readable", input.readable},
                                       {"launches", std::move(launches)},
                                       {"apis", std::move(apis)},
                                       {"seconds", input.seconds},
                                       {"clang_seconds", input.clang_seconds}});
  }
  return print(llvm::json::Object{{"version", 1},
                                  {"command", "port"},
                                  {"output", output},
                                  {"ported", porting.ported},
                                  {"not_ported", porting.not_ported},
                                  {"nki", porting.in_python},
                                  {"no_nki", porting.not_in_python},
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
