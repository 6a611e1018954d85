// Atomics on device and shared memory against the same operations lane by lane.
#include "lanes/atomics.h"
#include "lanes/ops.h"

#include "chip_for_test.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace nki {
namespace {

using Random = std::mt19937_64;

constexpr Atomic kOperations[] = {
    Atomic::add,       Atomic::sub,         Atomic::exchange, Atomic::smin,   Atomic::smax,
    Atomic::umin,      Atomic::umax,        Atomic::bit_and,  Atomic::bit_or, Atomic::bit_xor,
    Atomic::increment, Atomic::decrement,   Atomic::fadd,     Atomic::fsub,   Atomic::fmin,
    Atomic::fmax,      Atomic::compare_swap};

bool is_float(Atomic op) { return op >= Atomic::fadd && op <= Atomic::fmax; }

float number(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

/// As PTX has it: NaN loses, and -0 is less than +0.
float extremum(float a, float b, bool smaller) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  bool a_first = a < b || (a == b && std::signbit(a) && !std::signbit(b));
  return a_first == smaller ? a : b;
}

uint32_t on_host(Atomic op, uint32_t old, uint32_t value, uint32_t compare) {
  switch (op) {
  case Atomic::add:
    return old + value;
  case Atomic::sub:
    return old - value;
  case Atomic::exchange:
    return value;
  case Atomic::smin:
    return uint32_t(std::min(int32_t(old), int32_t(value)));
  case Atomic::smax:
    return uint32_t(std::max(int32_t(old), int32_t(value)));
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
  case Atomic::increment:
    return old >= value ? 0 : old + 1;
  case Atomic::decrement:
    return old == 0 || old > value ? value : old - 1;
  case Atomic::fadd:
    return bits(number(old) + number(value));
  case Atomic::fsub:
    return bits(number(old) - number(value));
  case Atomic::fmin:
    return bits(extremum(number(old), number(value), true));
  case Atomic::fmax:
    return bits(extremum(number(old), number(value), false));
  case Atomic::compare_swap:
    return old == compare ? value : old;
  }
  return 0;
}

/// A word as a test compares it: all NaNs are one.
uint32_t comparable(Atomic op, uint32_t word) {
  return is_float(op) && std::isnan(number(word)) ? 0x7fc00000u : word;
}

struct Named {
  const char *name;
  std::vector<int64_t> elements; ///< per lane
  bool on_chip;                  ///< known on the chip only
};

class Atomics : public testing::TestWithParam<WaveShape> {
protected:
  Atomics() : made_(GetParam()), wave_(made_.wave()), random_(7) {}

  static constexpr int64_t kElements = 300;

  std::vector<Named> places() {
    std::vector<Named> result;
    auto add = [&](const char *name, auto element) {
      std::vector<int64_t> elements;
      for (int64_t p = 0; p < wave_.P(); ++p)
        for (int64_t f = 0; f < wave_.F(); ++f)
          elements.push_back(element(p, f) % kElements);
      result.push_back({name, elements, false});
      result.push_back({name, elements, true});
    };
    add("one", [](int64_t, int64_t) { return 5; });
    add("per partition", [](int64_t p, int64_t) { return p; });
    add("few", [](int64_t p, int64_t f) { return (p + f) % 3; });
    add("by lane", [](int64_t, int64_t f) { return f; });
    add("pairs", [&](int64_t p, int64_t f) { return (p * wave_.F() + f) / 2; });
    add("anywhere", [&](int64_t, int64_t) { return int64_t(random_() % kElements); });
    add("hot",
        [&](int64_t, int64_t) { return random_() % 4 ? 7 : int64_t(random_() % kElements); });
    return result;
  }

  std::vector<Mask> masks() {
    std::vector<uint8_t> noise(size_t(wave_.lanes()));
    for (uint8_t &byte : noise)
      byte = random_() % 3 == 0;
    return {wave_.all(), Mask(wave_, noise), eq(wave_.threadIdx.x, Index(0)), Mask(wave_, false)};
  }

  std::vector<uint32_t> operands(Atomic op, size_t count) {
    std::vector<uint32_t> values(count);
    const float special[] = {0.0f, -0.0f, INFINITY, 1e-40f, 3e38f, NAN};
    for (uint32_t &value : values) {
      float x = float(int32_t(random_())) / 65536;
      if (is_float(op))
        value = bits(random_() % 16 ? x : special[random_() % (op >= Atomic::fmin ? 6 : 2)]);
      else if (op == Atomic::compare_swap || op == Atomic::increment || op == Atomic::decrement)
        value = uint32_t(random_() % 4);
      else
        value = random_() % 8 ? uint32_t(random_()) : 0x80000000u + uint32_t(random_() % 3) - 1;
    }
    return values;
  }

  struct Run {
    Atomic op;
    const Named *where;
    const std::vector<uint8_t> *active;
    Mask mask;
    bool one_value, wants_old, shared;
  };

  void check(const Run &run) {
    SCOPED_TRACE(testing::Message()
                 << "operation " << int(run.op) << ", " << run.where->name
                 << (run.where->on_chip ? " on chip" : "") << (run.one_value ? ", one value" : "")
                 << (run.wants_old ? ", old" : "") << (run.shared ? ", shared" : "")
                 << (run.mask.is_tile() ? ", tile mask" : ""));
    int64_t rows = run.shared ? wave_.P() : 1;
    std::vector<uint32_t> memory = operands(run.op, size_t(rows * kElements));
    std::vector<uint32_t> values = operands(run.op, size_t(wave_.lanes()));
    std::vector<uint32_t> compares = operands(run.op, size_t(wave_.lanes()));
    if (run.one_value)
      std::fill(values.begin(), values.end(), values[0]);
    Place place = run.shared ? shared_array(wave_, kElements * 4)
                             : at(chip_.device(std::vector<uint32_t>(memory)));
    if (run.shared) {
      Tensor start = nl::ndarray({rows * kElements}, DType::int32, nl::hbm);
      std::memcpy(start.storage()->base, memory.data(), memory.size() * 4);
      nisa::dma_copy(place.storage.view(DType::int32), start);
    }
    Place lanes = place;
    if (run.where->on_chip)
      lanes = place.plus(
          to_tile(wave_,
                  std::vector<int32_t>(run.where->elements.begin(), run.where->elements.end()),
                  DType::int32),
          4);
    else
      lanes = place + Index(wave_, 64, run.where->elements) * Index(int64_t(4), 64);
    DType type = is_float(run.op) ? DType::float32 : DType::int32;
    Word value = run.one_value && is_float(run.op) ? Word(number(values[0]))
                 : run.one_value                   ? Word(values[0])
                                                   : Word(to_tile(wave_, values, type));
    Tensor old = run.wants_old ? wave_.tile(type) : Tensor();
    atomic(wave_, run.op, old, lanes, value, run.mask, to_tile(wave_, compares, DType::int32));

    std::vector<uint32_t> found(size_t(wave_.lanes()));
    for (size_t lane = 0; lane < found.size(); ++lane) {
      if (!(*run.active)[lane])
        continue;
      int64_t row = run.shared ? int64_t(lane) / wave_.F() : 0;
      uint32_t &word = memory[size_t(row * kElements + run.where->elements[lane])];
      found[lane] = word;
      word = on_host(run.op, word, values[lane], compares[lane]);
    }
    for (size_t i = 0; i < memory.size(); ++i) {
      uint32_t word;
      if (run.shared)
        std::memcpy(&word, place.storage.storage()->row(int64_t(i) / kElements) + i % kElements * 4,
                    4);
      else
        std::memcpy(&word, place.base + i * 4, 4);
      ASSERT_EQ(comparable(run.op, word), comparable(run.op, memory[i])) << "word " << i;
    }
    if (!run.wants_old)
      return;
    std::vector<uint32_t> got = from_tile<uint32_t>(old);
    for (size_t lane = 0; lane < got.size(); ++lane)
      if ((*run.active)[lane])
        ASSERT_EQ(comparable(run.op, got[lane]), comparable(run.op, found[lane]))
            << "lane " << lane;
  }

  void check_all(bool shared) {
    std::vector<Named> where = places();
    int number = 0;
    for (const Mask &known : masks()) {
      std::vector<uint8_t> active;
      for (int64_t lane = 0; lane < wave_.lanes(); ++lane)
        active.push_back(known.at(lane));
      for (const Named &named : where)
        for (Atomic op : kOperations) {
          // Every combination of the other choices turns up with every operation and place.
          int choice = number++;
          Mask mask = choice / 4 % 2 ? Mask(wave_, known.tile(wave_)) : known;
          check({op, &named, &active, mask, choice % 2 != 0, choice / 2 % 2 != 0, shared});
          if (HasFatalFailure())
            return;
        }
    }
  }

  TestChip chip_;
  TestWave made_;
  const Wave &wave_;
  Random random_;
};

TEST_P(Atomics, OnDeviceMemoryAreAsLaneByLane) { check_all(false); }

TEST_P(Atomics, OnSharedMemoryAreAsLaneByLane) {
  if (GetParam().blocks_per_partition == 1)
    check_all(true);
}

TEST_P(Atomics, OldValuesMayReplaceTheOperand) {
  std::vector<int32_t> values(size_t(wave_.lanes()), 3);
  Tensor tile = to_tile(wave_, values, DType::int32);
  hbm<int> memory = chip_.device(std::vector<int>{10});
  atomic(wave_, Atomic::add, tile, at(memory), tile, wave_.all());
  std::vector<int32_t> got = from_tile<int32_t>(tile);
  for (size_t lane = 0; lane < got.size(); ++lane)
    ASSERT_EQ(got[lane], 10 + 3 * int32_t(lane));
  EXPECT_EQ(*memory.pointer, 10 + 3 * wave_.lanes());
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Atomics,
    testing::Values(WaveShape{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 1},
                    WaveShape{{128, 1, 1}, {1, 1, 1}, {0, 0, 0}, {128, 1, 1}, 1},
                    WaveShape{{1000, 1, 1}, {33, 1, 1}, {17, 0, 0}, {29, 1, 1}, 1},
                    WaveShape{{1, 1, 1}, {129, 1, 1}, {0, 0, 0}, {1, 1, 1}, 1},
                    WaveShape{{9, 8, 7}, {5, 3, 2}, {3, 2, 1}, {3, 4, 2}, 1},
                    WaveShape{{9, 8, 7}, {4, 3, 2}, {2, 2, 1}, {3, 2, 2}, 2}),
    shape_name);

} // namespace
} // namespace nki
