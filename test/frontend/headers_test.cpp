// Our CUDA headers: every file in headers/ uses one part of them and is read without a message.
#include "files_for_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace neuronify::frontend {
namespace {

std::vector<std::string> header_programs() {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(NEURONIFY_TEST_HEADERS))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string stem(const testing::TestParamInfo<std::string> &info) {
  return std::filesystem::path(info.param).stem().string();
}

class Headers : public testing::TestWithParam<std::string> {};

TEST_P(Headers, AreReadWithoutAMessage) {
  for (const char *standard : {"-std=c++14", "-std=c++20"}) {
    const Unit unit = read(GetParam(), {.extra_args = {"-Wall", standard}});
    EXPECT_TRUE(unit.ok());
    EXPECT_EQ(text_of(unit), "") << standard;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Headers, testing::ValuesIn(header_programs()), stem);

} // namespace
} // namespace neuronify::frontend
