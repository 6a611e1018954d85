// Just enough JSON to write reports: one object per line.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace neuronify {

/// Text as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, so that a report
/// stays readable whatever a program is called.
std::string json_string(std::string_view text);

/// A number; JSON has no NaN and no infinities, so those become null.
inline std::string json_number(double value) {
  if (!std::isfinite(value))
    return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

class JsonObject {
public:
  JsonObject &add(std::string_view key, std::string_view text) {
    return add_raw(key, json_string(text));
  }
  JsonObject &add(std::string_view key, const char *text) {
    return add(key, std::string_view(text ? text : ""));
  }
  JsonObject &add(std::string_view key, double value) { return add_raw(key, json_number(value)); }
  JsonObject &add(std::string_view key, bool value) {
    return add_raw(key, value ? "true" : "false");
  }
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  JsonObject &add(std::string_view key, T value) {
    return add_raw(key, std::to_string(value));
  }
  /// `value` is JSON already.
  JsonObject &add_raw(std::string_view key, std::string_view value) {
    text_ += text_.empty() ? '{' : ',';
    text_ += json_string(key);
    text_ += ':';
    text_ += value;
    return *this;
  }
  std::string str() const { return text_.empty() ? "{}" : text_ + "}"; }

private:
  std::string text_;
};

class JsonArray {
public:
  void add_raw(std::string_view value) {
    text_ += text_.empty() ? '[' : ',';
    text_ += value;
  }
  std::string str() const { return text_.empty() ? "[]" : text_ + "]"; }

private:
  std::string text_;
};

} // namespace neuronify
