// Lambdas that kernels take: each is marked with its place, `neuronify::lambda<"app.cu:12">(...)`,
// which ties it to the ported kernel. What it captures by default is written out, since that is
// what a launch hands over; a body that only a device can run leaves the host code.
#include "host/kernel_keys.h"
#include "host/rewriter.h"
#include "host/template_arguments.h"
#include "host/text.h"
#include "host/usage.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

namespace neuronify::rewrite {

namespace {

class Lambdas : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void statement(const clang::Stmt &statement) override {
    const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(&statement);
    if (!lambda)
      return;
    llvm::ArrayRef<const clang::CXXRecordDecl *> closures = context.keys->closures(*lambda);
    std::optional<Names> captures = names(closures);
    const bool default_written = captures && write_out_captures(*lambda, *captures);
    if (context.usage->only_on_device(*lambda->getCallOperator()))
      remove_body(*lambda, captures && default_written ? *captures : explicit_names(*lambda));
    if (!closures.empty())
      mark(*lambda);
  }

private:
  using Names = std::vector<std::string>;

  void mark(const clang::LambdaExpr &lambda) {
    if (context.keys->shares_place(lambda)) {
      if (!context.expand({lambda.getBeginLoc()}))
        context.report(
            "NFY5005", Severity::error, lambda.getBeginLoc(),
            "this lambda, which a kernel takes, stands in the same place as another one");
      return;
    }
    std::optional<Span> begin = context.token(lambda.getIntroducerRange().getBegin());
    std::optional<Span> end = begin ? context.after(lambda.getEndLoc(), *begin) : std::nullopt;
    std::optional<std::string> text = context.keys->mark(lambda);
    if (!begin || !end || !text ||
        !begin->file->edits.insert(begin->begin, "neuronify::lambda<" + *text + ">(", 0,
                                   begin->directive != 0)) {
      if (!text || !context.expand({lambda.getBeginLoc()}))
        context.report("NFY5005", Severity::error, lambda.getBeginLoc(),
                       "this lambda, which a kernel takes, cannot be marked: " +
                           std::string(text ? "a macro writes it"
                                            : "a template parameter around it has no name"));
      return;
    }
    end->file->edits.insert(end->end, ")");
  }

  /// What the closures capture, in the order in which they hold it; nullopt where that is not
  /// simply variables, or not the same in all instances.
  static std::optional<Names> names(llvm::ArrayRef<const clang::CXXRecordDecl *> closures) {
    std::optional<Names> out;
    for (const clang::CXXRecordDecl *closure : closures) {
      Names names;
      for (const clang::LambdaCapture &capture : closure->captures()) {
        if (capture.capturesThis())
          names.push_back(capture.getCaptureKind() == clang::LCK_StarThis ? "*this" : "this");
        else if (capture.capturesVariable() && !capture.isPackExpansion() &&
                 llvm::isa<clang::VarDecl>(capture.getCapturedVar()))
          names.push_back(capture.getCapturedVar()->getNameAsString());
        else
          return std::nullopt;
      }
      if (out && *out != names)
        return std::nullopt;
      out = std::move(names);
    }
    return out;
  }

  static Names explicit_names(const clang::LambdaExpr &lambda) {
    Names names;
    for (const clang::LambdaCapture &capture : lambda.explicit_captures())
      if (capture.capturesVariable())
        names.push_back(capture.getCapturedVar()->getNameAsString() +
                        (capture.isPackExpansion() ? "..." : ""));
      else if (capture.capturesThis())
        names.push_back("this");
    return names;
  }

  /// `[=]` becomes `[x, y]`. True where the list names all captures afterwards.
  bool write_out_captures(const clang::LambdaExpr &lambda, const Names &captures) {
    if (lambda.getCaptureDefault() != clang::LCD_ByCopy)
      return lambda.getCaptureDefault() == clang::LCD_None;
    std::optional<Span> sign = context.token(lambda.getCaptureDefaultLoc());
    std::optional<Span> end = context.token(lambda.getIntroducerRange().getEnd());
    if (!sign || !end || sign->file != end->file || sign->directive != end->directive)
      return false;
    const size_t given = static_cast<size_t>(
        std::distance(lambda.explicit_capture_begin(), lambda.explicit_capture_end()));
    if (given > captures.size())
      return false;
    Names implicit(captures.begin() + static_cast<std::ptrdiff_t>(given), captures.end());
    SourceFile &file = *sign->file;
    std::string rest(file.text(sign->end, end->begin)); // `, y = 2`
    rest.erase(0, std::min(rest.find_first_not_of(", \t"), rest.size()));
    // A macro that is used with different captures cannot list them.
    return file.edits.replace(sign->begin, end->begin,
                              rest + (rest.empty() || implicit.empty() ? "" : ", ") +
                                  llvm::join(implicit, ", ")) ||
           context.expand({lambda.getBeginLoc()});
  }

  /// The captures stay: the kernel gets them.
  void remove_body(const clang::LambdaExpr &lambda, const Names &captures) {
    const clang::CXXMethodDecl &function = *lambda.getCallOperator();
    const clang::QualType result = function.getReturnType();
    std::string statement = "neuronify::device_lambda(";
    if (!lambda.hasExplicitResultType() && !result->isVoidType() && !result->isDependentType() &&
        !result->isUndeducedType())
      insert_result_type(function, spell(context, result.getCanonicalType()));
    for (const std::string &name : captures)
      statement += (statement.ends_with("(") ? "" : ", ") + (name == "*this" ? "this" : name);
    replace_body(context, function, statement + ");");
    comment_parameters(context, function);
  }

  void insert_result_type(const clang::FunctionDecl &function, const std::string &type) {
    std::optional<Span> body = context.token(function.getBody()->getBeginLoc());
    if (!body)
      return;
    const size_t brace = body->file->token_at(body->begin);
    body->file->edits.insert(body->file->tokens()[brace - 1].end, " -> " + type);
  }
};

} // namespace

std::unique_ptr<HostRewriter> lambdas(Context &context) {
  return std::make_unique<Lambdas>(context);
}

} // namespace neuronify::rewrite
