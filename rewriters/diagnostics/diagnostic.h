// Numbered diagnostics: every limit has a number, a severity, a message and a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neuronify {

enum class Severity { note, warning, error };

/// One diagnostic at one place, printed as Clang prints its own.
struct Diagnostic {
  std::string code = ""; ///< "NFY4003"; empty for Clang's own messages
  Severity severity = Severity::error;
  std::string file = "";
  unsigned line = 0, column = 0;
  std::string kernel = ""; ///< the kernel it stops or concerns; empty where it is none
  std::string text = "";
};

/// "file:line:column: error: text [NFY4003]"
std::string to_string(const Diagnostic &diagnostic);

} // namespace neuronify
