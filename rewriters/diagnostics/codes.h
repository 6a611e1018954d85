// The registry of numbered diagnostics.
#pragma once

#include "diagnostics/diagnostic.h"

#include <span>
#include <string_view>

namespace neuronify {

/// What is fixed about one diagnostic code. Its page is docs/diagnostics/<code>.md.
struct DiagnosticCode {
  std::string_view code; ///< "NFY1001"
  Severity severity = Severity::error;
  std::string_view title; ///< one line, without the particulars of a place
};

/// All codes in ascending order (1xxx front end, 2xxx semantics that change, 3xxx performance,
/// 4xxx unsupported, 5xxx host API). The data is in codes.def.
std::span<const DiagnosticCode> diagnostic_codes();

/// The entry of one code, or null where there is none.
const DiagnosticCode *find_code(std::string_view code);

} // namespace neuronify
