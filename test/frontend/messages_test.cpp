// Input that is no program: one clear message each, and no crash.
#include "files_for_test.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

namespace neuronify::frontend {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char good[] = "__global__ void k(int *p) { *p = 1; }\n";

TEST(BrokenInput, MissingFile) {
  const Unit unit = read("/nowhere/missing.cu", {});
  EXPECT_FALSE(unit.ok());
  EXPECT_EQ(text_of(unit), "missing.cu: error: cannot read '/nowhere/missing.cu': No such file or "
                           "directory [NFY1001]\n");
}

TEST(BrokenInput, Directory) {
  const TemporaryFolder files;
  const Unit unit = read(files.folder.string(), {});
  EXPECT_FALSE(unit.ok());
  ASSERT_EQ(unit.messages.size(), 1u);
  EXPECT_EQ(unit.messages[0].code, "NFY1001");
  EXPECT_THAT(unit.messages[0].text, HasSubstr("it is a directory"));
}

TEST(BrokenInput, UnreadableFile) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root reads everything";
  const TemporaryFolder files;
  const std::string file = files.write("a.cu", good);
  std::filesystem::permissions(file, std::filesystem::perms::none);
  const Unit unit = read(file, {});
  EXPECT_FALSE(unit.ok());
  EXPECT_THAT(text_of(unit), HasSubstr("Permission denied [NFY1001]"));
}

TEST(BrokenInput, EmptyFileIsAProgramWithoutKernels) {
  const Unit unit = read_text("");
  EXPECT_TRUE(unit.ok()) << text_of(unit);
  EXPECT_THAT(unit.kernels, IsEmpty());
}

TEST(BrokenInput, BytesThatAreNoText) {
  const Unit unit = read_text(std::string_view("\x00\xff\xfe{{{\x01", 7));
  EXPECT_FALSE(unit.ok());
  EXPECT_THAT(text_of(unit), HasSubstr("error: "));
}

TEST(BrokenInput, SyntaxErrorHasItsPlaceOnce) {
  const Unit unit = read_text("__global__ void k(int *p) {\n  *p = 1\n}\n");
  EXPECT_FALSE(unit.ok());
  EXPECT_EQ(text_of(unit), "test.cu:2:9: error: expected ';' after expression\n");
}

TEST(BrokenInput, MissingInclude) {
  const Unit unit = read_text("#include \"nowhere.h\"\n");
  EXPECT_FALSE(unit.ok());
  EXPECT_EQ(text_of(unit), "test.cu:1:10: error: 'nowhere.h' file not found\n");
}

TEST(BrokenInput, ErrorOfTheDevicePassOnly) {
  const Unit unit = read_text("int host();\n__global__ void k(int *p) { *p = host(); }\n");
  EXPECT_FALSE(unit.ok());
  EXPECT_THAT(text_of(unit),
              HasSubstr("test.cu:2:34: error: no matching function for call to 'host'"));
}

TEST(BrokenInput, WarningsAreReportedAndDoNoHarm) {
  const Unit unit =
      read_text("__global__ void k(int *p) { int unused; *p = 1; }\n", {.extra_args = {"-Wall"}});
  EXPECT_TRUE(unit.ok());
  EXPECT_EQ(text_of(unit), "test.cu:1:33: warning: unused variable 'unused'\n");
}

TEST(BrokenInput, InputThatCrashesClang) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer wants crashes for itself";
#endif
  // In a process of its own that ends without static destructors: a thread that crashed may hold a
  // lock that they would wait for.
  EXPECT_EXIT(
      {
        const Unit unit = read_text("#pragma clang __debug crash\n");
        EXPECT_FALSE(unit.ok());
        EXPECT_THAT(text_of(unit), HasSubstr("Clang crashed in the device pass [NFY1007]"));
        EXPECT_TRUE(read_text(good).ok()) << "the next file is read";
        std::_Exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(BrokenInput, DeepNesting) {
  std::string sum = "int x = ";
  for (int i = 0; i < 5'000; ++i)
    sum += "- ";
  EXPECT_TRUE(read_text(sum + "1;\n").ok());
  EXPECT_THAT(text_of(read_text("int x = " + std::string(20'000, '(') + ";\n")),
              HasSubstr("bracket nesting level exceeded"));
}

TEST(BrokenInput, UnknownCompilerOption) {
  const Unit unit = read_text(good, {.extra_args = {"--frobnicate"}});
  EXPECT_TRUE(unit.ok());
  EXPECT_EQ(text_of(unit), ": warning: compiler option '--frobnicate' is left out [NFY1006]\n");
}

TEST(BrokenInput, UnknownLanguageVersion) {
  const Unit unit = read_text(good, {.extra_args = {"-std=c++99"}});
  EXPECT_FALSE(unit.ok());
  EXPECT_THAT(text_of(unit), HasSubstr("error: invalid value 'c++99' in '-std=c++99'"));
}

TEST(BrokenInput, ArchitectureThatClangDoesNotKnow) {
  const Unit unit = read_text(good, {.extra_args = {"-arch=sm_999"}});
  EXPECT_TRUE(unit.ok());
  EXPECT_THAT(text_of(unit), HasSubstr("'sm_999' is not known to Clang 22 [NFY1006]"));
}

TEST(BrokenInput, MissingCompileCommands) {
  const TemporaryFolder files;
  const Unit unit = read(files.write("a.cu", good), {.build_path = files.name("build")});
  EXPECT_FALSE(unit.ok());
  EXPECT_THAT(text_of(unit), HasSubstr("[NFY1002]"));
}

TEST(BrokenInput, CompileCommandsThatAreNoJson) {
  const TemporaryFolder files;
  files.write("build/compile_commands.json", "[{,");
  const Unit unit = read(files.write("a.cu", good), {.build_path = files.name("build")});
  EXPECT_FALSE(unit.ok());
  EXPECT_THAT(text_of(unit), HasSubstr("[NFY1002]"));
}

TEST(BrokenInput, HeadersOfAToolkitThatNobodyAskedFor) {
  const TemporaryFolder folder;
  folder.write("toolkit/cuda_runtime_api.h", "typedef struct unseen ours_is_read_instead;\n");
  folder.write("toolkit/details/part.h", "inline cudaUnheardOf_t cublasPart();\n");
  folder.write("toolkit/one_library.h", "#include \"details/part.h\"\n");
  folder.write("toolkit/curand_kernel.h", "#error ours goes first\n");
  const Options options{.extra_args = {"-idirafter", folder.name("toolkit")}};
  EXPECT_EQ(text_of(read_text("#include <one_library.h>\n", options)),
            "part.h:1:8: error: unknown type name 'cudaUnheardOf_t'; this header of NVIDIA's "
            "toolkit needs the others, which --cuda-path=DIR names [NFY1009]\n");
  EXPECT_EQ(text_of(read_text("#include <curand_kernel.h>\ncurandState *states;\n"
                              "libraryPropertyType property = PATCH_LEVEL;\n",
                              options)),
            "");
}

TEST(BrokenInput, MissingToolkit) {
  const Unit unit = read_text(good, {.cuda_path = "/nowhere/cuda"});
  EXPECT_FALSE(unit.ok());
  EXPECT_THAT(text_of(unit), HasSubstr("cannot find CUDA installation"));
  EXPECT_THAT(text_of(unit), Not(HasSubstr("NFY1007")));
}

} // namespace
} // namespace neuronify::frontend
