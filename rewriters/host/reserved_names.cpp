// Global names of the user's that are namespaces in ported code get an underscore, in all of the
// user's files.
#include "host/rewriter.h"

#include "llvm/ADT/StringSwitch.h"

namespace neuronify::rewrite {

namespace {

bool is_reserved(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name).Cases({"neuronify", "nki"}, true).Default(false);
}

class ReservedNames : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void declaration(const clang::Decl &declaration) override {
    const auto *named = llvm::dyn_cast<clang::NamedDecl>(&declaration);
    if (!named || !named->getDeclName().isIdentifier() ||
        !named->getDeclContext()->getRedeclContext()->isTranslationUnit())
      return;
    const bool clashes = named->getName() == context.options.kernels_namespace ||
                         (is_reserved(named->getName()) && !llvm::isa<clang::NamespaceDecl>(named));
    if (!clashes)
      return;
    context.renamed.insert({named->getNameAsString(), named->getNameAsString() + "_"});
  }

  void tokens(SourceFile &file) override {
    if (context.renamed.empty())
      return;
    for (const Token &token : file.tokens()) {
      auto renamed = token.kind == Token::Kind::identifier
                         ? context.renamed.find(std::string(file.text(token)))
                         : context.renamed.end();
      if (renamed != context.renamed.end())
        file.edits.replace(token.begin, token.end, renamed->second);
    }
  }
};

} // namespace

std::unique_ptr<HostRewriter> reserved_names(Context &context) {
  return std::make_unique<ReservedNames>(context);
}

} // namespace neuronify::rewrite
