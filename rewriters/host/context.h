// What all host rewriters share: the AST, the user's files, and where findings go.
#pragma once

#include "host/rewrite.h"
#include "host/source_file.h"

#include "clang/AST/ASTContext.h"

#include <memory>
#include <optional>

namespace clang {
class Preprocessor;
}

namespace neuronify::rewrite {

class KernelKeys;
class Usage;

class Context {
public:
  Context(clang::ASTContext &ast, clang::Preprocessor &preprocessor, const Options &options,
          Result &result);
  ~Context();

  clang::ASTContext &ast;
  clang::Preprocessor &preprocessor;
  const clang::SourceManager &sources;
  const Options &options;
  Result &result;
  std::map<std::string, const clang::FunctionDecl *> kernels; ///< by device symbol
  std::map<std::string, std::string> renamed; ///< global names that the port uses for itself
  std::unique_ptr<Usage> usage;               ///< set before any rewriter runs
  std::unique_ptr<KernelKeys> keys;           ///< the same

  SourceFile &main() { return *main_; }
  /// All of the user's files that this translation unit read, the main file first.
  const std::vector<std::unique_ptr<SourceFile>> &files() const { return files_; }
  /// The user's file that a location falls in once macros are expanded, or null.
  SourceFile *file(clang::SourceLocation location);
  bool in_user_file(clang::SourceLocation location) { return file(location) != nullptr; }

  /// The token at `location` as it is spelled, be it in a macro definition, a macro argument or
  /// ordinary text. None if that is in no file of the user's (or the token was pasted together).
  std::optional<Span> token(clang::SourceLocation location);

  /// From the first byte of the token `begin` to the last byte of the token `end`, in one stretch
  /// of text: where both are spelled, or else where the innermost macros around them stand.
  std::optional<Span> stretch(clang::SourceLocation begin, clang::SourceLocation end);

  /// Where `location` falls in the same text as `anchor` and not behind it.
  std::optional<Span> before(clang::SourceLocation location, const Span &anchor);
  /// The same, but at or behind `anchor`.
  std::optional<Span> after(clang::SourceLocation location, const Span &anchor);

  /// Asks for the expansion of the macros that `locations` come from. False where none does, or
  /// nothing may be expanded.
  bool expand(std::initializer_list<clang::SourceLocation> locations);

  void report(const char *code, Severity severity, clang::SourceLocation location,
              const std::string &text, const std::string &kernel = {});

private:
  SourceFile *file_of(clang::FileID id);
  SourceFile *load(clang::FileID id);
  bool is_user_file(clang::FileID id);
  std::vector<Span> levels(clang::SourceLocation location, bool end);

  std::map<clang::FileID, SourceFile *> by_id_;
  std::map<std::string, SourceFile *> by_path_;
  std::vector<std::unique_ptr<SourceFile>> files_;
  std::set<std::string> reported_;
  SourceFile *main_ = nullptr;
};

} // namespace neuronify::rewrite
