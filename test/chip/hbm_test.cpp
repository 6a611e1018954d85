// Device memory as an arena: what is handed out again, and the windows on it.
#include "chip/hbm.h"
#include "nki/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace nki::chip {
namespace {

bool is_zero(const char *memory, size_t size) {
  return std::all_of(memory, memory + size, [](char c) { return c == 0; });
}

TEST(Hbm, MemoryIsAlignedZeroedAndApartWhateverWasReleasedBefore) {
  Hbm hbm;
  std::mt19937 random(5);
  const size_t sizes[] = {0, 1, 255, 256, 257, 5000, (1 << 20) - 257, 1 << 20, (3 << 20) + 1};
  std::vector<std::pair<char *, size_t>> live;
  for (int round = 0; round < 400; ++round) {
    if (!live.empty() && random() % 2) {
      std::swap(live[random() % live.size()], live.back());
      hbm.release(live.back().first);
      live.pop_back();
      continue;
    }
    const size_t size = sizes[random() % std::size(sizes)];
    char *memory = static_cast<char *>(hbm.allocate(size));
    ASSERT_EQ(reinterpret_cast<uintptr_t>(memory) % 256, 0u);
    ASSERT_TRUE(is_zero(memory, size));
    for (auto [other, bytes] : live)
      ASSERT_TRUE(memory + size < other || other + bytes < memory);
    std::memset(memory, 0xff, size);
    live.push_back({memory, size});
  }
  size_t sum = 0;
  for (auto [memory, size] : live) {
    sum += size;
    ASSERT_EQ(hbm.find(memory).has_value(), size > 0);
    ASSERT_FALSE(hbm.find(memory + size));
  }
  EXPECT_EQ(hbm.used(), sum);
  EXPECT_EQ(hbm.windows().size(), 1u);
}

TEST(Hbm, WindowsHoldEverythingAndAreShortEnoughForAnIndex) {
  Hbm hbm;
  EXPECT_TRUE(hbm.windows().empty());
  std::vector<Allocation> all;
  for (size_t size : {size_t(100), Hbm::kRegion - 4096, Hbm::kRegion + 1, size_t(5)})
    all.push_back({hbm.allocate(size), size});
  const std::vector<Allocation> windows = hbm.windows();
  const auto inside = [&](const char *byte) {
    return std::count_if(windows.begin(), windows.end(), [&](const Allocation &w) {
      const char *start = static_cast<const char *>(w.base);
      return byte >= start && byte < start + w.size;
    });
  };
  for (const Allocation &window : windows)
    EXPECT_LE(window.size, Hbm::kRegion);
  for (const Allocation &allocation : all) {
    EXPECT_EQ(inside(static_cast<char *>(allocation.base)), 1);
    EXPECT_EQ(inside(static_cast<char *>(allocation.base) + allocation.size - 1), 1);
  }
}

TEST(Hbm, MemoryOfOthersIsFoundUntilItIsReleasedAndStaysTheirs) {
  static int variables[2] = {3, 4};
  Hbm hbm(1024);
  hbm.allocate(1000);
  hbm.adopt(&variables[0], sizeof(int));
  hbm.adopt(&variables[1], sizeof(int));
  EXPECT_EQ(hbm.used(), 1000u);
  EXPECT_EQ(hbm.find(&variables[1])->base, &variables[1]);
  EXPECT_EQ(hbm.windows().size(), 2u);
  hbm.release(&variables[1]);
  EXPECT_FALSE(hbm.find(&variables[1]));
  EXPECT_EQ(variables[1], 4);
}

TEST(Hbm, CapacityIsWhatWasAskedFor) {
  Hbm hbm(1000);
  void *memory = hbm.allocate(1000);
  EXPECT_THROW(hbm.allocate(1), Error);
  hbm.release(memory);
  EXPECT_THROW(hbm.release(memory), Error);
  EXPECT_NO_THROW(hbm.allocate(600));
}

TEST(Hbm, NeighboursThatWereReleasedMakeOneGap) {
  Hbm hbm;
  for (bool second_first : {false, true}) {
    void *first = hbm.allocate(1000), *second = hbm.allocate(1000), *last = hbm.allocate(1000);
    hbm.release(second_first ? second : first);
    hbm.release(second_first ? first : second);
    void *both = hbm.allocate(2000);
    EXPECT_EQ(both, first);
    hbm.release(both);
    hbm.release(last);
  }
}

} // namespace
} // namespace nki::chip
