// CUDA's headers give way to neuronify.h: the first one in a file is replaced, the others go.
#include "host/api_table.h"
#include "host/rewriter.h"
#include "host/text.h"

#include <set>

namespace neuronify::rewrite {

namespace {

class Includes : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void tokens(SourceFile &file) override {
    bool needs_runtime = &file == &context.main() || !file.edits.empty();
    bool included = false;
    std::set<std::string> seen;
    std::string runtime = "#include \"neuronify.h\"\n";
    if (&file == &context.main() && has_registration())
      runtime += "#include \"" + context.options.kernels_header + "\"\n";
    for (const SourceFile::Directive &directive : file.directives()) {
      context.result.uses_openmp |= included_name(file, directive) == "omp.h";
      const ApiHeader *header = ApiTable::get().find_header(included_name(file, directive));
      if (!header)
        continue;
      unsigned begin = file.line_begin(file.tokens()[directive.first].begin);
      unsigned end = file.line_end(file.tokens()[directive.last - 1].end);
      end = std::min(end + 1, static_cast<unsigned>(file.text().size()));
      bool replaces = !included && in_main_part(file, directive) && !follows_text(file, directive);
      included |= replaces;
      file.edits.replace(begin, end, (replaces ? runtime : "") + own_header(*header, seen));
    }
    if (needs_runtime && !included) {
      unsigned place = first_place(file);
      std::string_view next = file.text(place, file.line_end(place));
      file.edits.insert(place, runtime + (next.empty() || next.starts_with("#") ? "" : "\n"), -2);
    }
  }

private:
  /// A header besides neuronify.h that has what this one of CUDA declares; once is enough.
  static std::string own_header(const ApiHeader &header, std::set<std::string> &seen) {
    if (header.neuronify.empty() || header.neuronify == "neuronify.h" ||
        !seen.insert(header.neuronify).second)
      return "";
    return "#include \"" + header.neuronify + "\"\n";
  }

  bool has_registration() const {
    return !context.options.kernels.empty() || !context.options.variables.empty();
  }

  /// What stands between the quotes or brackets of an include; empty for anything else.
  static std::string_view included_name(const SourceFile &file,
                                        const SourceFile::Directive &directive) {
    if (directive.name != "include" || directive.last - directive.first < 3)
      return {};
    const Token &name = file.tokens()[directive.first + 2];
    const Token &last = file.tokens()[directive.last - 1];
    std::string_view text = file.text(name.begin, last.end);
    if (text.size() < 2 || (text[0] != '<' && text[0] != '"'))
      return {};
    char closing = text[0] == '<' ? '>' : '"';
    return text.substr(1, text.find(closing, 1) - 1);
  }

  /// Whether a directive stands outside of conditionals, except an include guard around the file.
  static bool in_main_part(const SourceFile &file, const SourceFile::Directive &directive) {
    int depth = has_guard(file) ? -1 : 0;
    for (const SourceFile::Directive &one : file.directives()) {
      if (one.first == directive.first)
        break;
      if (one.name.starts_with("if"))
        ++depth;
      else if (one.name == "endif")
        --depth;
    }
    return depth <= 0;
  }

  /// Whether the file defines macros before it. nvcc reads its own header first of all.
  static bool follows_definition(const SourceFile &file, const SourceFile::Directive &directive) {
    const size_t guard = has_guard(file) ? 2 : 0;
    for (size_t i = guard; i < file.directives().size(); ++i) {
      const SourceFile::Directive &one = file.directives()[i];
      if (one.first >= directive.first)
        return false;
      if (one.name == "define")
        return true;
    }
    return false;
  }

  /// Whether it stands inside of extern "C" { }, where headers of C++ cannot be.
  static bool in_c_linkage(const SourceFile &file, const SourceFile::Directive &directive) {
    int depth = 0, outside = -1; // of braces; of those around the block
    const auto &tokens = file.tokens();
    for (size_t i = 0; i < directive.first; ++i) {
      const std::string_view text = tokens[i].directive ? "" : file.text(tokens[i]);
      if (text == "{" && outside < 0 && i > 1 && file.text(tokens[i - 1]) == "\"C\"" &&
          file.text(tokens[i - 2]) == "extern")
        outside = depth;
      depth += text == "{" ? 1 : text == "}" ? -1 : 0;
      if (text == "}" && depth == outside)
        outside = -1;
    }
    return outside >= 0;
  }

  /// Whether code stands before a directive: nvcc knows CUDA from the first line on, without
  /// include.
  static bool follows_code(const SourceFile &file, const SourceFile::Directive &directive) {
    size_t next = 0; // token behind the last directive
    for (const SourceFile::Directive &other : file.directives()) {
      if (other.first > next)
        return true;
      if (&other == &directive)
        return false;
      next = other.last;
    }
    return false;
  }

  static bool follows_text(const SourceFile &file, const SourceFile::Directive &directive) {
    return follows_definition(file, directive) || in_c_linkage(file, directive) ||
           follows_code(file, directive);
  }

  static bool has_guard(const SourceFile &file) {
    const auto &directives = file.directives();
    return directives.size() > 2 && directives[0].first == 0 && directives[0].name == "ifndef" &&
           directives[1].name == "define" && directives.back().name == "endif" &&
           directives.back().last == file.tokens().size();
  }

  /// Before the first include; in a file without one, behind the guard or before the first token.
  static unsigned first_place(const SourceFile &file) {
    const auto &directives = file.directives();
    for (const SourceFile::Directive &directive : directives)
      if (directive.name == "include" && in_main_part(file, directive)) {
        if (follows_text(file, directive))
          break;
        return file.line_begin(file.tokens()[directive.first].begin);
      }
    const SourceFile::Directive *guard = nullptr;
    if (has_guard(file))
      guard = &directives[1];
    else if (!directives.empty() && directives[0].first == 0 && directives[0].name == "pragma")
      guard = &directives[0];
    if (guard)
      return std::min(file.line_end(file.tokens()[guard->last - 1].end) + 1,
                      static_cast<unsigned>(file.text().size()));
    return file.tokens().empty() ? 0 : file.line_begin(file.tokens()[0].begin);
  }
};

} // namespace

std::unique_ptr<HostRewriter> includes(Context &context) {
  return std::make_unique<Includes>(context);
}

} // namespace neuronify::rewrite
