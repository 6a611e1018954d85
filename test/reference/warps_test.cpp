#include "reference_for_test.h"

#include <cmath>

namespace neuronify::reference {
namespace {

// What CUDA's documentation says of each kind, for lane `i` of a segment of `width`.
int down(int lane, int by, int width) { return lane % width + by < width ? lane + by : lane; }
int up(int lane, int by, int width) { return lane % width - by >= 0 ? lane - by : lane; }
int index(int lane, int by, int width) { return lane / width * width + by % width; }
int exclusive(int lane, int by, int width) {
  // A lane may read from an earlier segment, not from a later one.
  int source = lane ^ by;
  return source / width <= lane / width ? source : lane;
}

TEST(Warp, ShufflesStayInSegmentsOfEachWidth) {
  const int n = 64;
  for (int width : {2, 4, 8, 16, 32})
    for (int by : {0, 1, 3, 8, 17, 31}) {
      std::vector<int> out(5 * n);
      runPlain(kernels("warps"), "shuffles", {1}, {n}, out.data(), width, by);
      for (int i = 0; i < n; ++i) {
        int lane = i % 32, warp = i / 32 * 32;
        EXPECT_EQ(out[i], 100 + warp + down(lane, by, width)) << width << " " << by << " " << i;
        EXPECT_EQ(out[n + i], 100 + warp + up(lane, by, width)) << width << " " << by << " " << i;
        EXPECT_EQ(out[2 * n + i], 100 + warp + exclusive(lane, by, width))
            << width << " " << by << " " << i;
        EXPECT_EQ(out[3 * n + i], 100 + warp + index(lane, by, width))
            << width << " " << by << " " << i;
        EXPECT_EQ(out[4 * n + i], out[i]);
      }
    }
}

TEST(Warp, AShuffleInAPartialWarpReadsItselfWhereNoLaneIs) {
  const int n = 41; // the second warp has nine lanes
  std::vector<int> out(5 * n);
  runPlain(kernels("warps"), "shuffles", {1}, {n}, out.data(), 32, 4);
  EXPECT_EQ(out[36], 140);
  EXPECT_EQ(out[37], 137); // lane 9 is not there
}

TEST(Warp, AShuffleLadderSumsInItsOwnOrder) {
  std::vector<float> x(100), out(4);
  for (int i = 0; i < 100; ++i)
    x[i] = std::cos(float(i));
  runPlain(kernels("warps"), "warp_sum", {1}, {128}, (const float *)x.data(), out.data(), 100);
  for (int w = 0; w < 4; ++w) {
    float v[64] = {};
    for (int i = 0; i < 32; ++i)
      v[i] = w * 32 + i < 100 ? x[w * 32 + i] : 0.f;
    for (int k = 16; k > 0; k /= 2) {
      float next[32];
      for (int i = 0; i < 32; ++i)
        next[i] = v[i] + v[i + k < 32 ? i + k : i];
      std::copy(next, next + 32, v);
    }
    EXPECT_EQ(out[w], v[0]);
  }
}

TEST(Warp, LanesThatHaveReturnedTakeNoPart) {
  std::vector<int> out(64, -1);
  runPlain(kernels("warps"), "after_return", {1}, {64}, out.data(), 40);
  EXPECT_EQ(uint32_t(out[0]), 0x49249249u);
  EXPECT_EQ(uint32_t(out[39]), 0b10010010u); // 33, 36 and 39 of the second warp
  EXPECT_EQ(out[40], -1);
}

TEST(Warp, MasksOfTwoHalvesDoNotMeet) {
  std::vector<int> out(64);
  runPlain(kernels("warps"), "two_halves", {1}, {64}, out.data());
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], i % 32 < 16 ? i ^ 1 : 1000 + (i ^ 2)) << i;
}

TEST(Warp, VotesMatchesAndReductionsCoverTheLanesThatAreThere) {
  const int n = 40;
  for (int threshold : {0, 5, 40}) {
    std::vector<int> out(9 * n);
    runPlain(kernels("warps"), "votes", {1}, {n}, out.data(), threshold);
    for (int i = 0; i < n; ++i) {
      int first = i / 32 * 32, end = std::min(n, first + 32);
      uint32_t ballot = 0, all = 0;
      int sum = 0;
      for (int k = first; k < end; ++k) {
        all |= 1u << k % 32;
        if (k < threshold)
          ballot |= 1u << k % 32;
        sum += k;
      }
      EXPECT_EQ(out[i], ballot == all);
      EXPECT_EQ(out[n + i], ballot != 0);
      EXPECT_EQ(out[2 * n + i], ballot == all || ballot == 0);
      EXPECT_EQ(uint32_t(out[3 * n + i]), ballot);
      EXPECT_EQ(uint32_t(out[4 * n + i]), 0xfu << i % 32 / 4 * 4);
      EXPECT_EQ(uint32_t(out[5 * n + i]), all);
      EXPECT_EQ(out[6 * n + i], 1);
      EXPECT_EQ(out[7 * n + i], sum);
      EXPECT_EQ(out[8 * n + i], -(end - 1));
    }
  }
}

TEST(Warp, TheActiveMaskHoldsTheLanesAtTheSamePlace) {
  std::vector<uint32_t> out(64);
  runPlain(kernels("warps"), "active", {1}, {64}, out.data());
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], i % 4 == 1 ? 0x22222222u : i % 4 == 2 ? 0x44444444u : 0xffffffffu) << i;
}

TEST(Warp, VolatileSharedMemoryKeepsLanesInStep) {
  std::vector<int> out(64), s(96);
  runPlain(kernels("warps"), "warp_synchronous", {1}, {64}, out.data());
  // All lanes read before one writes.
  for (int i = 0; i < 64; ++i)
    s[i] = i + 1;
  for (int k = 32; k > 0; k /= 2) {
    std::vector<int> before = s;
    for (int i = 0; i < 32; ++i)
      s[i] = before[i] + before[i + k];
  }
  EXPECT_EQ(out[0], 64 * 65 / 2);
  EXPECT_EQ(out, std::vector<int>(s.begin(), s.begin() + 64));
}

TEST(Warp, LanesReadWhatOthersWroteWithoutABarrier) {
  std::vector<int> out(64);
  runPlain(kernels("warps"), "warp_transposed", {1}, {64}, out.data());
  for (int warp : {0, 1}) {
    auto sum = [&](int lane) {
      int result = 0;
      for (int i = 0; i < 32; ++i)
        result += (i + 1) * (1000 * warp + 32 * lane + i);
      return result;
    };
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(out[warp * 32 + lane], sum(lane) - sum((lane + 1) % 32)) << warp << " " << lane;
  }
}

TEST(Barrier, ReducingBarriersCountTheWholeBlock) {
  const int n = 70;
  for (int threshold : {0, 3, 69, 70}) {
    std::vector<int> out(3 * n);
    runPlain(kernels("warps"), "counting_barriers", {1}, {n}, out.data(), threshold);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(out[i], threshold);
      EXPECT_EQ(out[n + i] != 0, threshold == n);
      EXPECT_EQ(out[2 * n + i] != 0, threshold > 0);
    }
  }
}

TEST(Barrier, NumberedBarriersWaitForTheirOwnCount) {
  std::vector<int> out(32);
  runPlain(kernels("warps"), "named_barrier", {1}, {96}, out.data());
  for (int value : out)
    EXPECT_EQ(value, 42);
}

} // namespace
} // namespace neuronify::reference
