// Which pairs of values match, and what the statistics say of them.
#include "host/compare.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using namespace neuronify;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

Comparison compare_as(const char *types, const void *reference, const void *port, size_t size,
                      const Tolerances &tolerances = {}) {
  Region region{0, read_layout(types)};
  return compare(reference, port, size, {&region, 1}, tolerances);
}

Comparison compare_floats(std::vector<float> reference, std::vector<float> port,
                          const Tolerances &tolerances = {}) {
  return compare_as("f32", reference.data(), port.data(), reference.size() * 4, tolerances);
}

float from_bits(uint32_t bits) { return std::bit_cast<float>(bits); }

TEST(Compare, EqualBytesMatchWhateverTheyHold) {
  Comparison c = compare_floats({kNan, kInf, -0.0f, 1.0f}, {kNan, kInf, -0.0f, 1.0f});
  EXPECT_EQ(c.elements, 4u);
  EXPECT_EQ(c.different, 0u);
  EXPECT_EQ(c.mismatches, 0u);
  EXPECT_FALSE(c.first);
}

TEST(Compare, NanMustBeWhereTheReferenceHasIt) {
  EXPECT_EQ(compare_floats({kNan}, {from_bits(0xFFC00000)}).mismatches, 0u); // of another machine
  EXPECT_EQ(compare_floats({kNan}, {from_bits(0x7FFFFFFF)}).mismatches, 0u);
  EXPECT_EQ(compare_floats({from_bits(0xFFC12345)}, {kNan}).mismatches, 0u); // kept or made anew
  EXPECT_EQ(compare_floats({from_bits(0xFF812345)}, {from_bits(0xFFC12345)}).mismatches, 0u);
  EXPECT_EQ(compare_floats({kNan}, {1.0f}).mismatches, 1u);
  EXPECT_EQ(compare_floats({1.0f}, {kNan}).mismatches, 1u);
  EXPECT_EQ(compare_floats({kInf}, {kNan}).mismatches, 1u);
  Comparison c = compare_floats({1, kNan, 3}, {1, 2, 3});
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->index, 1u);
  EXPECT_EQ(c.first->reference, "nan");
  EXPECT_EQ(c.first->port, "2");
}

// Code stores integers in floats: small ones are tiny numbers, negative ones are NaN.
TEST(Compare, IntegersInFloatsAreNotTakenForResultsThatAreNearEnough) {
  Comparison negative = compare_floats({from_bits(uint32_t(-31))}, {from_bits(uint32_t(-32))});
  EXPECT_EQ(negative.mismatches, 1u);
  EXPECT_EQ(compare_floats({from_bits(uint32_t(-31))}, {from_bits(uint32_t(-31))}).mismatches, 0u);
  Comparison small = compare_floats({from_bits(5)}, {from_bits(4)});
  EXPECT_EQ(small.mismatches, 1u);
  Comparison beside = compare_floats({1.0f, from_bits(5)}, {1.0f, from_bits(4)});
  EXPECT_EQ(beside.near_zero, 1u); // passes, and is counted
}

TEST(Compare, AMarkerForNoneYetDoesNotWidenTheTolerance) {
  constexpr float none = std::numeric_limits<float>::max();
  EXPECT_EQ(compare_floats({none, 30.0f}, {none, 31.0f}).mismatches, 1u);
  EXPECT_EQ(compare_floats({1e30f, 30.0f}, {1e30f, 31.0f}).near_zero, 1u);
}

Comparison compare_demoted(std::vector<double> reference, std::vector<double> port) {
  Tolerances tolerances;
  tolerances.demoted = true;
  return compare_as("f64", reference.data(), port.data(), reference.size() * 8, tolerances);
}

TEST(Compare, DoublesThatWereComputedAsFloatsCompareAsFloats) {
  EXPECT_EQ(compare_demoted({1.0 / 3}, {double(1.0f / 3)}).mismatches, 0u);
  EXPECT_EQ(compare_demoted({1.0 / 3}, {double(1.0f / 3)}).max_ulp, 0u);
  EXPECT_EQ(compare_as("f64", std::vector{1.0 / 3}.data(), std::vector{double(1.0f / 3)}.data(), 8)
                .mismatches,
            1u);
  EXPECT_EQ(compare_demoted({1.0}, {1.0001}).mismatches, 1u);
  EXPECT_EQ(compare_demoted({1e-310}, {0.0}).mismatches, 0u);
  EXPECT_EQ(compare_demoted({1e-310}, {0.0}).near_zero, 1u);
  EXPECT_EQ(compare_demoted({1e-310}, {1.0}).mismatches, 1u);
}

TEST(Compare, ADoubleThatNoFloatHoldsDoesNotMatchInfinity) {
  EXPECT_EQ(compare_demoted({1e300}, {double(kInf)}).mismatches, 1u);
  EXPECT_EQ(compare_demoted({1e300}, {1e300 * (1 + 1e-15)}).mismatches, 1u);
  EXPECT_EQ(compare_demoted({double(kInf)}, {double(kInf)}).mismatches, 0u);
  EXPECT_EQ(compare_demoted({double(kNan)}, {1.0}).mismatches, 1u);
}

TEST(Compare, DoublesThatWerePairsOfFloatsCompareInTheirUnits) {
  Tolerances paired;
  paired.paired = true;
  paired.f64.relative = 0;
  auto compare = [&](std::vector<double> reference, std::vector<double> port) {
    return compare_as("f64", reference.data(), port.data(), 8 * reference.size(), paired);
  };
  EXPECT_EQ(compare({1.0}, {1.0 + 0x1p-45}).max_ulp, 4u);
  EXPECT_EQ(compare({1.0}, {1.0 + 0x1p-45}).mismatches, 0u);
  EXPECT_EQ(compare({1.0}, {1.0 + 0x1p-42}).mismatches, 1u);
  // What is left of larger numbers.
  EXPECT_EQ(compare({1024.0, 0x1p-40}, {1024.0, 0.0}).mismatches, 0u);
  EXPECT_EQ(compare({1.0, 0x1p-40}, {1.0, 0.0}).mismatches, 1u);
  // Below the floats.
  EXPECT_EQ(compare({1e-310}, {0.0}).mismatches, 0u);
  EXPECT_EQ(compare({1e-310}, {1e-40}).mismatches, 1u);
  EXPECT_EQ(compare({0x1p-110}, {0x1p-110 + 0x1p-148}).mismatches, 0u);
  EXPECT_EQ(compare({1e300}, {double(kInf)}).mismatches, 1u);
}

TEST(Compare, InfinityMatchesOnlyItself) {
  Tolerances loose;
  loose.f32 = {1e30, 1e30};
  EXPECT_EQ(compare_floats({kInf}, {-kInf}, loose).mismatches, 1u);
  EXPECT_EQ(compare_floats({kInf}, {std::numeric_limits<float>::max()}, loose).mismatches, 1u);
  EXPECT_EQ(compare_floats({std::numeric_limits<float>::max()}, {kInf}, loose).mismatches, 1u);
}

TEST(Compare, ZerosOfBothSignsAreTheSameValueButDifferentBits) {
  Comparison c = compare_floats({0.0f}, {-0.0f});
  EXPECT_EQ(c.mismatches, 0u);
  EXPECT_EQ(c.different, 1u);
  EXPECT_EQ(c.max_ulp, 0u);
  EXPECT_EQ(c.ulp_histogram[0], 1u);
  Tolerances exact;
  ASSERT_TRUE(read_tolerances("exact", exact));
  EXPECT_EQ(compare_floats({0.0f}, {-0.0f}, exact).mismatches, 1u);
  EXPECT_EQ(compare_floats({kNan}, {-kNan}, exact).mismatches, 0u);
}

TEST(Compare, UlpsAreCountedThroughZero) {
  float smallest = from_bits(1);
  EXPECT_EQ(compare_floats({smallest}, {-smallest}).max_ulp, 2u);
  EXPECT_EQ(compare_floats({-0.0f}, {smallest}).max_ulp, 1u);
  EXPECT_EQ(compare_floats({1.0f}, {nextafterf(1.0f, 2)}).max_ulp, 1u);
  EXPECT_EQ(compare_floats({-1.0f}, {nextafterf(-1.0f, 0)}).max_ulp, 1u);
  EXPECT_EQ(compare_floats({2.0f}, {1.0f}).max_ulp, uint64_t(1) << 23);
}

TEST(Compare, UlpHistogramPutsEachDistanceIntoItsBucket) {
  auto apart = [](unsigned n) { return from_bits(0x3F800000 + n); };
  Comparison c = compare_floats({1, 1, 1, 1, 1, 1},
                                {apart(1), apart(2), apart(3), apart(5), apart(17), apart(1025)});
  EXPECT_EQ(c.ulp_histogram, (std::array<uint64_t, 8>{0, 1, 1, 1, 1, 1, 0, 1}));
}

TEST(Compare, RelativeToleranceIsOfTheReference) {
  Tolerances t;
  t.f32 = {0.01, 0};
  EXPECT_EQ(compare_floats({100}, {100.9f}, t).mismatches, 0u);
  EXPECT_EQ(compare_floats({100}, {101.1f}, t).mismatches, 1u);
  EXPECT_EQ(compare_floats({-100}, {100}, t).mismatches, 1u);
}

TEST(Compare, AbsoluteToleranceScalesWithTheBuffer) {
  // 1e-7 is noise beside 1 and everything in a buffer of such numbers.
  EXPECT_EQ(compare_floats({1, 1e-7f}, {1, 2e-7f}).mismatches, 0u);
  EXPECT_EQ(compare_floats({1e-7f, 1e-7f}, {1e-7f, 2e-7f}).mismatches, 1u);
  EXPECT_EQ(compare_floats({0, 0}, {0, 1e-30f}).mismatches, 1u);
  EXPECT_EQ(compare_floats({1000, 1e-4f}, {1000, 2e-4f}).mismatches, 0u);
  EXPECT_EQ(compare_floats({1000, 1e-2f}, {1000, 2e-2f}).mismatches, 1u);
  // Infinities and NaN do not widen it, and neither does what the port has.
  EXPECT_EQ(compare_floats({kInf, kNan, 1e-7f}, {kInf, kNan, 2e-7f}).mismatches, 1u);
  EXPECT_EQ(compare_floats({1e-7f, 1e-7f}, {1, 2e-7f}).mismatches, 2u);
}

TEST(Compare, WhatPassesByTheAbsoluteToleranceOnlyIsCounted) {
  Comparison c = compare_floats({4, 1e-7f, 3e-7f, 0}, {nextafterf(4, 5), -1e-7f, 9e-7f, 1e-9f});
  EXPECT_EQ(c.mismatches, 0u);
  EXPECT_EQ(c.near_zero, 3u) << "wrong by sign, by magnitude, and for a zero";
  ASSERT_TRUE(c.furthest_near_zero);
  EXPECT_EQ(c.furthest_near_zero->index, 2u);
  EXPECT_EQ(c.furthest_near_zero->port, "8.99999975e-07");
  EXPECT_GT(c.max_ulp, 1000000u) << "and their distance stays what it is";
  EXPECT_EQ(compare_floats({4, 1}, {nextafterf(4, 5), 1.000001f}).near_zero, 0u);
  Comparison more = compare_floats({4, 0}, {4, 2e-6f});
  c.merge(more);
  EXPECT_EQ(c.near_zero, 4u);
  EXPECT_EQ(c.furthest_near_zero->port, "1.99999999e-06");
}

TEST(Compare, AFewUlpMatchDownToTheSmallestNormalNumber) {
  EXPECT_EQ(compare_floats({from_bits(0x800000)}, {from_bits(0x800008)}).mismatches, 0u);
  EXPECT_EQ(compare_floats({from_bits(0x7FFFFF)}, {from_bits(0x800001)}).mismatches, 0u);
  EXPECT_EQ(compare_floats({from_bits(3)}, {from_bits(4)}).mismatches, 1u);
  Tolerances strict;
  ASSERT_TRUE(read_tolerances("0:0:1", strict));
  EXPECT_EQ(compare_floats({1}, {from_bits(0x3F800001)}, strict).mismatches, 0u);
  EXPECT_EQ(compare_floats({1}, {from_bits(0x3F800002)}, strict).mismatches, 1u);
}

TEST(Compare, AnAbsoluteToleranceThatIsGivenDoesNotScale) {
  Tolerances given;
  ASSERT_TRUE(read_tolerances("0:1e-3:0", given));
  EXPECT_EQ(compare_floats({1e-6f}, {9e-4f}, given).mismatches, 0u);
  EXPECT_EQ(compare_floats({1000, 1}, {1000, 1.002f}, given).mismatches, 1u);
}

TEST(Compare, HugeNumbersOfOppositeSignDoNotOverflowTheStatistics) {
  double big = std::numeric_limits<double>::max();
  double reference[] = {big}, port[] = {-big};
  Comparison c = compare_as("f64", reference, port, 8);
  EXPECT_EQ(c.mismatches, 1u);
  EXPECT_EQ(c.max_relative, 2);
}

TEST(Compare, OneFlippedBitIsFoundAtItsIndex) {
  std::vector<int32_t> reference(100003);
  std::iota(reference.begin(), reference.end(), -50000);
  for (size_t at : {size_t(0), size_t(1023), size_t(1024), size_t(77777), reference.size() - 1})
    for (int bit : {0, 17, 31}) {
      std::vector<int32_t> port = reference;
      port[at] ^= int32_t(1u << bit);
      Comparison c = compare_as("i32", reference.data(), port.data(), port.size() * 4);
      ASSERT_TRUE(c.first);
      EXPECT_EQ(c.mismatches, 1u);
      EXPECT_EQ(c.first->index, at);
      EXPECT_EQ(c.first->offset, 4 * at);
      EXPECT_EQ(c.first->reference, std::to_string(reference[at]));
      EXPECT_EQ(c.first->port, std::to_string(port[at]));
    }
}

TEST(Compare, UnknownBuffersAreComparedByteByByte) {
  float reference[] = {1, 2, 3}, port[] = {1, nextafterf(2, 3), 3};
  Comparison c = compare(reference, port, sizeof port, {}, {});
  EXPECT_EQ(c.mismatches, 1u);
  EXPECT_EQ(c.first->type, ElementType::bytes);
  EXPECT_EQ(c.first->offset, 4u);
  EXPECT_EQ(c.elements, 12u);
}

TEST(Compare, StructsAreComparedFieldByField) {
  struct Particle {
    float position;
    int32_t cell;
  };
  Particle reference[] = {{1, 5}, {2, 6}, {3, 7}}, port[] = {{1, 5}, {2, 6}, {3, 7}};
  port[1].position = nextafterf(2, 3);
  EXPECT_EQ(compare_as("f32 i32", reference, port, sizeof port).mismatches, 0u);
  port[2].cell = 8;
  Comparison c = compare_as("f32 i32", reference, port, sizeof port);
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.mismatches, 1u);
  EXPECT_EQ(c.first->index, 2u);
  EXPECT_EQ(c.first->field, 1);
  EXPECT_EQ(c.first->reference, "7");
}

TEST(Compare, PaddingBetweenFieldsIsNotCompared) {
  char reference[16] = {}, port[16] = {};
  port[1] = port[3] = port[9] = 1;
  EXPECT_EQ(compare_as("u8 pad pad pad f32", reference, port, 16).mismatches, 0u);
  port[8] = 1;
  EXPECT_EQ(compare_as("u8 pad pad pad f32", reference, port, 16).mismatches, 1u);
}

TEST(Compare, RegionsOfOneBufferHaveTheirOwnTypes) {
  char reference[16] = {}, port[16] = {};
  float a = 1, b = nextafterf(1, 2);
  std::memcpy(reference + 2, &a, 4); // floats from byte 2 on, integers from byte 10 on
  std::memcpy(port + 2, &b, 4);
  Region regions[] = {{2, read_layout("f32")}, {10, read_layout("i16")}};
  EXPECT_EQ(compare(reference, port, 16, regions, {}).mismatches, 0u);
  port[12] = 1;
  Comparison c = compare(reference, port, 16, regions, {});
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->offset, 12u);
  EXPECT_EQ(c.first->type, ElementType::i16);
  port[12] = 0;
  port[1] = 1; // before the first region, out of step with its elements
  EXPECT_EQ(compare(reference, port, 16, regions, {}).first->offset, 1u);
}

TEST(Compare, ATailSmallerThanAnElementCounts) {
  char reference[7] = {}, port[7] = {};
  port[6] = 1;
  Comparison c = compare_as("f32", reference, port, 7);
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->offset, 6u);
  EXPECT_EQ(c.elements, 4u);
}

TEST(Compare, AnEmptyBufferMatches) { EXPECT_EQ(compare_as("f32", "", "", 0).elements, 0u); }

TEST(Compare, HalfFormatsHaveTheirOwnUlps) {
  uint16_t one = 0x3C00, next = 0x3C01, smallest = 0x0001, negative = 0x8001;
  EXPECT_EQ(compare_as("f16", &one, &next, 2).max_ulp, 1u);
  EXPECT_EQ(compare_as("f16", &smallest, &negative, 2).max_ulp, 2u);
  uint16_t nan = 0x7E00, infinity = 0x7C00;
  EXPECT_EQ(compare_as("f16", &nan, &infinity, 2).mismatches, 1u);
  uint16_t bf = 0x3F80, bf_next = 0x3F81;
  Comparison c = compare_as("bf16", &bf, &bf_next, 2);
  EXPECT_EQ(c.max_ulp, 1u);
  EXPECT_NEAR(c.max_relative, 1.0 / 129, 1e-12);
}

TEST(Tolerances, AreReadInAllTheirForms) {
  Tolerances t;
  EXPECT_TRUE(read_tolerances("1e-3", t));
  EXPECT_EQ(t.f32.relative, 1e-3);
  EXPECT_EQ(t.f64.absolute, Tolerance::kScaled);
  EXPECT_TRUE(read_tolerances("f32=1e-5:2e-6,f16=0", t));
  EXPECT_EQ(t.f32.relative, 1e-5);
  EXPECT_EQ(t.f32.absolute, 2e-6);
  EXPECT_EQ(t.f16.relative, 0);
  EXPECT_EQ(t.f64.relative, 1e-3);
  EXPECT_TRUE(read_tolerances("::3,f64=:1e-9", t));
  EXPECT_EQ(t.f32.ulp, 3u);
  EXPECT_EQ(t.f32.absolute, 2e-6);
  EXPECT_EQ(t.f64.absolute, 1e-9);
  EXPECT_EQ(t.f64.relative, 1e-3);
}

TEST(Tolerances, NonsenseChangesNothing) {
  Tolerances t;
  for (const char *text : {"", "x", "-1", "1:", "f33=1", "f32=", "f32=1,", "nan", "inf",
                           "f32=1:2:3:4", "::1.5", "::-1", ":", "f32=:"})
    EXPECT_FALSE(read_tolerances(text, t)) << text;
  EXPECT_EQ(t.f32.relative, Tolerances().f32.relative);
  EXPECT_FALSE(t.exact);
}

} // namespace
