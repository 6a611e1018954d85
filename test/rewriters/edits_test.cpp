// Edits of a file's text.
#include "host/edits.h"

#include "gtest/gtest.h"

namespace neuronify::rewrite {

namespace {

TEST(FileEdits, nothing_changes_without_an_edit) {
  const std::string text = "a\r\n\r\n\r\n\tb \\\n c";
  EXPECT_EQ(FileEdits("f", text).apply(), text);
}

TEST(FileEdits, an_outer_replacement_swallows_what_is_inside) {
  FileEdits edits("f", "0123456789");
  EXPECT_TRUE(edits.replace(3, 5, "x"));
  EXPECT_TRUE(edits.insert(4, "y"));
  EXPECT_TRUE(edits.replace(2, 8, "z"));
  EXPECT_TRUE(edits.insert(2, "<"));
  EXPECT_TRUE(edits.insert(8, ">"));
  EXPECT_EQ(edits.apply(), "01<z>89");
  edits.keep(2, 8);
  EXPECT_EQ(edits.apply(), "01<2x567>89");
}

TEST(FileEdits, insertions_at_one_place_stand_in_their_order) {
  FileEdits edits("f", "ab");
  edits.insert(1, "2", 1);
  edits.insert(1, "3", 1);
  edits.insert(1, "1", -1);
  EXPECT_TRUE(edits.insert(1, "2", 1)) << "the same again counts once";
  EXPECT_FALSE(edits.insert(1, "4", -1, /*exclusive=*/true));
  EXPECT_EQ(edits.apply(), "a123b");
}

TEST(FileEdits, contradicting_replacements_are_told) {
  FileEdits edits("f", "abc"), other("f", "abc");
  EXPECT_TRUE(edits.replace(0, 1, "x"));
  EXPECT_TRUE(edits.replace(0, 1, "x"));
  EXPECT_FALSE(edits.replace(0, 1, "y"));
  EXPECT_TRUE(other.replace(0, 1, "y"));
  EXPECT_FALSE(edits.merge(other));
  EXPECT_EQ(edits.apply(), "xbc");
}

TEST(FileEdits, blank_lines_around_removed_lines_do_not_add_up) {
  FileEdits edits("f", "a\n\nb\n\nc\n\nd\n");
  edits.replace(3, 5, "");
  edits.replace(6, 8, "");
  EXPECT_EQ(edits.apply(), "a\n\nd\n");
}

TEST(FileEdits, backslashes_of_changed_lines_stay_in_line) {
  FileEdits edits("f", "#define A    \\\n  b();       \\\n  c();       \\\n  d()\n");
  edits.replace(17, 18, "longer");
  EXPECT_EQ(edits.apply(), "#define A    \\\n  longer();  \\\n  c();       \\\n  d()\n");
}

} // namespace

} // namespace neuronify::rewrite
