// CUDA's function and variable qualifiers leave the text, wherever they are spelled: in
// declarations, lambdas and macro definitions.
#include "host/rewriter.h"

#include "llvm/ADT/StringSet.h"

namespace neuronify::rewrite {

namespace {

bool is_dropped(std::string_view text) {
  static const llvm::StringSet<> dropped = {
      "__global__",        "__host__",    "__device__",       "__constant__",
      "__managed__",       "__shared__",  "__noinline__",     "__grid_constant__",
      "__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__block_size__"};
  return dropped.contains(llvm::StringRef(text.data(), text.size()));
}

class Qualifiers : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void tokens(SourceFile &file) override {
    const std::vector<Token> &tokens = file.tokens();
    for (size_t i = 0; i < tokens.size();) {
      if (tokens[i].kind != Token::Kind::identifier || !in_code(file, i)) {
        ++i;
        continue;
      }
      std::string_view text = file.text(tokens[i]);
      if (is_dropped(text) && !is_gnu_attribute(file, i)) {
        size_t end = end_of_group(file, i);
        drop(file, tokens[i].begin, tokens[end - 1].end);
        i = end;
        continue;
      }
      if (text == "__forceinline__")
        force_inline(file, i);
      else if (text == "__align__")
        align(file, i);
      ++i;
    }
  }

private:
  /// Not in a directive, except in the body of a macro definition.
  static bool in_code(const SourceFile &file, size_t index) {
    unsigned number = file.tokens()[index].directive;
    if (!number)
      return true;
    const SourceFile::Directive &directive = file.directives()[number - 1];
    return directive.name == "define" && index > directive.first + 2;
  }

  static bool is_gnu_attribute(const SourceFile &file, size_t index) {
    return index >= 2 && file.text(file.tokens()[index - 1]) == "(" &&
           file.text(file.tokens()[index - 2]) == "(";
  }

  /// Past the qualifiers that follow each other from `index` on, with their arguments.
  static size_t end_of_group(const SourceFile &file, size_t index) {
    const std::vector<Token> &tokens = file.tokens();
    size_t end = index;
    while (end < tokens.size() && tokens[end].directive == tokens[index].directive &&
           is_dropped(file.text(tokens[end]))) {
      ++end;
      if (end < tokens.size() && file.text(tokens[end]) == "(" &&
          takes_arguments(file.text(tokens[end - 1])))
        end = std::min(file.closing(end) + 1, tokens.size());
    }
    return end;
  }

  static bool takes_arguments(std::string_view text) {
    return text == "__launch_bounds__" || text == "__maxnreg__" || text == "__cluster_dims__" ||
           text == "__block_size__";
  }

  /// Removes [begin, end) with the blanks that would be left over.
  static void drop(SourceFile &file, unsigned begin, unsigned end) {
    std::string_view text = file.text();
    auto blank = [&](unsigned at) { return text[at] == ' ' || text[at] == '\t'; };
    bool at_line_start = file.line_begin(begin) + file.indentation(begin).size() == begin;
    unsigned after = end;
    while (after < text.size() && blank(after))
      ++after;
    bool at_line_end = after == text.size() || text[after] == '\n' || text[after] == '\r';
    if (at_line_start && at_line_end) {
      begin = file.line_begin(begin);
      end = std::min(file.line_end(after) + 1, static_cast<unsigned>(text.size()));
    } else if (at_line_end) {
      while (begin > 0 && blank(begin - 1))
        --begin;
    } else {
      end = after;
      if (text[end] == '(') // of a lambda: `[=] __device__(int i)`
        while (begin > 0 && blank(begin - 1))
          --begin;
    }
    file.edits.replace(begin, end, "");
  }

  /// `__forceinline__` is `inline` plus a wish; say `inline` once.
  static void force_inline(SourceFile &file, size_t index) {
    const std::vector<Token> &tokens = file.tokens();
    auto is_inline = [&](size_t at) {
      std::string_view text = file.text(tokens[at]);
      return text == "inline" || text == "__inline__" || text == "__inline";
    };
    auto is_specifier = [&](size_t at) {
      std::string_view text = file.text(tokens[at]);
      return is_dropped(text) || text == "static" || text == "constexpr" || text == "virtual" ||
             text == "friend" || text == "extern" || text == "explicit" || is_inline(at);
    };
    bool said = false;
    for (size_t at = index; at-- > 0 && is_specifier(at);)
      said |= is_inline(at);
    for (size_t at = index + 1; at < tokens.size() && is_specifier(at); ++at)
      said |= is_inline(at);
    if (said)
      drop(file, tokens[index].begin, tokens[index].end);
    else
      file.edits.replace(tokens[index].begin, tokens[index].end, "inline");
  }

  /// `__align__(n)`: `alignas(n)` where that may stand, behind a class key.
  static void align(SourceFile &file, size_t index) {
    const Token &token = file.tokens()[index];
    std::string_view before = index ? file.text(file.tokens()[index - 1]) : "";
    if (before == "struct" || before == "class" || before == "union") {
      file.edits.replace(token.begin, token.end, "alignas");
      return;
    }
    size_t open = index + 1;
    size_t close = open < file.tokens().size() ? file.closing(open) : file.tokens().size();
    if (close == file.tokens().size())
      return;
    file.edits.replace(token.begin, token.end, "__attribute__((aligned");
    file.edits.insert(file.tokens()[close].end, "))");
  }
};

} // namespace

std::unique_ptr<HostRewriter> qualifiers(Context &context) {
  return std::make_unique<Qualifiers>(context);
}

} // namespace neuronify::rewrite
