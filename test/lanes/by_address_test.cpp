// Loads, stores and atomics at addresses that the chip has loaded.
#include "lanes/atomics.h"
#include "lanes/atomics_wide.h"
#include "wide_for_test.h"

#include "nki/error.h"

#include <map>

namespace nki {
namespace {

Wide to_wide(const Wave &wave, const std::vector<uint64_t> &addresses) {
  std::vector<uint32_t> low, high;
  for (uint64_t address : addresses) {
    low.push_back(uint32_t(address));
    high.push_back(uint32_t(address >> 32));
  }
  return {to_tile(wave, low, DType::int32), to_tile(wave, high, DType::int32)};
}

template <class T> uint64_t number(const T *pointer) { return reinterpret_cast<uint64_t>(pointer); }

class ByAddress : public testing::TestWithParam<WaveShape> {
protected:
  const Wave &wave() const { return wave_.wave(); }
  size_t lanes() const { return size_t(wave().lanes()); }

  /// Lanes spread over several allocations: lane i has element i / 3 of allocation i % 3.
  std::vector<int *> spread(int first) {
    std::vector<int *> places;
    hbm<int> memory[3];
    for (hbm<int> &m : memory)
      m = chip_.device(std::vector<int>(lanes() / 3 + 1, first));
    for (size_t i = 0; i < lanes(); ++i)
      places.push_back(memory[i % 3].pointer + i / 3);
    return places;
  }
  Wide wide_of(const std::vector<int *> &places, int64_t moved = 0) const {
    std::vector<uint64_t> addresses;
    for (int *place : places)
      addresses.push_back(place ? number(place) - uint64_t(moved) : 0);
    return to_wide(wave(), addresses);
  }
  /// None, all, some lanes by the launch, some by the chip.
  std::vector<std::pair<Mask, std::vector<uint8_t>>> masks() const {
    std::vector<uint8_t> all(lanes(), 1), none(lanes(), 0), some(lanes());
    for (size_t i = 0; i < lanes(); ++i)
      some[i] = i % 7 != 2;
    const auto tile = [&](const std::vector<uint8_t> &bits) {
      return Mask(wave(),
                  to_tile(wave(), std::vector<uint32_t>(bits.begin(), bits.end()), DType::uint32));
    };
    return {{wave().all(), all}, {Mask(wave(), some), some}, {Mask(wave(), none), none},
            {tile(some), some},  {tile(none), none},         {tile(all), all}};
  }

  TestChip chip_;
  TestWave wave_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Shapes, ByAddress, testing::ValuesIn(kWaveShapes), shape_name);

TEST_P(ByAddress, LoadsAndStoresReachWhatEachLaneNames) {
  for (const auto &[mask, in] : masks()) {
    std::vector<int *> from = spread(0), to = spread(-9);
    for (size_t i = 0; i < lanes(); ++i) {
      *from[i] = int(i) * 3 + 1;
      if (!in[i])
        from[i] = to[i] = nullptr;
    }
    Tensor value = wave().tile(DType::int32);
    load(value, at_address(wide_of(from)), 4, mask);
    // The same place, in parts that are known when, and computed where.
    const Tensor two = to_tile(wave(), std::vector<int>(lanes(), 2), DType::int32);
    Place place = at_address(wide_of(to, 32)).plus(two, 12) + Index(int64_t(8), 64);
    store(place, value, 4, mask);
    for (size_t i = 0; i < lanes(); ++i)
      if (in[i])
        ASSERT_EQ(*to[i], int(i) * 3 + 1) << i;
  }
}

TEST_P(ByAddress, NarrowElementsLeaveTheirNeighboursAlone) {
  hbm<unsigned char> bytes = chip_.device(std::vector<unsigned char>(2 * lanes(), 0x5a));
  hbm<uint16_t> halves = chip_.device(std::vector<uint16_t>(2 * lanes(), 0x5a5a));
  std::vector<uint64_t> byte_places, half_places;
  for (size_t i = 0; i < lanes(); ++i) {
    byte_places.push_back(number(bytes.pointer + 2 * i));
    half_places.push_back(number(halves.pointer + 2 * i + 1));
  }
  const Place byte = at_address(to_wide(wave(), byte_places)),
              half = at_address(to_wide(wave(), half_places));
  store(byte, uint32_t(0x101), 1, wave().all());
  store(half, uint32_t(0x10001), 2, wave().all());
  for (size_t i = 0; i < lanes(); ++i) {
    ASSERT_EQ(bytes.pointer[2 * i], 1);
    ASSERT_EQ(bytes.pointer[2 * i + 1], 0x5a);
    ASSERT_EQ(halves.pointer[2 * i], 0x5a5a);
    ASSERT_EQ(halves.pointer[2 * i + 1], 1);
  }
}

TEST_P(ByAddress, OfLanesThatNameOnePlaceTheLastWins) {
  hbm<int> memory = chip_.device(std::vector<int>(2, -1));
  std::vector<uint64_t> places;
  std::vector<int> numbers;
  for (size_t i = 0; i < lanes(); ++i) {
    places.push_back(number(memory.pointer + i % 2));
    numbers.push_back(int(i));
  }
  store(at_address(to_wide(wave(), places)), to_tile(wave(), numbers, DType::int32), 4,
        wave().all());
  const int last = int(lanes()) - 1;
  EXPECT_EQ(memory.pointer[last % 2], last);
  EXPECT_EQ(memory.pointer[1 - last % 2], lanes() > 1 ? last - 1 : -1);
}

TEST_P(ByAddress, APairMayReplaceItsOwnAddress) {
  hbm<uint64_t> next = chip_.device(std::vector<uint64_t>(lanes(), 0));
  std::vector<uint64_t> places;
  for (size_t i = 0; i < lanes(); ++i) {
    places.push_back(number(next.pointer + i));
    next.pointer[i] = (i << 40) + 5 * i;
  }
  const Wide p = to_wide(wave(), places);
  load(p, at_address(p), 8, wave().all());
  const std::vector<int64_t> values = from_wide(p);
  for (size_t i = 0; i < lanes(); ++i)
    ASSERT_EQ(uint64_t(values[i]), next.pointer[i]);
}

TEST_P(ByAddress, AtomicsDoEachLanesTurn) {
  for (const auto &[mask, in] : masks()) {
    hbm<int> a = chip_.device(std::vector<int>(4, 10)), b = chip_.device(std::vector<int>(4, 20));
    hbm<int64_t> c = chip_.device(std::vector<int64_t>(2, INT64_C(0xfffffffe)));
    std::vector<uint64_t> places, wide_places;
    for (size_t i = 0; i < lanes(); ++i) {
      places.push_back(!in[i] ? 3 : number((i % 3 ? a : b).pointer + i % 4));
      wide_places.push_back(!in[i] ? 3 : number(c.pointer + i % 2));
    }
    Tensor old = wave().tile(DType::int32);
    fetch_add(wave(), old, at_address(to_wide(wave(), places)), 5, mask);
    atomic_add64(wave(), at_address(to_wide(wave(), wide_places)), INT64_C(0x100000001), mask);
    atomic_max64(wave(), at_address(to_wide(wave(), wide_places)), INT64_C(7), mask);
    std::map<uint64_t, int> expected;
    int64_t sums[2] = {0xfffffffe, 0xfffffffe};
    const std::vector<int> found = from_tile<int>(old);
    for (size_t i = 0; i < lanes(); ++i) {
      if (!in[i])
        continue;
      auto [entry, fresh] = expected.try_emplace(places[i], i % 3 ? 10 : 20);
      ASSERT_EQ(found[i], entry->second) << i;
      entry->second += 5;
      sums[i % 2] += 0x100000001;
    }
    for (int i = 0; i < 4; ++i)
      for (auto [memory, first] : {std::pair(a, 10), std::pair(b, 20)}) {
        auto entry = expected.find(number(memory.pointer + i));
        EXPECT_EQ(memory.pointer[i], entry == expected.end() ? first : entry->second);
      }
    EXPECT_EQ(c.pointer[0], sums[0]);
    EXPECT_EQ(c.pointer[1], sums[1]);
  }
}

std::string error_of(const std::function<void()> &run) {
  try {
    run();
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST_P(ByAddress, ALiveLaneOutsideOfAllocationsIsAnErrorUnderAnyMask) {
  hbm<int> memory = chip_.device(std::vector<int>(lanes(), 1));
  const uint64_t bad[] = {0, 8, number(memory.pointer + lanes()), number(memory.pointer) - 4,
                          uint64_t(1) << 60};
  for (uint64_t address : bad)
    for (const auto &[mask, in] : masks()) {
      std::vector<uint64_t> places(lanes(), number(memory.pointer));
      places[lanes() / 2] = address;
      const Place place = at_address(to_wide(wave(), places));
      Tensor value = wave().tile(DType::int32);
      const bool live = in[lanes() / 2];
      for (const auto &run : std::initializer_list<std::function<void()>>{
               [&] { load(value, place, 4, mask); }, [&] { store(place, 7u, 4, mask); },
               [&] { atomic_add(wave(), place, 1, mask); }}) {
        const std::string error = error_of(run);
        EXPECT_EQ(error.find("out of bounds: thread") != std::string::npos, live) << error;
      }
    }
}

TEST_P(ByAddress, AMisalignedLaneIsAnError) {
  hbm<int> memory = chip_.device(std::vector<int>(lanes() + 1, 1));
  std::vector<uint64_t> places(lanes(), number(memory.pointer));
  places[lanes() - 1] += 2;
  Tensor value = wave().tile(DType::int32);
  EXPECT_NE(error_of([&] {
              load(value, at_address(to_wide(wave(), places)), 4, wave().all());
            }).find("multiples of the element size"),
            std::string::npos);
}

TEST_P(ByAddress, MemoryThatNeedsSeveralWindowsIsReached) {
  // Address space only: nothing but the ends is touched.
  const size_t most = chip::Hbm::kRegion;
  char *large = static_cast<char *>(chip_.device_memory().allocate(most + 4096));
  int *small = static_cast<int *>(chip_.device_memory().allocate(4096));
  int *ends[] = {reinterpret_cast<int *>(large), reinterpret_cast<int *>(large + most - 4),
                 reinterpret_cast<int *>(large + most), small};
  ASSERT_GE(chip_.device_memory().windows().size(), 3u);
  for (const auto &[mask, in] : masks()) {
    for (int k = 0; k < 4; ++k)
      *ends[k] = 100 * k;
    std::vector<uint64_t> places;
    for (size_t i = 0; i < lanes(); ++i)
      places.push_back(in[i] ? number(ends[i % 4]) : 12345);
    const Place place = at_address(to_wide(wave(), places));
    Tensor value = wave().tile(DType::int32), old = wave().tile(DType::int32);
    load(value, place, 4, mask);
    fetch_add(wave(), old, place, 1, mask);
    const std::vector<int> loaded = from_tile<int>(value), found = from_tile<int>(old);
    int counts[4] = {};
    for (size_t i = 0; i < lanes(); ++i) {
      if (!in[i])
        continue;
      ASSERT_EQ(loaded[i], 100 * int(i % 4)) << i;
      ASSERT_EQ(found[i], 100 * int(i % 4) + counts[i % 4]++) << i;
    }
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ(*ends[k], 100 * k + counts[k]);
    store(place, 5u, 4, mask);
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ(*ends[k], counts[k] ? 5 : 100 * k);
  }
}

TEST_P(ByAddress, LaunchKnownAddressesInSeveralAllocationsReachTheirLanes) {
  std::vector<int *> from = spread(0);
  std::vector<int64_t> places;
  for (size_t i = 0; i < lanes(); ++i) {
    *from[i] = int(i) - 5;
    places.push_back(int64_t(number(from[i])));
  }
  Tensor value = wave().tile(DType::int32);
  load(value, at_address(Index(wave(), 64, places)), 4, wave().all());
  const std::vector<int> loaded = from_tile<int>(value);
  for (size_t i = 0; i < lanes(); ++i)
    ASSERT_EQ(loaded[i], int(i) - 5) << i;
}

} // namespace
} // namespace nki
