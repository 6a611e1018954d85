// What kernels print, compared: text and integers exactly, other numbers within their digits.
#include "host/compare_output.h"

#include <gtest/gtest.h>

namespace neuronify {
namespace {

std::string difference(std::string_view a, std::string_view b) {
  return compare_output(a, b, Tolerances());
}

TEST(CompareOutput, EqualTextIsAlike) {
  EXPECT_EQ(difference("", ""), "");
  EXPECT_EQ(difference("a 1 b\nc", "a 1 b\nc"), "");
}

TEST(CompareOutput, TextAndIntegersMustBeEqual) {
  EXPECT_EQ(difference("a\nx 12\n", "a\nx 13\n"), "line 2: reference \"x 12\", port \"x 13\"");
  EXPECT_NE(difference("nan\n", "1.0\n"), "");
  EXPECT_NE(difference("inf 1.0\n", "-inf 1.0\n"), "");
  EXPECT_NE(difference("yes 1.0\n", "no 1.0\n"), "");
  EXPECT_NE(difference("1e3 a\n", "1e3 b\n"), "");
}

TEST(CompareOutput, NumbersMayDifferInTheirLastDigit) {
  EXPECT_EQ(difference("x 0.333333 y\n", "x 0.333334 y\n"), "");
  EXPECT_EQ(difference("1.234560e-05\n", "1.234561e-05\n"), "");
  EXPECT_EQ(difference("-0.000000\n", "0.000000\n"), "");
  EXPECT_NE(difference("x 0.33\n", "x 0.36\n"), "");
  EXPECT_NE(difference("1.5e+10\n", "1.5e+11\n"), "");
  EXPECT_NE(difference("1.5\n", "-1.5\n"), "");
}

TEST(CompareOutput, NumbersMayDifferByTheToleranceOfFloats) {
  EXPECT_EQ(difference("12345.678711\n", "12345.679688\n"), "");
  EXPECT_NE(difference("12345.678711\n", "12346.178711\n"), "");
}

TEST(CompareOutput, PaddingFollowsTheNumber) {
  EXPECT_EQ(difference("[  9.9999]\n", "[ 10.0000]\n"), "");
  EXPECT_EQ(difference("a 0.5 1\n", "a 0.5 1\n"), "");
}

TEST(CompareOutput, ALineMoreIsADifference) {
  EXPECT_EQ(difference("a 0.5\n", "a 0.5\nb\n"), "line 2: reference \"\", port \"b\"");
  EXPECT_NE(difference("a\nb\n", "b\n"), "");
}

TEST(CompareOutput, ExactMeansExact) {
  Tolerances exact;
  exact.exact = true;
  EXPECT_NE(compare_output("0.333333\n", "0.333334\n", exact), "");
}

} // namespace
} // namespace neuronify
