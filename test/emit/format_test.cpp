// Text in LLVM style: by clang-format, or by a few rules where there is very much of it.
#include "emit/format.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace neuronify::emit {
namespace {

/// A function of so many statements.
std::string text(int statements) {
  std::string out = "namespace a {\nvoid f(int n) {\nfor (int i = 0; i < n; ++i) {\n";
  for (int i = 0; i < statements; ++i)
    out += "if (i == " + std::to_string(i) +
           ") {\ncall(first_argument_of_the_call, \"a text, with \\\" "
           "and {\", second_argument_of_the_call, third); // :12\n} else {\nreturn;\n}\n";
  return out + "}\n}\n} // namespace a\n";
}

std::string without_space(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST(Format, LargeTextIsIndentedAndBrokenToo) {
  const std::string small = format(text(1)), large = format(text(4000));
  const std::string expected = "namespace a {\nvoid f(int n) {\n  for (int i = 0; i < n; ++i) {\n"
                               "    if (i == 0) {\n      call(";
  EXPECT_EQ(small.substr(0, expected.size()), expected);
  EXPECT_EQ(large.substr(0, expected.size()), expected);
  EXPECT_EQ(without_space(large), without_space(text(4000)));
  for (size_t at = 0; at < large.size();) {
    const size_t end = std::min(large.find('\n', at), large.size());
    EXPECT_LE(end - at, 100u) << large.substr(at, end - at);
    at = end + 1;
  }
  EXPECT_TRUE(large.ends_with("    } else {\n      return;\n    }\n  }\n}\n} // namespace a\n"));
}

TEST(Format, LargeTextKeepsDirectivesAndWordsThatNothingCanBreak) {
  const std::string word(150, 'x'), directive = "#include \"" + word + " " + word + "\"\n";
  const std::string large = format(directive + "int " + word + ";\n" + text(4000));
  EXPECT_EQ(large.substr(0, directive.size()), directive);
  EXPECT_EQ(without_space(large), without_space(directive + "int" + word + ";" + text(4000)));
}

} // namespace
} // namespace neuronify::emit
