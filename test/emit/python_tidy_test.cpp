// What Python's form of a tile program leaves out, and what has to stay.
#include "emit/python_in_place.h"
#include "emit/python_ranges.h"
#include "emit/python_tidy.h"

#include "../tile/programs.h"
#include "tile/verify.h"

namespace neuronify::emit {
namespace {

const char *kVariables = R"(variable %0 pointer<float> "x" named
variable %1 i32 "n" named
variable %2 i32 "k" named
variable %3 index64 "" made_up
variable %4 tile.f32 "" made_up
variable %5 tile.f32 "sum" named
variable %6 tile.f32 "" made_up
variable %7 tile.f32 "sum_1" named
variable %8 index32 "i" named
variable %9 tile.f32 "old" named
variable %10 u32 "u" named
input %0 0 0 "" parameter
input %1 1 0 "" parameter
)";

tile::Program program(const std::string &body) {
  tile::Program result = tile::program(kVariables, body);
  EXPECT_TRUE(tile::verify(result).empty()) << tile::verify(result)[0];
  return result;
}

std::string tidied(const std::string &body) {
  const tile::Program result = tidied_for_python(program(body));
  EXPECT_TRUE(tile::verify(result).empty()) << tile::verify(result)[0];
  return tile::body_of(result);
}

std::string store(const std::string &value, const std::string &at = "0:i64") {
  return "  store(element:place(%0, " + at + ", 4:i32), " + value + ", 4:i32, all:mask()) @9\n";
}

const std::string kTile4 = "  declare %4 = tile:tile.f32() @1\n  fill(%4, 0:f32) @1\n";

TEST(PythonTidy, AWidenedNumberStandsUnderItsOwnName) {
  EXPECT_EQ(tidied(kTile4 +
                   "  declare %8 = add:index32(threadIdx.x:index32(), %1) @1\n"
                   "  declare %3 = sext:index64(%8) @1\n" +
                   store("%4", "%3") + store("%4", "%3")),
            kTile4 + "  declare %8 = add:index32(threadIdx.x:index32(), %1) @1\n" +
                store("%4", "sext:index64(%8)") + store("%4", "sext:index64(%8)"));
}

TEST(PythonTidy, NotWhereTheNumberChangesBeforeItsLastUse) {
  const std::string body = kTile4 +
                           "  declare %8 = threadIdx.x:index32() @1\n"
                           "  declare %3 = sext:index64(%8) @1\n"
                           "  set %8 = add:index32(%8, 1:i32) @1\n" +
                           store("%4", "%3") + store("%4", "sext:index64(%8)");
  EXPECT_EQ(tidied(body), body);
}

TEST(PythonTidy, ATileIsMadeUnderTheNameThatItGets) {
  EXPECT_EQ(tidied(kTile4 + "  declare %5 = %4 @2\n" + store("%5")),
            "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n" + store("%5"));
}

TEST(PythonTidy, NotWhereItHasTwo) {
  const std::string body = kTile4 + "  declare %5 = %4 @2\n" + store("%5") + store("%4");
  EXPECT_EQ(tidied(body), body);
}

TEST(PythonTidy, AVariableThatIsGivenBackIsTheOneItCameFrom) {
  const std::string made = "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n";
  EXPECT_EQ(tidied(made +
                   "  while slt:bool(%1, 3:i32) { @2\n    declare %7 = %5 @2\n"
                   "    while slt:bool(%1, 2:i32) { @3\n"
                   "      declare %6 = tile:tile.f32() @3\n      fadd(%6, %7, 1:f32) @3\n"
                   "      set %7 = %6 @3\n    }\n    set %5 = %7 @2\n  }\n" +
                   store("%5")),
            made +
                "  while slt:bool(%1, 3:i32) { @2\n    while slt:bool(%1, 2:i32) { @3\n"
                "      declare %6 = tile:tile.f32() @3\n      fadd(%6, %5, 1:f32) @3\n"
                "      set %5 = %6 @3\n    }\n  }\n" +
                store("%5"));
}

TEST(PythonTidy, NotWhereALoopIsLeftBeforeItIsGivenBack) {
  const std::string body = "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n"
                           "  while slt:bool(%1, 3:i32) { @2\n    declare %7 = %5 @2\n"
                           "    declare %6 = tile:tile.f32() @3\n    fadd(%6, %7, 1:f32) @3\n"
                           "    set %7 = %6 @3\n    if slt:bool(%1, 2:i32) { @3\n      leave @3\n"
                           "    }\n    set %5 = %7 @2\n  }\n" +
                           store("%5");
  EXPECT_EQ(tidied(body), body);
}

// ---- sums in place

std::string summed(const std::string &body, bool on_chip = false) {
  tile::Program result = program(body);
  sum_in_place(result, [&](const tile::Statement &) { return on_chip; });
  EXPECT_TRUE(tile::verify(result).empty()) << tile::verify(result)[0];
  return tile::body_of(result);
}

const std::string kMade = "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n";
const std::string kSum = "  while slt:bool(%1, 3:i32) { @2\n    declare %6 = tile:tile.f32() @3\n"
                         "    fadd(%6, %5, 1:f32) @3\n    set %5 = %6 @3\n  }\n";

TEST(SumInPlace, WritesTheVariableItself) {
  EXPECT_EQ(summed(kMade + kSum + store("%5")),
            kMade + "  while slt:bool(%1, 3:i32) { @2\n    fadd(%5, %5, 1:f32) @3\n  }\n" +
                store("%5"));
}

TEST(SumInPlace, NotWhereTheTileHasAnotherName) {
  const std::string body = kMade + "  declare %9 = %5 @1\n" + kSum + store("%5") + store("%9");
  EXPECT_EQ(summed(body), body);
}

TEST(SumInPlace, NotWhereTheOldValueIsReadAfterwards) {
  const std::string body = kMade +
                           "  while slt:bool(%1, 3:i32) { @2\n"
                           "    declare %6 = tile:tile.f32() @3\n    fadd(%6, %5, 1:f32) @3\n  " +
                           store("%5") + "    set %5 = %6 @3\n  }\n" + store("%5");
  EXPECT_EQ(summed(body), body);
}

TEST(SumInPlace, NotInALoopThatLanesLeaveOnTheirOwn) {
  const std::string body = kMade + kSum + store("%5");
  EXPECT_EQ(summed(body, true), body);
}

// ---- ranges

std::optional<CountedRange> range(const std::string &loop, const std::string &inside = "") {
  return counted_range(
      program("  declare %2 = 5:i32 @1\n  for " + loop + " { @1\n" + inside + "  }\n").body.back());
}

TEST(CountedRange, CountsUpToAnEndThatTheLaunchKnows) {
  const auto found = range("%10 = 0:u32 while ult:bool(%10, 9:u32) step add:u32(%10, 2:u32)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 2);
  EXPECT_EQ(found->beyond, 0);
  EXPECT_EQ(found->lowest, 0);
  EXPECT_EQ(found->highest, 8);
}

TEST(CountedRange, CountsDownAndReachesTheEnd) {
  tile::Program p = tile::program(kVariables, "  for %2 = %1 while sge:bool(%2, 1:i32) step "
                                              "add:i32(%2, -1:i32) { @1\n  }\n");
  const auto found = counted_range(p.body.back());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, -1);
  EXPECT_EQ(found->beyond, -1);
  EXPECT_EQ(found->lowest, 1);
  EXPECT_EQ(found->highest, INT32_MAX);
}

TEST(CountedRange, NotWhereTheEndMoves) {
  EXPECT_FALSE(range("%10 = 0:u32 while ult:bool(%10, zext:u32(%2)) step add:u32(%10, 1:u32)",
                     "    set %2 = add:i32(%2, 1:i32) @1\n"));
}

TEST(CountedRange, NotWhereTheCounterIsComparedAsAnotherNumber) {
  EXPECT_FALSE(range("%10 = 0:u32 while slt:bool(%10, 9:i32) step add:u32(%10, 1:u32)"));
}

TEST(CountedRange, NotWhereItHalves) {
  EXPECT_FALSE(range("%10 = 64:u32 while ugt:bool(%10, 0:u32) step lshr:u32(%10, 1:u32)"));
}

} // namespace
} // namespace neuronify::emit
