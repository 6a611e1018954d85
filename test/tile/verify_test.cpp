#include "tile/verify.h"

#include "programs.h"

namespace neuronify::tile {
namespace {

const char *kVariables = R"(variable %0 tile.f32 "" made_up
variable %1 tile.i32 "" made_up
variable %2 i32 "" made_up
variable %3 mask "" made_up
variable %4 index32 "" made_up
variable %5 place "" made_up
variable %6 bool "" made_up
)";

std::vector<std::string> problems(const std::string &body) {
  return verify(program(kVariables, body));
}

void expect_problem(const std::string &body, const std::string &text) {
  const auto found = problems(body);
  ASSERT_FALSE(found.empty()) << body;
  EXPECT_NE(found[0].find(text), std::string::npos) << found[0];
}

TEST(TileVerify, AcceptsALegalProgram) {
  EXPECT_TRUE(
      problems("declare %0 = tile:tile.f32() @1\nexp(%0, %0) @1\ndeclare %3 = all:mask() @1\n"
               "declare %2 = 1:i32 @1\ndeclare %4 = %2 @2\n"
               "loop { @1\n leave @1\n}\n")
          .empty());
}

TEST(TileVerify, TellsPairsOfTilesFromTiles) {
  const char *variables = "variable %0 tile.i64 \"\" made_up\nvariable %1 tile.i32 \"\" made_up\n";
  const std::string declared = "declare %0 = tile:tile.i64() @1\ndeclare %1 = tile:tile.i32() @1\n";
  auto legal = [&](const std::string &statement) {
    return verify(program(variables, declared + statement)).empty();
  };
  EXPECT_TRUE(legal("imul(%0, %0, 3:i64) @2\n"));
  EXPECT_TRUE(legal("popc(%1, %0) @2\n"));
  EXPECT_TRUE(legal("words(%0, %1, high_word:tile.i32(%0)) @2\n"));
  EXPECT_FALSE(legal("imul(%0, %0, %1) @2\n"));
  EXPECT_FALSE(legal("imul(%1, %0, %0) @2\n"));
  EXPECT_FALSE(legal("exp(%0, %0) @2\n"));
  EXPECT_FALSE(legal("set %1 = %0 @2\n"));
}

TEST(TileVerify, FindsAVariableThatIsReadBeforeItIsDeclared) {
  expect_problem("set %2 = 1:i32 @3\n", "line 3: variable %2 is set where it is not declared");
  expect_problem("declare %4 = %2 @1\n", "is read where it is not declared");
}

TEST(TileVerify, FindsAVariableThatIsReadOutsideItsBlock) {
  expect_problem(
      "declare %6 = 1:bool @1\nif %6 { @1\n declare %2 = 1:i32 @1\n}\ndeclare %4 = %2 @2\n",
      "%2 is read where it is not declared");
}

TEST(TileVerify, FindsALoopCounterThatIsReadAfterItsLoop) {
  expect_problem("for %2 = 0:i32 while slt:bool(%2, 3:i32) step add:i32(%2, 1:i32) { "
                 "@1\n}\ndeclare %4 = %2 @2\n",
                 "%2 is read where it is not declared");
}

TEST(TileVerify, FindsADeclarationThatIsThereTwice) {
  expect_problem("declare %2 = 1:i32 @1\ndeclare %2 = 1:i32 @1\n", "declared twice");
}

TEST(TileVerify, FindsUnknownOperationsAndWrongOperands) {
  expect_problem("declare %0 = tile:tile.f32() @1\nfrobnicate(%0) @1\n", "unknown");
  expect_problem("declare %0 = tile:tile.f32() @1\nexp(%0) @1\n", "takes 2 operands, not 1");
  expect_problem("declare %1 = tile:tile.i32() @1\nexp(%1, %1) @1\n",
                 "operand 0 of 'exp' is of the wrong kind");
}

TEST(TileVerify, FindsValuesOfTheWrongKind) {
  expect_problem("declare %2 = 1:i32 @1\ndeclare %3 = %2 @1\n", "set to a value of another kind");
  expect_problem("declare %3 = all:mask() @1\nif %3 { @1\n}\n",
                 "a branch needs a host truth value");
}

TEST(TileVerify, FindsALeaveOutsideOfALoop) { expect_problem("leave @1\n", "outside of a loop"); }

} // namespace
} // namespace neuronify::tile
