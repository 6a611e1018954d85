// The table that people read.
#include "table.h"

#include "gtest/gtest.h"

namespace neuronify::tool {

namespace {

TEST(Table, columns_are_as_wide_as_their_widest_cell) {
  Table table({"name", ">n", "rest"});
  table.add({"a", "10", ""});
  table.add({"long name", "7", "x"});
  EXPECT_EQ(table.str(), "name        n  rest\n"
                         "a          10\n"
                         "long name   7  x\n");
}

TEST(Table, seconds_have_three_digits_and_a_unit) {
  EXPECT_EQ(print_seconds(0), "-");
  EXPECT_EQ(print_seconds(12.3456), "12.3 s");
  EXPECT_EQ(print_seconds(1.5e-6), "1.50 us");
  EXPECT_EQ(print_seconds(0.000456), "456 us");
  EXPECT_EQ(print_seconds(3e-10), "0.30 ns");
}

TEST(Table, relative_differences_are_short) {
  EXPECT_EQ(print_relative(0), "0");
  EXPECT_EQ(print_relative(1.19e-7), "1.2e-07");
}

} // namespace

} // namespace neuronify::tool
