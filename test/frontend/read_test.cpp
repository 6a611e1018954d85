#include "files_for_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clang/AST/ASTContext.h>
#include <clang/Frontend/ASTUnit.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace neuronify::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> names(const Unit &unit) {
  std::vector<std::string> result;
  for (const Kernel &kernel : unit.kernels)
    result.push_back(kernel.name);
  return result;
}

std::vector<std::string> identifiers(const Unit &unit) {
  std::vector<std::string> result;
  for (const Kernel &kernel : unit.kernels)
    result.push_back(kernel.identifier);
  return result;
}

TEST(Read, KernelsComeInSourceOrderWithTheirPlaces) {
  const Unit unit = read_text("__global__ void z(int *p) { *p = 1; }\n"
                              "namespace ns {\n"
                              "  __global__ void a(float *p) { *p = 1; }\n"
                              "}\n"
                              "static __global__ void s() {}\n"
                              "int main() { s<<<1, 1>>>(); }\n");
  ASSERT_TRUE(unit.ok()) << text_of(unit);
  EXPECT_THAT(names(unit), ElementsAre("z", "ns::a", "s"));
  EXPECT_THAT(identifiers(unit), ElementsAre("z", "ns_a", "s"));
  EXPECT_EQ(unit.kernels[1].line, 3u);
  EXPECT_EQ(unit.kernels[1].column, 19u);
  EXPECT_THAT(unit.kernels[1].file, HasSubstr("test.cu"));
  for (const Kernel &kernel : unit.kernels) {
    EXPECT_NE(unit.original->getFunction(kernel.mangled), nullptr);
    EXPECT_NE(unit.device->getFunction(kernel.mangled), nullptr);
  }
}

TEST(Read, TemplatesAreOneKernelForEachInstantiation) {
  const Unit unit =
      read_text("namespace ns { struct V { float x; }; }\n"
                "template <class T, int N = 4> __global__ void k(T *p) { p[N] = p[0]; }\n"
                "template <class T> void run(T *p) { k<T><<<1, 1>>>(p); }\n"
                "int main() { k<float, -8><<<1, 1>>>(nullptr); run((int *)nullptr);\n"
                "  k<ns::V, 1><<<1, 1>>>(nullptr); k<float *><<<1, 1>>>(nullptr); }\n");
  ASSERT_TRUE(unit.ok()) << text_of(unit);
  EXPECT_THAT(names(unit),
              ElementsAre("k<float, -8>", "k<int, 4>", "k<ns::V, 1>", "k<float *, 4>"));
  EXPECT_THAT(identifiers(unit),
              ElementsAre("k_float_minus_8", "k_int_4", "k_ns_V_1", "k_float_ptr_4"));
  EXPECT_EQ(unit.kernels[0].line, 2u);
  EXPECT_EQ(unit.kernels[0].parameters[0].type, "float *");
}

TEST(Read, IdentifiersAreUnique) {
  const Unit unit = read_text("__global__ void a_b() {}\nnamespace a { __global__ void b() {} }\n");
  ASSERT_TRUE(unit.ok()) << text_of(unit);
  EXPECT_THAT(identifiers(unit), ElementsAre("a_b", "a_b_2"));
}

TEST(Read, LaunchesThroughMacrosInstantiate) {
  const Unit unit =
      read_text("#define LAUNCH(kernel, ...) kernel<<<1, 32>>>(__VA_ARGS__)\n"
                "#define DEFINE(name) template <class T> __global__ void name(T a) {}\n"
                "DEFINE(k)\n"
                "int main() { LAUNCH(k<double>, 1.0); }\n");
  ASSERT_TRUE(unit.ok()) << text_of(unit);
  EXPECT_THAT(names(unit), ElementsAre("k<double>"));
  EXPECT_EQ(unit.kernels[0].line, 3u);
}

TEST(Read, ParametersHaveNamesTypesAndSizes) {
  const Unit unit = read_text(
      "__global__ void k(const float *__restrict__ x, unsigned char c, double, int &r) {}\n");
  const Kernel kernel = kernel_named(unit, "k");
  ASSERT_EQ(kernel.parameters.size(), 4u);
  EXPECT_EQ(kernel.parameters[0].name, "x");
  EXPECT_THAT(kernel.parameters[0].type, HasSubstr("const float *"));
  EXPECT_TRUE(kernel.parameters[0].is_pointer);
  EXPECT_EQ(kernel.parameters[1].size, 1u);
  EXPECT_FALSE(kernel.parameters[1].is_pointer);
  ASSERT_EQ(kernel.parameters[1].fields.size(), 1u);
  EXPECT_EQ(kernel.parameters[1].fields[0].name, "c");
  EXPECT_EQ(kernel.parameters[2].name, "arg2");
  EXPECT_EQ(kernel.parameters[2].align, 8u);
  EXPECT_TRUE(kernel.parameters[3].is_pointer);
  EXPECT_EQ(kernel.parameters[3].size, 8u);
}

TEST(Read, FieldsOfStructsAreFlattened) {
  const Unit unit = read_text("struct Base { char tag; };\n"
                              "struct In { short s; float w[2]; };\n"
                              "struct P : Base { float *pos; In in[2]; struct { int n; };\n"
                              "           unsigned low : 3, high : 9; float big[1000]; };\n"
                              "__global__ void k(P p) {}\n");
  const Kernel kernel = kernel_named(unit, "k");
  ASSERT_EQ(kernel.parameters.size(), 1u);
  std::vector<std::string> fields;
  for (const Field &field : kernel.parameters[0].fields)
    fields.push_back(field.name + " " + field.type + " " + std::to_string(field.offset) + "+" +
                     std::to_string(field.size));
  EXPECT_THAT(fields,
              ElementsAre("p.tag char 0+1", "p.pos float * 8+8", "p.in[0].s short 16+2",
                          "p.in[0].w[0] float 20+4", "p.in[0].w[1] float 24+4",
                          "p.in[1].s short 28+2", "p.in[1].w[0] float 32+4",
                          "p.in[1].w[1] float 36+4", "p.n int 40+4", "p.low unsigned int 44+1",
                          "p.high unsigned int 44+2", "p.big float[1000] 48+4000"));
  EXPECT_TRUE(kernel.parameters[0].fields[1].is_pointer);
  EXPECT_EQ(kernel.parameters[0].size, 4048u);
}

TEST(Read, CapturesOfALambdaAreFields) {
  const Unit unit =
      read_text("template <class F> __global__ void apply(F f) { f(threadIdx.x); }\n"
                "void run(float *out, int n) {\n"
                "  apply<<<1, 32>>>([=] __device__(int i) { if (i < n) out[i] = 1; });\n}\n");
  ASSERT_TRUE(unit.ok()) << text_of(unit);
  ASSERT_EQ(unit.kernels.size(), 1u);
  EXPECT_EQ(unit.kernels[0].name, "apply<(lambda:3)>") << "the same wherever the file lies";
  EXPECT_EQ(unit.kernels[0].identifier, "apply_lambda_3");
  std::vector<std::string> fields;
  for (const Field &field : unit.kernels[0].parameters[0].fields)
    fields.push_back(field.name);
  EXPECT_THAT(fields, testing::UnorderedElementsAre("f.n", "f.out"));
}

TEST(Read, DeviceVariables) {
  const Unit unit =
      read_text("__constant__ float weights[9];\n"
                "namespace ns { __device__ int counter = 3; }\n"
                "__global__ void k(float *p) { __shared__ float s[4];\n"
                "  s[threadIdx.x] = p[0]; p[1] = weights[0] + ns::counter + s[0]; }\n");
  ASSERT_TRUE(unit.ok()) << text_of(unit);
  ASSERT_EQ(unit.variables.size(), 2u);
  EXPECT_EQ(unit.variables[0].name, "weights");
  EXPECT_EQ(unit.variables[0].size, 36u);
  EXPECT_TRUE(unit.variables[0].constant);
  EXPECT_EQ(unit.variables[0].line, 1u);
  EXPECT_EQ(unit.variables[1].name, "ns::counter");
  EXPECT_FALSE(unit.variables[1].constant);
}

TEST(Read, TemplatesThatNothingInstantiatesAreReported) {
  const Unit unit = read_text("template <class T> __global__ void used(T) {}\n"
                              "namespace ns { template <class T> __global__ void unused(T) {} }\n"
                              "int main() { used<<<1, 1>>>(1); }\n");
  EXPECT_TRUE(unit.ok());
  EXPECT_THAT(unit.uninstantiated, ElementsAre("ns::unused"));
  EXPECT_THAT(text_of(unit),
              HasSubstr("test.cu:2:51: warning: nothing instantiates kernel template "
                        "'ns::unused'; --instantiate='ns::unused<...>' does [NFY1004]"));
}

constexpr const char unused_template[] =
    "template <class T, int N> __global__ void k(T *p) { p[N] = p[0]; }\n// no newline at the end";

TEST(Read, InstantiatesOnRequest) {
  const Unit unit = read_text(unused_template, {.instantiate = {"k<float, 128>", "k<int, 3>"}});
  ASSERT_TRUE(unit.ok()) << text_of(unit);
  EXPECT_THAT(names(unit), ElementsAre("k<float, 128>", "k<int, 3>"));
  EXPECT_THAT(unit.uninstantiated, IsEmpty());
  EXPECT_EQ(unit.kernels[0].line, 1u);
  EXPECT_EQ(text_of(unit), "");
}

TEST(Read, WrongInstantiationsAreExplained) {
  const Unit unit = read_text(unused_template, {.instantiate = {"k<float>", "nothing<int>"}});
  EXPECT_FALSE(unit.ok());
  EXPECT_THAT(text_of(unit), HasSubstr("--instantiate: error: 'k<float>': "));
  EXPECT_THAT(text_of(unit), HasSubstr("--instantiate: error: 'nothing<int>': use of undeclared "
                                       "identifier 'nothing' [NFY1003]"));
}

TEST(Read, OptionsReachBothPasses) {
  const TemporaryFolder files;
  files.write("inc/size.h", "#define SIZE 7\n");
  const std::string file =
      files.write("a.cu", "#include <size.h>\n__global__ void k(int *p) { *p = SIZE + N; }\n");
  const Unit unit = read(file, {.extra_args = {"-I" + files.name("inc"), "-DN=1"}});
  EXPECT_TRUE(unit.ok()) << text_of(unit);
}

TEST(Read, FollowsNvccCommands) {
  const TemporaryFolder files;
  files.write("src/inc/size.h", "#define SIZE 7\n");
  const std::string file =
      files.write("src/a.cu", "#include <size.h>\n#if __CUDA_ARCH__ && __CUDA_ARCH__ != 700\n"
                              "#error wrong architecture\n#endif\n"
                              "__global__ void k(int *p) { *p = SIZE + N; }\n");
  files.write("build/compile_commands.json",
              "[{\"directory\": \"" + files.name("src") +
                  "\", \"file\": \"a.cu\", \"command\": \"/usr/local/cuda/bin/nvcc "
                  "-forward-unknown-to-host-compiler -Iinc -DN=1 -gencode "
                  "arch=compute_70,code=sm_70 -Xcompiler=-fPIC --expt-relaxed-constexpr -O3 -x cu "
                  "-c a.cu -o a.o\"}]");
  const Unit unit = read(file, {.build_path = files.name("build")});
  EXPECT_TRUE(unit.ok()) << text_of(unit);
  EXPECT_EQ(text_of(unit), "");
}

TEST(Read, FilesWithoutACommandAreReadWithAWarning) {
  const TemporaryFolder files;
  files.write("compile_commands.json", "[]");
  const Unit unit =
      read(files.write("a.cu", "__global__ void k() {}\n"), {.build_path = files.folder.string()});
  EXPECT_TRUE(unit.ok());
  EXPECT_THAT(text_of(unit), HasSubstr("[NFY1008]"));
}

TEST(Read, AToolkitInTheIncludePathDoesNotReplaceOurHeaders) {
  const TemporaryFolder files;
  files.write("cuda/include/cuda_runtime_api.h", "#error of a toolkit\n");
  files.write("cuda/include/cuda_runtime.h", "#error of a toolkit\n");
  const std::string file = files.write("a.cu", "#include <cuda_runtime.h>\n");
  const std::string folder = files.name("cuda/include");
  EXPECT_TRUE(read(file, {.extra_args = {"-I" + folder}}).ok());
  EXPECT_TRUE(read(file, {.extra_args = {"-isystem", folder}}).ok());
}

TEST(Read, ReadsWithAToolkit) {
  const char *path = "/usr/local/cuda";
  if (!std::filesystem::exists(std::filesystem::path(path) / "include" / "cuda_runtime.h"))
    GTEST_SKIP() << "no toolkit on this machine";
  const Unit unit = read_text("__global__ void k(float *p) { *p = expf(*p); }\n"
                              "int main() { k<<<1, 1>>>(nullptr); }\n",
                              {.cuda_path = path});
  EXPECT_TRUE(unit.ok()) << text_of(unit);
  EXPECT_THAT(names(unit), ElementsAre("k"));
}

TEST(Read, OriginalIsWhatClangMadeAndVerifies) {
  const Unit unit = read_text("__device__ int twice(int x) { return 2 * x; }\n"
                              "__global__ void k(int *p) { p[threadIdx.x] = twice(p[0]); }\n");
  ASSERT_TRUE(unit.ok()) << text_of(unit);
  std::string text;
  llvm::raw_string_ostream stream(text);
  unit.original->print(stream, nullptr);
  EXPECT_THAT(text, HasSubstr("twice"));
  EXPECT_THAT(text, HasSubstr("alloca"));
  EXPECT_FALSE(llvm::verifyModule(*unit.original, &llvm::errs()));
}

TEST(Read, TheSameFileGivesTheSameIr) {
  const TemporaryFolder files;
  const std::string file =
      files.write("a.cu", "template <class T> __global__ void k(T *p) { p[threadIdx.x] = p[0]; }\n"
                          "int main() { k<<<1, 1>>>((int *)0); k<<<1, 1>>>((float *)0); }\n");
  const auto ir = [&file] {
    const Unit unit = read(file, {});
    std::string text;
    llvm::raw_string_ostream stream(text);
    unit.original->print(stream, nullptr);
    unit.device->print(stream, nullptr);
    return text;
  };
  EXPECT_EQ(ir(), ir());
}

TEST(Read, UnitsCanBeMovedAndReplaced) {
  const char source[] = "__global__ void k(int *p) { *p = 1; }\n";
  Unit unit = read_text(source);
  Unit other = std::move(unit);
  EXPECT_TRUE(other.ok());
  other = read_text(source);
  EXPECT_TRUE(other.ok());
  EXPECT_THAT(names(other), ElementsAre("k"));
}

TEST(Read, TheHostAstKeepsAllComments) {
  const Unit unit = read_text("// why\n__global__ void k() {} // and how\n");
  ASSERT_TRUE(unit.ok()) << text_of(unit);
  const clang::ASTContext &context = unit.host->getASTContext();
  const auto *comments =
      context.Comments.getCommentsInFile(context.getSourceManager().getMainFileID());
  ASSERT_NE(comments, nullptr);
  EXPECT_EQ(comments->size(), 2u);
}

} // namespace
} // namespace neuronify::frontend
