#include "reference_for_test.h"

namespace neuronify::reference {
namespace {

TEST(GridBarrier, LetsBlocksReadWhatAllOthersWrote) {
  for (auto [blocks, threads, rounds] :
       {std::tuple(1u, 1u, 0), {1u, 4u, 2}, {5u, 3u, 3}, {200u, 4u, 2}}) {
    const int n = int(blocks * threads);
    std::vector<int> values(n), out(n);
    runPlain(kernels("grids"), "around", {blocks}, {threads}, values.data(), out.data(), rounds);
    for (int i = 0; i < n; ++i) {
      const int block = i / int(threads), other = (i + int(threads)) % n;
      int sum = rounds * other + 5 * rounds * (rounds - 1);
      const int mirrored = (block + 1) * int(threads) - 1 - i % int(threads);
      EXPECT_EQ(out[i], 1000 * mirrored + sum) << i;
    }
  }
}

TEST(GridBarrier, DoesNotWaitForThreadsThatHaveReturned) {
  std::vector<int> out(12);
  runPlain(kernels("grids"), "some_return", {3}, {4}, out.data(), 2, 3);
  EXPECT_EQ(out, (std::vector<int>{1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0}));
}

TEST(GridBarrier, ABlockThatNeverComesIsNamed) {
  std::vector<int> out(12);
  const Result result = launch(kernels("grids"), "some_return", {3}, {4}, 0, DeviceForTest(),
                               Checks(), out.data(), 4, 2);
  EXPECT_FALSE(result.ok);
  for (const char *part :
       {"thread (0,0,0) of block (0,0,0) waits at", "grids.cu:", "block (2,0,0)"})
    EXPECT_NE(result.error.find(part), std::string::npos) << result.error;
}

} // namespace
} // namespace neuronify::reference
