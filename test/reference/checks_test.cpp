#include "reference_for_test.h"

#include <fstream>

namespace neuronify::reference {
namespace {

/// Lines of checks.cu or warps.cu that contain `mark`, within the kernel of that name.
unsigned lineOf(const std::string &file, const std::string &kernel, const std::string &mark) {
  std::ifstream source(std::string(NEURONIFY_TEST_KERNELS "/") + file);
  std::string line;
  bool inside = false;
  for (unsigned number = 1; std::getline(source, line); ++number) {
    inside = inside ? line != "}" : line.find("void " + kernel + "(") != std::string::npos;
    if (inside && line.find(mark) != std::string::npos)
      return number;
  }
  ADD_FAILURE() << "no '" << mark << "' in " << kernel;
  return 0;
}

void expectFinding(const Result &result, const std::string &kind, const std::string &file,
                   unsigned line) {
  ASSERT_TRUE(result.ok) << result.error;
  ASSERT_FALSE(result.findings.empty());
  const Finding &finding = result.findings.front();
  EXPECT_EQ(finding.kind, kind);
  EXPECT_EQ(finding.line, line) << finding.message;
  EXPECT_NE(finding.file.find(file), std::string::npos) << finding.file;
  EXPECT_FALSE(finding.message.empty());
}
void expectNone(const Result &result) {
  ASSERT_TRUE(result.ok) << result.error;
  for (const Finding &finding : result.findings)
    ADD_FAILURE() << finding.kind << ": " << finding.message << " (line " << finding.line << ")";
}

class Check : public testing::Test {
protected:
  Check() : out_(256) { device_.add(out_); }

  template <class... Arguments>
  Result run(const char *kernel, uint32_t threads, Checks checks, Arguments... arguments) {
    return launch(kernels("checks"), kernel, {2}, {threads}, 256, device_, checks, out_.data(),
                  arguments...);
  }
  static unsigned line(const char *kernel, const char *mark) {
    return lineOf("checks.cu", kernel, mark);
  }

  std::vector<int> out_;
  DeviceForTest device_;
};

Checks races() {
  Checks checks;
  checks.shared_races = true;
  return checks;
}
Checks unwritten() {
  Checks checks;
  checks.uninitialized = true;
  return checks;
}
Checks bounds() {
  Checks checks;
  checks.out_of_bounds = true;
  return checks;
}

// --- Races ---

class RaceCheck : public Check,
                  public testing::WithParamInterface<std::tuple<const char *, const char *, int>> {
};

TEST_P(RaceCheck, FindsTheRaceAndNotItsCorrectTwin) {
  auto [wrong, right, threads] = GetParam();
  Result result = run(wrong, threads, races());
  ASSERT_TRUE(result.ok) << result.error;
  ASSERT_FALSE(result.findings.empty());
  const Finding &finding = result.findings[0];
  EXPECT_EQ(finding.kind, "race");
  // Of the two accesses one is named as the place, the other in the message.
  const std::string marked = "checks.cu:" + std::to_string(line(wrong, "// race"));
  const std::string both =
      finding.file + ":" + std::to_string(finding.line) + " " + finding.message;
  EXPECT_NE(both.find(marked), std::string::npos) << both;
  EXPECT_NE(finding.message.find("thread ("), std::string::npos);
  expectNone(run(wrong, threads, Checks()));
  if (right)
    expectNone(run(right, threads, allChecks()));
}
INSTANTIATE_TEST_SUITE_P(Pairs, RaceCheck,
                         testing::Values(std::tuple("race_missing_barrier", "race_with_barrier",
                                                    64),
                                         std::tuple("race_scan", "race_free_scan", 64),
                                         std::tuple("race_in_warp", "race_free_warp", 32),
                                         std::tuple("race_across_halves", "race_free_halves", 32),
                                         std::tuple("race_across_warps", nullptr, 64),
                                         std::tuple("different_values", "same_value", 64),
                                         std::tuple("plain_histogram", "atomic_histogram", 64)));

TEST_F(Check, RacesAreSeenByTheByte) {
  DeviceForTest device;
  std::vector<char> out(64);
  auto run = [&](int shift) {
    return launch(kernels("checks"), "race_bytes", {1}, {64}, 0, device, races(), out.data(),
                  shift);
  };
  expectNone(run(0)); // neighbours share words, not bytes
  EXPECT_EQ(run(1).findings.size(), 1u);
}

TEST_F(Check, AFindingNamesBlockAndThread) {
  Result result = run("race_missing_barrier", 64, races());
  ASSERT_EQ(result.findings.size(), 1u) << "the same in every block and thread is one finding";
  EXPECT_EQ(result.findings[0].block.x, 0u);
  EXPECT_EQ(result.findings[0].thread.y, 0u);
}

// --- Uninitialised reads ---

TEST_F(Check, ReadsOfUnwrittenSharedMemoryAreFound) {
  expectFinding(run("reads_unwritten", 64, unwritten(), 63), "uninitialized read", "checks.cu",
                line("reads_unwritten", "// uninitialized"));
  expectNone(run("reads_unwritten", 64, unwritten(), 64));
  expectNone(run("reads_unwritten", 64, Checks(), 63));
}

TEST_F(Check, WhatAnEarlierBlockWroteCountsForNothing) {
  // Both blocks run on the same memory; the second one writes less.
  Result result = run("reads_unwritten_dynamic", 64, unwritten(), 10);
  ASSERT_EQ(result.findings.size(), 1u);
  expectNone(run("reads_unwritten_dynamic", 64, unwritten(), 64));
}

TEST_F(Check, PaddingOfACopiedStructureNeedNotBeWritten) {
  DeviceForTest device;
  std::vector<int> out(128);
  device.add(out);
  expectNone(
      launch(kernels("checks"), "copies_padding", {1}, {64}, 0, device, allChecks(), out.data()));
}

// --- Bounds ---

TEST_F(Check, AReadPastAnAllocationIsFoundAndReadsZero) {
  std::vector<float> x(100, 1.f), y(128, 2.f);
  DeviceForTest device;
  device.add(x);
  device.add(y);
  auto run = [&](int n, uint32_t threads) {
    return launch(kernels("checks"), "out_of_bounds_read", {2}, {threads}, 0, device, bounds(),
                  (const float *)x.data(), y.data(), n);
  };
  expectNone(run(100, 50));
  Result result = run(128, 64);
  expectFinding(result, "out of bounds", "checks.cu",
                line("out_of_bounds_read", "// out of bounds"));
  EXPECT_EQ(result.findings[0].block.x, 1u);
  EXPECT_EQ(result.findings[0].thread.x, 36u);
  EXPECT_NE(
      result.findings[0].message.find("reads 4 bytes 0 bytes past the end of an allocation of 400"),
      std::string::npos)
      << result.findings[0].message;
  EXPECT_EQ(y[99], 1.f);
  EXPECT_EQ(y[100], 0.f);
}

TEST_F(Check, AWriteOutsideDoesNotHappen) {
  std::vector<float> memory(300, 1.f);
  DeviceForTest device;
  device.add(memory.data() + 100, 100 * sizeof(float));
  for (int offset : {-3, 90, 1000}) {
    std::fill(memory.begin(), memory.end(), 1.f);
    Result result = launch(kernels("checks"), "out_of_bounds_write", {1}, {32}, 0, device, bounds(),
                           memory.data() + 100, offset);
    expectFinding(result, "out of bounds", "checks.cu",
                  line("out_of_bounds_write", "// out of bounds"));
    for (int i = 0; i < 300; ++i)
      EXPECT_EQ(memory[i],
                i >= 100 && i < 200 && i - 100 >= offset && i - 100 < offset + 32 ? 7.f : 1.f);
  }
}

TEST_F(Check, NullAndWildPointersAreFoundWithoutACrash) {
  Result result = launch(kernels("checks"), "null_pointer", {1}, {64}, 0, device_, bounds(),
                         (float *)out_.data(), (const float *)nullptr);
  expectFinding(result, "out of bounds", "checks.cu", line("null_pointer", "// out of bounds"));
  EXPECT_NE(result.findings[0].message.find("null pointer"), std::string::npos);

  out_[0] = 0;
  result = launch(kernels("checks"), "wild_atomic", {1}, {64}, 0, device_, bounds(), out_.data());
  expectFinding(result, "out of bounds", "checks.cu", line("wild_atomic", "// out of bounds"));
  EXPECT_EQ(out_[0], 1);
}

TEST_F(Check, CopiesOfManyBytesAreChecked) {
  std::vector<int> from(64, 3), to(64);
  DeviceForTest device;
  device.add(from);
  device.add(to.data(), 63 * sizeof(int));
  Result result = launch(kernels("checks"), "copies_block", {1}, {1}, 0, device, bounds(),
                         to.data(), (const int *)from.data());
  expectFinding(result, "out of bounds", "checks.cu", line("copies_block", "// out of bounds"));
  EXPECT_EQ(to[0], 0);
}

struct Values {
  int v[8];
};
TEST_F(Check, LocalsConstantsAndParametersAreInBounds) {
  int weights[4] = {1, 2, 3, 4};
  device_.addVariable("weights", weights, sizeof weights);
  Values values{{10, 20, 30, 40, 50, 60, 70, 80}};
  expectNone(run("everything_in_bounds", 64, allChecks(), values));
  std::vector<int> checked = out_;
  expectNone(run("everything_in_bounds", 64, Checks(), values));
  EXPECT_EQ(out_, checked);
}

TEST_F(Check, TheCheckOfBoundsNeedsTheAllocations) {
  void *arguments[] = {nullptr};
  Result result = kernels("checks").run("race_scan", {1}, {1}, 0, arguments, Memory(), bounds());
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.error, "");
}

// --- Divergent barriers ---

Result runWarps(const char *kernel, uint32_t threads, std::vector<int> &out, bool check = true) {
  Checks checks;
  checks.divergent_barriers = check;
  return launch(kernels("warps"), kernel, {1}, {threads}, 0, DeviceForTest(), checks, out.data(),
                40);
}

TEST(DivergentBarrier, AThreadThatReturnsWhileOthersWaitIsFound) {
  std::vector<int> out(64);
  Result result = runWarps("leaves_early", 64, out);
  expectFinding(result, "divergent barrier", "warps.cu",
                lineOf("warps.cu", "leaves_early", "__syncthreads"));
  EXPECT_NE(result.findings[0].message.find("thread (40,0,0)"), std::string::npos)
      << result.findings[0].message;
  expectNone(runWarps("leaves_early", 40, out));
  expectNone(runWarps("leaves_early", 64, out, false));
}

Result runWithOut(const char *kernel, uint32_t threads, bool check = true) {
  std::vector<int> out(threads);
  Checks checks;
  checks.divergent_barriers = check;
  return launch(kernels("warps"), kernel, {1}, {threads}, 0, DeviceForTest(), checks, out.data());
}

TEST(DivergentBarrier, WaitingAtDifferentBarriersIsFound) {
  Result result = runWithOut("two_barriers", 64);
  expectFinding(result, "divergent barrier", "warps.cu",
                lineOf("warps.cu", "two_barriers", "__syncthreads"));
  expectNone(runWithOut("two_barriers", 32));
}

TEST(DivergentBarrier, ABlockThatCannotGoOnEndsWithBothPlaces) {
  Result result = runWithOut("half_at_barrier", 64);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.error.find("cannot go on"), std::string::npos) << result.error;
  EXPECT_NE(result.error.find("thread (32,0,0)"), std::string::npos) << result.error;
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, "divergent barrier");
  // And the next launch is not disturbed.
  expectNone(runWithOut("two_barriers", 32));
}

TEST(DivergentBarrier, AMaskThatNamesLanesThatWaitElsewhereIsFoundAndGoesOn) {
  Result result = runWithOut("mask_names_absent", 32);
  expectFinding(result, "divergent barrier", "warps.cu",
                lineOf("warps.cu", "mask_names_absent", "shfl"));
}

TEST_F(Check, TheLastWriterOfAWatchedPlaceIsKnown) {
  Checks checks;
  checks.watched = &out_[40];
  checks.watched_bytes = sizeof(int);
  Result result = run("race_with_barrier", 64, checks);
  ASSERT_TRUE(result.ok) << result.error;
  EXPECT_TRUE(result.findings.empty());
  ASSERT_TRUE(result.writer);
  EXPECT_EQ(result.writer->thread.x, 40u);
  EXPECT_EQ(result.writer->block.x, 1u) << "the second block writes last";
  EXPECT_EQ(result.writer->writes, 2u);
  EXPECT_EQ(result.writer->line, line("race_with_barrier", "out["));
  EXPECT_NE(result.writer->file.find("checks.cu"), std::string::npos);
  checks.watched = &out_[64];
  EXPECT_FALSE(run("race_with_barrier", 64, checks).writer);
  checks.watched = reinterpret_cast<char *>(&out_[40]) - 1;
  EXPECT_EQ(run("race_with_barrier", 64, checks).writer->thread.x, 40u) << "both touch it";
}

} // namespace
} // namespace neuronify::reference
