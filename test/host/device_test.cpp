// What programs ask about the device, and how errors are told.
#include "neuronify.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace {

class Device : public testing::Test {
protected:
  void SetUp() override { neuronify::deviceReset(); }
};

TEST_F(Device, ThereIsOne) {
  int count = 0, device = 9;
  EXPECT_EQ(neuronify::getDeviceCount(&count), neuronify::Success);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(neuronify::getDevice(&device), neuronify::Success);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(neuronify::setDevice(0), neuronify::Success);
  EXPECT_EQ(neuronify::setDevice(1), neuronify::ErrorInvalidDevice);
  EXPECT_EQ(neuronify::setDevice(-1), neuronify::ErrorInvalidDevice);
}

TEST_F(Device, PropertiesAndAttributesAgree) {
  neuronify::DeviceProp p;
  ASSERT_EQ(neuronify::getDeviceProperties(&p, 0), neuronify::Success);
  EXPECT_NE(std::string(p.name).find("trn3"), std::string::npos);
  EXPECT_EQ(p.totalGlobalMem, size_t(144) << 30);
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.maxThreadsDim[2], 64);
  auto attribute = [](neuronify::DeviceAttr a) {
    int value = -1;
    EXPECT_EQ(neuronify::deviceGetAttribute(&value, a, 0), neuronify::Success);
    return value;
  };
  EXPECT_EQ(attribute(neuronify::DevAttrMaxThreadsPerBlock), p.maxThreadsPerBlock);
  EXPECT_EQ(attribute(neuronify::DevAttrMultiProcessorCount), p.multiProcessorCount);
  EXPECT_EQ(attribute(neuronify::DevAttrMaxGridDimX), p.maxGridSize[0]);
  EXPECT_EQ(attribute(neuronify::DevAttrMaxSharedMemoryPerBlockOptin), 227 << 10);
  int value;
  EXPECT_EQ(neuronify::deviceGetAttribute(&value, neuronify::DeviceAttr(9999), 0),
            neuronify::ErrorInvalidValue);
  // What programs print as the theoretical bandwidth is the HBM's.
  double bandwidth = 2.0 * p.memoryClockRate * 1e3 * (p.memoryBusWidth / 8);
  EXPECT_NEAR(bandwidth, 4.9e12, 0.3e12);
}

TEST_F(Device, ErrorsHaveCudasNamesAndWords) {
  using namespace neuronify;
  EXPECT_STREQ(getErrorString(Success), "no error");
  EXPECT_STREQ(getErrorName(Success), "cudaSuccess");
  EXPECT_STREQ(getErrorString(ErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(getErrorName(ErrorMemoryAllocation), "cudaErrorMemoryAllocation");
  EXPECT_STREQ(getErrorString(Error_t(12345)), "unrecognized error code");
  EXPECT_EQ(int(ErrorInvalidDeviceFunction), 98);
}

TEST_F(Device, TheLastErrorIsKeptPerThreadUntilItIsRead) {
  neuronify::setDevice(7);
  int device;
  neuronify::getDevice(&device); // success does not clear it
  std::thread([] { EXPECT_EQ(neuronify::getLastError(), neuronify::Success); }).join();
  EXPECT_EQ(neuronify::peekAtLastError(), neuronify::ErrorInvalidDevice);
  EXPECT_EQ(neuronify::getLastError(), neuronify::ErrorInvalidDevice);
  EXPECT_EQ(neuronify::getLastError(), neuronify::Success);
}

TEST_F(Device, LimitsAreRemembered) {
  size_t value;
  EXPECT_EQ(neuronify::deviceSetLimit(neuronify::LimitStackSize, 4096), neuronify::Success);
  EXPECT_EQ(neuronify::deviceGetLimit(&value, neuronify::LimitStackSize), neuronify::Success);
  EXPECT_EQ(value, 4096u);
  EXPECT_EQ(neuronify::deviceGetLimit(&value, neuronify::Limit(99)), neuronify::ErrorInvalidValue);
}

// Host text of a CUDA program that names nothing with the prefix `cuda` compiles as it is.
__host__ __device__ __forceinline__ float4 scale(float4 v, float s) {
  return make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
}

TEST(HostText, VectorTypesAndMarkersAreThere) {
  static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && alignof(float2) == 8);
  static_assert(alignof(uchar4) == 4 && sizeof(short3) == 6 && alignof(longlong2) == 16);
  float4 v = scale(make_float4(1, 2, 3, 4), 2);
  EXPECT_EQ(v.w, 8);
  int n = 1000;
  dim3 block(32, 8), grid((n + block.x - 1) / block.x, 2);
  EXPECT_EQ(grid.x, 32u);
  EXPECT_EQ(grid.z, 1u);
  uint3 plain = grid;
  EXPECT_EQ(plain.y, 2u);
  EXPECT_EQ(max(n, 1001u), 1001u);
  EXPECT_EQ(min(-1, 2), -1);
  EXPECT_EQ(min(2.0f, 1.0), 1.0);
  using namespace std;
  EXPECT_EQ(max(1.5f, NAN), 1.5f);
}

} // namespace
