#include "frontend/assembly_text.h"

#include "llvm/ADT/StringExtras.h"

namespace neuronify::frontend {

using llvm::SmallVector;
using llvm::StringRef;

std::optional<Kind> kind_of(StringRef type) {
  if (type == "pred")
    return Kind{'p', 1};
  Kind kind;
  if (type.size() < 2 || !StringRef("usbf").contains(type[0]) ||
      type.drop_front().getAsInteger(10, kind.bits))
    return std::nullopt;
  kind.sort = type[0];
  return kind;
}

SmallVector<StringRef, 4> split_operands(StringRef text) {
  SmallVector<StringRef, 4> operands;
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == ',' && depth <= 0) {
      operands.push_back(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return operands;
}

static Line parse_line(StringRef text) {
  Line line;
  if (text.consume_front("@")) {
    std::tie(line.guard, text) = llvm::getToken(text);
    text = text.trim();
  }
  auto [mnemonic, rest] = llvm::getToken(text);
  SmallVector<StringRef, 6> parts;
  mnemonic.split(parts, '.');
  line.name = parts.front();
  line.modifiers.assign(parts.begin() + 1, parts.end());
  if (mnemonic.starts_with(".")) {
    line.name = mnemonic;
    line.modifiers.clear();
  }
  line.operands = split_operands(rest.trim());
  return line;
}

std::vector<Line> parse(StringRef text) {
  text = text.trim();
  if (text.consume_front("{"))
    text = text.rtrim("; \t\r\n").drop_back(text.rtrim("; \t\r\n").ends_with("}") ? 1 : 0);
  std::vector<Line> lines;
  SmallVector<StringRef> pieces;
  text.split(pieces, ';');
  for (StringRef piece : pieces)
    if (!piece.trim().empty())
      lines.push_back(parse_line(piece.trim()));
  return lines;
}

} // namespace neuronify::frontend
