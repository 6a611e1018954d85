// Running other programs: how they ended, and that none outlives its time.
#include "process.h"

#include "gtest/gtest.h"

#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace neuronify::tool {

namespace {

class Process : public testing::Test {
protected:
  Process() : log(testing::TempDir() + "process_test." + std::to_string(getpid())) {}
  ~Process() override { std::remove(log.c_str()); }
  ProcessResult shell(const std::string &script, unsigned timeout = 0) {
    return run_process({"/bin/sh", "-c", script}, log, {{"NEURONIFY_TEST", "a b"}}, timeout);
  }
  const std::string log;
};

TEST_F(Process, exit_code_output_and_environment) {
  ProcessResult result = shell("echo out \"$NEURONIFY_TEST\"; echo err >&2; cat; exit 3");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.describe(0), "ended with exit code 3");
  EXPECT_EQ(tail(log, 10, "> "), "> out a b\n> err");
  EXPECT_EQ(tail(log, 1, ""), "err");
}

TEST_F(Process, a_signal_is_told) {
  ProcessResult result = shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_NE(result.describe(0).find("signal 11"), std::string::npos);
}

TEST_F(Process, the_time_limit_ends_children_too) {
  ProcessResult result = shell("sleep 60 & echo $!; wait", 1);
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(result.seconds, 20);
  const pid_t child = std::stoi(tail(log, 1, ""));
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i, usleep(10000))
    gone = kill(child, 0) != 0;
  // Where nobody reaps orphans a killed child stays as a zombie, which is as good as gone.
  if (!gone) {
    const std::string stat = tail("/proc/" + std::to_string(child) + "/stat", 1, "");
    gone = stat.find(") Z") != std::string::npos;
  }
  EXPECT_TRUE(gone);
}

TEST_F(Process, a_program_that_is_not_there_is_an_error) {
  ProcessResult result = run_process({"/nowhere/program"}, log);
  EXPECT_FALSE(result.ok());
  EXPECT_NE(result.describe(0).find("could not be started"), std::string::npos);
}

} // namespace

} // namespace neuronify::tool
