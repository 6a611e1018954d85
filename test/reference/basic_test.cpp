#include "reference_for_test.h"

#include <cmath>
#include <cstdio>
#include <numeric>

namespace neuronify::reference {
namespace {

TEST(Reference, SaxpyMatchesAHostLoopWithARaggedTail) {
  for (int n : {1, 31, 1000, 4097}) {
    std::vector<float> x(n), y(n), expected(n);
    for (int i = 0; i < n; ++i) {
      x[i] = 0.1f * i;
      y[i] = expected[i] = 3.f - i;
      expected[i] = 2.5f * x[i] + expected[i];
    }
    runPlain(kernels("basic"), "saxpy", {uint32_t(n + 255) / 256}, {256}, 2.5f,
             (const float *)x.data(), y.data(), n);
    EXPECT_EQ(y, expected) << n;
  }
}

TEST(Reference, BlockSumKeepsThePairwiseOrderOfTheTree) {
  const int n = 1000;
  std::vector<float> x(n), out(4);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(float(i));
  runPlain(kernels("basic"), "block_sum", {4}, {256}, (const float *)x.data(), out.data(), n);
  for (int block = 0; block < 4; ++block) {
    std::vector<float> s(256);
    for (int t = 0; t < 256; ++t)
      s[t] = block * 256 + t < n ? x[block * 256 + t] : 0.f;
    for (int k = 128; k > 0; k /= 2)
      for (int t = 0; t < k; ++t)
        s[t] += s[t + k];
    EXPECT_EQ(out[block], s[0]);
  }
}

TEST(Reference, EveryThreadOfA3DLaunchSeesItsCoordinates) {
  const Dim3 grid{3, 2, 2}, block{5, 4, 3};
  std::vector<int> out(12 * 60 * 7, -1);
  runPlain(kernels("basic"), "coordinates", grid, block, out.data());
  int *place = out.data();
  for (uint32_t b = 0; b < 12; ++b)
    for (uint32_t t = 0; t < 60; ++t, place += 7) {
      EXPECT_EQ(place[0], int(t % 5 + 100 * (t / 5 % 4) + 10000 * (t / 20)));
      EXPECT_EQ(place[1], int(b % 3 + 100 * (b / 3 % 2) + 10000 * (b / 6)));
      EXPECT_EQ(place[2], 5 + 400 + 30000);
      EXPECT_EQ(place[3], 3 + 200 + 20000);
      EXPECT_EQ(place[4], int(t % 32));
      EXPECT_EQ(place[5], int(t / 32));
      EXPECT_EQ(uint32_t(place[6]), (1u << t % 32) - 1);
    }
}

struct Job {
  const float *in;
  char pad;
  float *out;
  double factor;
  int counts[3];
};

TEST(Reference, StructParametersAreEachThreadsOwnCopy) {
  std::vector<float> in(40), out(32, -1);
  std::iota(in.begin(), in.end(), 1.f);
  Job job{in.data(), 'p', out.data(), 0.5, {1, 20, 3}};
  for (bool twice : {false, true}) {
    runPlain(kernels("basic"), "with_struct", {1}, {32}, job, twice, char(3), 0.25);
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(out[i], i < 20 ? in[i + 3] * float(0.5 + i + 0.25) * (twice ? 2 : 1) : -1.f) << i;
  }
  EXPECT_EQ(job.factor, 0.5);
}

TEST(Reference, DeviceVariablesLiveWhereTheRuntimeSays) {
  std::vector<float> coefficients = {1, 10, 100, 1000}, out(40);
  int counter = 5;
  DeviceForTest device;
  device.addVariable("coefficients", coefficients.data(), 16);
  device.addVariable("counter", &counter, 4);
  Result result =
      launch(kernels("basic"), "with_constants", {2}, {20}, 0, device, Checks(), out.data());
  ASSERT_TRUE(result.ok) << result.error;
  const int table[] = {3, 1, 4, 1, 5};
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(out[i], coefficients[i % 4] + table[i % 5]);
  EXPECT_EQ(counter, 5 + 80);

  // The same code, another address.
  int other = 0;
  device.addVariable("counter", &other, 4);
  launch(kernels("basic"), "with_constants", {1}, {20}, 0, device, Checks(), out.data());
  EXPECT_EQ(other, 40);
  EXPECT_EQ(counter, 85);
}

TEST(Reference, DynamicSharedArraysShareOneAddressBehindTheStaticOnes) {
  std::vector<int> data(100);
  std::iota(data.begin(), data.end(), 0);
  Result result = launch(kernels("basic"), "dynamic_reverse", {1}, {100}, 400, DeviceForTest(),
                         Checks(), data.data(), 100);
  ASSERT_TRUE(result.ok) << result.error;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(data[i], 99 - i + 99000);
}

TEST(Reference, LoopsMayDifferBetweenThreads) {
  std::vector<unsigned> start(300);
  std::iota(start.begin(), start.end(), 1u);
  std::vector<int> steps(300);
  runPlain(kernels("basic"), "collatz", {3}, {128}, (const unsigned *)start.data(), steps.data(),
           300);
  EXPECT_EQ(steps[0], 0);
  EXPECT_EQ(steps[26], 111);
  EXPECT_EQ(steps[96], 118);
}

TEST(Reference, RecursionAndFunctionPointersSeeTheirThread) {
  std::vector<int> out(12);
  runPlain(kernels("basic"), "indirect", {1}, {12}, out.data(), 0);
  EXPECT_EQ(out[10], 55 + 10);
  runPlain(kernels("basic"), "indirect", {1}, {12}, out.data(), 1);
  EXPECT_EQ(out[0], 10);
  EXPECT_EQ(out[10], 0);
}

TEST(Reference, VirtualFunctionsAndLambdasRun) {
  std::vector<int> out(12);
  runPlain(kernels("basic"), "virtual_calls", {1}, {12}, out.data(), 0);
  EXPECT_EQ(out[10], 11);
  runPlain(kernels("basic"), "virtual_calls", {1}, {12}, out.data(), 1);
  EXPECT_EQ(out[10], 9 * 10 + 10);
}

TEST(Reference, LocalArraysWithAVariableIndexAreEachThreadsOwn) {
  std::vector<int> out(50);
  for (int k : {0, 3, 7}) {
    runPlain(kernels("basic"), "local_array", {1}, {50}, out.data(), k);
    for (int t = 0; t < 50; ++t) {
      int local[8], sum = 0;
      for (int i = 0; i < 8; ++i)
        local[i] = i * t;
      local[k] = -1;
      for (int i = 0; i < 8; ++i)
        sum += local[(i + k) & 7] * (i + 1);
      EXPECT_EQ(out[t], sum);
    }
  }
}

TEST(Reference, PrintfFormatsAsOnTheDevice) {
  const Result result = launch(kernels("basic"), "prints", {1}, {2}, 0, DeviceForTest(), Checks(),
                               3, (const char *)"");
  EXPECT_EQ(result.output, "thread 0 of 3   |  4.50|x|%|1099511627776\n"
                           "thread 1 of 3   |  4.50|x|%|1099511627776\n");
}

TEST(Reference, AtomicsCountEveryThread) {
  int ints[4] = {0, 0, 0, 0};
  unsigned wrap = 0;
  float floats[2] = {0, 0};
  unsigned long long longs = 1;
  runPlain(kernels("basic"), "atomics", {4}, {50}, (int *)ints, &wrap, (float *)floats, &longs);
  unsigned long long expected = 1;
  int parity = 0;
  for (int i = 0; i < 200; ++i) {
    expected = expected * 3 + 1;
    parity ^= i;
  }
  EXPECT_EQ(ints[0], 199 * 100);
  EXPECT_EQ(ints[1], 36);
  EXPECT_EQ(ints[2], -199);
  EXPECT_EQ(ints[3], parity);
  EXPECT_EQ(wrap, 200u % 7);
  EXPECT_EQ(floats[0], 50.f);
  EXPECT_EQ(floats[1], 50.f);
  EXPECT_EQ(longs, expected);
}

TEST(Reference, ThreadsThatReturnEarlyAreNotWaitedFor) {
  std::vector<int> out(64, -1);
  Checks checks;
  checks.divergent_barriers = false;
  Result result = launch(kernels("warps"), "leaves_early", {1}, {64}, 0, DeviceForTest(), checks,
                         out.data(), 40);
  ASSERT_TRUE(result.ok) << result.error;
  EXPECT_TRUE(result.findings.empty());
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], i < 40 ? 39 - i : -1);
}

TEST(Reference, ExitEndsOneThread) {
  std::vector<int> out(64);
  Result result = launch(kernels("warps"), "leaves_by_exit", {1}, {64}, 0, DeviceForTest(),
                         Checks(), out.data());
  ASSERT_TRUE(result.ok) << result.error;
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], i % 2 ? 1 : 2);
}

TEST(Reference, LargeBlocksOfManyBarriersRun) {
  std::vector<float> x(1 << 16, 1.f), out(256);
  runPlain(kernels("basic"), "block_sum", {256}, {256}, (const float *)x.data(), out.data(),
           1 << 16);
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0.f), 65536.f);
}

} // namespace
} // namespace neuronify::reference
