// One file of the user's: its text as tokens, and where Clang's locations fall in it.
#pragma once

#include "host/edits.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neuronify::rewrite {

/// A token as it is spelled, before preprocessing.
struct Token {
  enum class Kind { identifier, punctuation, literal, other };
  Kind kind = Kind::other;
  unsigned begin = 0, end = 0; ///< byte offsets
  bool starts_line = false;
  /// 0 in ordinary text; otherwise the number of the preprocessor directive it belongs to.
  unsigned directive = 0;
};

class SourceFile {
public:
  SourceFile(std::string path, std::string text, const clang::LangOptions &options);
  SourceFile(const SourceFile &) = delete; // directives refer to the text
  SourceFile &operator=(const SourceFile &) = delete;

  const std::string &path() const { return edits.path(); }
  std::string_view text() const { return edits.original(); }
  std::string_view text(unsigned begin, unsigned end) const {
    return text().substr(begin, end - begin);
  }
  std::string_view text(const Token &token) const { return text(token.begin, token.end); }

  const std::vector<Token> &tokens() const { return tokens_; }
  /// Index of the token that begins at or after `offset` (tokens().size() if there is none).
  size_t token_at(unsigned offset) const;
  /// Index of the token that closes the bracket `open` (an index), or tokens().size().
  size_t closing(size_t open) const;
  /// Name of a directive ("define"), and the indices of its first token (`#`) and past its last.
  struct Directive {
    std::string_view name;
    size_t first, last;
  };
  /// Directives by number - 1.
  const std::vector<Directive> &directives() const { return directives_; }

  unsigned line_begin(unsigned offset) const; ///< offset of the first byte of the line
  unsigned line_end(unsigned offset) const;   ///< offset of its newline (or the end of the text)
  unsigned line_number(unsigned offset) const;
  /// The blanks at the beginning of the line.
  std::string_view indentation(unsigned offset) const;

  FileEdits edits;

private:
  void lex(const clang::LangOptions &options);
  std::vector<Token> tokens_;
  std::vector<Directive> directives_;
};

/// A stretch of a user's file; `end` is past its last byte.
struct Span {
  SourceFile *file = nullptr;
  unsigned begin = 0, end = 0;
  unsigned directive = 0; ///< as in Token: nonzero inside a macro definition
  std::string_view text() const { return file->text(begin, end); }
};

} // namespace neuronify::rewrite
