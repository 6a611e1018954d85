#include "host/element_type.h"

#include "host/float_bits.h"

#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace neuronify {

namespace {

struct Row {
  ElementType type;
  std::string_view name;
  size_t size;
};

constexpr Row kRows[] = {
    {ElementType::bytes, "bytes", 1}, {ElementType::pad, "pad", 1}, {ElementType::i8, "i8", 1},
    {ElementType::u8, "u8", 1},       {ElementType::i16, "i16", 2}, {ElementType::u16, "u16", 2},
    {ElementType::i32, "i32", 4},     {ElementType::u32, "u32", 4}, {ElementType::i64, "i64", 8},
    {ElementType::u64, "u64", 8},     {ElementType::f16, "f16", 2}, {ElementType::bf16, "bf16", 2},
    {ElementType::f32, "f32", 4},     {ElementType::f64, "f64", 8},
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// Cuts off and returns what is before `separator`, outside of parentheses.
std::string_view next(std::string_view &text, char separator) {
  size_t end = 0;
  for (int depth = 0; end < text.size() && (depth > 0 || text[end] != separator); ++end)
    depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
  if (end == text.size())
    end = std::string_view::npos;
  std::string_view head = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return trim(head);
}

template <class T> bool read_number(std::string_view text, T &value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

template <class T> T read(const void *element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

std::string print_float(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

} // namespace

size_t size_of(ElementType type) { return kRows[int(type)].size; }
std::string_view name_of(ElementType type) { return kRows[int(type)].name; }
bool is_float(ElementType type) { return type >= ElementType::f16; }

std::optional<ElementType> element_type(std::string_view name) {
  for (const Row &row : kRows)
    if (row.name == name)
      return row.type;
  return std::nullopt;
}

std::string print_element(ElementType type, const void *element) {
  switch (type) {
  case ElementType::pad:
  case ElementType::bytes: {
    char text[8];
    std::snprintf(text, sizeof text, "0x%02x", read<uint8_t>(element));
    return text;
  }
  case ElementType::i8:
    return std::to_string(read<int8_t>(element));
  case ElementType::u8:
    return std::to_string(read<uint8_t>(element));
  case ElementType::i16:
    return std::to_string(read<int16_t>(element));
  case ElementType::u16:
    return std::to_string(read<uint16_t>(element));
  case ElementType::i32:
    return std::to_string(read<int32_t>(element));
  case ElementType::u32:
    return std::to_string(read<uint32_t>(element));
  case ElementType::i64:
    return std::to_string(read<int64_t>(element));
  case ElementType::u64:
    return std::to_string(read<uint64_t>(element));
  case ElementType::f16:
  case ElementType::bf16:
    return print_float(read_float(type, element), 5);
  case ElementType::f32:
    return print_float(read<float>(element), 9);
  case ElementType::f64:
    return print_float(read<double>(element), 17);
  }
  return {};
}

size_t Layout::size() const {
  size_t bytes = 0;
  for (ElementType type : elements)
    bytes += size_of(type);
  return bytes;
}

bool Layout::operator==(const Layout &other) const {
  return elements == other.elements && pointees == other.pointees;
}

static std::string_view without_parentheses(std::string_view text) {
  return text.starts_with('(') && text.ends_with(')') ? text.substr(1, text.size() - 2) : text;
}

Layout read_layout(std::string_view text) {
  Layout layout;
  text = trim(text);
  while (!text.empty()) {
    std::string_view name = next(text, ' ');
    if (name.empty())
      continue;
    if (name.front() == '&') {
      layout.elements.push_back(ElementType::u64);
      layout.pointees.resize(layout.elements.size());
      layout.pointees.back() = read_layout(without_parentheses(name.substr(1)));
      continue;
    }
    auto type = element_type(name);
    if (!type)
      return {};
    layout.elements.push_back(*type);
  }
  if (!layout.pointees.empty())
    layout.pointees.resize(layout.elements.size());
  return layout;
}

std::vector<PointerHint> read_pointer_types(const char *text) {
  std::vector<PointerHint> hints;
  std::string_view rest = text ? text : "";
  for (int position = 0; !rest.empty(); ++position) {
    std::string_view entry = next(rest, ',');
    PointerHint hint{position, 0, {}};
    if (size_t equals = entry.find('='); equals != std::string_view::npos) {
      std::string_view place = entry.substr(0, equals);
      std::string_view parameter = next(place, '+');
      if (!read_number(parameter, hint.parameter) || hint.parameter < 0 ||
          (!place.empty() && !read_number(place, hint.offset)))
        continue;
      entry.remove_prefix(equals + 1);
    }
    hint.layout = read_layout(entry);
    if (!hint.layout.elements.empty())
      hints.push_back(std::move(hint));
  }
  return hints;
}

} // namespace neuronify
