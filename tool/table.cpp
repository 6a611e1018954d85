#include "table.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Locale.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace neuronify::tool {

Table::Table(std::vector<std::string> columns) : columns_(std::move(columns)) {
  for (std::string &column : columns_) {
    right_.push_back(column.starts_with(">"));
    if (right_.back())
      column.erase(0, 1);
  }
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::str() const {
  auto width = [](const std::string &text) {
    return static_cast<size_t>(std::max(0, llvm::sys::locale::columnWidth(text)));
  };
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t widest = width(columns_[i]);
    for (const auto &row : rows_)
      widest = std::max(widest, width(row[i]));
    widths.push_back(widest);
  }
  auto line = [&](const std::vector<std::string> &cells) {
    std::string out;
    for (size_t i = 0; i < cells.size(); ++i) {
      std::string padding(widths[i] - width(cells[i]), ' ');
      out += (i ? "  " : "") + (right_[i] ? padding + cells[i] : cells[i] + padding);
    }
    return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  };
  std::string out = line(columns_);
  for (const auto &row : rows_)
    out += line(row);
  return out;
}

std::string print_seconds(double seconds) {
  if (!(seconds > 0))
    return "-";
  const char *units[] = {"s", "ms", "us", "ns"};
  int unit = 0;
  while (seconds < 1 && unit < 3) {
    seconds *= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %s",
                seconds < 10    ? 2
                : seconds < 100 ? 1
                                : 0,
                seconds, units[unit]);
  return text;
}

std::string print_relative(double value) {
  if (value == 0)
    return "0";
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

} // namespace neuronify::tool
