// Reports of ported programs, whole and cut off.
#include "run_report.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace neuronify::tool {

namespace {

const char begin[] = R"({"record":"program","program":"p","mode":"verify","version":1}
{"record":"message","text":"NEURONIFY_CORES=9: at most 8"}
{"record":"begin","launch":1,"kernel":"k<float>"}
)";
const char launch[] =
    R"({"record":"launch","kernel":"k<float>","file":"p.cu","line":7,"launch":1,"grid":[2,3,1],)"
    R"("block":[32,1,1],"mapping":"flat","verdict":"mismatch","message":"","max_ulp":18446744073709551615,)"
    R"("max_relative":"inf","predicted_one_core":1.5e-6,"bound":"HBM","first_difference":)"
    R"({"buffer":"allocation 1","index":5,"type":"f32","reference":"1","port":"nan"},"findings":)"
    R"([{"kind":"race","message":"two threads","file":"p.cu","line":9}]})"
    "\n";

class Report : public testing::Test {
protected:
  Report() : path(testing::TempDir() + "run_report_test." + std::to_string(getpid())) {}
  ~Report() override {
    std::remove(path.c_str());
    std::remove((path + ".part").c_str());
  }
  void write(const std::string &name, const std::string &text) { std::ofstream(name) << text; }
  const std::string path;
};

TEST_F(Report, a_whole_one_is_read) {
  write(path, std::string(begin) + launch + R"({"record":"summary","end":"exit"})" + "\n");
  RunReport report = read_report(path);
  ASSERT_TRUE(report.present);
  EXPECT_EQ(report.end, "exit");
  EXPECT_EQ(report.running, "");
  EXPECT_EQ(report.messages, std::vector<std::string>{"NEURONIFY_CORES=9: at most 8"});
  ASSERT_EQ(report.launches.size(), 1u);
  const LaunchResult &row = report.launches[0];
  EXPECT_EQ(row.kernel, "k<float>");
  EXPECT_EQ(row.line, 7u);
  EXPECT_EQ(row.grid, (std::array<uint64_t, 3>{2, 3, 1}));
  EXPECT_EQ(row.max_ulp, ~uint64_t(0));
  EXPECT_GT(row.max_relative, 1e300);
  EXPECT_DOUBLE_EQ(row.predicted, 1.5e-6);
  EXPECT_FALSE(row.good());
  EXPECT_EQ(row.difference,
            "first difference in allocation 1 at index 5: original 1, port nan (f32)");
  EXPECT_EQ(row.findings, std::vector<std::string>{"p.cu:9: race: two threads"});
}

TEST_F(Report, one_of_a_program_that_was_killed_names_the_kernel_that_ran) {
  write(path + ".part", std::string(begin) + std::string(launch).substr(0, 60));
  RunReport report = read_report(path);
  ASSERT_TRUE(report.present);
  EXPECT_TRUE(report.launches.empty());
  EXPECT_EQ(report.running, "k<float>");
  EXPECT_EQ(report.end, "");
}

TEST_F(Report, none_is_told) { EXPECT_FALSE(read_report(path).present); }

} // namespace

} // namespace neuronify::tool
