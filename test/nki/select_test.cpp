// Selections by predicate, range and affine value.

#include "chip_for_test.h"

#include <algorithm>

namespace nki {
namespace {

class Select : public ChipTest {};

TEST_F(Select, SelectReduceTakesTheMaximumOfWhatWasSelected) {
  for (bool reverse : {false, true}) {
    std::vector<float> x = hard_floats(6 * 80, 9), p;
    std::erase_if(x, [](float value) { return std::isnan(value); });
    x.resize(6 * 80, 1.0f);
    for (size_t i = 0; i < x.size(); ++i)
      p.push_back(float(i % 3 == 0));
    Tensor a = tile_of(x, 6, 80), take = tile_of(p, 6, 80, nl::uint8), c = tile(6, 80);
    Tensor other = tile_of({-5, 7}, 6, 1), most = tile(6, 1);
    nisa::select_reduce(c, take, a, other, most, nisa::reduce_cmd::reset_reduce, nl::maximum,
                        reverse);
    std::vector<float> z = get(c);
    for (size_t i = 0; i < z.size(); ++i)
      ASSERT_EQ(z[i], (p[i] != 0) != reverse ? x[i] : i / 80 % 2 ? 7.0f : -5.0f);
    for (size_t row = 0; row < 6; ++row)
      EXPECT_EQ(get(most)[row], *std::max_element(&z[row * 80], &z[row * 80] + 80));
  }
}

TEST_F(Select, RangeSelectComparesTheFreeIndex) {
  std::vector<float> x(4 * 1500, 2.0f);
  Tensor a = tile_of(x, 4, 1500), c = tile(4, 1500);
  Tensor low = tile_of({10, 1200, 0, 50}, 4, 1), high = tile_of({20, 1300, 0, 40}, 4, 1);
  nisa::range_select(c, a, nl::greater_equal, nl::less, low, high, nisa::reduce_cmd::reset_reduce,
                     {}, nl::maximum, 3);
  std::vector<float> z = get(c), l = get(low), h = get(high);
  for (size_t i = 0; i < z.size(); ++i) {
    float index = float(3 + i % 1500);
    bool taken = index >= l[i / 1500] && index < h[i / 1500];
    ASSERT_EQ(z[i], taken ? 2.0f : -std::numeric_limits<float>::max()) << i;
  }
}

TEST_F(Select, AffineSelectOfEveryComparisonAndType) {
  using Op = nl::Op;
  for (DType to : {nl::float32, nl::bfloat16})
    for (Op op :
         {Op::equal, Op::not_equal, Op::greater, Op::greater_equal, Op::less, Op::less_equal}) {
      Tensor a = tile_of({3.0f}, 9, 40), c = tile(9, 40, to);
      nisa::affine_select(c, {{5, 4}, {-1, 10}}, 2, a, -1.0f, op, -12);
      std::vector<float> z = get(c);
      for (int p = 0; p < 9; ++p)
        for (int i = 0; i < 40; ++i) {
          int value = -12 + 2 * p + i / 10 * 5 - i % 10;
          bool taken = op == Op::equal           ? value == 0
                       : op == Op::not_equal     ? value != 0
                       : op == Op::greater       ? value > 0
                       : op == Op::greater_equal ? value >= 0
                       : op == Op::less          ? value < 0
                                                 : value <= 0;
          ASSERT_EQ(z[size_t(p * 40 + i)], taken ? 3.0f : -1.0f);
        }
    }
}

} // namespace
} // namespace nki
