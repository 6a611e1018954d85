// Names of the CUDA API inside macro definitions, also of macros that nothing expands here, CUDA's
// own constants that are macros, and the macros by which code asks whether it is CUDA.
#include "host/api_table.h"
#include "host/rewriter.h"

namespace neuronify::rewrite {

namespace {

class Macros : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void tokens(SourceFile &file) override {
    for (size_t i = 0; i < file.tokens().size(); ++i) {
      const Token &token = file.tokens()[i];
      if (token.kind != Token::Kind::identifier)
        continue;
      const ApiEntry *entry = ApiTable::get().find(file.text(token));
      if (!entry || !entry->renamed() || !applies(file, i, *entry))
        continue;
      context.result.used_apis.insert(entry->cuda);
      file.edits.replace(token.begin, token.end, entry->neuronify);
    }
  }

private:
  static bool applies(const SourceFile &file, size_t index, const ApiEntry &entry) {
    unsigned number = file.tokens()[index].directive;
    if (!number)
      return entry.kind == ApiEntry::Kind::macro;
    const SourceFile::Directive &directive = file.directives()[number - 1];
    if (directive.name == "define")
      return index > directive.first + 2;
    return entry.kind == ApiEntry::Kind::macro &&
           (directive.name == "if" || directive.name == "ifdef" || directive.name == "ifndef" ||
            directive.name == "elif");
  }
};

} // namespace

std::unique_ptr<HostRewriter> macros(Context &context) { return std::make_unique<Macros>(context); }

} // namespace neuronify::rewrite
