// Atomic additions to 16-bit floats against the same additions lane by lane, each rounded.
#include "lanes/atomics_half.h"
#include "lanes/element.h"

#include "chip_for_test.h"

#include <random>

namespace nki {
namespace {

struct Format {
  int16_t (*narrow)(float);
  float (*widen)(int16_t);
  decltype(&atomic_fadd_half) add;
  decltype(&fetch_fadd_half) fetch;
};
const Format kFormats[] = {
    {float_to_half, half_to_float, atomic_fadd_half, fetch_fadd_half},
    {float_to_bfloat, bfloat_to_float, atomic_fadd_bfloat, fetch_fadd_bfloat}};

class AtomicsHalf : public testing::TestWithParam<WaveShape> {
protected:
  TestChip chip_;
};

TEST_P(AtomicsHalf, AddInLaneOrderAndRoundEachTime) {
  const TestWave holder(GetParam());
  const Wave &wave = holder.wave();
  const size_t lanes = std::min<size_t>(size_t(wave.lanes()), 1000); // the others are masked out
  std::mt19937 random(9);
  for (const Format &format : kFormats)
    for (int words : {1, 7, 1000}) // all meet, some do, few do
      for (bool on_chip : {false, true}) {
        std::vector<float> values(size_t(wave.lanes()));
        std::vector<int32_t> where(values.size()), flags(values.size());
        std::vector<uint8_t> live(values.size());
        for (size_t i = 0; i < values.size(); ++i) {
          values[i] = format.widen(format.narrow(float(int(random() % 2001) - 1000) / 37.0f));
          where[i] = int32_t(random() % unsigned(words));
          live[i] = i < lanes && random() % 4 != 0;
          flags[i] = int32_t(random() % 2);
        }
        std::vector<int16_t> before(1000);
        for (int16_t &word : before)
          word = format.narrow(float(random() % 100));
        const auto memory = chip_.device(before);
        std::vector<int16_t> expected = before;
        std::vector<float> found(values.size());
        for (size_t i = 0; i < values.size(); ++i)
          if (live[i] && flags[i]) {
            int16_t &word = expected[size_t(where[i])];
            found[i] = format.widen(word);
            word = format.narrow(found[i] + values[i]);
          }

        const Tensor index = to_tile(wave, where, DType::int32);
        const Mask some = eq(wave, to_tile(wave, flags, DType::int32), 1);
        const Mask mask = Mask(wave, live) & some;
        const Tensor old = wave.tile(DType::float32);
        const Index known(wave, 64, std::vector<int64_t>(where.begin(), where.end()));
        format.fetch(wave, old, on_chip ? memory[index] : memory[known],
                     to_tile(wave, values, DType::float32), mask);
        for (size_t i = 0; i < expected.size(); ++i)
          ASSERT_EQ(memory.pointer[i], expected[i]) << i;
        const std::vector<float> got = from_tile<float>(old);
        for (size_t i = 0; i < values.size(); ++i)
          if (live[i] && flags[i])
            ASSERT_EQ(got[i], found[i]) << i;
      }
}

TEST_P(AtomicsHalf, OneNumberFromAllLanesOfABlockReachesItsSharedWord) {
  const TestWave holder(GetParam());
  const Wave &wave = holder.wave();
  const int64_t blocks = wave.F() / wave.threads();
  if (blocks != 1) // shared memory has a partition of its own
    return;
  const Place shared = shared_array(wave, 6);
  atomic_fadd_half(wave, shared.at(2, 2), 0.1f, wave.all());
  int16_t expected = 0;
  for (int64_t i = 0; i < wave.F(); ++i)
    expected = float_to_half(half_to_float(expected) + 0.1f);
  const Tensor word = wave.tile(DType::int32);
  load(word, shared.at(2, 2), 2, wave.all());
  for (int32_t bits : from_tile<int32_t>(word))
    ASSERT_EQ(int16_t(bits), expected);
}

INSTANTIATE_TEST_SUITE_P(Shapes, AtomicsHalf, testing::ValuesIn(kWaveShapes), shape_name);

} // namespace
} // namespace nki
