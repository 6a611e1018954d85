#include "host/edits.h"

#include <algorithm>
#include <optional>

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

/// The column of a line's closing backslash, or nothing for a line that does not continue.
std::optional<size_t> continuation_column(std::string_view line) {
  if (line.empty() || line.back() != '\\')
    return std::nullopt;
  return line.size() - 1;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// The column at which most of the unchanged lines among [first, last) end in a backslash, or 0.
size_t common_column(const std::vector<std::string_view> &lines, size_t first, size_t last,
                     const std::set<std::string_view> &unchanged) {
  std::map<size_t, int> columns;
  for (size_t i = first; i < last; ++i)
    if (unchanged.contains(lines[i]))
      ++columns[*continuation_column(lines[i])];
  auto most = std::ranges::max_element(columns, {}, [](const auto &entry) { return entry.second; });
  return most != columns.end() ? most->first : 0;
}

/// Puts the backslashes of changed lines of a macro definition where those of its other lines are.
std::string align_continuations(const std::string &original, const std::string &text) {
  const std::vector<std::string_view> before = lines_of(original), lines = lines_of(text);
  const std::set<std::string_view> unchanged(before.begin(), before.end());
  std::string out;
  size_t block_end = 0, column = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i >= block_end && continuation_column(lines[i])) {
      for (block_end = i; block_end < lines.size() && continuation_column(lines[block_end]);)
        ++block_end;
      column = common_column(lines, i, block_end, unchanged);
    }
    std::string_view line = lines[i];
    out += i ? "\n" : "";
    if (!continuation_column(line) || unchanged.contains(line)) {
      out += line;
      continue;
    }
    line.remove_suffix(1);
    line = line.substr(0, line.find_last_not_of(" \t") + 1);
    out += line;
    out.append(std::max(line.size() + 1, column) - line.size(), ' ');
    out += '\\';
  }
  return out;
}

/// Where the original ends its lines with a carriage return too, so does all of the text.
std::string with_line_ends_of(const std::string &original, const std::string &text) {
  const size_t end = original.find('\n');
  if (end == std::string::npos || end == 0 || original[end - 1] != '\r')
    return text;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r'))
      out += '\r';
    out += text[i];
  }
  return out;
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
  return empty() ? out : with_line_ends_of(original_, align_continuations(original_, out));
}

} // namespace neuronify::rewrite
