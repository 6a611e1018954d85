// Global names of the user's that are namespaces in ported code get an underscore, in all of the
// user's files. So does a function `lerp` of three floats, which many CUDA programs have: C++20,
// which ports are compiled as, declares one of its own in <math.h>.
#include "host/rewriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <utility>

namespace neuronify::rewrite {

namespace {

bool is_reserved(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name).Cases({"neuronify", "nki"}, true).Default(false);
}

/// Whether <math.h> declares this function in C++20, but not before.
bool is_in_math(const clang::NamedDecl &named) {
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&named);
  return function && named.getName() == "lerp" && function->getNumParams() == 3 &&
         llvm::all_of(function->parameters(), [](const clang::ParmVarDecl *parameter) {
           return parameter->getType()->isRealFloatingType();
         });
}

class ReservedNames : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void declaration(const clang::Decl &declaration) override {
    const auto *named = llvm::dyn_cast<clang::NamedDecl>(&declaration);
    if (!named || !named->getDeclName().isIdentifier() ||
        !named->getDeclContext()->getRedeclContext()->isTranslationUnit())
      return;
    const bool clashes = is_in_math(*named) ||
                         named->getName() == context.options.kernels_namespace ||
                         (is_reserved(named->getName()) && !llvm::isa<clang::NamespaceDecl>(named));
    if (!clashes)
      return;
    context.renamed.insert({named->getNameAsString(), named->getNameAsString() + "_"});
  }

  void tokens(SourceFile &file) override {
    if (context.renamed.empty())
      return;
    std::string before, qualifier; // the two tokens in front
    for (const Token &token : file.tokens()) {
      const std::string text(file.text(token));
      auto renamed =
          token.kind == Token::Kind::identifier && !(before == "::" && qualifier == "std")
              ? context.renamed.find(text)
              : context.renamed.end();
      if (renamed != context.renamed.end())
        file.edits.replace(token.begin, token.end, renamed->second);
      qualifier = std::exchange(before, text);
    }
  }
};

} // namespace

std::unique_ptr<HostRewriter> reserved_names(Context &context) {
  return std::make_unique<ReservedNames>(context);
}

} // namespace neuronify::rewrite
