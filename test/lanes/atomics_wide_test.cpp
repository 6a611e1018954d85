// 64-bit atomics against the same operations lane by lane.
#include "lanes/atomics_wide.h"

#include "chip_for_test.h"

#include <algorithm>
#include <random>

namespace nki {
namespace {

constexpr Atomic kOperations[] = {Atomic::add,     Atomic::sub,         Atomic::exchange,
                                  Atomic::smin,    Atomic::smax,        Atomic::umin,
                                  Atomic::umax,    Atomic::bit_and,     Atomic::bit_or,
                                  Atomic::bit_xor, Atomic::compare_swap};

uint64_t on_host(Atomic op, uint64_t old, uint64_t value, uint64_t compare) {
  switch (op) {
  case Atomic::add:
    return old + value;
  case Atomic::sub:
    return old - value;
  case Atomic::exchange:
    return value;
  case Atomic::smin:
    return uint64_t(std::min(int64_t(old), int64_t(value)));
  case Atomic::smax:
    return uint64_t(std::max(int64_t(old), int64_t(value)));
  case Atomic::umin:
    return std::min(old, value);
  case Atomic::umax:
    return std::max(old, value);
  case Atomic::bit_and:
    return old & value;
  case Atomic::bit_or:
    return old | value;
  case Atomic::bit_xor:
    return old ^ value;
  default:
    return old == compare ? value : old;
  }
}

class WideAtomics : public testing::TestWithParam<WaveShape> {
protected:
  WideAtomics() : made_(GetParam()), wave_(made_.wave()) {}
  static constexpr int64_t kElements = 70;

  std::vector<uint64_t> numbers(Atomic op, size_t count) {
    const uint64_t special[] = {0, ~0ull, 1ull << 63, (1ull << 63) - 1, 0xffffffffull, 1ull << 32};
    std::vector<uint64_t> values(count);
    for (uint64_t &value : values)
      value = op == Atomic::compare_swap ? (random_() % 3) << 32 | random_() % 2
              : random_() % 4            ? random_()
                                         : special[random_() % 6];
    return values;
  }
  Wide to_pair(const std::vector<uint64_t> &values) {
    std::vector<uint32_t> low(values.begin(), values.end()), high;
    for (uint64_t value : values)
      high.push_back(uint32_t(value >> 32));
    return {to_tile(wave_, low, DType::int32), to_tile(wave_, high, DType::int32)};
  }

  struct Run {
    Atomic op;
    std::vector<int64_t> elements;
    std::vector<uint8_t> active;
    bool on_chip, tile_mask, one_value, wants_old, shared;
  };

  void check(const Run &run) {
    SCOPED_TRACE(testing::Message()
                 << "operation " << int(run.op) << (run.on_chip ? ", chip" : "")
                 << (run.one_value ? ", one value" : "") << (run.shared ? ", shared" : ""));
    int64_t rows = run.shared ? wave_.P() : 1;
    size_t lanes = size_t(wave_.lanes());
    std::vector<uint64_t> memory = numbers(run.op, size_t(rows * kElements));
    std::vector<uint64_t> values = numbers(run.op, lanes), compares = numbers(run.op, lanes);
    if (run.one_value)
      std::fill(values.begin(), values.end(), values[0]);
    Place place = run.shared ? shared_array(wave_, kElements * 8) : at(chip_.device(memory));
    if (run.shared) {
      Tensor start = nl::ndarray({rows * kElements * 2}, DType::int32, nl::hbm);
      std::memcpy(start.storage()->base, memory.data(), memory.size() * 8);
      nisa::dma_copy(place.storage.view(DType::int32), start);
    }
    std::vector<int32_t> narrow(run.elements.begin(), run.elements.end());
    Place there = run.on_chip ? place.plus(to_tile(wave_, narrow, DType::int32), 8)
                              : place + Index(wave_, 64, run.elements) * Index(int64_t(8), 64);
    Mask mask(wave_, run.active);
    if (run.tile_mask)
      mask = Mask(wave_, mask.tile(wave_));
    Wide old = run.wants_old ? Wide{wave_.tile(DType::int32), wave_.tile(DType::int32)} : Wide();
    WideOperand value = run.one_value ? WideOperand(values[0]) : WideOperand(to_pair(values));
    atomic(wave_, run.op, old, there, value, mask, to_pair(compares));

    std::vector<uint64_t> found(lanes);
    for (size_t lane = 0; lane < lanes; ++lane) {
      if (!run.active[lane])
        continue;
      int64_t row = run.shared ? int64_t(lane) / wave_.F() : 0;
      uint64_t &number = memory[size_t(row * kElements + run.elements[lane])];
      found[lane] = number;
      number = on_host(run.op, number, values[lane], compares[lane]);
    }
    for (size_t i = 0; i < memory.size(); ++i) {
      uint64_t number;
      const void *from =
          run.shared
              ? static_cast<const void *>(place.storage.storage()->row(int64_t(i) / kElements) +
                                          int64_t(i) % kElements * 8)
              : place.base + i * 8;
      std::memcpy(&number, from, 8);
      ASSERT_EQ(number, memory[i]) << "number " << i;
    }
    if (!run.wants_old)
      return;
    auto low = from_tile<uint32_t>(old.low), high = from_tile<uint32_t>(old.high);
    for (size_t lane = 0; lane < lanes; ++lane)
      if (run.active[lane])
        ASSERT_EQ(uint64_t(high[lane]) << 32 | low[lane], found[lane]) << "lane " << lane;
  }

  void check_all(bool shared) {
    int number = 0;
    size_t lanes = size_t(wave_.lanes());
    for (int where = 0; where < 4; ++where)
      for (bool on_chip : {false, true})
        for (bool some : {false, true})
          for (Atomic op : kOperations) {
            Run run{op,
                    {},
                    std::vector<uint8_t>(lanes, 1),
                    on_chip,
                    number % 5 == 0,
                    number % 2 == 0,
                    number % 3 != 0,
                    shared};
            ++number;
            for (int64_t lane = 0; lane < wave_.lanes(); ++lane)
              run.elements.push_back(where == 0   ? 3
                                     : where == 1 ? lane % kElements
                                     : where == 2 ? lane / wave_.F() % kElements
                                                  : int64_t(random_() % kElements));
            for (uint8_t &byte : run.active)
              byte = !some || random_() % 3 == 0;
            check(run);
            if (HasFatalFailure())
              return;
          }
  }

  TestChip chip_;
  TestWave made_;
  const Wave &wave_;
  std::mt19937_64 random_{5};
};

TEST_P(WideAtomics, OnDeviceMemoryAreAsLaneByLane) { check_all(false); }
TEST_P(WideAtomics, OnSharedMemoryAreAsLaneByLane) {
  if (GetParam().blocks_per_partition == 1)
    check_all(true);
}

INSTANTIATE_TEST_SUITE_P(Shapes, WideAtomics,
                         testing::Values(WaveShape{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 1},
                                         WaveShape{
                                             {1000, 1, 1}, {33, 1, 1}, {17, 0, 0}, {9, 1, 1}, 1},
                                         WaveShape{{1, 1, 1}, {129, 1, 1}, {0, 0, 0}, {1, 1, 1}, 1},
                                         WaveShape{{9, 8, 7}, {4, 3, 2}, {2, 2, 1}, {3, 2, 2}, 2}),
                         shape_name);

} // namespace
} // namespace nki
