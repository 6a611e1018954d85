// Some text cannot be changed where it is written, because macros put it together or write it in
// several places. Their uses are then replaced by what they expand to, and the file is read again.
#include "frontend/passes.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/TokenConcatenation.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace neuronify::frontend {

namespace {

/// Leaves macros alone that stand for attributes: `__device__` stays `__device__`.
class MacroWatcher : public clang::PPCallbacks {
public:
  explicit MacroWatcher(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void MacroDefined(const clang::Token &name, const clang::MacroDirective *) override {
    clang::MacroInfo *macro = preprocessor_.getMacroInfo(name.getIdentifierInfo());
    if (macro && macro->getNumTokens() &&
        macro->getReplacementToken(0).is(clang::tok::kw___attribute))
      macro->DisableMacro();
  }

  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange,
                    const clang::MacroArgs *) override {
    if (name.getIdentifierInfo()->isStr("__COUNTER__"))
      counters.push_back(name.getLocation());
  }

  std::vector<clang::SourceLocation> counters; ///< uses of `__COUNTER__`

private:
  clang::Preprocessor &preprocessor_;
};

/// What macro uses expand to, as text on one line.
class Expansions : public clang::PreprocessorFrontendAction {
public:
  explicit Expansions(const std::set<MacroUse> &uses) : uses_(uses) {}

  std::map<MacroUse, std::string> found;
  std::map<std::string, std::string> texts; ///< of the files that the uses stand in
  /// Uses without one expansion: their file is included several times, or they count.
  std::set<MacroUse> refused;

protected:
  void ExecuteAction() override {
    clang::Preprocessor &preprocessor = getCompilerInstance().getPreprocessor();
    const clang::SourceManager &sources = getCompilerInstance().getSourceManager();
    const clang::TokenConcatenation concatenation(preprocessor);
    auto callbacks = std::make_unique<MacroWatcher>(preprocessor);
    const MacroWatcher &seen = *callbacks;
    preprocessor.addPPCallbacks(std::move(callbacks));
    preprocessor.EnterMainSourceFile();
    clang::Token before_last, last, token;
    before_last.startToken();
    last.startToken();
    std::string *previous = nullptr;
    for (preprocessor.Lex(token); token.isNot(clang::tok::eof); preprocessor.Lex(token)) {
      const MacroUse *use = wanted(sources, token.getLocation());
      std::string *text = use ? &found[*use] : nullptr;
      if (text) {
        const bool blank =
            text == previous && (token.hasLeadingSpace() || token.isAtStartOfLine() ||
                                 concatenation.AvoidConcat(before_last, last, token));
        *text += (blank ? " " : "") + preprocessor.getSpelling(token);
      }
      previous = text;
      before_last = last;
      last = token;
    }
    // One number less is given out where an expansion stands in the text.
    for (clang::SourceLocation counter : seen.counters)
      if (const MacroUse *use = wanted(sources, counter))
        refused.insert(*use);
  }

private:
  /// The wanted use that a token comes from, or null.
  const MacroUse *wanted(const clang::SourceManager &sources, clang::SourceLocation location) {
    if (!location.isMacroID())
      return nullptr;
    const auto [id, begin] = sources.getDecomposedLoc(sources.getExpansionLoc(location));
    const auto entry = sources.getFileEntryRefForID(id);
    if (!entry)
      return nullptr;
    const auto use = uses_.lower_bound({entry->getName().str(), begin, 0});
    if (use == uses_.end() || use->file != entry->getName() || use->begin != begin)
      return nullptr;
    if (readings_.try_emplace(use->file, id).first->second != id)
      refused.insert(*use);
    texts.try_emplace(use->file, sources.getBufferData(id));
    return &*use;
  }

  const std::set<MacroUse> &uses_;
  std::map<std::string, clang::FileID> readings_;
};

} // namespace

bool write_expansions(const Command &command, const SharedMessages &messages,
                      const std::set<MacroUse> &uses, std::map<std::string, std::string> &texts) {
  const auto invocation = make_invocation(command, Side::host, messages);
  if (!invocation)
    return false;
  remap(*invocation, texts);
  clang::CompilerInstance instance(invocation);
  instance.setVirtualFileSystem(file_system(command));
  instance.createDiagnostics(collect(messages).release(), /*ShouldOwnClient=*/true);
  instance.createFileManager();
  Expansions action(uses);
  if (!instance.ExecuteAction(action))
    return false;
  for (auto &[name, text] : action.texts)
    texts[name] = std::move(text);
  bool any = false;
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) { // from the end: offsets keep meaning
    if (action.refused.contains(*use) || !action.found.contains(*use))
      continue;
    any = true;
    std::string &text = texts[use->file];
    const auto written = text.begin() + use->begin;
    const auto lines = std::count(written, text.begin() + use->end, '\n');
    text.replace(use->begin, use->end - use->begin,
                 action.found[*use] + std::string(static_cast<size_t>(lines), '\n'));
  }
  return any;
}

} // namespace neuronify::frontend
