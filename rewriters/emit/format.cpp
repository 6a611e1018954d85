#include "emit/format.h"

#include <clang/Format/Format.h>

#include <algorithm>

namespace neuronify::emit {

namespace {

constexpr size_t columns = 100;

/// clang-format takes memory and time for each token, more than the translation does. Text above
/// this size, about 5,000 lines, is indented and broken here.
constexpr size_t most_for_clang_format = 256 << 10;

/// Where to break a line that may have `width` columns: behind the last space that is in no
/// literal, or the first one where there is none so early; npos if there is none at all.
size_t find_break(llvm::StringRef line, size_t width) {
  size_t found = llvm::StringRef::npos;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quote && line[i] == '\\')
      ++i;
    else if (quote)
      quote = line[i] == quote ? 0 : quote;
    else if (line[i] == '"' || line[i] == '\'')
      quote = line[i];
    else if (line.substr(i).starts_with(" //"))
      return found; // what is said about a line stays on its last piece
    else if (line[i] == ' ') {
      if (i > width && found != llvm::StringRef::npos)
        return found;
      found = i;
    }
  }
  return found;
}

/// Emitted text has a statement on each line, spaced as it should be: indents it, and breaks what
/// is too long.
class Indenter {
public:
  explicit Indenter(const std::string &code) { out_.reserve(code.size() + code.size() / 4); }

  void add(llvm::StringRef line) {
    line = line.trim();
    const bool is_comment = line.starts_with("//");
    if (line.starts_with("}") && !blocks_.empty()) {
      indent_ -= blocks_.back();
      blocks_.pop_back();
    }
    append(line, indent_, is_comment);
    if (!is_comment && line.split(" //").first.rtrim().ends_with("{")) {
      blocks_.push_back(line.starts_with("namespace") ? 0 : 2);
      indent_ += blocks_.back();
    }
  }
  std::string take() { return std::move(out_); }

private:
  void append(llvm::StringRef line, size_t indent, bool is_comment) {
    bool first = true;
    while (!line.empty()) {
      const size_t margin = first || is_comment ? indent : indent + 4;
      out_.append(margin, ' ');
      if (!first && is_comment)
        out_ += "// ";
      size_t end = llvm::StringRef::npos;
      if (margin + line.size() > columns && !line.starts_with("#"))
        end = is_comment ? line.substr(0, columns - margin).rfind(' ')
                         : find_break(line, columns - margin);
      if (end != llvm::StringRef::npos && end < 4)
        end = llvm::StringRef::npos;
      out_ += line.substr(0, end);
      line = end == llvm::StringRef::npos ? "" : line.substr(end + 1);
      if (!line.empty())
        out_ += '\n';
      first = false;
    }
    out_ += '\n';
  }

  std::string out_;
  std::vector<size_t> blocks_; ///< what each open one indents by
  size_t indent_ = 0;
};

std::string indented(const std::string &code) {
  Indenter indenter(code);
  for (llvm::StringRef line : llvm::split(llvm::StringRef(code).rtrim('\n'), '\n'))
    indenter.add(line);
  return indenter.take();
}

} // namespace

std::string format(const std::string &code) {
  if (code.size() > most_for_clang_format)
    return indented(code);
  clang::format::FormatStyle style = clang::format::getLLVMStyle();
  style.ColumnLimit = columns;
  style.SortIncludes = {};
  const clang::tooling::Range whole(0, unsigned(code.size()));
  auto replacements = clang::format::reformat(style, code, {whole}, "generated.cpp");
  auto result = clang::tooling::applyAllReplacements(code, replacements);
  if (!result) {
    llvm::consumeError(result.takeError());
    return code;
  }
  return *result;
}

} // namespace neuronify::emit
