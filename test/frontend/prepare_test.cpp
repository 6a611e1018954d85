// What the translator may rely on in prepared IR.
#include "files_for_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <set>

namespace neuronify::frontend {
namespace {

/// The prepared kernel `k` of some source text.
struct Prepared {
  explicit Prepared(std::string_view source) : unit(read_text(source)) {
    EXPECT_TRUE(unit.ok()) << text_of(unit);
    if (!unit.ok())
      return;
    kernel = unit.device->getFunction(kernel_named(unit, "k").mangled);
    EXPECT_FALSE(llvm::verifyModule(*unit.device, &llvm::errs()));
  }

  std::string text() const {
    std::string result;
    llvm::raw_string_ostream stream(result);
    kernel->print(stream);
    return result;
  }

  std::vector<const llvm::CallInst *> calls() const {
    std::vector<const llvm::CallInst *> result;
    for (const llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        result.push_back(call);
    return result;
  }

  std::set<std::string> value_names() const {
    std::set<std::string> result;
    for (const llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (instruction.hasName())
        result.insert(instruction.getName().str());
    return result;
  }

  template <class T> unsigned count() const {
    unsigned n = 0;
    for (const llvm::Instruction &instruction : llvm::instructions(*kernel))
      n += llvm::isa<T>(instruction);
    return n;
  }

  Unit unit;
  llvm::Function *kernel = nullptr;
};

using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

TEST(Prepare, CallsOfDefinedFunctionsAreInlined) {
  const Prepared k(
      "struct S { float v; __device__ S operator+(S o) const { return {v + o.v}; } };\n"
      "__device__ __noinline__ float deep(float x) { return x * 2; }\n"
      "template <class F> __device__ float call(F f, float x) { return f(x); }\n"
      "__global__ void k(float *p) {\n"
      "  S s = S{p[0]} + S{p[1]};\n"
      "  p[2] = call([](float x) { return deep(x) + 1; }, s.v); }\n");
  EXPECT_TRUE(k.calls().empty()) << k.text();
  EXPECT_EQ(k.count<llvm::AllocaInst>(), 0u) << k.text();
  unsigned defined = 0;
  for (const llvm::Function &function : *k.unit.device)
    defined += !function.isDeclaration();
  EXPECT_EQ(defined, 1u) << "kernels only remain";
}

TEST(Prepare, SpecialRegistersAreReadOnceAtTheEntry) {
  const Prepared k("__global__ void k(float *p, int n) {\n"
                   "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
                   "       i += blockDim.x * gridDim.x)\n"
                   "    if (threadIdx.x < blockDim.x - 1) p[i] = p[i + threadIdx.x]; }\n");
  std::set<std::string> seen;
  for (const llvm::CallInst *call : k.calls()) {
    EXPECT_EQ(call->getParent(), &k.kernel->getEntryBlock());
    EXPECT_TRUE(seen.insert(call->getCalledFunction()->getName().str()).second);
  }
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_THAT(k.value_names(),
              IsSupersetOf({"threadIdx.x", "blockIdx.x", "blockDim.x", "gridDim.x"}));
}

TEST(Prepare, ARegisterReadFirstAtTheEntryAndAgainLater) {
  // The reads of one register stood at the place where those of another were put.
  const Prepared k("__global__ void k(unsigned *p) { p[0] = threadIdx.x + threadIdx.x;\n"
                   "  p[1] = blockIdx.x + threadIdx.x; p[2] = blockIdx.x + blockDim.x; }\n");
  EXPECT_EQ(k.calls().size(), 3u);
}

TEST(Prepare, StructParametersBecomeScalars) {
  const Prepared k(
      "struct P { float *x; int n; float w[2]; };\n"
      "__global__ void k(P p) { p.n += 1; if (threadIdx.x < p.n) p.x[threadIdx.x] = p.w[1]; }\n");
  EXPECT_EQ(k.count<llvm::AllocaInst>(), 0u) << k.text();
  for (const llvm::Instruction &instruction : llvm::instructions(*k.kernel))
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      EXPECT_EQ(load->getParent(), &k.kernel->getEntryBlock()) << k.text();
}

TEST(Prepare, AnIndexedParameterThatIsOnlyReadIsNotCopied) {
  const Prepared k("struct P { float w[8]; };\n"
                   "__global__ void k(P p, float *x) { x[threadIdx.x] = p.w[threadIdx.x % 8]; }\n");
  EXPECT_EQ(k.count<llvm::AllocaInst>(), 0u) << k.text();
}

TEST(Prepare, AnIndexedParameterThatIsWrittenIsCopied) {
  const Prepared k("struct P { float w[8]; };\n"
                   "__global__ void k(P p, float *x) { p.w[threadIdx.x % 8] = 1;\n"
                   "  x[threadIdx.x] = p.w[(threadIdx.x + 1) % 8]; }\n");
  EXPECT_EQ(k.count<llvm::AllocaInst>(), 1u) << k.text();
}

TEST(Prepare, LoopsAreSimpleAndClosed) {
  const Prepared k("__global__ void k(float *p, int n) {\n"
                   "  float last = 0;\n"
                   "  for (int i = 0; i < n; ++i) {\n"
                   "    if (p[i] < 0) continue;\n"
                   "    if (p[i] == 7) break;\n"
                   "    for (int j = i; j > 0; j /= 2) last += p[j];\n"
                   "    last = p[i] * last;\n"
                   "  }\n"
                   "  p[threadIdx.x] = last; }\n");
  llvm::DominatorTree dominators(*k.kernel);
  const llvm::LoopInfo loops(dominators);
  const auto all = loops.getLoopsInPreorder();
  EXPECT_EQ(all.size(), 2u);
  for (const llvm::Loop *loop : all) {
    EXPECT_TRUE(loop->isLoopSimplifyForm()) << k.text();
    EXPECT_TRUE(loop->isRecursivelyLCSSAForm(dominators, loops)) << k.text();
  }
}

TEST(Prepare, SumsInMemoryStayInMemory) {
  // Scalar promotion would carry the sum in a register and store it where lanes have left.
  const Prepared k("__global__ void k(float *out, const float *x, int n) {\n"
                   "  for (int i = 0; i < n; ++i) out[threadIdx.x] += x[i]; }\n");
  for (const llvm::Instruction &instruction : llvm::instructions(*k.kernel))
    if (llvm::isa<llvm::StoreInst>(instruction)) {
      llvm::DominatorTree dominators(*k.kernel);
      const llvm::LoopInfo loops(dominators);
      EXPECT_NE(loops.getLoopFor(instruction.getParent()), nullptr) << k.text();
    }
  EXPECT_EQ(k.count<llvm::LoadInst>(), 2u) << k.text();
}

TEST(Prepare, InvariantArithmeticLeavesLoops) {
  const Prepared k("__global__ void k(float *p, int n, int stride) {\n"
                   "  for (int i = 0; i < n; ++i) p[i + stride * 12 * (int)blockDim.x] = 1; }\n");
  llvm::DominatorTree dominators(*k.kernel);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Instruction &instruction : llvm::instructions(*k.kernel))
    if (instruction.getOpcode() == llvm::Instruction::Mul)
      EXPECT_EQ(loops.getLoopFor(instruction.getParent()), nullptr) << k.text();
}

TEST(Prepare, ValuesBearTheirVariablesNames) {
  const Prepared k("__device__ float square(float v) { float product = v * v; return product; }\n"
                   "__global__ void k(float *data, int count) {\n"
                   "  int index = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "  float sum = 0;\n"
                   "  for (int step = 0; step < count; ++step) sum += square(data[index + step]);\n"
                   "  data[index] = sum; }\n");
  EXPECT_THAT(k.value_names(), IsSupersetOf({"index", "sum", "step", "product"})) << k.text();
  EXPECT_EQ(k.kernel->getArg(0)->getName(), "data");
  EXPECT_EQ(k.kernel->getArg(1)->getName(), "count");
  for (const llvm::Instruction &instruction : llvm::instructions(*k.kernel))
    EXPECT_FALSE(instruction.hasDbgRecords());
}

TEST(Prepare, PhisHaveThePlainNames) {
  const Prepared k("__global__ void k(float *p, int n) {\n"
                   "  for (int i = 0; i < n; i += 3) p[i] = 1; }\n");
  for (const llvm::Instruction &instruction : llvm::instructions(*k.kernel))
    if (llvm::isa<llvm::PHINode>(instruction))
      EXPECT_EQ(instruction.getName(), "i");
}

TEST(Prepare, UnnamedParametersAreNumbered) {
  const Prepared k("__global__ void k(float *p, int) { *p = 1; }\n");
  EXPECT_EQ(k.kernel->getArg(1)->getName(), "arg1");
}

TEST(Prepare, LinesAreThoseOfTheSource) {
  const Prepared k("__global__ void k(float *p) {\n  p[0] =\n      expf(p[1]);\n}\n");
  for (const llvm::CallInst *call : k.calls()) {
    ASSERT_TRUE(call->getDebugLoc());
    EXPECT_EQ(call->getDebugLoc().getLine(), 3u) << "a library function bears its caller's line";
    EXPECT_EQ(call->getDebugLoc().getInlinedAt(), nullptr);
  }
  EXPECT_EQ(k.calls().size(), 1u);
}

TEST(Prepare, SwitchesBecomeBranches) {
  const Prepared k("__global__ void k(int *p, int op) {\n"
                   "  switch (op) { case 0: p[0] = 1; break; case 1: p[0] = 2;\n"
                   "  case 5: p[1] = 3; break; default: p[2] = 4; } }\n");
  EXPECT_EQ(k.count<llvm::SwitchInst>(), 0u) << k.text();
}

TEST(Prepare, SharedAndConstantMemoryKeepTheirSpaces) {
  const Prepared k("__constant__ float c[4];\n"
                   "__global__ void k(float *p) { __shared__ float s[32]; float *q = s;\n"
                   "  q[threadIdx.x] = p[threadIdx.x]; __syncthreads();\n"
                   "  p[threadIdx.x] = q[31 - threadIdx.x] + c[threadIdx.x % 4]; }\n");
  EXPECT_THAT(k.text(), HasSubstr("ptr addrspace(3)"));
  EXPECT_THAT(k.text(), HasSubstr("ptr addrspace(4)"));
  EXPECT_THAT(k.text(), Not(HasSubstr("addrspacecast")));
}

TEST(Prepare, NoMarkersAreLeft) {
  const Prepared k("__global__ void k(float *p, int n) { __builtin_assume(n > 0);\n"
                   "  float a[4]; for (int i = 0; i < 4; ++i) a[i] = p[i];\n"
                   "  p[0] = a[n & 3]; }\n");
  EXPECT_THAT(k.text(), Not(HasSubstr("llvm.lifetime")));
  EXPECT_THAT(k.text(), Not(HasSubstr("llvm.assume")));
}

TEST(Prepare, LibraryCallsMergeAndMinimaAreInstructions) {
  const Prepared k(
      "__global__ void k(float *p, int n) {\n"
      "  p[0] = expf(p[4]); p[1] = expf(p[4]); p[2] = min(n, 3) + max(n, 5) + abs(n);\n"
      "  p[3] = __int_as_float(n); }\n");
  unsigned exps = 0;
  for (const llvm::CallInst *call : k.calls()) {
    exps += call->getCalledFunction()->getName() == "__nv_expf";
    EXPECT_NE(call->getCalledFunction()->getName(), "__nv_min");
    EXPECT_NE(call->getCalledFunction()->getName(), "__nv_abs");
  }
  // The store to p[0] may change p[4], but nothing else is read or written between.
  EXPECT_LE(exps, 2u);
  EXPECT_THAT(k.text(), HasSubstr("llvm.smin.i32"));
  EXPECT_THAT(k.text(), HasSubstr("llvm.smax.i32"));
  EXPECT_THAT(k.text(), HasSubstr("llvm.abs.i32(i32 %n, i1 false)"));
  EXPECT_THAT(k.text(), HasSubstr("bitcast i32 %n to float"));
}

TEST(Prepare, PairsPassThroughFunctionsAsScalars) {
  const Prepared k(
      "#include <cuda_fp16.h>\n"
      "__global__ void k(__half2 *p) { p[0] = __hadd2(p[1], __hmul2(p[2], p[3])); }\n");
  EXPECT_THAT(k.text(), Not(HasSubstr("insertvalue")));
  EXPECT_THAT(k.text(), Not(HasSubstr("extractvalue")));
}

TEST(Prepare, ContractionIsOff) {
  const Prepared k("__global__ void k(float *p) { p[0] = p[1] * p[2] + p[3]; }\n");
  EXPECT_THAT(k.text(), HasSubstr("fmul float"));
  EXPECT_THAT(k.text(), Not(HasSubstr("fmuladd")));
  EXPECT_THAT(k.text(), Not(HasSubstr("contract")));
}

TEST(Prepare, RecursionIsLeftForTheTranslatorToReport) {
  const Prepared k("__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }\n"
                   "__global__ void k(int *p) { p[0] = f(p[1]); }\n");
  EXPECT_FALSE(k.calls().empty());
}

TEST(Prepare, FunctionPointersAreLeftForTheTranslatorToReport) {
  const Prepared k("__device__ int f(int n) { return n + 1; }\n"
                   "__device__ int (*table[1])(int) = {f};\n"
                   "__global__ void k(int *p) { p[0] = table[p[2]](p[1]); }\n");
  EXPECT_FALSE(k.calls().empty());
}

} // namespace
} // namespace neuronify::frontend
