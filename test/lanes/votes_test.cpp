// Votes, ballots, matches and reductions against the same done lane by lane.
#include "lanes/element.h"
#include "lanes/votes.h"

#include "chip_for_test.h"

#include <algorithm>
#include <functional>
#include <random>

namespace nki {
namespace {

using Random = std::mt19937_64;

class Votes : public testing::TestWithParam<WaveShape> {
protected:
  Votes() : made_(GetParam()), wave_(made_.wave()), random_(11) {
    threads_ = int64_t(wave_.launch().blockDim.count());
    size_t lanes = size_t(wave_.lanes());
    for (size_t lane = 0; lane < lanes; ++lane) {
      noise_.push_back(random_() % 2);
      few_.push_back(random_() % 8 == 0);
      values_.push_back(random_() % 3 ? int32_t(random_() % 3) : int32_t(random_()));
    }
    // Halves of a warp under masks of their own, as a program would have them.
    for (size_t lane = 0; lane < lanes; ++lane)
      halves_.push_back(int64_t(lane) % threads_ % 32 < 16 ? 0xffffu : 0xffff0000u);
  }

  int64_t lane_of(int64_t lane) const { return lane % threads_ % 32; }
  /// Calls f with the lanes of the warp of `lane`.
  template <class F> void each_of_warp(int64_t lane, F &&f) const {
    int64_t block = lane - lane % threads_, first = lane - lane_of(lane);
    for (int64_t other = first; other < std::min(first + 32, block + threads_); ++other)
      f(other);
  }
  uint32_t bits(int64_t lane, uint32_t members, const std::function<bool(int64_t)> &test) const {
    uint32_t result = 0;
    each_of_warp(lane, [&](int64_t other) {
      if (test(other) && members >> lane_of(other) & 1)
        result |= 1u << lane_of(other);
    });
    return result;
  }

  /// Calls f with sets of active lanes, as masks that are known and not, and member masks.
  void for_each_case(const std::function<void(const Mask &, const std::vector<uint8_t> &,
                                              const IntOperand &, std::vector<uint32_t>)> &f) {
    size_t lanes = size_t(wave_.lanes());
    for (const std::vector<uint8_t> &active :
         {std::vector<uint8_t>(lanes, 1), few_, std::vector<uint8_t>(lanes, 0)})
      for (bool tile : {false, true}) {
        Mask mask(wave_, active);
        if (tile)
          mask = Mask(wave_, mask.tile(wave_));
        f(mask, active, -1, std::vector<uint32_t>(lanes, ~0u));
        f(mask, active, 0x00ff0f35, std::vector<uint32_t>(lanes, 0x00ff0f35u));
        f(mask, active, to_tile(wave_, halves_, DType::int32), halves_);
      }
  }

  TestChip chip_;
  TestWave made_;
  const Wave &wave_;
  Random random_;
  int64_t threads_;
  std::vector<uint8_t> noise_, few_;
  std::vector<int32_t> values_;
  std::vector<uint32_t> halves_;
};

TEST_P(Votes, CountTheActiveMembersOfTheWarp) {
  for (bool tile : {false, true}) {
    Mask predicate(wave_, noise_);
    if (tile)
      predicate = Mask(wave_, predicate.tile(wave_));
    for_each_case([&](const Mask &mask, const std::vector<uint8_t> &active,
                      const IntOperand &members, std::vector<uint32_t> named) {
      Tensor set = wave_.tile(DType::int32), here = wave_.tile(DType::int32);
      ballot(wave_, set, predicate, mask, members);
      activemask(wave_, here, mask);
      Tensor any = vote_any(wave_, predicate, mask, members).tile(wave_);
      Tensor all = vote_all(wave_, predicate, mask, members).tile(wave_);
      Tensor uni = vote_uni(wave_, predicate, mask, members).tile(wave_);
      auto sets = from_tile<uint32_t>(set), heres = from_tile<uint32_t>(here);
      auto anys = from_tile<uint32_t>(any), alls = from_tile<uint32_t>(all),
           unis = from_tile<uint32_t>(uni);
      for (int64_t lane = 0; lane < wave_.lanes(); ++lane) {
        uint32_t member = named[size_t(lane)];
        uint32_t yes = bits(lane, member, [&](int64_t i) { return active[i] && noise_[i]; });
        uint32_t part = bits(lane, member, [&](int64_t i) { return active[i] != 0; });
        ASSERT_EQ(sets[lane], yes);
        ASSERT_EQ(heres[lane], bits(lane, ~0u, [&](int64_t i) { return active[i] != 0; }));
        ASSERT_EQ(anys[lane], yes != 0);
        ASSERT_EQ(alls[lane], yes == part);
        ASSERT_EQ(unis[lane], yes == 0 || yes == part);
      }
    });
  }
}

TEST_P(Votes, MatchLanesOfOneValue) {
  Tensor value = to_tile(wave_, values_, DType::int32);
  for_each_case([&](const Mask &mask, const std::vector<uint8_t> &active, const IntOperand &members,
                    std::vector<uint32_t> named) {
    Tensor any = wave_.tile(DType::int32), all = wave_.tile(DType::int32),
           one = wave_.tile(DType::int32);
    match_any(wave_, any, value, mask, members);
    match_all(wave_, all, value, mask, members);
    match_all(wave_, one, 5, mask, members);
    auto anys = from_tile<uint32_t>(any), alls = from_tile<uint32_t>(all),
         ones = from_tile<uint32_t>(one);
    for (int64_t lane = 0; lane < wave_.lanes(); ++lane) {
      uint32_t part = bits(lane, named[lane], [&](int64_t i) { return active[i] != 0; });
      uint32_t equal = bits(lane, named[lane],
                            [&](int64_t i) { return active[i] && values_[i] == values_[lane]; });
      ASSERT_EQ(anys[lane], equal);
      ASSERT_EQ(ones[lane], part);
      if (active[lane] && named[lane] >> lane_of(lane) & 1)
        ASSERT_EQ(alls[lane], equal == part ? part : 0u);
    }
  });
}

TEST_P(Votes, MatchLanesOfOne64BitValue) {
  std::vector<int32_t> high;
  for (int64_t lane = 0; lane < wave_.lanes(); ++lane)
    high.push_back(int32_t(random_() % 2));
  Wide value{to_tile(wave_, values_, DType::int32), to_tile(wave_, high, DType::int32)};
  Tensor any = wave_.tile(DType::int32), all = wave_.tile(DType::int32);
  match_any64(wave_, any, value, wave_.all(), -1);
  match_all64(wave_, all, value, wave_.all(), -1);
  auto anys = from_tile<uint32_t>(any), alls = from_tile<uint32_t>(all);
  for (int64_t lane = 0; lane < wave_.lanes(); ++lane) {
    uint32_t everybody = bits(lane, ~0u, [](int64_t) { return true; });
    uint32_t equal = bits(lane, ~0u, [&](int64_t i) {
      return values_[size_t(i)] == values_[size_t(lane)] && high[size_t(i)] == high[size_t(lane)];
    });
    ASSERT_EQ(anys[size_t(lane)], equal);
    ASSERT_EQ(alls[size_t(lane)], equal == everybody ? everybody : 0u);
  }
}

TEST_P(Votes, FindTheNthSetBit) {
  std::vector<int32_t> masks, bases, offsets;
  for (int64_t lane = 0; lane < wave_.lanes(); ++lane) {
    masks.push_back(int32_t(random_()));
    bases.push_back(int32_t(random_() % 32));
    offsets.push_back(int32_t(random_() % 25) - 12);
  }
  Tensor found = wave_.tile(DType::int32);
  fns(found, to_tile(wave_, masks, DType::int32), to_tile(wave_, bases, DType::int32),
      to_tile(wave_, offsets, DType::int32));
  auto got = from_tile<int32_t>(found);
  for (size_t lane = 0; lane < got.size(); ++lane) {
    int expected = -1, step = offsets[lane] < 0 ? -1 : 1, left = std::abs(offsets[lane]);
    if (left == 0 && uint32_t(masks[lane]) >> bases[lane] & 1)
      expected = bases[lane];
    for (int at = bases[lane]; left > 0 && at >= 0 && at < 32; at += step)
      if (uint32_t(masks[lane]) >> at & 1 && --left == 0)
        expected = at;
    ASSERT_EQ(got[lane], expected);
  }
}

TEST_P(Votes, ReduceTheValuesOfMembers) {
  Tensor value = to_tile(wave_, values_, DType::int32);
  using Step = uint32_t (*)(uint32_t, uint32_t);
  const std::pair<Step, uint32_t> steps[] = {
      {[](uint32_t a, uint32_t b) { return a + b; }, 0},
      {[](uint32_t a, uint32_t b) { return uint32_t(std::min(int32_t(a), int32_t(b))); },
       0x7fffffffu},
      {[](uint32_t a, uint32_t b) { return uint32_t(std::max(int32_t(a), int32_t(b))); },
       0x80000000u},
      {[](uint32_t a, uint32_t b) { return std::min(a, b); }, ~0u},
      {[](uint32_t a, uint32_t b) { return std::max(a, b); }, 0},
      {[](uint32_t a, uint32_t b) { return a & b; }, ~0u},
      {[](uint32_t a, uint32_t b) { return a | b; }, 0},
      {[](uint32_t a, uint32_t b) { return a ^ b; }, 0}};
  for (int op = 0; op < 8; ++op)
    for_each_case([&](const Mask &mask, const std::vector<uint8_t> &active,
                      const IntOperand &members, std::vector<uint32_t> named) {
      Tensor result = wave_.tile(DType::int32);
      reduce(wave_, WarpReduction(op), result, value, mask, members);
      auto results = from_tile<uint32_t>(result);
      for (int64_t lane = 0; lane < wave_.lanes(); ++lane) {
        uint32_t expected = steps[op].second;
        each_of_warp(lane, [&](int64_t other) {
          if (active[other] && named[lane] >> lane_of(other) & 1)
            expected = steps[op].first(expected, uint32_t(values_[other]));
        });
        ASSERT_EQ(results[lane], expected) << "operation " << op << ", lane " << lane;
      }
    });
}

TEST_P(Votes, BlocksCountTheirActiveLanes) {
  Mask predicate(wave_, noise_);
  for_each_case([&](const Mask &mask, const std::vector<uint8_t> &active, const IntOperand &,
                    std::vector<uint32_t>) {
    Tensor count = wave_.tile(DType::int32);
    block_count(wave_, count, predicate, mask);
    auto counts = from_tile<int32_t>(count);
    auto anys = from_tile<uint32_t>(block_any(wave_, predicate, mask).tile(wave_));
    auto alls = from_tile<uint32_t>(block_all(wave_, predicate, mask).tile(wave_));
    for (int64_t lane = 0; lane < wave_.lanes(); ++lane) {
      int32_t yes = 0, part = 0;
      int64_t first = lane - lane % threads_;
      for (int64_t other = first; other < first + threads_; ++other) {
        yes += active[other] && noise_[other];
        part += active[other] != 0;
      }
      ASSERT_EQ(counts[lane], yes);
      ASSERT_EQ(anys[lane], yes != 0);
      ASSERT_EQ(alls[lane], yes == part);
    }
  });
}

TEST_P(Votes, SpecialRegistersAreKnownAtLaunch) {
  Index warp = warp_id(wave_), eq = lane_mask_eq(wave_), lt = lane_mask_lt(wave_),
        le = lane_mask_le(wave_), gt = lane_mask_gt(wave_), ge = lane_mask_ge(wave_);
  for (int64_t lane = 0; lane < wave_.lanes(); ++lane) {
    uint32_t bit = 1u << lane_of(lane);
    ASSERT_EQ(warp.unsigned_at(lane), uint64_t(lane % threads_ / 32));
    ASSERT_EQ(eq.unsigned_at(lane), bit);
    ASSERT_EQ(lt.unsigned_at(lane), bit - 1);
    ASSERT_EQ(le.unsigned_at(lane), bit | (bit - 1));
    ASSERT_EQ(gt.unsigned_at(lane), ~(bit | (bit - 1)));
    ASSERT_EQ(ge.unsigned_at(lane), ~(bit - 1));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Votes,
    testing::Values(WaveShape{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 1},
                    WaveShape{{128, 1, 1}, {64, 1, 1}, {0, 0, 0}, {128, 1, 1}, 1},
                    WaveShape{{1000, 1, 1}, {33, 1, 1}, {17, 0, 0}, {29, 1, 1}, 1},
                    WaveShape{{1000, 1, 1}, {31, 1, 1}, {40, 0, 0}, {7, 1, 1}, 4},
                    WaveShape{{1000, 1, 1}, {32, 1, 1}, {40, 0, 0}, {7, 1, 1}, 4},
                    WaveShape{{9, 8, 7}, {5, 13, 2}, {3, 2, 1}, {3, 4, 2}, 1}),
    shape_name);

} // namespace
} // namespace nki
