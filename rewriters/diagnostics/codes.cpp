#include "diagnostics/codes.h"

#include <algorithm>

namespace neuronify {

namespace {
constexpr DiagnosticCode codes[] = {
#define NEURONIFY_CODE(number, severity, title) {"NFY" #number, Severity::severity, title},
#include "diagnostics/codes.def"
#undef NEURONIFY_CODE
};
} // namespace

std::span<const DiagnosticCode> diagnostic_codes() { return codes; }

const DiagnosticCode *find_code(std::string_view code) {
  const auto *found = std::ranges::lower_bound(codes, code, {}, &DiagnosticCode::code);
  return found != std::end(codes) && found->code == code ? found : nullptr;
}

} // namespace neuronify
