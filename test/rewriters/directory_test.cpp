// A folder of files is written completely or not at all, and nothing is overwritten unasked.
#include "host/directory.h"
#include "rewrite_case.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <filesystem>

namespace neuronify::rewrite {

namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::string> files = {{"a.cpp", "a\n"}, {"sub/b.h", "b\n"}};

std::string message(llvm::Error error) { return error ? llvm::toString(std::move(error)) : ""; }

std::string listing(const std::string &folder) {
  std::vector<std::string> names;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory())
      names.push_back(entry.path().lexically_relative(folder));
  std::ranges::sort(names);
  std::string out;
  for (const std::string &name : names)
    out += (out.empty() ? "" : " ") + name;
  return out;
}

TEST(Directory, a_new_one_is_made_with_its_parents) {
  Folder folder;
  EXPECT_EQ(message(write_directory(files, folder.path() + "/x/y/", false)), "");
  EXPECT_EQ(listing(folder.path()), "x/y/a.cpp x/y/sub/b.h");
  EXPECT_EQ(read_text(folder.path() + "/x/y/sub/b.h"), "b\n");
}

TEST(Directory, an_empty_one_is_filled) {
  Folder folder;
  fs::create_directory(folder.path() + "/out");
  EXPECT_EQ(message(write_directory(files, folder.path() + "/out", false)), "");
  EXPECT_EQ(listing(folder.path()), "out/a.cpp out/sub/b.h");
}

TEST(Directory, one_that_is_not_empty_is_refused_and_keeps_all_bytes) {
  Folder folder;
  folder.write("out/a.cpp", "precious\n");
  EXPECT_NE(message(write_directory(files, folder.path() + "/out", false)).find("is not empty"),
            std::string::npos);
  EXPECT_EQ(listing(folder.path()), "out/a.cpp");
  EXPECT_EQ(read_text(folder.path() + "/out/a.cpp"), "precious\n");
}

TEST(Directory, force_replaces_files_of_the_same_name_and_no_others) {
  Folder folder;
  folder.write("out/a.cpp", "old\n");
  folder.write("out/mine.txt", "mine\n");
  folder.write("out/sub/mine.txt", "mine\n");
  EXPECT_EQ(message(write_directory(files, folder.path() + "/out", true)), "");
  EXPECT_EQ(listing(folder.path()), "out/a.cpp out/mine.txt out/sub/b.h out/sub/mine.txt");
  EXPECT_EQ(read_text(folder.path() + "/out/a.cpp"), "a\n");
}

TEST(Directory, force_does_not_replace_what_no_port_wrote) {
  Folder folder;
  const std::map<std::string, std::string> port = {{"a.h", "1\n"},
                                                   {"CMakeLists.txt", "neuronify 2\n"}};
  folder.write("CMakeLists.txt", "project(of_the_user)\n");
  EXPECT_NE(message(write_directory(port, folder.path(), true)).find("is no file of a port"),
            std::string::npos);
  EXPECT_EQ(read_text(folder.path() + "/CMakeLists.txt"), "project(of_the_user)\n");
  EXPECT_EQ(listing(folder.path()), "CMakeLists.txt");
  folder.write("CMakeLists.txt", "by neuronify 1\n");
  EXPECT_EQ(message(write_directory(port, folder.path(), true)), "");
  EXPECT_EQ(read_text(folder.path() + "/CMakeLists.txt"), "neuronify 2\n");
}

TEST(Directory, one_below_a_file_is_refused_and_leaves_nothing) {
  Folder folder;
  folder.write("file", "x");
  EXPECT_NE(message(write_directory(files, folder.path() + "/file/out", false)), "");
  EXPECT_NE(message(write_directory(files, folder.path() + "/file", true)), "");
  EXPECT_NE(message(write_directory(files, "/dev/null/out", false)).find("/dev/null/out"),
            std::string::npos);
  EXPECT_EQ(listing(folder.path()), "file");
}

TEST(File, is_written_whole_or_not_at_all) {
  Folder folder;
  EXPECT_EQ(message(write_file(folder.path() + "/r.json", "{}\n")), "");
  EXPECT_EQ(message(write_file(folder.path() + "/r.json", "[]\n")), "");
  EXPECT_EQ(read_text(folder.path() + "/r.json"), "[]\n");
  EXPECT_NE(message(write_file(folder.path() + "/none/r.json", "{}")).find("none/r.json"),
            std::string::npos);
  EXPECT_NE(message(write_file(folder.path(), "{}")), "");
  EXPECT_EQ(listing(folder.path()), "r.json");
}

} // namespace

} // namespace neuronify::rewrite
