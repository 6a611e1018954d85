#include "host/edits.h"

#include <algorithm>

namespace neuronify::rewrite {

namespace {

/// Also true at the very beginning.
bool ends_in_blank_line(std::string_view text) {
  return text.empty() || text == "\n" || text.ends_with("\n\n");
}

/// Past the blank lines at `offset`, which begins a line.
unsigned behind_blank_lines(std::string_view text, unsigned offset) {
  if (offset && text[offset - 1] != '\n')
    return offset;
  while (offset < text.size()) {
    size_t end = text.find_first_not_of(" \t\r", offset);
    if (end == std::string_view::npos || text[end] != '\n')
      break;
    offset = static_cast<unsigned>(end) + 1;
  }
  return offset;
}

} // namespace

bool FileEdits::replace(unsigned begin, unsigned end, std::string text) {
  auto [place, added] = replacements_.try_emplace({begin, end}, text);
  return added || place->second == text;
}

bool FileEdits::insert(unsigned offset, std::string text, int order, bool exclusive) {
  std::vector<Insertion> &here = insertions_[offset];
  Insertion insertion{order, std::move(text)};
  if (std::ranges::find(here, insertion) != here.end())
    return true;
  auto after = std::ranges::upper_bound(here, order, {}, &Insertion::order);
  if (exclusive && after != here.begin() && std::prev(after)->order == order)
    return false;
  here.insert(after, std::move(insertion));
  return true;
}

bool FileEdits::merge(const FileEdits &other) {
  bool agree = true;
  for (const auto &[span, text] : other.replacements_)
    agree &= replace(span.first, span.second, text);
  for (const auto &[offset, texts] : other.insertions_)
    for (const Insertion &insertion : texts)
      insert(offset, insertion.text, insertion.order);
  kept_.insert(other.kept_.begin(), other.kept_.end());
  return agree;
}

std::string FileEdits::apply() const {
  std::string out;
  unsigned at = 0;
  auto insertion = insertions_.begin();
  auto copy_until = [&](unsigned end) {
    for (; insertion != insertions_.end() && insertion->first <= end; ++insertion) {
      if (insertion->first < at)
        continue; // inside a replaced stretch
      out.append(original_, at, insertion->first - at);
      at = insertion->first;
      for (const Insertion &text : insertion->second)
        out += text.text;
    }
    out.append(original_, at, end - at);
    at = end;
  };
  // Ascending begin, longest first: an outer stretch comes before the ones inside it.
  std::vector<std::pair<Span, const std::string *>> ordered;
  for (const auto &[span, text] : replacements_)
    if (!kept_.contains(span))
      ordered.push_back({span, &text});
  std::ranges::sort(ordered, [](const auto &a, const auto &b) {
    return a.first.first != b.first.first ? a.first.first < b.first.first
                                          : a.first.second > b.first.second;
  });
  for (const auto &[span, text] : ordered) {
    if (span.first < at || span.second < at)
      continue;
    copy_until(span.first);
    out += *text;
    at = span.second;
    if (text->empty() && ends_in_blank_line(out))
      at = behind_blank_lines(original_, at);
  }
  copy_until(static_cast<unsigned>(original_.size()));
  return out;
}

} // namespace neuronify::rewrite
