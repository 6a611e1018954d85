// Launches: arguments, configurations that CUDA rejects, failures while running.
#include "lanes/element.h"
#include "lanes/launch.h"
#include "neuronify.h"
#include "nki/error.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

inline auto local_type() {
  struct Local {};
  return Local();
}

namespace {

struct Pair {
  float *data;
  int n;
};

// Stubs stand where kernels stood.
void store_sum(float *out, float a, short b) { (void)out, (void)a, (void)b; }
void store_pair(Pair pair, unsigned long long value) { (void)pair, (void)value; }
void no_arguments() {}
void fails(int) {}
void not_ported(int) {}
void unknown(int) {}
void large(int *out, int how) { (void)out, (void)how; }
template <class T> void fill(T *out, T value) { (void)out, (void)value; }
template <int N, class F> void put(int *out, F f) {
  neuronify::kernel_call<neuronify::Value<N>, F>("put", out, f);
}

std::atomic<int> runs;
nki::Dim3 seen_grid, seen_block;
std::atomic<unsigned> seen_cores;
unsigned seen_shared;

void run_store_sum(nki::Launch &launch) {
  if (launch.core != 0)
    return;
  *launch.pointer<float>(0).pointer = launch.argument<float>(1) + launch.argument<short>(2);
}
void run_store_pair(nki::Launch &launch) {
  if (launch.core != 0)
    return;
  int n = launch.argument<int>(0, offsetof(Pair, n));
  launch.pointer<float>(0).pointer[n] = float(launch.argument<unsigned long long>(1));
}
void run_no_arguments(nki::Launch &launch) {
  ++runs;
  seen_cores |= 1u << launch.core;
  if (launch.core == 0) {
    seen_grid = launch.gridDim;
    seen_block = launch.blockDim;
    seen_shared = launch.dynamic_shared_bytes;
  }
}
void run_fails(nki::Launch &launch) {
  if (launch.core >= launch.argument<int>(0))
    throw nki::Error("nisa.memset", "core " + std::to_string(launch.core) + " does not want to");
}
void run_fill(nki::Launch &launch) {
  if (launch.core == 0)
    *launch.pointer<int>(0).pointer = launch.argument<int>(1);
}

enum class Large : int { whole_blocks, parts, after_a_store };

/// Adds 1 to each element, with 100 tiles beside: 1,024 lanes do not fit.
void run_large(nki::Launch &launch) {
  const nki::hbm<int> out = launch.pointer<int>(0);
  const auto how = launch.argument<Large>(1);
  for (const nki::Wave &w :
       launch.waves(how == Large::parts ? nki::Mapping::flat : nki::Mapping::block_per_partition)) {
    nki::Index i = w.blockIdx.x * nki::Index(launch.blockDim.x) + w.threadIdx.x;
    nki::Place rows = nki::local_array(w, 4, "rows");
    if (how == Large::after_a_store)
      nki::store(out[i], 7u, 4, w.all());
    nki::Tensor value = w.tile(nki::DType::int32);
    nki::load(value, out[i], 4, w.all());
    std::vector<nki::Tensor> others;
    for (int k = 0; k < 100; ++k)
      others.push_back(w.tile(nki::DType::float32));
    nki::iadd(value, value, 1);
    nki::store(out[i], value, 4, w.all());
  }
}

constexpr neuronify::Kernel kLarge{"large", "", "k.cu", 7, run_large, "", nullptr};
constexpr neuronify::Kernel kStoreSum{
    "store_sum", "_Z9store_sumPffs", "k.cu", 1, run_store_sum, nullptr, nullptr};
constexpr neuronify::Kernel kStorePair{"store_pair", "", "k.cu", 2, run_store_pair, "", nullptr};
constexpr neuronify::Kernel kNoArguments{"no_arguments", "",      "k.cu", 3, run_no_arguments, "",
                                         nullptr,        nullptr, 1000};
constexpr neuronify::Kernel kFails{"fails", "", "k.cu", 4, run_fails, "", nullptr};
constexpr neuronify::Kernel kNotPorted{"not_ported", "", "k.cu", 5, nullptr, "", "NFY4001: no"};
constexpr neuronify::Kernel kFill{"fill<int>", "", "k.cu", 6, run_fill, "", nullptr};

const neuronify::Registration registration(
    "", "k.bc",
    {{store_sum, kStoreSum},
     {store_pair, kStorePair},
     {no_arguments, kNoArguments},
     {fails, kFails},
     {large, kLarge},
     {not_ported, kNotPorted},
     {fill<int>, kFill},
     {neuronify::kernel_key<neuronify::Value<2>, neuronify::LambdaAt<"k.cu:9", 8>>("put"), kFill}});

class Launch : public testing::Test {
protected:
  void SetUp() override { neuronify::deviceReset(); }
  void TearDown() override { neuronify::deviceReset(); }
  template <class T> T read(const T *device) {
    T value;
    EXPECT_EQ(neuronify::memcpy(&value, device, sizeof value, neuronify::MemcpyDeviceToHost), 0);
    return value;
  }
  neuronify::Error_t empty_launch(dim3 grid, dim3 block, size_t shared = 0) {
    neuronify::Error_t error = neuronify::launch(no_arguments, grid, block, shared, 0);
    EXPECT_EQ(neuronify::getLastError(), error);
    return error;
  }
};

TEST_F(Launch, ArgumentsConvertAsInACall) {
  float *out;
  neuronify::malloc(&out, 4);
  EXPECT_EQ(neuronify::launch(store_sum, 1, 1, 0, 0, out, 2, 3L), neuronify::Success);
  EXPECT_EQ(read(out), 5.0f);
  EXPECT_EQ(neuronify::launch(store_pair, dim3(1), dim3(1), 0, 0, {out, 0}, -1),
            neuronify::Success);
  EXPECT_EQ(read(out), 18446744073709551616.0f);
  int *typed = reinterpret_cast<int *>(out);
  EXPECT_EQ(neuronify::launch(fill<int>, 1, 1, 0, neuronify::StreamLegacy, typed, 3L), 0);
  EXPECT_EQ(read(typed), 3);
}

TEST_F(Launch, LaunchKernelTakesAddressesOfArguments) {
  float *out, a = 1;
  short b = 41;
  neuronify::malloc(&out, 4);
  void *arguments[] = {&out, &a, &b};
  EXPECT_EQ(neuronify::launchKernel((const void *)store_sum, 1, 1, arguments), neuronify::Success);
  EXPECT_EQ(read(out), 42.0f);
  EXPECT_EQ(neuronify::launchKernel(store_sum, 1, 1, arguments, 0, 0), neuronify::Success);
  EXPECT_EQ(neuronify::launchKernel(store_sum, 1, 1, nullptr, 0, 0), neuronify::ErrorInvalidValue);
}

TEST_F(Launch, EveryCoreRunsOnce) {
  runs = 0;
  seen_cores = 0;
  EXPECT_EQ(empty_launch(dim3(7, 2), dim3(33, 2, 3), 100), neuronify::Success);
  EXPECT_EQ(runs, 8);
  EXPECT_EQ(seen_cores, 255u);
  EXPECT_EQ(seen_grid.x, 7u);
  EXPECT_EQ(seen_grid.z, 1u);
  EXPECT_EQ(seen_block.z, 3u);
  EXPECT_EQ(seen_shared, 100u);
}

TEST_F(Launch, ConfigurationsOutsideTheLimitsAreRejected) {
  using namespace neuronify;
  EXPECT_EQ(empty_launch(0, 1), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(1, 0), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(dim3(1, 0), 1), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(dim3(1, 1, 0), 1), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(1, 1025), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(1, dim3(32, 33)), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(1, dim3(1, 1, 65)), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(dim3(1, 65536), 1), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(dim3(1, 1, 65536), 1), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(2147483648u, 1), ErrorInvalidConfiguration);
  EXPECT_EQ(empty_launch(1, dim3(65536, 65536, 1)), ErrorInvalidConfiguration);
  runs = 0;
  EXPECT_EQ(empty_launch(dim3(2147483647, 65535, 65535), dim3(16, 1, 64)), Success);
  EXPECT_EQ(empty_launch(1, dim3(1, 1024)), Success);
  EXPECT_EQ(runs, 16);
}

TEST_F(Launch, SharedMemoryNeedsOptingInBeyond48KiB) {
  using namespace neuronify;
  EXPECT_EQ(empty_launch(1, 1, 49152 - 1000), Success); // the kernel has 1000 static bytes
  EXPECT_EQ(empty_launch(1, 1, 49152 - 999), ErrorInvalidValue);
  EXPECT_EQ(empty_launch(1, 1, SIZE_MAX), ErrorInvalidValue);
  auto most = FuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(funcSetAttribute(no_arguments, most, 100000), Success);
  EXPECT_EQ(empty_launch(1, 1, 100000), Success);
  EXPECT_EQ(empty_launch(1, 1, 100001), ErrorInvalidValue);
  EXPECT_EQ(funcSetAttribute(no_arguments, most, (227 << 10) - 1000), Success);
  EXPECT_EQ(funcSetAttribute(no_arguments, most, (227 << 10) - 999), ErrorInvalidValue);
  EXPECT_EQ(funcSetAttribute(no_arguments, most, -1), ErrorInvalidValue);
}

TEST_F(Launch, UnknownAndUnportedKernelsAreErrorsThatPass) {
  EXPECT_EQ(neuronify::launch(unknown, 1, 1, 0, 0, 1), neuronify::ErrorInvalidDeviceFunction);
  EXPECT_EQ(neuronify::launchKernel((void *)nullptr, 1, 1, nullptr, 0, 0),
            neuronify::ErrorInvalidDeviceFunction);
  testing::internal::CaptureStderr();
  EXPECT_EQ(neuronify::launch(not_ported, 1, 1, 0, 0, 1), neuronify::ErrorNotSupported);
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("neuronify: k.cu:5: launch "), 0u) << text;
  EXPECT_NE(text.find("of 'not_ported' is skipped, it was not ported: NFY4001: no"),
            std::string::npos);
  EXPECT_EQ(neuronify::peekAtLastError(), neuronify::ErrorNotSupported);
  EXPECT_EQ(neuronify::getLastError(), neuronify::ErrorNotSupported);
  EXPECT_EQ(neuronify::getLastError(), neuronify::Success);
}

TEST_F(Launch, AKernelForALambdaIsFoundByItsPlace) {
  int *out;
  neuronify::malloc(&out, 4);
  long value = 17;
  auto lambda = neuronify::lambda<"k.cu:9">([value] { return value; });
  EXPECT_EQ(lambda(), 17) << "the host may call it";
  EXPECT_EQ(neuronify::launch(1, 1, 0, 0, [&] { put<2>(out, lambda); }), neuronify::Success);
  EXPECT_EQ(read(out), 17);
  testing::internal::CaptureStderr();
  EXPECT_EQ(neuronify::launch(1, 1, 0, 0, [&] { put<3>(out, lambda); }),
            neuronify::ErrorInvalidDeviceFunction);
  auto elsewhere = neuronify::lambda<"k.cu:10">([value] { return value; });
  EXPECT_EQ(neuronify::launch(1, 1, 0, 0, [&] { put<2>(out, elsewhere); }),
            neuronify::ErrorInvalidDeviceFunction);
  auto smaller = neuronify::lambda<"k.cu:9">([one = 1] { return one; });
  EXPECT_EQ(neuronify::launch(1, 1, 0, 0, [&] { put<2>(out, smaller); }),
            neuronify::ErrorInvalidDeviceFunction)
      << "captures that are laid out differently";
  EXPECT_NE(testing::internal::GetCapturedStderr().find("no port is registered"),
            std::string::npos);
  EXPECT_EQ(neuronify::launch(1, 2000, 0, 0, [&] { put<2>(out, lambda); }),
            neuronify::ErrorInvalidConfiguration);
  EXPECT_DEATH(put<2>(out, lambda), "'put' was called like a host function");
}

TEST_F(Launch, KeysTellTypesAndTemplatesApart) {
  struct Local {};
  using neuronify::kernel_key;
  EXPECT_NE(kernel_key<int>("k"), kernel_key<const int>("k"));
  EXPECT_NE(kernel_key<int>("k"), kernel_key<int &>("k"));
  EXPECT_NE((kernel_key<std::pair<int, float>>("k")), (kernel_key<std::pair<float, int>>("k")));
  EXPECT_EQ(kernel_key<neuronify::Value<4>>("k"), kernel_key<neuronify::Value<4u>>("k"));
  auto lambda = neuronify::lambda<"a.cu:1", Local>([] {});
  EXPECT_EQ((kernel_key<std::pair<decltype(lambda), int>>("k")),
            (kernel_key<std::pair<neuronify::LambdaAt<"a.cu:1", 1, Local>, int>>("k")));
  EXPECT_EQ(kernel_key<decltype(local_type())>("k"),
            kernel_key<neuronify::LocalType<"Z10local_typevE5Local">>("k"));
}

TEST_F(Launch, AFailureWhileRunningSticksUntilReset) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(neuronify::launch(fails, 1, 1, 0, 0, 5), neuronify::Success); // asynchronous, as CUDA's
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("k.cu:4: launch "), std::string::npos) << text;
  EXPECT_NE(text.find("of 'fails' failed: "), std::string::npos) << text;
  EXPECT_EQ(neuronify::deviceSynchronize(), neuronify::ErrorLaunchFailure);
  EXPECT_EQ(neuronify::getLastError(), neuronify::ErrorLaunchFailure);
  EXPECT_EQ(neuronify::getLastError(), neuronify::ErrorLaunchFailure);
  void *p;
  EXPECT_EQ(neuronify::malloc(&p, 4), neuronify::ErrorLaunchFailure);
  text = neuronify::getErrorString(neuronify::ErrorLaunchFailure);
  EXPECT_EQ(text.find("unspecified launch failure (fails: nisa.memset: core 5"), 0u) << text;
  EXPECT_EQ(neuronify::deviceReset(), neuronify::Success);
  EXPECT_EQ(neuronify::getLastError(), neuronify::Success);
  EXPECT_EQ(neuronify::malloc(&p, 4), neuronify::Success);
}

/// Launches run_large on 3 blocks of 1,024 threads, over zeros.
struct LargeLaunch {
  explicit LargeLaunch(Large how) {
    EXPECT_EQ(neuronify::malloc(&memory, sizeof values), neuronify::Success);
    EXPECT_EQ(neuronify::memset(memory, 0, sizeof values), neuronify::Success);
    error = neuronify::launch(large, 3, 1024, 0, 0, memory, int(how));
    after = neuronify::deviceSynchronize();
    copied = neuronify::memcpy(values, memory, sizeof values, neuronify::MemcpyDeviceToHost);
  }
  int *memory = nullptr;
  int values[3 * 1024] = {};
  neuronify::Error_t error, after, copied;
};

TEST_F(Launch, AKernelThatDoesNotFitRunsInPartsWhereItCan) {
  auto launched = std::make_unique<LargeLaunch>(Large::parts);
  EXPECT_EQ(launched->error, neuronify::Success);
  EXPECT_EQ(launched->after, neuronify::Success);
  EXPECT_EQ(launched->copied, neuronify::Success);
  for (int value : launched->values)
    ASSERT_EQ(value, 1) << "each lane runs once";
}

TEST_F(Launch, AKernelThatDoesNotFitIsAnErrorThatPasses) {
  testing::internal::CaptureStderr();
  auto launched = std::make_unique<LargeLaunch>(Large::whole_blocks);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(launched->error, neuronify::ErrorLaunchOutOfResources);
  EXPECT_EQ(launched->after, neuronify::Success);
  for (int value : launched->values)
    ASSERT_EQ(value, 0) << "nothing was stored";
  EXPECT_NE(text.find("NFY4011"), std::string::npos) << text;
  EXPECT_NE(text.find("a block of 1024 threads"), std::string::npos) << text;
  EXPECT_NE(text.find("'rows' 4096"), std::string::npos) << text;
  EXPECT_NE(text.find("of 262144"), std::string::npos) << text;
  runs = 0;
  EXPECT_EQ(neuronify::launch(no_arguments, 1, 1, 0, 0), neuronify::Success);
  EXPECT_GT(runs, 0);
}

TEST_F(Launch, AKernelThatRunsOutOfSpaceAfterAStoreIsAFailure) {
  auto launched = std::make_unique<LargeLaunch>(Large::after_a_store);
  EXPECT_EQ(launched->after, neuronify::ErrorLaunchFailure);
}

TEST_F(Launch, OccupancyFollowsCudasRules) {
  int blocks, grid, block;
  neuronify::occupancyMaxActiveBlocksPerMultiprocessor(&blocks, no_arguments, 256, 0);
  EXPECT_EQ(blocks, 8);
  neuronify::occupancyMaxActiveBlocksPerMultiprocessor(&blocks, no_arguments, 1, 0);
  EXPECT_EQ(blocks, 32);
  neuronify::occupancyMaxActiveBlocksPerMultiprocessor(&blocks, no_arguments, 1025, 0);
  EXPECT_EQ(blocks, 0);
  neuronify::occupancyMaxActiveBlocksPerMultiprocessor(&blocks, no_arguments, 32, 100 << 10);
  EXPECT_EQ(blocks, 2);
  EXPECT_EQ(neuronify::occupancyMaxPotentialBlockSize(&grid, &block, store_sum), 0);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 256);
  EXPECT_EQ(neuronify::occupancyMaxPotentialBlockSize(&grid, &block, store_sum, 0, 100), 0);
  EXPECT_EQ(block, 64); // 32 blocks of 64 threads fill it, 21 of 96 do not
}

TEST_F(Launch, FunctionAttributesTellStaticSharedMemory) {
  neuronify::FuncAttributes attributes;
  EXPECT_EQ(neuronify::funcGetAttributes(&attributes, no_arguments), neuronify::Success);
  EXPECT_EQ(attributes.sharedSizeBytes, 1000u);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 49152 - 1000);
  EXPECT_EQ(neuronify::funcGetAttributes(&attributes, unknown),
            neuronify::ErrorInvalidDeviceFunction);
}

TEST_F(Launch, ARegistrationThatEndsTakesItsKernelsAlong) {
  {
    neuronify::Registration temporary("", "t.bc", {{unknown, kNoArguments}});
    EXPECT_EQ(neuronify::launch(unknown, 1, 1, 0, 0, 1), neuronify::Success);
    neuronify::Registration again("", "u.bc", {{unknown, kNoArguments}});
  }
  EXPECT_EQ(neuronify::launch(unknown, 1, 1, 0, 0, 1), neuronify::ErrorInvalidDeviceFunction);
}

} // namespace
