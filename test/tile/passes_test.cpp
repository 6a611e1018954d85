#include "tile/passes/passes.h"

#include "programs.h"
#include "tile/verify.h"

namespace neuronify::tile {
namespace {

const char *kVariables = R"(variable %0 pointer<float> "x" named
variable %1 i32 "n" named
variable %2 i32 "k" named
variable %3 i32 "" made_up
variable %4 tile.f32 "" made_up
variable %5 tile.f32 "" made_up
variable %6 tile.f32 "" made_up
variable %7 mask "" made_up
variable %8 index32 "i" named
variable %9 tile.f32 "sum" named
variable %10 tile.f32 "sum_1" named
variable %11 place "large" named
variable %12 index32 "i" named
variable %13 index32 "j" named
variable %14 i32 "k" named
input %0 0 0 "" parameter
input %1 1 0 "" parameter
)";

std::string after(void (*pass)(Program &), const std::string &body) {
  Program p = program(kVariables, body);
  EXPECT_TRUE(verify(p).empty()) << verify(p)[0];
  pass(p);
  EXPECT_TRUE(verify(p).empty()) << verify(p)[0];
  return body_of(p);
}

const std::string kStore = "  store(element:place(%0, 0:i64, 4:i32), %4, 4:i32, all:mask()) @9\n";

TEST(RemoveDeadCode, KeepsWhatReachesMemory) {
  const std::string body = "  declare %4 = tile:tile.f32() @1\n  fill(%4, 0:f32) @1\n" + kStore;
  EXPECT_EQ(after(remove_dead_code, body), body);
}

TEST(RemoveDeadCode, DropsTilesNobodyReadsAndWhatOnlyTheyNeeded) {
  EXPECT_EQ(after(remove_dead_code, "  declare %4 = tile:tile.f32() @1\n  fill(%4, 0:f32) @1\n"
                                    "  declare %5 = tile:tile.f32() @1\n  exp(%5, %4) @1\n"),
            "");
}

TEST(RemoveDeadCode, DropsAnAccumulatorThatOnlyReadsItself) {
  EXPECT_EQ(after(remove_dead_code, "  declare %3 = 0:i32 @1\n  set %3 = add:i32(%3, 1:i32) @1\n"),
            "");
}

TEST(RemoveDeadCode, TurnsABranchWithAnEmptyFirstSideAround) {
  EXPECT_EQ(after(remove_dead_code, "  declare %4 = tile:tile.f32() @1\n  fill(%4, 0:f32) @1\n"
                                    "  if slt:bool(%1, 1:i32) { @1\n  } else {\n  " +
                                        kStore + "  }\n"),
            "  declare %4 = tile:tile.f32() @1\n  fill(%4, 0:f32) @1\n"
            "  if not:bool(slt:bool(%1, 1:i32)) { @1\n  " +
                kStore + "  }\n");
}

TEST(FoldExpressions, WritesASingleUseInPlace) {
  EXPECT_EQ(after(fold_expressions,
                  "  declare %3 = add:i32(%1, 1:i32) @1\n  declare %2 = mul:i32(%3, 2:i32) @2\n"),
            "  declare %2 = mul:i32(add:i32(%1, 1:i32), 2:i32) @2\n");
}

TEST(FoldExpressions, KeepsAnExpressionWhoseVariableChangesBeforeTheUse) {
  const std::string body = "  declare %2 = 0:i32 @1\n  declare %3 = add:i32(%2, 1:i32) @1\n"
                           "  set %2 = 7:i32 @2\n  declare %8 = mul:index32(%3, %3) @3\n";
  EXPECT_EQ(after(fold_expressions, body), body);
}

TEST(FoldExpressions, KeepsAnExpressionOutOfALoopThatWouldRepeatIt) {
  const std::string body = "  declare %3 = add:i32(%1, 1:i32) @1\n  loop { @2\n    declare %8 = "
                           "mul:index32(%3, %1) @2\n    leave @2\n  }\n";
  EXPECT_EQ(after(fold_expressions, body), body);
}

TEST(FoldExpressions, DropsAnotherNameOfAVariableThatChangesOnlyLater) {
  EXPECT_EQ(after(fold_expressions,
                  "  declare %2 = 0:i32 @1\n  declare %3 = %2 @1\n"
                  "  declare %8 = mul:index32(threadIdx.x:index32(), add:i32(%3, %3)) @1\n"
                  "  set %2 = add:i32(%3, 7:i32) @2\n"),
            "  declare %2 = 0:i32 @1\n"
            "  declare %8 = mul:index32(threadIdx.x:index32(), add:i32(%2, %2)) @1\n"
            "  set %2 = add:i32(%2, 7:i32) @2\n");
}

TEST(FoldExpressions, KeepsAnotherNameThatIsReadAfterTheVariableHasChanged) {
  const std::string body = "  declare %2 = 0:i32 @1\n  declare %3 = %2 @1\n"
                           "  while slt:bool(%2, %1) { @1\n"
                           "    set %2 = add:i32(%2, %3) @2\n  }\n"
                           "  declare %8 = mul:index32(threadIdx.x:index32(), %3) @3\n";
  EXPECT_EQ(after(fold_expressions, body), body);
}

TEST(FoldExpressions, KeepsTheOriginalsNames) {
  const std::string body =
      "  declare %2 = add:i32(%1, 1:i32) @1\n  declare %8 = mul:index32(%2, 2:i32) @2\n";
  EXPECT_EQ(after(fold_expressions, body), body);
}

TEST(FormWhileLoops, TakesTheExitAtTheTopAsCondition) {
  EXPECT_EQ(after(form_while_loops, "  declare %2 = 0:i32 @1\n  loop { @1\n    if sge:bool(%2, %1) "
                                    "{ @1\n      leave @1\n    }\n"
                                    "    set %2 = add:i32(%2, 1:i32) @1\n  }\n"),
            "  declare %2 = 0:i32 @1\n  while not:bool(sge:bool(%2, %1)) { @1\n    set %2 = "
            "add:i32(%2, 1:i32) @1\n  }\n");
}

TEST(FormWhileLoops, LeavesAnExitThatDoesMoreThanLeave) {
  const std::string body = "  declare %2 = 0:i32 @1\n  loop { @1\n    if sge:bool(%2, %1) { @1\n"
                           "      set %2 = 1:i32 @1\n      leave @1\n    }\n  }\n";
  EXPECT_EQ(after(form_while_loops, body), body);
}

TEST(SettleNegations, TurnsComparisonsOfIntegersAround) {
  EXPECT_EQ(after(settle_negations,
                  "  declare %8 = %1 @1\n"
                  "  declare %7 = and:mask(all:mask(), not:mask(sge:mask(%8, %1))) @1\n"
                  "  if not:bool(eq:bool(%1, 3:i32)) { @2\n    set %8 = %1 @2\n  }\n"),
            "  declare %8 = %1 @1\n"
            "  declare %7 = and:mask(all:mask(), slt:mask(%8, %1)) @1\n"
            "  if ne:bool(%1, 3:i32) { @2\n    set %8 = %1 @2\n  }\n");
}

TEST(SettleNegations, LeavesComparisonsOfFloatsAndTiles) {
  const std::string body =
      "  declare %4 = tile:tile.f32() @1\n  fill(%4, 0:f32) @1\n"
      "  declare %7 = not:mask(tile_olt:mask(%4, 0:f32)) @1\n"
      "  if not:bool(olt:bool(1:f32, 0:f32)) { @2\n    set %7 = all:mask() @2\n  }\n";
  EXPECT_EQ(after(settle_negations, body), body);
}

TEST(JoinVersions, StepsAVariableWhereItsNextVersionIsMade) {
  EXPECT_EQ(after(join_versions,
                  "  declare %8 = %1 @1\n  while slt:bool(%1, 9:i32) { @1\n"
                  "    declare %12 = add:index32(%8, 1:i32) @2\n"
                  "    store(element:place(%0, %12, 4:i32), 0:i32, 4:i32, all:mask()) @3\n"
                  "    set %8 = %12 @1\n  }\n"),
            "  declare %8 = %1 @1\n  while slt:bool(%1, 9:i32) { @1\n"
            "    set %8 = add:index32(%8, 1:i32) @2\n"
            "    store(element:place(%0, %8, 4:i32), 0:i32, 4:i32, all:mask()) @3\n  }\n");
}

TEST(JoinVersions, LeavesTheStepOfACounterAtTheEnd) {
  EXPECT_EQ(after(join_versions, "  declare %2 = 0:i32 @1\n  while slt:bool(%2, %1) { @1\n"
                                 "    declare %14 = add:i32(%2, 1:i32) @2\n"
                                 "    declare %8 = mul:index32(%14, %2) @3\n"
                                 "    declare %13 = %14 @3\n"
                                 "    set %2 = %14 @1\n  }\n"),
            "  declare %2 = 0:i32 @1\n  while slt:bool(%2, %1) { @1\n"
            "    declare %8 = mul:index32(add:i32(%2, 1:i32), %2) @3\n"
            "    declare %13 = add:i32(%2, 1:i32) @3\n"
            "    set %2 = add:i32(%2, 1:i32) @1\n  }\n");
}

TEST(JoinVersions, KeepsTheOldVersionWhereSomebodyReadsItMeanwhile) {
  const std::string body = "  declare %8 = %1 @1\n  while slt:bool(%1, 9:i32) { @1\n"
                           "    declare %12 = add:index32(%8, 1:i32) @2\n"
                           "    store(element:place(%0, %8, 4:i32), 0:i32, 4:i32, all:mask()) @3\n"
                           "    set %8 = %12 @1\n  }\n";
  EXPECT_EQ(after(join_versions, body), body);
}

TEST(JoinVersions, KeepsTheOldVersionForWhoReadsItBehindALoopThatIsLeft) {
  const std::string loop = "  declare %8 = %1 @1\n  loop { @1\n"
                           "    declare %12 = add:index32(%8, 1:i32) @2\n"
                           "    if slt:bool(%1, 9:i32) { @3\n      leave @3\n    }\n"
                           "    set %8 = %12 @1\n  }\n";
  const std::string read = "  store(element:place(%0, %8, 4:i32), 0:i32, 4:i32, all:mask()) @4\n";
  EXPECT_EQ(after(join_versions, loop + read), loop + read);
  EXPECT_EQ(after(join_versions, loop), "  declare %8 = %1 @1\n  loop { @1\n"
                                        "    set %8 = add:index32(%8, 1:i32) @2\n"
                                        "    if slt:bool(%1, 9:i32) { @3\n      leave @3\n    }\n"
                                        "  }\n");
}

TEST(JoinVersions, KeepsAVersionThatIsSetAgain) {
  const std::string body = "  declare %8 = %1 @1\n  while slt:bool(%1, 9:i32) { @1\n"
                           "    declare %12 = add:index32(%8, 1:i32) @2\n"
                           "    if slt:bool(%1, 3:i32) { @2\n      set %8 = %1 @2\n    }\n"
                           "    set %8 = %12 @1\n  }\n";
  EXPECT_EQ(after(join_versions, body), body);
}

TEST(JoinVersions, StartsAVariableWithTheVersionThatNobodyReadsAnyMore) {
  const std::string read = "  store(element:place(%0, %12, 4:i32), 0:i32, 4:i32, all:mask()) @2\n";
  const std::string tail = "  while slt:bool(%1, 9:i32) { @3\n"
                           "    set %8 = add:index32(%8, 1:i32) @3\n  }\n";
  EXPECT_EQ(after(join_versions, "  declare %12 = add:index32(%1, 1:i32) @1\n" + read +
                                     "  declare %8 = %12 @1\n" + tail),
            "  declare %8 = add:index32(%1, 1:i32) @1\n"
            "  store(element:place(%0, %8, 4:i32), 0:i32, 4:i32, all:mask()) @2\n" +
                tail);
  const std::string kept =
      "  declare %12 = add:index32(%1, 1:i32) @1\n  declare %8 = %12 @1\n" + tail + read;
  EXPECT_EQ(after(join_versions, kept), kept);
}

TEST(JoinVersions, KeepsVariablesOfOtherNamesAndTiles) {
  const std::string body = "  declare %12 = add:index32(%1, 1:i32) @1\n"
                           "  declare %13 = %12 @1\n"
                           "  store(element:place(%0, %13, 4:i32), 0:i32, 4:i32, all:mask()) @2\n"
                           "  declare %9 = tile:tile.f32() @3\n  fill(%9, 0:f32) @3\n"
                           "  declare %10 = %9 @3\n"
                           "  store(element:place(%0, %13, 4:i32), %10, 4:i32, all:mask()) @3\n";
  EXPECT_EQ(after(join_versions, body), body);
}

TEST(FormForLoops, TakesTheCounterIntoTheLoop) {
  EXPECT_EQ(after(form_for_loops,
                  "  declare %2 = 0:i32 @1\n  while slt:bool(%2, %1) { @1\n    declare %8 = %2 @2\n"
                  "    set %2 = add:i32(%2, 1:i32) @1\n  }\n"),
            "  for %2 = 0:i32 while slt:bool(%2, %1) step add:i32(%2, 1:i32) { @1\n    declare %8 "
            "= %2 @2\n  }\n");
}

TEST(FormForLoops, LeavesACounterThatIsReadAfterwards) {
  const std::string body = "  declare %2 = 0:i32 @1\n  while slt:bool(%2, %1) { @1\n    set %2 = "
                           "add:i32(%2, 1:i32) @1\n  }\n"
                           "  declare %8 = %2 @2\n";
  EXPECT_EQ(after(form_for_loops, body), body);
}

TEST(FormForLoops, LeavesACounterThatIsReadBehindItsStep) {
  const std::string body =
      "  declare %2 = 0:i32 @1\n  while slt:bool(%2, %1) { @1\n    set %2 = add:i32(%2, 1:i32) @1\n"
      "    declare %8 = %2 @2\n  }\n";
  EXPECT_EQ(after(form_for_loops, body), body);
}

TEST(FormForLoops, LeavesAStepThatReadsWhatTheBodyDeclares) {
  const std::string body = "  declare %2 = 0:i32 @1\n  while slt:bool(%2, %1) { @1\n    declare %3 "
                           "= add:i32(%2, 3:i32) @2\n"
                           "    set %2 = mul:i32(%3, 2:i32) @1\n  }\n";
  EXPECT_EQ(after(form_for_loops, body), body);
}

/// An array that leaves little room, so that tiles must share.
const std::string kLarge = "  declare %11 = local_array:place(400:i64) @1\n";

TEST(ReuseTiles, LeavesTilesApartWhereThereIsRoom) {
  const std::string body = "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n"
                           "  declare %6 = tile:tile.f32() @1\n  exp(%6, %5) @1\n"
                           "  declare %4 = tile:tile.f32() @1\n  exp(%4, %6) @1\n" +
                           kStore;
  EXPECT_EQ(after(reuse_tiles, body), body);
}

TEST(ReuseTiles, GivesAFreeTilesPlaceToTheNext) {
  EXPECT_EQ(after(reuse_tiles, kLarge +
                                   "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n"
                                   "  declare %6 = tile:tile.f32() @1\n  exp(%6, %5) @1\n"
                                   "  declare %4 = tile:tile.f32() @1\n  exp(%4, %6) @1\n" +
                                   kStore),
            kLarge + "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n"
                     "  declare %6 = tile:tile.f32() @1\n  exp(%6, %5) @1\n"
                     "  exp(%5, %6) @1\n  store(element:place(%0, 0:i64, 4:i32), %5, 4:i32, "
                     "all:mask()) @9\n");
}

TEST(ReuseTiles, LetsValuesOfOneVariableShareButNotWithOthers) {
  EXPECT_EQ(after(reuse_tiles, kLarge +
                                   "  declare %9 = tile:tile.f32() @1\n  fill(%9, 0:f32) @1\n"
                                   "  declare %6 = tile:tile.f32() @1\n  exp(%6, %9) @1\n"
                                   "  declare %10 = tile:tile.f32() @1\n  exp(%10, %6) @1\n"
                                   "  declare %4 = tile:tile.f32() @1\n  exp(%4, %10) @1\n" +
                                   kStore),
            kLarge + "  declare %9 = tile:tile.f32() @1\n  fill(%9, 0:f32) @1\n"
                     "  declare %6 = tile:tile.f32() @1\n  exp(%6, %9) @1\n  exp(%9, %6) @1\n"
                     "  exp(%6, %9) @1\n  store(element:place(%0, 0:i64, 4:i32), %6, 4:i32, "
                     "all:mask()) @9\n");
}

TEST(ReuseTiles, InsideLoopsAsTheLastResort) {
  EXPECT_EQ(after(reuse_tiles, kLarge +
                                   "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n"
                                   "  declare %6 = tile:tile.f32() @1\n  exp(%6, %5) @1\n"
                                   "  while slt:bool(%1, 1:i32) { @1\n"
                                   "    declare %4 = tile:tile.f32() @1\n    exp(%4, %6) @1\n  " +
                                   kStore + "  }\n"),
            kLarge + "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n"
                     "  declare %6 = tile:tile.f32() @1\n  exp(%6, %5) @1\n"
                     "  while slt:bool(%1, 1:i32) { @1\n    exp(%5, %6) @1\n"
                     "    store(element:place(%0, 0:i64, 4:i32), %5, 4:i32, all:mask()) @9\n  }\n");
}

TEST(ReuseTiles, KeepsATileThatHasASecondName) {
  const std::string body =
      "  declare %5 = tile:tile.f32() @1\n  fill(%5, 0:f32) @1\n  declare %6 = %5 @1\n"
      "  declare %4 = tile:tile.f32() @1\n  exp(%4, %6) @1\n" +
      kStore;
  EXPECT_EQ(after(reuse_tiles, body), body);
}

TEST(NameVariables, GivesEveryVariableAnIdentifierOfItsOwn) {
  Program p = program("variable %0 i32 \"class\" named\nvariable %1 i32 \"x.y\" named\nvariable %2 "
                      "i32 \"x_y\" named\n"
                      "variable %3 tile.f32 \"\" made_up\n",
                      "declare %0 = 1:i32 @1\ndeclare %1 = 1:i32 @1\ndeclare %2 = 1:i32 "
                      "@1\ndeclare %3 = tile:tile.f32() @1\n");
  name_variables(p);
  EXPECT_EQ(p.variables[0].name, "class_1");
  EXPECT_EQ(p.variables[1].name, "x_y");
  EXPECT_EQ(p.variables[2].name, "x_y_1");
  EXPECT_EQ(p.variables[3].name, "t0");
}

} // namespace
} // namespace neuronify::tile
