// Changes to the text of one file. Everything that no change names keeps its bytes.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace neuronify::rewrite {

class FileEdits {
public:
  FileEdits() = default;
  FileEdits(std::string path, std::string original)
      : path_(std::move(path)), original_(std::move(original)) {}

  const std::string &path() const { return path_; }
  const std::string &original() const { return original_; }
  bool empty() const { return replacements_.empty() && insertions_.empty(); }

  /// Puts `text` in the place of bytes [begin, end). The same change again, as a macro body sees it
  /// once per expansion, counts once; returns false where a different one is already there.
  bool replace(unsigned begin, unsigned end, std::string text);

  /// Puts `text` before the byte `offset`. Several texts at one place stand in ascending `order`,
  /// then in the order they came; an equal text at the same place and order counts once. Returns
  /// false where `exclusive` and another text with the same order is there.
  bool insert(unsigned offset, std::string text, int order = 0, bool exclusive = false);

  /// Says that a replacement of exactly this stretch must not happen: another translation unit
  /// (or another expansion of the macro) still needs the text.
  void keep(unsigned begin, unsigned end) { kept_.insert({begin, end}); }

  /// Adds what another translation unit wants changed in the same file. Returns false where the two
  /// contradict each other; the first wins then.
  bool merge(const FileEdits &other);

  /// The new text. A change inside a stretch that is replaced as a whole has no effect.
  std::string apply() const;

private:
  struct Insertion {
    int order;
    std::string text;
    bool operator==(const Insertion &) const = default;
  };
  using Span = std::pair<unsigned, unsigned>;

  std::string path_, original_;
  std::map<Span, std::string> replacements_;
  std::map<unsigned, std::vector<Insertion>> insertions_;
  std::set<Span> kept_;
};

} // namespace neuronify::rewrite
