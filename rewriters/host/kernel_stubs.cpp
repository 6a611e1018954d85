// __global__ definitions become stubs of the same name and type: a kernel keeps its C++ identity
// (templates, overloads, pointers to it), and the registration ties it to its port.
#include "host/kernel_keys.h"
#include "host/rewriter.h"
#include "host/text.h"
#include "host/usage.h"

namespace neuronify::rewrite {

namespace {

class KernelStubs : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void declaration(const clang::Decl &declaration) override {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
    if (!function || role(*function) != Role::kernel || !function->doesThisDeclarationHaveABody())
      return;
    definitions_.push_back(function);
  }

  void finish() override { // when all launches are known
    for (const clang::FunctionDecl *function : definitions_)
      rewrite(*function);
  }

private:
  void rewrite(const clang::FunctionDecl &function) {
    if (context.keys->called(function))
      become_callable(function);
    else
      replace_body(context, function);
    std::optional<Span> span = whole_declaration(context, function);
    if (!span || span->directive)
      return;
    SourceFile &file = *span->file;
    unsigned line = file.line_begin(span->begin);
    std::string_view indentation = file.indentation(span->begin);
    if (line + indentation.size() == span->begin)
      file.edits.insert(line, comment(where(function), std::string(indentation) + "// "), -1);
  }

  /// Launches call this stub, which hands on its arguments.
  void become_callable(const clang::FunctionDecl &function) {
    std::optional<std::string> statement = context.keys->stub(function);
    if (statement && give_names(function))
      return replace_body(context, function, *statement);
    context.report("NFY5005", Severity::error, function.getLocation(),
                   "kernel '" + function.getNameAsString() +
                       "' cannot be launched by a call: a parameter of it or of its template "
                       "cannot be named");
  }

  /// Writes names for parameters that have none. False where a macro writes one.
  bool give_names(const clang::FunctionDecl &function) {
    for (const auto &[parameter, name] : KernelKeys::new_names(function)) {
      // Where the name would be: at the token behind it.
      const clang::SourceLocation location = parameter->getLocation();
      std::optional<Span> place = location.isFileID() ? context.token(location) : std::nullopt;
      if (!place || place->directive)
        return false;
      const std::string_view text = place->file->text();
      const bool behind_space = place->begin > 0 && text[place->begin - 1] == ' ';
      place->file->edits.insert(place->begin, (behind_space ? "" : " ") + name +
                                                  (text[place->begin] == '=' ? " " : ""));
    }
    return true;
  }

  /// What became of the kernel, for the reader.
  std::string where(const clang::FunctionDecl &function) {
    std::string ported, not_ported;
    for (const frontend::Kernel &kernel : context.options.kernels) {
      auto known = context.kernels.find(kernel.mangled);
      if (known == context.kernels.end() || written(*known->second) != written(function))
        continue;
      if (auto reason = context.options.not_ported.find(kernel.mangled);
          reason != context.options.not_ported.end())
        not_ported = reason->second;
      else
        ported += (ported.empty() ? "" : ", ") + kernel.identifier;
    }
    if (!ported.empty())
      return "Ported as " + context.options.kernels_namespace + "::" + ported + ".";
    return "Not ported: " + (not_ported.empty() ? "nothing instantiates it." : not_ported);
  }

  /// The declaration that stands in the text for an instantiation.
  static const clang::FunctionDecl *written(const clang::FunctionDecl &function) {
    const clang::FunctionDecl *pattern = function.getTemplateInstantiationPattern();
    return (pattern ? pattern : &function)->getCanonicalDecl();
  }

  std::vector<const clang::FunctionDecl *> definitions_;
};

} // namespace

std::unique_ptr<HostRewriter> kernel_stubs(Context &context) {
  return std::make_unique<KernelStubs>(context);
}

} // namespace neuronify::rewrite
