#include "frontend/nvcc.h"

#include "files_for_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neuronify::frontend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Words = std::vector<std::string>;

TEST(Nvcc, KeepsWhatTheLanguageDependsOn) {
  const Translation result =
      translate({"-std=c++17", "-I", "inc", "-Ilib", "-DN=3", "-D", "M", "-UX", "-include", "a.h",
                 "-isystem", "sys", "--define-macro=K=1", "--include-path", "more", "-Wall"},
                "");
  EXPECT_THAT(result.args,
              ElementsAre("-std=c++17", "-Iinc", "-Ilib", "-DN=3", "-DM", "-UX", "-include", "a.h",
                          "-isystem", "sys", "-DK=1", "-Imore", "-Wall"));
  EXPECT_THAT(result.left_out, IsEmpty());
}

TEST(Nvcc, DropsCodeGenerationLinkingAndOutput) {
  const Translation result = translate({"-O3",
                                        "-g",
                                        "-G",
                                        "-lineinfo",
                                        "-c",
                                        "-o",
                                        "a.o",
                                        "-lcublas",
                                        "-L",
                                        "/lib",
                                        "-Xptxas",
                                        "-v",
                                        "-maxrregcount=32",
                                        "--ptxas-options=-v",
                                        "-Xlinker",
                                        "-rpath",
                                        "--expt-relaxed-constexpr",
                                        "--extended-lambda",
                                        "-MD",
                                        "-MF",
                                        "a.d",
                                        "-MT",
                                        "a.o",
                                        "-t",
                                        "4",
                                        "-ccbin",
                                        "g++",
                                        "-x",
                                        "cu",
                                        "--default-stream",
                                        "per-thread",
                                        "-Werror",
                                        "all-warnings",
                                        "-m64"},
                                       "");
  EXPECT_THAT(result.args, ElementsAre("-m64"));
  EXPECT_THAT(result.left_out, IsEmpty());
  EXPECT_THAT(result.positional, IsEmpty());
}

TEST(Nvcc, KeepsWhatTheProgramIsLinkedWithButNothingOfNvidia) {
  const Translation result =
      translate({"-lm", "-lcublas", "-l", "pthread,z", "--library=cudart", "-Lout", "-L", "lib",
                 "-Xcompiler", "-fopenmp,-Wall", "-lm"},
                "");
  EXPECT_TRUE(result.linking.openmp);
  EXPECT_THAT(result.linking.libraries, ElementsAre("m", "pthread", "z"));
  EXPECT_THAT(result.linking.folders, ElementsAre("out", "lib"));
  EXPECT_FALSE(translate({"-O3"}, "").linking.openmp);
}

TEST(Nvcc, FindsArchitecturesInAllSpellings) {
  EXPECT_THAT(translate({"-arch=sm_70"}, "").archs, ElementsAre("sm_70"));
  EXPECT_THAT(translate({"-arch", "sm_70"}, "").archs, ElementsAre("sm_70"));
  EXPECT_THAT(translate({"--gpu-architecture=compute_75"}, "").archs, ElementsAre("sm_75"));
  EXPECT_THAT(translate({"--cuda-gpu-arch=sm_90"}, "").archs, ElementsAre("sm_90"));
  EXPECT_THAT(translate({"--offload-arch=sm_60,sm_80"}, "").archs, ElementsAre("sm_60", "sm_80"));
  EXPECT_THAT(translate({"-gencode", "arch=compute_60,code=sm_60",
                         "-gencode=arch=compute_86,code=[sm_86,compute_86]"},
                        "")
                  .archs,
              ElementsAre("sm_60", "sm_86"));
  EXPECT_THAT(translate({"-arch=native"}, "").archs, IsEmpty());
}

TEST(Nvcc, UnpacksOptionsOfTheHostCompiler) {
  const Translation result = translate(
      {"-Xcompiler", "-fopenmp,-DHOST", "-Xcompiler=-Wextra", "--compiler-options", "-O2,-fPIC"},
      "");
  EXPECT_THAT(result.args, ElementsAre("-DHOST", "-Wextra", "-fPIC"));
}

TEST(Nvcc, TranslatesRelocatableCodeAndFastMathematics) {
  EXPECT_THAT(translate({"-rdc=true"}, "").args, ElementsAre("-fgpu-rdc"));
  EXPECT_THAT(translate({"-rdc=false"}, "").args, IsEmpty());
  EXPECT_THAT(translate({"-dc"}, "").args, ElementsAre("-fgpu-rdc"));
  EXPECT_THAT(translate({"-use_fast_math"}, "").args, ElementsAre("-fgpu-approx-transcendentals"));
}

TEST(Nvcc, ReadsFilesOfOptions) {
  const TemporaryFolder files;
  files.write("options.rsp", "-DFROM_FILE \"-DQUOTED=a b\"");
  EXPECT_THAT(translate({"--options-file", "options.rsp"}, files.folder.string()).args,
              ElementsAre("-DFROM_FILE", "-DQUOTED=a b"));
  EXPECT_THAT(translate({"@options.rsp"}, files.folder.string()).args,
              ElementsAre("-DFROM_FILE", "-DQUOTED=a b"));
}

TEST(Nvcc, SaysWhichOptionsItDoesNotKnow) {
  const Translation result = translate({"--frobnicate", "main.cu", "@missing.rsp"}, "/nowhere");
  EXPECT_THAT(result.left_out, ElementsAre("--frobnicate", "@missing.rsp"));
  EXPECT_THAT(result.positional, ElementsAre("main.cu"));
}

TEST(Nvcc, OptionsFilesThatReadThemselvesEnd) {
  const TemporaryFolder files;
  files.write("loop.rsp", "-DX @loop.rsp");
  EXPECT_THAT(translate({"@loop.rsp"}, files.folder.string()).left_out, ElementsAre("@loop.rsp"));
}

TEST(Nvcc, AnOptionWithoutItsValueIsIgnored) {
  EXPECT_THAT(translate({"-I"}, "").args, IsEmpty());
  EXPECT_THAT(translate({"-gencode"}, "").archs, IsEmpty());
}

} // namespace
} // namespace neuronify::frontend
