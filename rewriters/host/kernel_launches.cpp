// `k<<<grid, block, shared, stream>>>(args)` becomes `neuronify::launch(k, grid, block, shared,
// stream, args)`, token by token, so that macros and nested rewrites keep working. `launch` takes
// the address of the stub, so template arguments that a launch leaves to deduction are written out
// and an overloaded kernel is cast to its type. Where only a call can name the kernel, the launch
// gets one: `neuronify::launch(grid, block, shared, stream, [&] { k(args); })`.
#include "host/kernel_keys.h"
#include "host/kernel_symbols.h"
#include "host/rewriter.h"
#include "host/template_arguments.h"
#include "host/text.h"
#include "host/usage.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace neuronify::rewrite {

namespace {

/// A launch as it stands in the text.
struct Site {
  const clang::CUDAKernelCallExpr &call;
  Span open;   ///< `<<<`
  Span close;  ///< `>>>`
  Span callee; ///< from the kernel's first token up to `<<<`
  Span paren;  ///< the `(` behind `>>>`
  Span end;    ///< the `)` of the call
};

class KernelLaunches : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void statement(const clang::Stmt &statement) override {
    const auto *call = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&statement);
    if (!call || !call->getConfig())
      return;
    std::optional<Site> site = find(*call);
    if (!site) {
      cannot(*call, "its text is put together by several macros");
      return;
    }
    note(*site);
    if (only_callable(*call))
      rewrite_as_call(*site);
    else if (name_kernel(*site))
      rewrite(*site);
  }

private:
  void cannot(const clang::CUDAKernelCallExpr &call, const std::string &why) {
    if (!context.expand({call.getBeginLoc(), call.getConfig()->getBeginLoc(),
                         call.getConfig()->getRParenLoc(), call.getRParenLoc(),
                         call.getCallee()->getEndLoc()}))
      context.report("NFY5003", Severity::error, call.getBeginLoc(),
                     "this launch cannot be rewritten: " + why);
  }

  std::optional<Site> find(const clang::CUDAKernelCallExpr &call) {
    std::optional<Span> open = context.token(call.getConfig()->getBeginLoc());
    std::optional<Span> close = context.token(call.getConfig()->getRParenLoc());
    if (!open || !close || open->text() != "<<<" || close->text() != ">>>" ||
        open->file != close->file)
      return std::nullopt;
    std::optional<Span> callee = context.before(call.getBeginLoc(), *open);
    std::optional<Span> end = context.after(call.getRParenLoc(), *close);
    const std::vector<Token> &tokens = open->file->tokens();
    size_t paren = open->file->token_at(close->end);
    if (!callee || !end || paren == tokens.size() || open->file->text(tokens[paren]) != "(")
      return std::nullopt;
    callee->end = tokens[open->file->token_at(open->begin) - 1].end;
    Span parenthesis{open->file, tokens[paren].begin, tokens[paren].end, open->directive};
    return Site{call, *open, *close, *callee, parenthesis, *end};
  }

  void note(const Site &site) {
    clang::SourceLocation place = context.sources.getExpansionLoc(site.call.getBeginLoc());
    const SourceFile *file = context.file(place);
    context.result.launches.push_back({one_line(site.callee.text()), file ? file->path() : "",
                                       context.sources.getPresumedLoc(place).getLine()});
  }

  // ---- the call itself

  void rewrite(const Site &site) {
    FileEdits &edits = site.open.file->edits;
    bool has_arguments =
        site.open.file->token_at(site.paren.end) != site.open.file->token_at(site.end.begin);
    edits.insert(site.callee.begin, "neuronify::launch(", -10);
    edits.replace(site.callee.end, site.open.end, ", ");
    std::string config = missing_configuration(site);
    std::string_view arguments = site.open.file->text(site.paren.end, site.end.begin);
    if (has_arguments && one_line(arguments) == "__VA_ARGS__")
      config += " __VA_OPT__(,) ";
    else if (has_arguments)
      config +=
          first_argument(site) == site.paren.end &&
                  site.open.file->tokens()[site.open.file->token_at(site.paren.end)].starts_line
              ? ","
              : ", ";
    unsigned last = site.open.file->tokens()[site.open.file->token_at(site.close.begin) - 1].end;
    edits.replace(last, has_arguments ? first_argument(site) : site.paren.end, config);
  }

  /// The callee moves behind the configuration.
  void rewrite_as_call(const Site &site) {
    FileEdits &edits = site.open.file->edits;
    edits.replace(site.callee.begin, site.open.end, "neuronify::launch(");
    unsigned last = site.open.file->tokens()[site.open.file->token_at(site.close.begin) - 1].end;
    const bool breaks = is_long(site);
    const std::string indentation(site.open.file->indentation(site.callee.begin));
    edits.replace(last, site.paren.begin,
                  missing_configuration(site) + ", [&] {" +
                      (breaks ? "\n" + indentation + "  " : " ") + one_line(site.callee.text()));
    edits.insert(site.end.end, breaks ? ";\n" + indentation + "})" : "; })", 1);
  }

  /// Whether a launch that stands on lines of its own would not fit into one with its call.
  static bool is_long(const Site &site) {
    const SourceFile &file = *site.open.file;
    const unsigned begin = file.line_begin(site.callee.begin);
    if (site.open.directive ||
        begin + file.indentation(site.callee.begin).size() != site.callee.begin)
      return false;
    std::string_view added = "neuronify::launch(, 0, nullptr, [&] { ; });";
    const unsigned end = file.line_end(site.callee.begin);
    size_t length = end - begin + added.size();
    if (file.text(begin, end).find('[') != std::string_view::npos)
      length += sizeof("neuronify::lambda<\"\">()") + file.path().size() - file.path().rfind('/');
    return end < site.end.end || length > 100;
  }

  /// Blanks behind the parenthesis go where the arguments begin on the same line.
  static unsigned first_argument(const Site &site) {
    const Token &first = site.open.file->tokens()[site.open.file->token_at(site.paren.end)];
    std::string_view between = site.open.file->text(site.paren.end, first.begin);
    return between.find_first_not_of(" \t") == std::string_view::npos ? first.begin
                                                                      : site.paren.end;
  }

  /// Shared memory and stream where the launch does not say them.
  static std::string missing_configuration(const Site &site) {
    unsigned given = 0;
    for (const clang::Expr *argument : site.call.getConfig()->arguments())
      given += !llvm::isa<clang::CXXDefaultArgExpr>(argument);
    return given <= 2 ? ", 0, nullptr" : given == 3 ? ", nullptr" : "";
  }

  /// Whether parameters of the kernel take their default arguments. A pointer to it has none, and
  /// what they say may mean something else at the launch: a call of the stub fills them in.
  static bool has_default_arguments(const clang::CUDAKernelCallExpr &call) {
    return llvm::any_of(call.arguments(), [](const clang::Expr *argument) {
      return llvm::isa<clang::CXXDefaultArgExpr>(argument);
    });
  }

  // ---- the kernel's name

  /// Whether no expression has the address of the kernel; its stub is called then.
  bool only_callable(const clang::CUDAKernelCallExpr &call) {
    const clang::Expr *callee = call.getCallee()->IgnoreParenImpCasts();
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(callee)) {
      const auto *kernel = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
      if (!kernel || !(context.keys->unnamed(*kernel) || has_default_arguments(call)))
        return false;
      context.keys->call(*kernel);
      return true;
    }
    const auto *lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(callee);
    if (!lookup)
      return false;
    std::vector<const clang::FunctionDecl *> kernels;
    for (const clang::NamedDecl *candidate : lookup->decls())
      if (const clang::FunctionDecl *function = candidate->getUnderlyingDecl()->getAsFunction();
          function && role(*function) == Role::kernel)
        kernels.push_back(function);
    if (kernels.size() < 2 &&
        llvm::none_of(kernels, [&](const auto *one) { return context.keys->any_unnamed(*one); }) &&
        (lookup->getNumDecls() > 1 || arguments_of(call, *lookup)))
      return false;
    for (const clang::FunctionDecl *kernel : kernels)
      context.keys->call(*kernel);
    return true;
  }

  /// What a launch that depends on template parameters leaves to deduction; empty: nothing.
  std::optional<std::vector<std::string>> arguments_of(const clang::CUDAKernelCallExpr &call,
                                                       const clang::UnresolvedLookupExpr &lookup) {
    const auto *kernel =
        llvm::dyn_cast<clang::FunctionTemplateDecl>((*lookup.decls_begin())->getUnderlyingDecl());
    if (!kernel || !leaves_arguments(*kernel, lookup.getNumTemplateArgs()))
      return std::vector<std::string>();
    llvm::SmallVector<const clang::Expr *, 8> values(call.arguments());
    return deduce_dependent(context, *kernel, lookup.getNumTemplateArgs(), values);
  }

  /// Makes the callee an expression whose address is one function. False where that fails.
  bool name_kernel(const Site &site) {
    const clang::Expr *callee = site.call.getCallee()->IgnoreParenImpCasts();
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(callee))
      return name_known(site, *reference);
    if (const auto *lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(callee))
      return name_dependent(site, *lookup);
    return true; // a pointer, or a name that stays as written
  }

  bool name_known(const Site &site, const clang::DeclRefExpr &reference) {
    const auto *kernel = llvm::dyn_cast<clang::FunctionDecl>(reference.getDecl());
    if (!kernel)
      return true;
    if (const clang::FunctionTemplateDecl *primary = kernel->getPrimaryTemplate();
        primary && leaves_arguments(*primary, reference.getNumTemplateArgs())) {
      llvm::SmallVector<const clang::Expr *, 8> values(site.call.arguments());
      std::optional<std::vector<std::string>> arguments = spell_arguments(context, *kernel, values);
      if (!arguments) {
        cannot(site.call, "a template argument has no name here");
        return false;
      }
      size_t given = std::min<size_t>(reference.getNumTemplateArgs(), arguments->size());
      arguments->erase(arguments->begin(), arguments->begin() + given);
      if (!write_arguments(site, reference.getLocation(), reference.getRAngleLoc(), given,
                           *arguments))
        return false;
    }
    return !is_overloaded(*kernel) || write_cast(site, *kernel);
  }

  static bool leaves_arguments(const clang::FunctionTemplateDecl &kernel, unsigned given) {
    const clang::TemplateParameterList &parameters = *kernel.getTemplateParameters();
    return given < parameters.size() || parameters.hasParameterPack();
  }

  bool name_dependent(const Site &site, const clang::UnresolvedLookupExpr &lookup) {
    std::vector<std::string> arguments = arguments_of(site.call, lookup).value();
    return arguments.empty() || write_arguments(site, lookup.getNameLoc(), lookup.getRAngleLoc(),
                                                lookup.getNumTemplateArgs(), arguments);
  }

  /// Writes `arguments` behind the `given` ones that the launch spells out.
  bool write_arguments(const Site &site, clang::SourceLocation name, clang::SourceLocation angle,
                       size_t given, const std::vector<std::string> &arguments) {
    std::string list = llvm::join(arguments, ", ");
    std::optional<Span> place = context.token(angle.isValid() ? angle : name);
    if (!place) {
      cannot(site.call, "the kernel's name is put together by a macro");
      return false;
    }
    FileEdits &edits = place->file->edits;
    bool written;
    if (angle.isValid())
      written = list.empty() || edits.insert(place->begin, (given ? ", " : "") + list, 0, true);
    else
      written = edits.insert(place->end, "<" + list + ">", -5, true);
    // In an argument of a macro, commas need parentheses around them.
    bool elsewhere = place->file != site.open.file || place->directive != site.open.directive ||
                     place->begin >= site.open.begin;
    if (written && elsewhere && angle.isInvalid() && arguments.size() > 1) {
      edits.insert(place->begin, "(", 5);
      edits.insert(place->end, ")", -4);
    }
    if (!written)
      cannot(site.call, "its macro launches one kernel template with different arguments");
    return written;
  }

  /// Casts the kernel's name where it is spelled: for an argument of a macro, at its call.
  bool write_cast(const Site &site, const clang::FunctionDecl &kernel) {
    const clang::SourceRange range = site.call.getCallee()->getSourceRange();
    Span name = context.stretch(range.getBegin(), range.getEnd()).value_or(site.callee);
    FileEdits &edits = name.file->edits;
    if (!edits.insert(name.begin, "static_cast<" + spell_pointer(context, kernel) + ">(", -5,
                      /*exclusive=*/true)) {
      cannot(site.call, "its macro launches different overloads of a kernel");
      return false;
    }
    edits.insert(name.end, ")", 10);
    return true;
  }
};

} // namespace

std::unique_ptr<HostRewriter> kernel_launches(Context &context) {
  return std::make_unique<KernelLaunches>(context);
}

} // namespace neuronify::rewrite
