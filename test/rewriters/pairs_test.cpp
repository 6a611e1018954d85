// Each cases/NAME.cu must become cases/NAME.cpp, byte for byte, and that must compile without
// warnings. NEURONIFY_UPDATE=1 writes the expected files instead.
#include "rewrite_case.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace neuronify::rewrite {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(NEURONIFY_TEST_CASES))
    if (entry.path().extension() == ".cu")
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

/// A header that declares a kernel object for each name the registration mentions.
std::string kernels_header(const std::string &text, const std::string &space) {
  std::set<std::string> names;
  size_t at = text.rfind("neuronify::Registration");
  while (at < text.size() && (at = text.find(" " + space + "::", at)) != std::string::npos) {
    at += space.size() + 3;
    names.insert(text.substr(at, text.find_first_of("),", at) - at));
  }
  std::string out = "#pragma once\nnamespace " + space + " {\n";
  for (const std::string &name : names)
    out += "inline const neuronify::Kernel " + name + "{};\n";
  return out + "}\n";
}

class Pairs : public testing::TestWithParam<std::string> {};

TEST_P(Pairs, rewritten_as_expected_and_compiles_without_warnings) {
  const std::string base = std::string(NEURONIFY_TEST_CASES "/") + GetParam();
  Result result = rewrite_file(base + ".cu");
  std::string text = result.main.apply();
  if (std::getenv("NEURONIFY_UPDATE"))
    std::ofstream(base + ".cpp", std::ios::binary) << text;
  EXPECT_EQ(text, read_text(base + ".cpp"));
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << to_string(diagnostic);

  Folder folder;
  std::string source = folder.write(GetParam() + ".cpp", text);
  folder.write(GetParam() + "_kernels.h", kernels_header(text, kernels_namespace(GetParam())));
  std::string log = folder.path() + "/log";
  std::string command = NEURONIFY_TEST_COMPILER " -std=c++20 -fsyntax-only -Wall -Wextra "
                                                "-I" NEURONIFY_TEST_INCLUDE " " +
                        source + " >" + log + " 2>&1";
  EXPECT_TRUE(std::system(command.c_str()) == 0 && read_text(log).empty()) << read_text(log);
}

INSTANTIATE_TEST_SUITE_P(rewriters, Pairs, testing::ValuesIn(case_names()),
                         [](const auto &info) { return info.param; });

} // namespace

} // namespace neuronify::rewrite
