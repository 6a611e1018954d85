#include "diagnostics/diagnostic.h"

namespace neuronify {

namespace {
std::string_view name(Severity severity) {
  switch (severity) {
  case Severity::note:
    return "note";
  case Severity::warning:
    return "warning";
  case Severity::error:
    return "error";
  }
  return "error";
}
} // namespace

std::string to_string(const Diagnostic &diagnostic) {
  std::string text = diagnostic.file.empty() ? "neuronify" : diagnostic.file;
  if (diagnostic.line != 0) {
    text += ':' + std::to_string(diagnostic.line);
    if (diagnostic.column != 0)
      text += ':' + std::to_string(diagnostic.column);
  }
  text += ": ";
  text += name(diagnostic.severity);
  text += ": " + diagnostic.text;
  if (!diagnostic.code.empty())
    text += " [" + diagnostic.code + ']';
  return text;
}

} // namespace neuronify
