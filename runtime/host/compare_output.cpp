#include "host/compare_output.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace neuronify {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The length of the number at the start of `text`, 0 where there is none: digits, with a point and
/// an exponent or without.
size_t number_length(std::string_view text) {
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const size_t first = at;
  bool digits = false;
  for (; at < text.size() && (is_digit(text[at]) || text[at] == '.'); ++at)
    digits |= is_digit(text[at]);
  if (!digits)
    return 0;
  if (at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    size_t exponent = at + 1 + (text[at + 1] == '-' || text[at + 1] == '+');
    const size_t start = exponent;
    while (exponent < text.size() && is_digit(text[exponent]))
      ++exponent;
    if (exponent > start)
      at = exponent;
  }
  return at > first ? at : 0;
}

bool is_real(std::string_view number) {
  return number.find_first_of(".eE") != std::string_view::npos;
}

/// What one more in the last digit is worth.
double last_digit(std::string_view number) {
  const size_t e = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, e);
  const size_t point = mantissa.find('.');
  const double digits = point == std::string_view::npos ? 0 : double(mantissa.size() - point - 1);
  const double exponent =
      e == std::string_view::npos ? 0 : std::atof(std::string(number.substr(e + 1)).c_str());
  return std::pow(10.0, exponent - digits);
}

bool alike(std::string_view a, std::string_view b, const Tolerances &tolerances) {
  if (a == b)
    return true;
  if (!is_real(a) && !is_real(b))
    return false;
  if (tolerances.exact)
    return false;
  const double x = std::atof(std::string(a).c_str()), y = std::atof(std::string(b).c_str());
  const double digit = std::max(is_real(a) ? last_digit(a) : 0, is_real(b) ? last_digit(b) : 0);
  const double relative = std::max(tolerances.f32.relative, 0.0);
  return std::abs(x - y) <= digit * 1.01 + relative * std::max(std::abs(x), std::abs(y));
}

/// One line against another, without blanks in front of numbers, which stand for digits.
bool same_line(std::string_view a, std::string_view b, const Tolerances &tolerances) {
  while (!a.empty() || !b.empty()) {
    // A sign or a digit more moves what is padded.
    if (number_length(a) || number_length(b)) {
      const size_t m = number_length(a), n = number_length(b);
      if (!m || !n || !alike(a.substr(0, m), b.substr(0, n), tolerances))
        return false;
      a.remove_prefix(m);
      b.remove_prefix(n);
      continue;
    }
    const auto blanks = [](std::string_view &text) {
      const size_t count = std::min(text.find_first_not_of(' '), text.size());
      text.remove_prefix(count);
      return count;
    };
    if (blanks(a) + blanks(b) > 0)
      continue;
    if (a.empty() || b.empty() || a[0] != b[0])
      return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return true;
}

std::string shown(std::string_view line) {
  constexpr size_t kMost = 200;
  return "\"" + std::string(line.substr(0, kMost)) + (line.size() > kMost ? "…\"" : "\"");
}

} // namespace

std::string compare_output(std::string_view reference, std::string_view port,
                           const Tolerances &tolerances) {
  if (reference == port)
    return "";
  for (size_t number = 1; !reference.empty() || !port.empty(); ++number) {
    auto take = [](std::string_view &text) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      return line;
    };
    const bool ends = reference.empty() || port.empty();
    const std::string_view a = take(reference), b = take(port);
    if (ends || !same_line(a, b, tolerances))
      return "line " + std::to_string(number) + ": reference " + shown(a) + ", port " + shown(b);
  }
  return "";
}

} // namespace neuronify
