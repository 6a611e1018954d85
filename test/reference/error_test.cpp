#include "reference_for_test.h"

namespace neuronify::reference {
namespace {

std::string errorOf(const std::string &bitcode) {
  std::string error;
  EXPECT_EQ(load(bitcode, error), nullptr);
  return error;
}

TEST(ReferenceErrors, WhatIsNoBitcodeIsRefused) {
  EXPECT_NE(errorOf(""), "");
  EXPECT_NE(errorOf("this is no bitcode"), "");
  EXPECT_NE(errorOf(std::string(1000, '\0')), "");
}

TEST(ReferenceErrors, CutOrDamagedBitcodeIsRefusedOrLoadsWithoutACrash) {
  const std::string good = readFile(bitcodePath("basic"));
  ASSERT_GT(good.size(), 1000u);
  for (size_t size : {size_t(4), size_t(100), good.size() / 2, good.size() - 8})
    EXPECT_NE(errorOf(good.substr(0, size)), "") << size;
}

TEST(ReferenceErrors, HostCodeIsRefused) {
  EXPECT_PRED1(
      [](const std::string &error) {
        return error.find("not for a CUDA device") != std::string::npos;
      },
      errorOf(readFile(NEURONIFY_TEST_BITCODE "/host.bc")));
}

Result tryLaunch(const char *kernel, Dim3 grid = {1}, Dim3 block = {1}, size_t shared = 0) {
  std::vector<float> data(64);
  return launch(kernels("basic"), kernel, grid, block, shared, DeviceForTest(), Checks(),
                data.data());
}

void expectError(const Result &result, std::initializer_list<const char *> parts) {
  EXPECT_FALSE(result.ok);
  for (const char *part : parts)
    EXPECT_NE(result.error.find(part), std::string::npos) << result.error;
}

TEST(ReferenceErrors, AMissingKernelIsNamed) {
  expectError(tryLaunch("no_such_kernel"), {"no_such_kernel"});
}

TEST(ReferenceErrors, ADeviceFunctionIsNoKernel) {
  expectError(tryLaunch("library_of_another_unit"), {"library_of_another_unit"});
}

TEST(ReferenceErrors, UnknownAssemblyIsNamedWithItsLine) {
  expectError(tryLaunch("unused_with_unknown"), {"some.unknown.ptx", "basic.cu:"});
}

TEST(ReferenceErrors, AnUnknownIntrinsicIsNamedWithItsLine) {
  expectError(tryLaunch("unknown_intrinsic"), {"llvm.nvvm.read.ptx.sreg.pm0", "basic.cu:"});
}

TEST(ReferenceErrors, AnUnknownFunctionIsNamedWithItsLine) {
  expectError(tryLaunch("unknown_function"), {"library_of_another_unit", "basic.cu:"});
}

TEST(ReferenceErrors, AnAddressInConstantDataIsNamed) {
  expectError(tryLaunch("constant_with_address"), {"counters"});
}

TEST(ReferenceErrors, OtherKernelsOfTheUnitStillRun) {
  tryLaunch("unknown_intrinsic");
  std::vector<int> out(8);
  runPlain(kernels("basic"), "local_array", {1}, {8}, out.data(), 1);
}

TEST(ReferenceErrors, LaunchesOutsideOfCudasLimitsAreRefused) {
  for (Dim3 block : {Dim3{0}, Dim3{1025}, Dim3{32, 33}, Dim3{1, 1, 65}})
    expectError(tryLaunch("asserts", {1}, block), {"block", "limits"});
  for (Dim3 grid : {Dim3{0}, Dim3{1, 65536}, Dim3{0x80000000u}})
    expectError(tryLaunch("asserts", grid, {1}), {"grid", "limits"});
  expectError(tryLaunch("asserts", {1}, {1}, 1 << 20), {"shared memory"});
}

TEST(ReferenceErrors, TheNumberOfArgumentsIsChecked) {
  float a = 1;
  void *arguments[] = {&a};
  DeviceForTest device;
  Result result = kernels("basic").run("saxpy", {1}, {1}, 0, arguments, device.memory(), Checks());
  expectError(result, {"saxpy", "4", "1"});
}

TEST(ReferenceErrors, AVariableWithoutAnAddressIsNamed) {
  expectError(tryLaunch("with_constants"), {"co", "address"});
}

TEST(ReferenceErrors, AFailedAssertionStopsTheLaunchAndNamesTheThread) {
  std::vector<int> out(8);
  Result result =
      launch(kernels("basic"), "asserts", {1}, {8}, 0, DeviceForTest(), Checks(), out.data());
  expectError(result, {"thread (3,0,0)", "out != nullptr", "basic.cu:"});
  EXPECT_EQ(out[2], 1);
  EXPECT_EQ(out[3], 0);
}

TEST(ReferenceErrors, ATrapBehindABarrierStopsTheLaunchAndTheNextOneRuns) {
  std::vector<int> out(64);
  Result result =
      launch(kernels("basic"), "traps", {2}, {64}, 0, DeviceForTest(), Checks(), out.data());
  expectError(result, {"thread (5,0,0)", "block (0,0,0)", "trap", "basic.cu:"});
  std::vector<float> x(64, 1.f), sum(1);
  runPlain(kernels("basic"), "block_sum", {1}, {64}, (const float *)x.data(), sum.data(), 64);
  EXPECT_EQ(sum[0], 64.f);
}

} // namespace
} // namespace neuronify::reference
