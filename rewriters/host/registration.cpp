// The last lines of a ported file: which stub stands for which kernel, which variable for which
// symbol of the device.
#include "host/kernel_keys.h"
#include "host/kernel_symbols.h"
#include "host/rewriter.h"
#include "host/template_arguments.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Format/Format.h"

namespace neuronify::rewrite {

namespace {

/// LLVM's style with 100 columns, as all generated text.
std::string format(const std::string &text) {
  clang::format::FormatStyle style = clang::format::getLLVMStyle();
  style.ColumnLimit = 100;
  clang::tooling::Replacements changes = clang::format::reformat(
      style, text, {clang::tooling::Range(0, static_cast<unsigned>(text.size()))});
  llvm::Expected<std::string> formatted = clang::tooling::applyAllReplacements(text, changes);
  if (formatted)
    return *formatted;
  llvm::consumeError(formatted.takeError());
  return text;
}

class RegistrationBlock : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void finish() override {
    const Options &options = context.options;
    std::string kernels, symbols;
    for (const frontend::Kernel &kernel : options.kernels)
      if (std::optional<std::string> handle = this->handle(kernel))
        kernels += (kernels.empty() ? "" : ", ") + ("neuronify::KernelStub(" + *handle) + ")";
    for (const frontend::DeviceVariable &variable : options.variables) {
      std::string name = without_anonymous(variable.name);
      symbols += (symbols.empty() ? "" : ", ") + ("{&" + name) + ", \"" + variable.mangled +
                 "\", sizeof(" + name + ")" +
                 (!variable.layout.empty() ? ", \"" + variable.layout + "\""
                  : variable.managed       ? ", nullptr"
                                           : "") +
                 (variable.managed ? ", nullptr, /*managed=*/true}" : "}");
    }
    for (const std::string &name : options.private_data)
      symbols += (symbols.empty() ? "" : ", ") + options.kernels_namespace + "::" + name;
    if (kernels.empty() && symbols.empty())
      return;
    std::string source = options.kernels_header;
    source.replace(source.rfind('.'), std::string::npos, ".cpp");
    // Before all constructors of global objects, in whichever file: they may launch kernels.
    std::string text = "// Ties the kernels to their ports in " + source +
                       ", before constructors of global objects run.\nnamespace {\n"
                       "[[gnu::init_priority(101)]] const neuronify::Registration registration("
                       "NEURONIFY_DEVICE_IR_FOLDER, \"" +
                       options.device_ir + "\", {" + kernels + "}" +
                       (symbols.empty() ? "" : ", {" + symbols + "}") + ");\n} // namespace\n";
    SourceFile &file = context.main();
    unsigned end = static_cast<unsigned>(file.text().size());
    bool newline = !end || file.text()[end - 1] == '\n';
    file.edits.insert(end, (newline ? "\n" : "\n\n") + format(text), 1000);
  }

private:
  /// The kernel as the port calls it: names that the port uses for itself have become others.
  std::string name(const frontend::Kernel &kernel) const {
    std::string out = kernel.name;
    for (const auto &[from, to] : context.renamed)
      for (size_t at = 0; (at = out.find(from, at)) != std::string::npos; at += to.size())
        if ((at == 0 || !clang::isAsciiIdentifierContinue(out[at - 1])) &&
            (at + from.size() == out.size() ||
             !clang::isAsciiIdentifierContinue(out[at + from.size()])))
          out.replace(at, from.size(), to);
    return out;
  }

  /// An expression that means this kernel's stub and no other function.
  std::string address(const frontend::Kernel &kernel) {
    auto known = context.kernels.find(kernel.mangled);
    if (known == context.kernels.end() || !is_overloaded(*known->second))
      return name(kernel);
    return "static_cast<" + spell_pointer(context, *known->second) + ">(" + name(kernel) + ")";
  }

  /// The stub's address, the port, and the key: what there is of them.
  std::optional<std::string> handle(const frontend::Kernel &kernel) {
    const std::string port = context.options.kernels_namespace + "::" + kernel.identifier;
    auto known = context.kernels.find(kernel.mangled);
    if (known == context.kernels.end())
      return name(kernel) + ", " + port;
    const clang::FunctionDecl &function = *known->second;
    const bool unnamed = context.keys->unnamed(function);
    const bool called = context.keys->called(function);
    if (!called && !unnamed)
      return address(kernel) + ", " + port;
    std::optional<std::string> key;
    if (called)
      key = context.keys->key(function);
    if (!key) {
      context.report("NFY5005", Severity::error, function.getLocation(),
                     "kernel '" + kernel.name +
                         "' cannot be tied to its port: its template arguments have no name at "
                         "the end of the file",
                     kernel.name);
      return std::nullopt;
    }
    return unnamed ? *key + ", " + port : address(kernel) + ", " + port + ", " + *key;
  }
};

} // namespace

std::unique_ptr<HostRewriter> registration(Context &context) {
  return std::make_unique<RegistrationBlock>(context);
}

} // namespace neuronify::rewrite
