#include "diagnostics/codes.h"
#include "diagnostics/diagnostic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace neuronify {
namespace {

TEST(Diagnostics, PrintAsClangPrints) {
  const Diagnostic diagnostic = {.code = "NFY4003",
                                 .severity = Severity::error,
                                 .file = "a.cu",
                                 .line = 3,
                                 .column = 7,
                                 .kernel = "k",
                                 .text = "no such thing"};
  EXPECT_EQ(to_string(diagnostic), "a.cu:3:7: error: no such thing [NFY4003]");
}

TEST(Diagnostics, LeaveOutWhatIsNotKnown) {
  EXPECT_EQ(to_string(Diagnostic{.severity = Severity::warning, .text = "odd"}),
            "neuronify: warning: odd");
  EXPECT_EQ(
      to_string(Diagnostic{.severity = Severity::note, .file = "a.cu", .line = 2, .text = "x"}),
      "a.cu:2: note: x");
}

TEST(Diagnostics, CodesAscendAndAreFound) {
  const auto codes = diagnostic_codes();
  ASSERT_FALSE(codes.empty());
  EXPECT_TRUE(std::ranges::is_sorted(codes, {}, &DiagnosticCode::code));
  for (const DiagnosticCode &code : codes)
    EXPECT_EQ(find_code(code.code), &code);
  EXPECT_EQ(find_code("NFY0000"), nullptr);
  EXPECT_EQ(find_code("NFY9999"), nullptr);
  EXPECT_EQ(find_code(""), nullptr);
}

TEST(Diagnostics, EveryCodeHasAPage) {
  for (const DiagnosticCode &code : diagnostic_codes()) {
    const std::filesystem::path page =
        std::filesystem::path(NEURONIFY_DOCS) / "diagnostics" / (std::string(code.code) + ".md");
    EXPECT_TRUE(std::filesystem::exists(page)) << page;
  }
}

} // namespace
} // namespace neuronify
