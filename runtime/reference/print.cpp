#include "print.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace neuronify::reference {

namespace {

/// Takes arguments out of the buffer one by one.
class Arguments {
public:
  explicit Arguments(const void *buffer) : next_(static_cast<const std::byte *>(buffer)) {}
  template <class T> T take() {
    const uintptr_t aligned = (uintptr_t(next_) + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, reinterpret_cast<const void *>(aligned), sizeof(T));
    next_ = reinterpret_cast<const std::byte *>(aligned) + sizeof(T);
    return value;
  }

private:
  const std::byte *next_;
};

template <class T> void format(std::string &out, const std::string &specification, T value) {
  char small[128];
  const int length = std::snprintf(small, sizeof small, specification.c_str(), value);
  if (length < int(sizeof small)) {
    out.append(small, length > 0 ? size_t(length) : 0);
    return;
  }
  std::string large(size_t(length) + 1, '\0');
  std::snprintf(large.data(), large.size(), specification.c_str(), value);
  out.append(large, 0, size_t(length));
}

/// Formats one conversion, `specification` as in "%-8.3f". False where it is no conversion.
bool convert(std::string &out, const std::string &specification, Arguments &arguments) {
  const bool wide = specification.find_first_of("lzjt") != std::string::npos;
  switch (specification.back()) {
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    if (wide)
      format(out, specification, arguments.take<long>());
    else
      format(out, specification, arguments.take<int>());
    return true;
  case 'c':
    format(out, specification, arguments.take<int>());
    return true;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    format(out, specification, arguments.take<double>());
    return true;
  case 'p':
    format(out, specification, arguments.take<void *>());
    return true;
  case 's':
    format(out, specification, arguments.take<const char *>());
    return true;
  default:
    return false;
  }
}

/// Puts the values of `*` into the specification.
std::string resolved(const char *begin, const char *end, Arguments &arguments) {
  std::string text;
  for (const char *at = begin; at != end; ++at)
    text += *at == '*' ? std::to_string(arguments.take<int>()) : std::string(1, *at);
  return text;
}

} // namespace

int print(std::string &out, const char *format, const void *buffer) {
  Arguments arguments(buffer);
  int printed = 0;
  while (*format) {
    if (*format != '%') {
      out += *format++;
      continue;
    }
    const char *end = format + 1 + std::strspn(format + 1, "-+ #0123456789.*hlzjt");
    if (*end == '%' || !*end) {
      out += '%';
      format = *end ? end + 1 : end;
      continue;
    }
    const std::string specification = resolved(format, end + 1, arguments);
    if (convert(out, specification, arguments))
      ++printed;
    else
      out += specification;
    format = end + 1;
  }
  return printed;
}

} // namespace neuronify::reference
