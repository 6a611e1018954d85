// Tile programs for tests, written as text.
#pragma once

#include "tile/text.h"

#include <gtest/gtest.h>

#include <string>

namespace neuronify::tile {

/// A program with variables `variables` (lines) and statements `body` (lines).
inline Program program(const std::string &variables, const std::string &body) {
  std::string error;
  auto result = parse("kernel \"k\" \"k\" \"_Z1kv\" \"k.cu\" 1 flat any \"\"\n" + variables +
                          "body {\n" + body + "}\n",
                      error);
  EXPECT_TRUE(result) << error;
  return result ? *result : Program();
}

/// The statements of a program, as text.
inline std::string body_of(const Program &program) {
  const std::string text = print(program);
  const size_t first = text.find("body {\n") + 7;
  return text.substr(first, text.size() - first - 2);
}

} // namespace neuronify::tile
