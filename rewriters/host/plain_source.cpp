// Questions about host sources that Clang does not read: answered by their tokens.
#include "host/api_table.h"
#include "host/project.h"
#include "host/source_file.h"

#include <algorithm>

namespace neuronify::rewrite {

namespace {

SourceFile lexed(const std::string &text) {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.LineComment = true;
  return SourceFile("", text, options);
}

/// `"name"` or `<name>` of an include directive, with its quotes; empty for other directives.
std::string_view included(const SourceFile &file, const SourceFile::Directive &directive) {
  if (directive.name != "include" || directive.last - directive.first < 3)
    return {};
  return file.text(file.tokens()[directive.first + 2].begin, file.tokens()[directive.last - 1].end);
}

} // namespace

bool defines_main(const std::string &text) {
  const SourceFile file = lexed(text);
  const std::vector<Token> &tokens = file.tokens();
  for (size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (file.text(tokens[i]) != "main" || file.text(tokens[i - 1]) != "int" ||
        file.text(tokens[i + 1]) != "(")
      continue;
    size_t close = file.closing(i + 1);
    if (close + 1 < tokens.size() && file.text(tokens[close + 1]) == "{")
      return true;
  }
  return false;
}

bool uses_cuda(const std::string &text) {
  const SourceFile file = lexed(text);
  for (const SourceFile::Directive &directive : file.directives())
    if (std::string_view name = included(file, directive); name.size() > 2)
      if (ApiTable::get().find_header(name.substr(1, name.size() - 2)))
        return true;
  return std::ranges::any_of(file.tokens(), [&](const Token &token) {
    if (token.kind != Token::Kind::identifier)
      return false;
    const ApiEntry *entry = ApiTable::get().find(file.text(token));
    return entry && entry->cuda.starts_with("cuda");
  });
}

std::vector<std::string> quoted_includes(const std::string &text) {
  const SourceFile file = lexed(text);
  std::vector<std::string> out;
  for (const SourceFile::Directive &directive : file.directives())
    if (std::string_view name = included(file, directive); name.size() > 2 && name[0] == '"')
      out.emplace_back(name.substr(1, name.size() - 2));
  return out;
}

} // namespace neuronify::rewrite
