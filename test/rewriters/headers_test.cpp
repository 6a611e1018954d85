// The user's headers are rewritten with the files that include them, once for all of them.
#include "host/project.h"
#include "rewrite_case.h"

#include "gtest/gtest.h"

#include <algorithm>

namespace neuronify::rewrite {

namespace {

std::string header_text(const Result &result, const std::string &name) {
  for (const FileEdits &header : result.headers)
    if (header.path().ends_with("/" + name))
      return header.apply();
  ADD_FAILURE() << "no header " << name;
  return "";
}

TEST(Headers, with_cuda_get_the_runtime_header_behind_their_guard) {
  Folder folder;
  folder.write("guarded.h", "#ifndef GUARDED_H\n#define GUARDED_H\ncudaError_t f();\n#endif\n");
  folder.write("once.h", "// What it is.\n#pragma once\n\ncudaError_t g();\n");
  folder.write("with.cuh", "#pragma once\n#include <cuda_runtime.h>\n#include <vector>\n"
                           "__device__ int h();\ncudaStream_t s();\n");
  Result result = rewrite_file(folder.write(
      "main.cu", "#include \"guarded.h\"\n#include \"once.h\"\n#include \"with.cuh\"\n"));
  EXPECT_EQ(header_text(result, "guarded.h"),
            "#ifndef GUARDED_H\n#define GUARDED_H\n#include \"neuronify.h\"\n\n"
            "neuronify::Error_t f();\n#endif\n");
  EXPECT_EQ(header_text(result, "once.h"),
            "// What it is.\n#pragma once\n#include \"neuronify.h\"\n\nneuronify::Error_t g();\n");
  EXPECT_EQ(
      header_text(result, "with.cuh"),
      "#pragma once\n#include \"neuronify.h\"\n#include <vector>\nneuronify::Stream_t s();\n");
}

TEST(Headers, without_cuda_keep_their_bytes) {
  Folder folder;
  const std::string text = "#pragma once\r\n#include <vector>\r\n  int  plain( int x );\t\r\n";
  folder.write("sub/plain.h", text);
  Result result = rewrite_file(folder.write("main.cu", "#include \"sub/plain.h\"\n"));
  EXPECT_EQ(header_text(result, "plain.h"), text);
}

TEST(Headers, of_the_system_and_of_other_projects_are_not_touched) {
  Folder folder;
  folder.write("other/library.h",
               "#pragma once\ninline cudaError_t library() { return cudaSuccess; }\n");
  std::string main = folder.write("project/main.cu", "#include <library.h>\n#include <vector>\n");
  Result result = rewrite_file(main, {"-I", folder.path() + "/other"});
  EXPECT_TRUE(result.headers.empty());
}

TEST(Headers, a_device_function_stays_if_one_file_needs_it) {
  Folder folder;
  folder.write("ops.cuh", "#pragma once\n"
                          "__device__ inline int half(int x) { return x / 2; }\n"
                          "__device__ inline int twice(int x) { return x * 2; }\n");
  const std::string one = folder.write(
      "one.cu", "#include \"ops.cuh\"\n__global__ void a(int *x) { *x = twice(half(*x)); }\n");
  const std::string two =
      folder.write("two.cu", "#include \"ops.cuh\"\n"
                             "template <int (*F)(int)> __global__ void k(int *x) { *x = F(*x); }\n"
                             "void f(int *x) { k<twice><<<1, 1>>>(x); }\n");
  Result first = rewrite_file(one), second = rewrite_file(two);
  EXPECT_EQ(header_text(first, "ops.cuh"), "#pragma once\n#include \"neuronify.h\"\n\n");

  Project project;
  for (auto *result : {&first, &second}) {
    PortedFile &file = project.files.emplace_back();
    file.path = result->main.path();
    file.stem = result == &first ? "one" : "two";
    file.host = *result;
  }
  for (bool turned : {false, true}) {
    Layout layout = lay_out(project);
    EXPECT_EQ(layout.files["ops.cuh"], "#pragma once\n#include \"neuronify.h\"\n\n"
                                       "inline int twice(int x) { return x * 2; }\n")
        << turned;
    EXPECT_TRUE(layout.diagnostics.empty());
    std::ranges::reverse(project.files);
  }
}

TEST(Headers, kernels_in_a_header_become_stubs_there) {
  Folder folder;
  folder.write("kernels.cuh",
               "#pragma once\ntemplate <typename T> __global__ void k(T *x) { *x = 0; }\n");
  Result result = rewrite_file(
      folder.write("main.cu", "#include \"kernels.cuh\"\nvoid f(int *x) { k<<<1, 1>>>(x); }\n"));
  EXPECT_EQ(header_text(result, "kernels.cuh"),
            "#pragma once\n#include \"neuronify.h\"\n\n// Ported as main_kernels::k_int.\n"
            "template <typename T> void k(T * /*x*/) { neuronify::kernel_stub(\"k\"); }\n");
  EXPECT_NE(result.main.apply().find("neuronify::launch(k<int>, 1, 1, 0, nullptr, x)"),
            std::string::npos);
  EXPECT_NE(result.main.apply().find("neuronify::KernelStub(k<int>, main_kernels::k_int)"),
            std::string::npos);
}

} // namespace

} // namespace neuronify::rewrite
