#include "host/text.h"

#include "host/kernel_symbols.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace neuronify::rewrite {

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

/// Specifiers that may stand before the place where Clang says a declaration begins.
bool is_specifier(std::string_view text) {
  static const llvm::StringSet<> specifiers = {
      "friend",          "static",       "inline",       "constexpr",  "extern",     "virtual",
      "explicit",        "\"C\"",        "__host__",     "__device__", "__global__", "__inline__",
      "__forceinline__", "__noinline__", "__constant__", "__shared__"};
  return specifiers.contains(llvm::StringRef(text.data(), text.size()));
}

void widen_to_specifiers(Span &span) {
  const SourceFile &file = *span.file;
  size_t index = file.token_at(span.begin);
  while (index > 0) {
    const Token &before = file.tokens()[index - 1];
    if (before.directive != span.directive || !is_specifier(file.text(before)))
      break;
    span.begin = before.begin;
    --index;
  }
}

void widen_to_semicolon(Span &span) {
  const SourceFile &file = *span.file;
  size_t index = file.token_at(span.end);
  if (index < file.tokens().size() && file.text(file.tokens()[index]) == ";" &&
      file.tokens()[index].directive == span.directive)
    span.end = file.tokens()[index].end;
}

/// Where the comment lines directly above the line at `begin` start, or `begin`. A comment at the
/// very top is the file's, not the declaration's.
unsigned comment_above(const SourceFile &file, unsigned begin) {
  unsigned top = begin;
  while (top > 0) {
    unsigned previous = file.line_begin(top - 1);
    std::string_view line = file.text(previous, top);
    size_t first = line.find_first_not_of(" \t");
    size_t last = line.find_last_not_of(" \t\r\n");
    if (first == std::string_view::npos)
      break;
    line = line.substr(first, last - first + 1);
    if (line.starts_with("//")) {
      top = previous;
    } else if (line.ends_with("*/")) {
      size_t open = file.text().substr(0, top).rfind("/*");
      if (open == std::string_view::npos ||
          !is_blank(file.text(file.line_begin(open), static_cast<unsigned>(open))))
        break;
      top = file.line_begin(static_cast<unsigned>(open));
    } else {
      break;
    }
  }
  return top == 0 ? begin : top;
}

} // namespace

std::optional<Span> whole_declaration(Context &context, const clang::Decl &declaration) {
  clang::SourceRange range = declaration.getSourceRange();
  if (const clang::TemplateDecl *described = declaration.getDescribedTemplate())
    range.setBegin(described->getBeginLoc());
  std::optional<Span> span = context.stretch(range.getBegin(), range.getEnd());
  if (span) {
    widen_to_specifiers(*span);
    widen_to_semicolon(*span);
  }
  return span;
}

Span with_lines(Span span) {
  const SourceFile &file = *span.file;
  unsigned begin = file.line_begin(span.begin), end = file.line_end(span.end);
  if (span.directive || !is_blank(file.text(begin, span.begin)) ||
      !is_blank(file.text(span.end, end)))
    return span;
  span.begin = comment_above(file, begin);
  span.end = std::min(end + 1, static_cast<unsigned>(file.text().size()));
  return span;
}

/// From brace to brace. None while macros have to be expanded: a brace that comes from a macro
/// which holds more than the body, the function's head for example.
static std::optional<Span> body_of(Context &context, const clang::FunctionDecl &function) {
  const clang::Stmt *body = function.getBody();
  std::optional<Span> span = context.stretch(body->getBeginLoc(), body->getEndLoc());
  if ((!span || !span->text().starts_with('{') || !span->text().ends_with('}')) &&
      context.expand({body->getBeginLoc(), body->getEndLoc()}))
    return std::nullopt;
  return span;
}

void replace_body(Context &context, const clang::FunctionDecl &function) {
  std::optional<Span> span = body_of(context, function);
  if (!span)
    return;
  std::string name = span->directive
                         ? "__func__" // the name may be an argument of the macro
                         : "\"" + without_anonymous(function.getQualifiedNameAsString()) + "\"";
  replace_body(context, function, "neuronify::kernel_stub(" + name + ");");
  comment_parameters(context, function);
}

void replace_body(Context &context, const clang::FunctionDecl &function,
                  const std::string &statement) {
  std::optional<Span> span = body_of(context, function);
  if (!span)
    return;
  SourceFile &file = *span->file;
  size_t brace = file.token_at(span->begin);
  unsigned from = brace ? file.tokens()[brace - 1].end : span->begin;
  bool joined = is_blank(file.text(from, span->begin)) &&
                file.tokens()[brace].directive == file.tokens()[brace - 1].directive;
  std::string text = "{ " + statement + " }";
  if (!span->directive && from - file.line_begin(from) + text.size() + 1 > 100) {
    std::string indentation(file.indentation(from));
    text = "{\n" + indentation + "  " + statement + "\n" + indentation + "}";
  }
  file.edits.replace(joined ? from : span->begin, span->end, joined ? " " + text : text);
}

void comment_parameters(Context &context, const clang::FunctionDecl &function) {
  for (const clang::ParmVarDecl *parameter : function.parameters()) {
    std::optional<Span> name = context.token(parameter->getLocation());
    std::string_view written = parameter->getName();
    if (!name || written.empty() || name->text() != written)
      continue;
    char before = name->begin ? name->file->text()[name->begin - 1] : ' ';
    name->file->edits.replace(name->begin, name->end,
                              std::string(before == ' ' ? "" : " ") + "/*" + std::string(written) +
                                  "*/");
  }
}

void mark_unused(Context &context, const clang::Decl &declaration) {
  if (std::optional<Span> span = whole_declaration(context, declaration); span && !span->directive)
    span->file->edits.insert(span->begin, "[[maybe_unused]] ");
}

std::string comment(std::string_view text, const std::string &prefix) {
  std::string out, line;
  std::string words = one_line(text);
  for (llvm::StringRef word : llvm::split(llvm::StringRef(words), ' ')) {
    if (!line.empty() && prefix.size() + line.size() + 1 + word.size() > 100) {
      out += prefix + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word.str();
  }
  return out + prefix + line + "\n";
}

std::string one_line(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

} // namespace neuronify::rewrite
