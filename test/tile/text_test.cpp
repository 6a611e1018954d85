#include "programs.h"

#include "tile/verify.h"

namespace neuronify::tile {
namespace {

const char *kEverything =
    R"(kernel "saxpy<float>" "saxpy_float" "_Z5saxpyIfEv" "dir/a \"b\".cu" 7 block_per_partition sequential "block -> partition"
variable %0 pointer<const float> "x" named
variable %1 u64 "n" named
variable %2 index32 "i" named
variable %3 mask "" made_up
variable %4 tile.f32 "" made_up
variable %5 tile.i16 "" made_up
variable %6 place "s" named
variable %7 f32 "a" named
variable %8 bool "" made_up
variable %9 i32 "k" named
input %0 0 8 "" field
input %1 1 0 "" parameter
input %7 -1 0 "_ZN1sE" field
text "a\\b \"%d\"\011%s\n" 2 0 2 "yes" "no"
body {
  declare %2 = add:index32(blockIdx.x:index32(), -3:i32) @8
  declare %4 @0
  for %9 = 0:i32 while slt:bool(%9, 5:i32) step add:i32(%9, 1:i32) { @9
    load(%4, element:place(%0, %2, 4:i32), 4:i32, all:mask()) @9
    leave @10
  }
  while %8 { @11
    set %3 = none:mask() @11
  }
  loop { @12
    if not:bool(%8) { @12
      leave @12
    } else {
      set %8 = 1:bool @13
    }
  }
}
)";

TEST(TileText, WhatIsPrintedReadsBackAsTheSameProgram) {
  std::string error;
  auto program = parse(kEverything, error);
  ASSERT_TRUE(program) << error;
  EXPECT_EQ(print(*program), kEverything);
  EXPECT_EQ(program->name, "saxpy<float>");
  EXPECT_TRUE(program->sequential);
  EXPECT_EQ(program->inputs[2].symbol, "_ZN1sE");
}

TEST(TileText, PairsOfTilesReadBackAsPairs) {
  const std::string variables =
      "variable %0 tile.i64 \"\" made_up\nvariable %1 tile.i48 \"\" made_up\n";
  const std::string body = "declare %0 = tile:tile.i64() @1\ndeclare %1 = tile:tile.i48() @1\n"
                           "sext(%0, %1, 48:i32) @1\niadd(%0, %0, 5000000000:i64) @1\n"
                           "lshr(%0, %0, low_word:tile.i32(%0)) @1\n";
  const Program p = program(variables.c_str(), body);
  EXPECT_EQ(p.variables[0].type.kind, Kind::tile_wide);
  EXPECT_EQ(p.variables[1].type.bits, 48);
  std::string error;
  auto again = parse(print(p), error);
  ASSERT_TRUE(again) << error;
  EXPECT_EQ(print(*again), print(p));
  EXPECT_TRUE(verify(p).empty());
}

TEST(TileText, StatementsThatPrintNameATextAndTakeAnyValues) {
  const char *variables = "variable %0 tile.f32 \"\" made_up\nvariable %1 index32 \"\" made_up\n"
                          "text \"%f %d %d\" 3 0 0 0\n";
  const char *body = "declare %0 @1\ndeclare %1 = threadIdx.x:index32() @1\n"
                     "print(0:i32, %0, %1, 5:i64, all:mask()) @2\nprint(0:i32, all:mask()) @2\n";
  EXPECT_TRUE(verify(program(variables, body)).empty());
  EXPECT_FALSE(verify(program(variables, "print(1:i32, all:mask()) @2\n")).empty());
  EXPECT_FALSE(verify(program(variables, "print(0:i32, 3:i32) @2\n")).empty()) << "no mask";
}

TEST(TileText, FloatLiteralsKeepTheirBits) {
  for (float value : {0.0f, -0.0f, 1e-45f, 3.4e38f, 0.1f}) {
    Program p = program("variable %0 f32 \"\" made_up\n", "");
    p.body.push_back({});
    p.body[0].form = Statement::Form::declare;
    p.body[0].variable = 0;
    p.body[0].value = float_literal(value);
    std::string error;
    auto again = parse(print(p), error);
    ASSERT_TRUE(again) << error;
    EXPECT_EQ(again->body[0].value->integer, p.body[0].value->integer);
  }
}

TEST(TileText, EveryTruncationIsAnErrorThatNamesTheLine) {
  const std::string whole = kEverything;
  for (size_t size = 0; size + 1 < whole.size(); size += 7) {
    std::string error;
    EXPECT_FALSE(parse(whole.substr(0, size), error)) << size;
    EXPECT_EQ(error.substr(0, 5), "line ") << error;
  }
}

TEST(TileText, UnknownVariablesAreRejected) {
  std::string error;
  EXPECT_FALSE(parse(
      "kernel \"k\" \"k\" \"m\" \"f\" 1 flat any \"\"\nbody {\n set %0 = 1:i32 @1\n}\n", error));
}

} // namespace
} // namespace neuronify::tile
