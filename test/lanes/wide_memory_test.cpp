// 64-bit integers in memory and between the lanes of a warp.
#include "wide_for_test.h"

#include <algorithm>
#include <random>

namespace nki {
namespace {

class WideMemory : public WideIntegers {};

INSTANTIATE_TEST_SUITE_P(Shapes, WideMemory, testing::ValuesIn(kShapes), shape_name);

TEST_P(WideMemory, LoadsAndStoresOfDeviceMemory) {
  const int64_t count = wave().lanes();
  const std::vector<int64_t> &source = operands_.a;
  const hbm<int64_t> from = chip_.device(source);
  std::vector<int64_t> lane_numbers;
  std::vector<int32_t> permuted;
  for (int64_t i = 0; i < count; ++i) {
    lane_numbers.push_back(i);
    permuted.push_back(int32_t((i * 7 + 3) % count));
  }
  const Index lane(wave(), 64, lane_numbers);
  const Tensor index = to_tile(wave(), permuted, DType::int32);
  std::vector<uint8_t> bits(static_cast<size_t>(count));
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = i % 5 != 0;
  const std::vector<uint32_t> as_words(bits.begin(), bits.end());
  for (const Mask &mask : {wave().all(), Mask(wave(), false), Mask(wave(), bits),
                           Mask(wave(), to_tile(wave(), as_words, DType::uint32))}) {
    const hbm<int64_t> affine = chip_.device(std::vector<int64_t>(size_t(count), -9));
    const hbm<int64_t> scattered = chip_.device(std::vector<int64_t>(size_t(count), -9));
    const hbm<int64_t> number = chip_.device(std::vector<int64_t>(size_t(count), -9));
    const Wide x = wave().wide(), y = wave().wide();
    load(x, from[lane], 8, mask);
    store(affine[lane], x, 8, mask);
    load(y, from[index], 8, mask);
    store(scattered[index], y, 8, mask);
    store(number[lane], WideOperand(-5000000001), 8, mask);
    for (int64_t i = 0; i < count; ++i) {
      const bool in = mask.is_all() || (!mask.is_none() && bits[size_t(i)]);
      ASSERT_EQ(affine.pointer[i], in ? source[size_t(i)] : -9) << i;
      ASSERT_EQ(number.pointer[i], in ? -5000000001 : -9) << i;
      const int64_t to = permuted[size_t(i)];
      ASSERT_EQ(scattered.pointer[to], in ? source[size_t(to)] : -9) << i;
    }
  }
}

TEST_P(WideMemory, SharedMemoryAndLocalArrays) {
  const Index thread = sext(wave().threadIdx.x, 64);
  const Place shared = shared_array(wave(), 8 * wave().F()), local = local_array(wave(), 24);
  store(shared.at(thread, 8), a(), 8, wave().all());
  const Wide mirrored = wave().wide(), own = wave().wide();
  load(mirrored, shared.at(Index(wave().F() - 1) - thread, 8), 8, wave().all());
  const std::vector<int64_t> values = from_wide(mirrored);
  for (int64_t i = 0; i < wave().lanes(); ++i) {
    const int64_t row = i / wave().F() * wave().F();
    ASSERT_EQ(values[size_t(i)], operands_.a[size_t(row + wave().F() - 1 - (i - row))]);
  }
  std::vector<int32_t> which;
  for (size_t i = 0; i < lanes(); ++i)
    which.push_back(int32_t(i % 3));
  const Tensor element = to_tile(wave(), which, DType::int32);
  store(local.plus(element, 8), b(), 8, wave().all());
  load(own, local.plus(element, 8), 8, wave().all());
  expect("local", own, [](int64_t, int64_t y) { return y; });
}

TEST_P(WideMemory, Shuffles) {
  const Wide x = a(), up = wave().wide(), down = wave().wide(), xored = wave().wide();
  shfl_up(wave(), up, x, Index(1), 32);
  shfl_down(wave(), down, x, Index(2), 8);
  shfl_xor(wave(), xored, x, Index(5), 32);
  std::vector<int32_t> sources;
  for (size_t i = 0; i < lanes(); ++i)
    sources.push_back(int32_t(i * 5 % 32));
  const Wide known = wave().wide(), own = x;
  shfl(wave(), known, x, Index(3), 16);
  const Tensor source = to_tile(wave(), sources, DType::int32);
  const Wide computed = wave().wide();
  shfl(wave(), computed, x, source, 32);
  for (const auto &[wide, half] : {std::pair{up, 0}, std::pair{down, 1}, std::pair{xored, 2},
                                   std::pair{known, 3}, std::pair{computed, 4}})
    for (const bool high : {false, true}) { // each word goes where 32 bits go
      const Tensor expected = wave().tile(DType::int32), word = high ? x.high : x.low;
      if (half == 0)
        shfl_up(wave(), expected, word, Index(1), 32);
      else if (half == 1)
        shfl_down(wave(), expected, word, Index(2), 8);
      else if (half == 2)
        shfl_xor(wave(), expected, word, Index(5), 32);
      else if (half == 3)
        shfl(wave(), expected, word, Index(3), 16);
      else
        shfl(wave(), expected, word, source, 32);
      ASSERT_EQ(from_tile<int32_t>(expected), from_tile<int32_t>(high ? wide.high : wide.low));
    }
}

} // namespace
} // namespace nki
