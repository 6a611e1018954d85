// Bytes of a partition that a lane needs.
#include "tile/space.h"

#include "programs.h"

namespace neuronify::tile {
namespace {

const char *kVariables = R"(variable %0 pointer<float> "x" named
variable %1 i32 "n" named
variable %2 tile.f32 "" made_up
variable %3 tile.f32 "" made_up
variable %4 tile.i32 "k" named
variable %5 place "a" named
variable %6 mask "" made_up
input %0 0 0 "" parameter
input %1 1 0 "" parameter
)";

int64_t bytes(const std::string &body) { return lane_bytes(program(kVariables, body)); }

TEST(Space, CountsTilesThatAreThereTogetherAndTheScratchOfOperations) {
  const std::string two = "  declare %2 = tile:tile.f32() @1\n  fill(%2, 0:f32) @1\n"
                          "  declare %3 = tile:tile.f32() @1\n  pow(%3, %2, %2) @1\n";
  EXPECT_EQ(bytes(two), 4 * (2 + scratch_tiles("pow", false)));
  EXPECT_EQ(bytes(two + "  sin(%2, %3) @1\n"), 4 * (2 + scratch_tiles("sin", false)));
}

TEST(Space, TilesOfALoopAreThereInTheLoopOnly) {
  const std::string loop = "  while slt:bool(%1, 1:i32) { @1\n    declare %2 = tile:tile.f32() @1\n"
                           "    fill(%2, 0:f32) @1\n  }\n";
  const std::string other =
      "  while slt:bool(%1, 1:i32) { @1\n    declare %3 = tile:tile.f32() @1\n"
      "    fill(%3, 0:f32) @1\n  }\n";
  EXPECT_EQ(bytes(loop + other), bytes(loop));
}

TEST(Space, PredicatesCountAsTiles) {
  EXPECT_GE(bytes("  declare %2 = tile:tile.f32() @1\n  fill(%2, 0:f32) @1\n"
                  "  declare %6 = tile_olt:mask(%2, 0:f32) @1\n"),
            12);
}

TEST(Space, LocalArraysAreThereForEachLaneAndLongOnesAreRewritten) {
  EXPECT_EQ(bytes("  declare %5 = local_array:place(41:i64) @1\n"), 44);
  const std::string store = "  declare %5 = local_array:place(4000:i64) @1\n"
                            "  declare %4 = tile:tile.i32() @1\n  fill(%4, 1:i32) @1\n"
                            "  store(plus:place(%5, %4, 4:i32), %4, 4:i32, all:mask()) @1\n";
  EXPECT_GE(bytes(store), 4000 + 1000 * 12);
}

} // namespace
} // namespace neuronify::tile
