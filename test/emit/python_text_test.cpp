// Emitted Python is split as `ruff format` splits it.
#include "emit/python_text.h"

#include <gtest/gtest.h>

namespace neuronify::emit {
namespace {

std::string written(int indent, const std::string &prefix, const PyNode &node,
                    const std::string &suffix = "") {
  PyWriter writer(indent);
  writer.line(prefix, node, suffix);
  return writer.text();
}

const std::string kLong(60, 'n');

TEST(PythonText, WhatFitsStaysOnOneLine) {
  EXPECT_EQ(written(4, "x = ", PyNode::call("f", {PyNode("a"), PyNode("1").as("b")})),
            "    x = f(a, b=1)\n");
}

TEST(PythonText, ArgumentsMoveToOneLineOfTheirOwn) {
  EXPECT_EQ(written(0, "value_of_something = ", PyNode::call("call", {PyNode(kLong), PyNode("b")})),
            "value_of_something = call(\n    " + kLong + ", b\n)\n");
}

TEST(PythonText, ThenToOneLineEachWithACommaAtTheEnd) {
  EXPECT_EQ(written(0, "", PyNode::call("f", {PyNode(kLong), PyNode(kLong)})),
            "f(\n    " + kLong + ",\n    " + kLong + ",\n)\n");
}

TEST(PythonText, InnerCallsAreSplitInTheSameWay) {
  const PyNode inner = PyNode::call("g", {PyNode(kLong), PyNode(kLong)}).as("by");
  EXPECT_EQ(written(0, "", PyNode::call("f", {PyNode("a"), inner})),
            "f(\n    a,\n    by=g(\n        " + kLong + ",\n        " + kLong + ",\n    ),\n)\n");
}

TEST(PythonText, ExactlyEightyEightColumnsFit) {
  const std::string name(88 - 4 - 4 - 3, 'n'); // indent, "x = ", "f()"
  EXPECT_EQ(written(4, "x = ", PyNode::call("f", {PyNode(name)})), "    x = f(" + name + ")\n");
  EXPECT_EQ(written(4, "x = ", PyNode::call("f", {PyNode(name + "n")})),
            "    x = f(\n        " + name + "n\n    )\n");
}

TEST(PythonText, SumsThatAreTooLongGetParentheses) {
  const PyNode sum(kLong + " + another_number", PyBinding::sum);
  EXPECT_EQ(written(4, "a_long_name = ", sum),
            "    a_long_name = (\n        " + sum.text + "\n    )\n");
}

TEST(PythonText, ParenthesesOnlyWhereTheyAreNeeded) {
  const PyNode sum("a + b", PyBinding::sum);
  EXPECT_EQ(sum.flat(PyBinding::product), "(a + b)");
  EXPECT_EQ(sum.flat(PyBinding::sum), "a + b");
  EXPECT_EQ(PyNode("-1", PyBinding::unary).flat(PyBinding::primary), "(-1)");
}

TEST(PythonText, StringsAreEscaped) {
  EXPECT_EQ(python_string("a\"b\\c\n"), "\"a\\\"b\\\\c\\x0a\"");
}

TEST(PythonText, OperatorsBeginLinesInsideOfBrackets) {
  const PyNode sum = PyNode::infix(PyNode::infix(PyNode(kLong), "+", PyNode("b"), PyBinding::sum),
                                   "-", PyNode(kLong), PyBinding::sum);
  EXPECT_EQ(written(0, "", PyNode::call("f", {sum, PyNode("c")})),
            "f(\n    " + kLong + "\n    + b\n    - " + kLong + ",\n    c,\n)\n");
  EXPECT_EQ(written(0, "x = ", sum), "x = (\n    " + kLong + "\n    + b\n    - " + kLong + "\n)\n");
}

TEST(PythonText, ACallAsLastOperandIsSplitAtItsBrackets) {
  const PyNode sum =
      PyNode::infix(PyNode("a"), "|", PyNode::call("f", {PyNode(kLong + std::string(20, 'm'))}),
                    PyBinding::bit_or);
  EXPECT_EQ(written(0, "x = ", sum), "x = a | f(\n    " + kLong + std::string(20, 'm') + "\n)\n");
}

TEST(PythonText, OperandsThatHoldLessGetParentheses) {
  EXPECT_EQ(PyNode::infix(PyNode::infix(PyNode("a"), "+", PyNode("b"), PyBinding::sum), "*",
                          PyNode("c"), PyBinding::product)
                .flat(),
            "(a + b) * c");
}

} // namespace
} // namespace neuronify::emit
