// Where the files of a ported project go, and which programs they make.
#include "host/project.h"
#include "rewrite_case.h"

#include "gtest/gtest.h"

namespace neuronify::rewrite {

namespace {

PortedFile ported(const std::string &path, const std::string &stem, bool with_main,
                  bool with_kernels = true) {
  PortedFile file;
  file.path = path;
  file.stem = stem;
  file.host.main = FileEdits(path, "// " + stem + "\n");
  file.host.defines_main = with_main;
  if (with_kernels) {
    file.kernels_header = "// header\n";
    file.kernels_source = "// source\n";
    file.device_ir = "BC";
  }
  return file;
}

std::string names(const Layout &layout) {
  std::string out;
  for (const auto &[path, text] : layout.files)
    out += (out.empty() ? "" : " ") + path;
  return out;
}

TEST(Project, one_file_makes_one_program) {
  Project project;
  project.files.push_back(ported("/p/saxpy.cu", "saxpy", true));
  Layout layout = lay_out(project);
  EXPECT_EQ(names(layout),
            "CMakeLists.txt README.md saxpy.bc saxpy.cpp saxpy_kernels.cpp saxpy_kernels.h");
  EXPECT_EQ(layout.files["CMakeLists.txt"],
            R"(# Ported to AWS Trainium3 by neuronify from saxpy.cu.
cmake_minimum_required(VERSION 3.20)
project(saxpy LANGUAGES CXX)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(neuronify REQUIRED)

link_libraries(neuronify::runtime)
# Where the device code of the original kernels (*.bc) lies, for runs side by side.
add_compile_definitions(NEURONIFY_DEVICE_IR_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}")

add_executable(saxpy saxpy.cpp saxpy_kernels.cpp)
)");
}

TEST(Project, files_without_main_go_into_every_program) {
  Project project;
  project.files.push_back(ported("/p/src/a.cu", "a", true));
  project.files.push_back(ported("/p/src/b.cu", "b", true, false));
  project.files.push_back(ported("/p/lib/common.cu", "common", false));
  Layout layout = lay_out(project);
  ASSERT_EQ(layout.programs.size(), 2u);
  EXPECT_EQ(layout.programs[0].sources,
            (std::vector<std::string>{"src/a.cpp", "src/a_kernels.cpp", "lib/common.cpp",
                                      "lib/common_kernels.cpp"}));
  EXPECT_EQ(layout.programs[1].sources,
            (std::vector<std::string>{"src/b.cpp", "lib/common.cpp", "lib/common_kernels.cpp"}));
  const std::string &cmake = layout.files["CMakeLists.txt"];
  EXPECT_NE(cmake.find("add_library(shared_by_all OBJECT lib/common.cpp lib/common_kernels.cpp)\n"
                       "add_executable(a src/a.cpp src/a_kernels.cpp)\n"
                       "target_link_libraries(a PRIVATE shared_by_all)\n"
                       "add_executable(b src/b.cpp)\n"),
            std::string::npos)
      << cmake;
}

TEST(Project, without_main_it_is_a_library) {
  Project project;
  project.files.push_back(ported("/p/k.cu", "k", false));
  Layout layout = lay_out(project);
  ASSERT_EQ(layout.programs.size(), 1u);
  EXPECT_FALSE(layout.programs[0].has_main);
  EXPECT_NE(layout.files["CMakeLists.txt"].find("add_library(k STATIC k.cpp k_kernels.cpp)"),
            std::string::npos);
}

TEST(Project, plain_sources_go_along_with_their_headers_byte_for_byte) {
  Folder folder;
  const std::string text = "#include \"util.h\"\r\nint main() { return f(); }\r\n";
  const std::string main = folder.write("main.cpp", text);
  folder.write("util.h", "int f();\n");
  Project project;
  project.files.push_back(ported(folder.path() + "/k.cu", "k", false));
  project.plain_sources = {main};
  Layout layout = lay_out(project);
  EXPECT_EQ(layout.files["main.cpp"], text);
  EXPECT_EQ(layout.files["util.h"], "int f();\n");
  ASSERT_EQ(layout.programs.size(), 1u);
  EXPECT_EQ(layout.programs[0].name, "main");
  EXPECT_EQ(layout.programs[0].sources,
            (std::vector<std::string>{"main.cpp", "k.cpp", "k_kernels.cpp"}));
}

TEST(Project, headers_beside_the_sources_keep_their_place_and_far_ones_move_in) {
  Project project;
  project.files.push_back(ported("/home/u/p/foo-cuda/main.cu", "main", true, false));
  project.files[0].host.headers.emplace_back("/home/u/p/foo-common/reference.h", "// near\n");
  project.files[0].host.headers.emplace_back("/opt/library/far.h", "// far\n");
  project.include_folders = {"/opt/library", "/home/u/p/foo-common"};
  project.definitions = {"N=3", "NAME=\"a b\""};
  Layout layout = lay_out(project);
  EXPECT_EQ(names(layout),
            "CMakeLists.txt README.md foo-common/reference.h foo-cuda/main.cpp include/far.h");
  EXPECT_EQ(layout.include_folders,
            (std::vector<std::string>{"/opt/library", "foo-common", "include"}));
  const std::string &cmake = layout.files["CMakeLists.txt"];
  EXPECT_NE(cmake.find("add_compile_definitions(\"N=3\")\n"), std::string::npos) << cmake;
  EXPECT_NE(cmake.find("add_compile_definitions(\"NAME=\\\"a b\\\"\")\n"), std::string::npos);
}

TEST(Project, names_of_ported_files_are_unique) {
  EXPECT_EQ(unique_stems({"a/k.cu", "b/k.cu", "main.cu", "k_2.cu"}, {"main.cpp"}),
            (std::vector<std::string>{"k", "k_2", "main_cuda", "k_2_2"}));
}

TEST(Project, namespaces_of_kernels_are_identifiers) {
  EXPECT_EQ(kernels_namespace("dir/saxpy.cu"), "saxpy_kernels");
  EXPECT_EQ(kernels_namespace("3d-stencil.cu"), "_3d_stencil_kernels");
}

TEST(PlainSource, main_is_a_definition_with_a_body) {
  EXPECT_TRUE(defines_main("#include <x>\nint main(int argc, char **argv)\n{ return 0; }"));
  EXPECT_FALSE(defines_main("int main();"));
  EXPECT_FALSE(defines_main("// int main() {}\nconst char *s = \"int main() {}\";"));
  EXPECT_FALSE(defines_main("int domain(int x) { return x; }"));
}

TEST(PlainSource, cuda_shows_by_its_headers_and_names) {
  EXPECT_TRUE(uses_cuda("#include <cuda_runtime.h>\n"));
  EXPECT_TRUE(uses_cuda("void f() { cudaFree(nullptr); }"));
  EXPECT_FALSE(
      uses_cuda("// cudaFree\n#include <vector>\nstruct dim3 {}; const char *s = \"cudaFree\";"));
}

} // namespace

} // namespace neuronify::rewrite
