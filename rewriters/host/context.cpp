#include "host/context.h"

#include "host/api_table.h"
#include "host/kernel_keys.h"
#include "host/usage.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace neuronify::rewrite {

namespace {

std::string absolute(llvm::StringRef path, const clang::FileManager &files) {
  llvm::SmallString<256> out(path);
  files.makeAbsolutePath(out);
  llvm::sys::path::remove_dots(out, /*remove_dot_dot=*/true);
  return std::string(out);
}

/// The directive an offset falls in, by the last token that begins at or before it.
unsigned directive_at(const SourceFile &file, unsigned offset) {
  size_t index = file.token_at(offset + 1);
  return index ? file.tokens()[index - 1].directive : 0;
}

} // namespace

Context::Context(clang::ASTContext &ast, clang::Preprocessor &preprocessor, const Options &options,
                 Result &result)
    : ast(ast), preprocessor(preprocessor), sources(ast.getSourceManager()), options(options),
      result(result) {
  main_ = load(sources.getMainFileID());
  for (unsigned i = 1, n = sources.local_sloc_entry_size(); i < n; ++i) {
    const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
    if (entry.isFile())
      file_of(sources.getFileID(clang::SourceLocation::getFromRawEncoding(entry.getOffset())));
  }
}

Context::~Context() = default;

bool Context::is_user_file(clang::FileID id) {
  if (id == sources.getMainFileID())
    return true;
  auto entry = sources.getFileEntryRefForID(id);
  clang::SourceLocation included = sources.getIncludeLoc(id);
  if (!entry || included.isInvalid() || !file_of(sources.getFileID(included)))
    return false;
  if (sources.isInSystemHeader(sources.getLocForStartOfFile(id)) ||
      ApiTable::get().find_header(llvm::sys::path::filename(entry->getName()).str()))
    return false;
  if (*sources.getCharacterData(included) == '"')
    return true;
  std::string folder = options.project_folder.empty()
                           ? llvm::sys::path::parent_path(main_->path()).str()
                           : absolute(options.project_folder, sources.getFileManager());
  return llvm::StringRef(absolute(entry->getName(), sources.getFileManager()))
      .starts_with(folder + "/");
}

SourceFile *Context::file_of(clang::FileID id) {
  if (auto known = by_id_.find(id); known != by_id_.end())
    return known->second;
  by_id_[id] = nullptr; // an include cycle ends here
  if (is_user_file(id))
    load(id);
  return by_id_[id];
}

SourceFile *Context::load(clang::FileID id) {
  auto entry = sources.getFileEntryRefForID(id);
  std::string path = entry ? absolute(entry->getName(), sources.getFileManager()) : std::string();
  SourceFile *&file = by_path_[path];
  if (!file) {
    files_.push_back(
        std::make_unique<SourceFile>(path, sources.getBufferData(id).str(), ast.getLangOpts()));
    file = files_.back().get();
  }
  return by_id_[id] = file;
}

SourceFile *Context::file(clang::SourceLocation location) {
  if (location.isInvalid())
    return nullptr;
  return file_of(sources.getFileID(sources.getExpansionLoc(location)));
}

std::vector<Span> Context::levels(clang::SourceLocation location, bool end) {
  std::vector<Span> out;
  auto add = [&](clang::SourceLocation where) {
    auto [id, offset] = sources.getDecomposedLoc(where);
    SourceFile *file = file_of(id);
    if (!file)
      return;
    unsigned length = clang::Lexer::MeasureTokenLength(where, sources, ast.getLangOpts());
    out.push_back({file, offset, offset + length, directive_at(*file, offset)});
  };
  std::vector<clang::SourceLocation> open{location};
  while (!open.empty()) {
    clang::SourceLocation next = open.back();
    open.pop_back();
    if (next.isInvalid())
      continue;
    add(sources.getSpellingLoc(next));
    if (next.isFileID())
      continue;
    clang::CharSourceRange around = sources.getImmediateExpansionRange(next);
    open.push_back(end ? around.getEnd() : around.getBegin());
    if (sources.isMacroArgExpansion(next))
      open.push_back(sources.getImmediateSpellingLoc(next));
  }
  return out;
}

std::optional<Span> Context::token(clang::SourceLocation location) {
  if (location.isInvalid())
    return std::nullopt;
  clang::SourceLocation spelled = sources.getSpellingLoc(location);
  auto [id, offset] = sources.getDecomposedLoc(spelled);
  SourceFile *file = file_of(id);
  if (!file)
    return std::nullopt;
  unsigned length = clang::Lexer::MeasureTokenLength(spelled, sources, ast.getLangOpts());
  return Span{file, offset, offset + length, directive_at(*file, offset)};
}

std::optional<Span> Context::stretch(clang::SourceLocation begin, clang::SourceLocation end) {
  std::vector<Span> ends = levels(end, true);
  for (const Span &first : levels(begin, false))
    for (const Span &last : ends)
      if (first.file == last.file && first.directive == last.directive && first.begin <= last.begin)
        return Span{first.file, first.begin, last.end, first.directive};
  return std::nullopt;
}

std::optional<Span> Context::before(clang::SourceLocation location, const Span &anchor) {
  for (const Span &place : levels(location, false))
    if (place.file == anchor.file && place.directive == anchor.directive &&
        place.begin <= anchor.begin)
      return place;
  return std::nullopt;
}

std::optional<Span> Context::after(clang::SourceLocation location, const Span &anchor) {
  for (const Span &place : levels(location, true))
    if (place.file == anchor.file && place.directive == anchor.directive &&
        place.begin >= anchor.begin)
      return place;
  return std::nullopt;
}

bool Context::expand(std::initializer_list<clang::SourceLocation> locations) {
  if (!options.expand_macros)
    return false;
  bool found = false;
  for (clang::SourceLocation location : locations) {
    if (!location.isMacroID())
      continue;
    const clang::CharSourceRange range = sources.getExpansionRange(location);
    const auto [id, begin] = sources.getDecomposedLoc(range.getBegin());
    const auto [end_id, end] = sources.getDecomposedLoc(range.getEnd());
    const auto entry = sources.getFileEntryRefForID(id);
    if (!entry || id != end_id || !file_of(id))
      continue;
    const unsigned length =
        range.isTokenRange()
            ? clang::Lexer::MeasureTokenLength(range.getEnd(), sources, ast.getLangOpts())
            : 0;
    result.expand.insert({entry->getName().str(), begin, end + length});
    found = true;
  }
  return found;
}

void Context::report(const char *code, Severity severity, clang::SourceLocation location,
                     const std::string &text, const std::string &kernel) {
  Diagnostic diagnostic{code, severity, {}, 0, 0, kernel, text};
  if (clang::PresumedLoc place = sources.getPresumedLoc(sources.getFileLoc(location));
      place.isValid()) {
    diagnostic.file = place.getFilename();
    diagnostic.line = place.getLine();
    diagnostic.column = place.getColumn();
  }
  if (reported_.insert(to_string(diagnostic)).second)
    result.diagnostics.push_back(std::move(diagnostic));
}

} // namespace neuronify::rewrite
