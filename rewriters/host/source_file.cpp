#include "host/source_file.h"

#include "clang/Lex/Lexer.h"

#include <algorithm>

namespace neuronify::rewrite {

SourceFile::SourceFile(std::string path, std::string text, const clang::LangOptions &options)
    : edits(std::move(path), std::move(text)) {
  lex(options);
}

void SourceFile::lex(const clang::LangOptions &options) {
  const std::string &buffer = edits.original();
  const char *start = buffer.c_str();
  clang::Lexer lexer(clang::SourceLocation(), options, start, start, start + buffer.size());
  clang::Token raw;
  unsigned directive = 0;
  while (true) {
    lexer.LexFromRawLexer(raw);
    if (raw.is(clang::tok::eof))
      break;
    Token token;
    token.end = static_cast<unsigned>(lexer.getBufferLocation() - start);
    token.begin = token.end - raw.getLength();
    token.starts_line = raw.isAtStartOfLine();
    if (raw.is(clang::tok::raw_identifier))
      token.kind = Token::Kind::identifier;
    else if (clang::tok::isLiteral(raw.getKind()))
      token.kind = Token::Kind::literal;
    else if (clang::tok::getPunctuatorSpelling(raw.getKind()))
      token.kind = Token::Kind::punctuation;
    if (token.starts_line) {
      directive = 0;
      if (raw.is(clang::tok::hash)) {
        directives_.push_back({{}, tokens_.size(), tokens_.size()});
        directive = static_cast<unsigned>(directives_.size());
      }
    }
    token.directive = directive;
    tokens_.push_back(token);
    if (directive)
      directives_.back().last = tokens_.size();
  }
  for (Directive &one : directives_)
    if (one.last - one.first > 1)
      one.name = this->text(tokens_[one.first + 1]);
}

size_t SourceFile::token_at(unsigned offset) const {
  return std::ranges::lower_bound(tokens_, offset, {}, &Token::begin) - tokens_.begin();
}

size_t SourceFile::closing(size_t open) const {
  int depth = 0;
  for (size_t i = open; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != Token::Kind::punctuation)
      continue;
    std::string_view text = this->text(tokens_[i]);
    if (text == "(" || text == "{" || text == "[")
      ++depth;
    else if ((text == ")" || text == "}" || text == "]") && --depth == 0)
      return i;
  }
  return tokens_.size();
}

unsigned SourceFile::line_begin(unsigned offset) const {
  size_t newline = offset ? text().rfind('\n', offset - 1) : std::string_view::npos;
  return newline == std::string_view::npos ? 0 : static_cast<unsigned>(newline + 1);
}

unsigned SourceFile::line_end(unsigned offset) const {
  return static_cast<unsigned>(std::min(text().find('\n', offset), text().size()));
}

unsigned SourceFile::line_number(unsigned offset) const {
  return 1 + static_cast<unsigned>(std::ranges::count(text().substr(0, offset), '\n'));
}

std::string_view SourceFile::indentation(unsigned offset) const {
  unsigned begin = line_begin(offset);
  size_t end = text().find_first_not_of(" \t", begin);
  return text(begin, static_cast<unsigned>(std::min(end, text().size())));
}

} // namespace neuronify::rewrite
