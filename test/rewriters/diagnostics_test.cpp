// What host code cannot keep or lose is said, with its place, and stays as it is.
#include "rewrite_case.h"

#include "gtest/gtest.h"

namespace neuronify::rewrite {

namespace {

/// "NFY5001:3 ..." for each diagnostic, one a line.
std::string codes(const Result &result) {
  std::string out;
  for (const Diagnostic &diagnostic : result.diagnostics)
    out += (out.empty() ? "" : " ") + diagnostic.code + ":" + std::to_string(diagnostic.line);
  return out;
}

TEST(HostDiagnostics, functions_of_the_users_own_may_look_like_cuda) {
  Result result = rewrite_code("extern \"C\" int cudaNowhere(int);\n"
                               "int f() { return cudaNowhere(1); }\n");
  EXPECT_EQ(codes(result), "");
}

TEST(HostDiagnostics, an_unknown_name_of_a_cuda_header_is_reported_once_per_place) {
  Folder folder;
  folder.write("cuda/extra_runtime.h", "#pragma once\nstruct cudaGizmo { int x; };\n"
                                       "inline int cudaGizmoRun(cudaGizmo *) { return 0; }\n");
  std::string main =
      folder.write("main.cu", "#include <extra_runtime.h>\n"
                              "__global__ void k(cudaGizmo g, int *x) { *x = g.x; }\n"
                              "template <typename T> int run(T) {\n"
                              "  cudaGizmo gizmo;\n"
                              "  return cudaGizmoRun(&gizmo);\n"
                              "}\n"
                              "int main() { return run(1) + run(2.0); }\n");
  Result result = rewrite_file(main, {"-isystem", folder.path() + "/cuda"});
  EXPECT_EQ(codes(result), "NFY5002:2 NFY5002:4 NFY5001:5");
  EXPECT_NE(result.main.apply().find("return cudaGizmoRun(&gizmo);"), std::string::npos);
}

TEST(HostDiagnostics, libraries_for_kernels_are_reported_where_host_code_uses_them_NFY5002) {
  Folder folder;
  folder.write("toolkit/thrust/list.h",
               "#pragma once\nnamespace thrust { template <class T> struct list { T first; };\n"
               "template <class T> __host__ __device__ T head(list<T> l) { return l.first; } }\n");
  std::string main =
      folder.write("main.cu", "#include <cuda_runtime.h>\n#include <thrust/list.h>\n"
                              "__device__ int of(thrust::list<int> l) { return thrust::head(l); }\n"
                              "__global__ void k(int *x) { *x = of({*x}); }\n"
                              "int main() {\n"
                              "  thrust::list<int> list{0};\n"
                              "  return thrust::head(list);\n"
                              "}\n");
  Result result = rewrite_file(main, {"-isystem", folder.path() + "/toolkit"});
  EXPECT_EQ(codes(result), "NFY5002:6 NFY5001:7");
  EXPECT_EQ(result.main.apply().find("#include <thrust"), std::string::npos);
}

TEST(HostDiagnostics, macros_in_a_header_that_is_read_twice_are_not_expanded_NFY5003) {
  Folder folder;
  folder.write("run.inc", "#ifdef FIRST\n#define START 1, 1>>>\n#else\n#define START 2, 2>>>\n"
                          "#endif\nk<<<START();\n");
  std::string main = folder.write("main.cu", "__global__ void k() {}\nvoid f() {\n"
                                             "#define FIRST\n#include \"run.inc\"\n"
                                             "#undef FIRST\n#undef START\n"
                                             "#include \"run.inc\"\n}\n");
  EXPECT_EQ(codes(rewrite_file(main)), "NFY5003:6");
}

TEST(HostDiagnostics, a_launch_that_counts_is_not_expanded_and_others_are) {
  Result result = rewrite_code("#define OPEN(n) <<<\n#define NEXT <<<__COUNTER__ + 1, 1>>>\n"
                               "__global__ void k() {}\nint first = __COUNTER__;\n"
                               "void f() { k OPEN(1) 1, 1>>>(); }\n"
                               "void g() { k NEXT (); }\n");
  EXPECT_EQ(codes(result), "NFY5003:6");
}

TEST(HostDiagnostics, one_expanded_line_keeps_the_numbers_of_the_others) {
  Result result = rewrite_code("#define OPEN(a, b) <<<\n__global__ void k() {}\n"
                               "void f() { k OPEN(1,\n2) 1, 1>>>(); }\nint here() { return 5; }\n");
  EXPECT_EQ(codes(result), "");
  std::string text = result.main.apply();
  size_t place = text.find("int here");
  ASSERT_NE(place, std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.begin() + place, '\n'), 7); // two includes, one comment
}

TEST(HostDiagnostics, a_kernel_for_a_lambda_that_no_launch_names_is_NFY5005) {
  Result result =
      rewrite_code("template <typename F> __global__ void k(F f, int *x) { *x = f(); }\n"
                   "void f(int *x) {\n  auto one = [] __device__ { return 1; };\n"
                   "  auto pointer = &k<decltype(one)>;\n  pointer<<<1, 1>>>(one, x);\n}\n");
  EXPECT_EQ(codes(result), "NFY5005:1");
}

TEST(HostDiagnostics, a_lambda_inside_a_template_whose_parameter_has_no_name_is_NFY5005) {
  Result result =
      rewrite_code("template <typename F> __global__ void k(F f, int *x) { *x = f(); }\n"
                   "template <typename> void f(int *x) {\n"
                   "  k<<<1, 1>>>([] __device__ { return 1; }, x);\n}\n"
                   "void g(int *x) { f<int>(x); }\n");
  EXPECT_EQ(codes(result), "NFY5005:3");
}

TEST(HostDiagnostics, launches_and_used_functions_are_listed) {
  Result result = rewrite_code("template <typename T> __global__ void k(T) {}\n"
                               "int main() {\n"
                               "  k<float><<<1, 1>>>(1);\n"
                               "  k\n    <<<1, 1>>>(2);\n"
                               "  return cudaDeviceSynchronize();\n}\n");
  ASSERT_EQ(result.launches.size(), 2u);
  EXPECT_EQ(result.launches[0].kernel, "k<float>");
  EXPECT_EQ(result.launches[0].line, 3u);
  EXPECT_EQ(result.launches[1].kernel, "k");
  EXPECT_EQ(result.launches[1].line, 4u);
  EXPECT_EQ(result.used_apis, std::set<std::string>{"cudaDeviceSynchronize"});
  EXPECT_TRUE(result.defines_main);
}

} // namespace

} // namespace neuronify::rewrite
