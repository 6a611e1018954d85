#include "host/json.h"

namespace neuronify {

namespace {

/// Length of the UTF-8 sequence at the front of `text`, 0 where there is no valid one.
size_t utf8_length(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : 0u; };
  auto follows = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  unsigned first = byte(0), second = byte(1);
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first < 0xE0)
    return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    bool legal = !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second >= 0xA0);
    return legal && follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first < 0xF5) {
    bool legal = !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second >= 0x90);
    return legal && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

std::string_view escape(char c) {
  switch (c) {
  case '"':
    return "\\\"";
  case '\\':
    return "\\\\";
  case '\n':
    return "\\n";
  case '\r':
    return "\\r";
  case '\t':
    return "\\t";
  default:
    return {};
  }
}

} // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    size_t length = utf8_length(text);
    if (std::string_view escaped = escape(text[0]); !escaped.empty()) {
      result += escaped;
    } else if (length == 0) {
      result += "\\ufffd";
    } else if (uint8_t(text[0]) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", unsigned(uint8_t(text[0])));
      result += code;
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length ? length : 1);
  }
  return result + "\"";
}

} // namespace neuronify
