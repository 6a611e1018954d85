// Device memory, copies and fills: what works, and what is rejected with CUDA's error.
#include "neuronify.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace {

class Memory : public testing::Test {
protected:
  void SetUp() override { neuronify::deviceReset(); }
};

TEST_F(Memory, CopiesThereAndBack) {
  std::vector<float> in(1001), out(1001);
  std::iota(in.begin(), in.end(), 0.5f);
  float *a, *b;
  size_t bytes = in.size() * sizeof(float);
  ASSERT_EQ(neuronify::malloc(&a, bytes), neuronify::Success);
  ASSERT_EQ(neuronify::malloc((void **)&b, bytes), neuronify::Success);
  EXPECT_EQ(neuronify::memcpy(a, in.data(), bytes, neuronify::MemcpyHostToDevice), 0);
  EXPECT_EQ(neuronify::memcpy(b, a, bytes, neuronify::MemcpyDeviceToDevice), 0);
  EXPECT_EQ(neuronify::memcpy(out.data(), b, bytes, neuronify::MemcpyDefault), 0);
  EXPECT_EQ(in, out);
  EXPECT_EQ(neuronify::free(a), 0);
  EXPECT_EQ(neuronify::free(b), 0);
}

TEST_F(Memory, FreshMemoryHoldsTheRecognisablePattern) {
  uint32_t *p, value;
  neuronify::malloc(&p, 4096);
  neuronify::memcpy(&value, p + 1000, 4, neuronify::MemcpyDeviceToHost);
  EXPECT_EQ(value, 0x7FFD7FFDu);
}

TEST_F(Memory, SizeZeroGivesNull) {
  void *p = this;
  EXPECT_EQ(neuronify::malloc(&p, 0), neuronify::Success);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(neuronify::free(nullptr), neuronify::Success);
  EXPECT_EQ(neuronify::freeHost(nullptr), neuronify::Success);
}

TEST_F(Memory, TooMuchIsAnErrorNotACrash) {
  void *p;
  EXPECT_EQ(neuronify::malloc(&p, size_t(1) << 60), neuronify::ErrorMemoryAllocation);
  EXPECT_EQ(neuronify::malloc(&p, SIZE_MAX), neuronify::ErrorMemoryAllocation);
  size_t pitch;
  EXPECT_EQ(neuronify::mallocPitch(&p, &pitch, SIZE_MAX, SIZE_MAX),
            neuronify::ErrorMemoryAllocation);
  EXPECT_EQ(neuronify::malloc((void **)nullptr, 4), neuronify::ErrorInvalidValue);
}

TEST_F(Memory, FreeOfAnythingElseIsInvalid) {
  char *p, on_stack;
  void *pinned;
  neuronify::malloc(&p, 16);
  neuronify::mallocHost(&pinned, 16);
  EXPECT_EQ(neuronify::free(&on_stack), neuronify::ErrorInvalidValue);
  EXPECT_EQ(neuronify::free(p + 1), neuronify::ErrorInvalidValue);
  EXPECT_EQ(neuronify::free(pinned), neuronify::ErrorInvalidValue);
  EXPECT_EQ(neuronify::freeHost(p), neuronify::ErrorInvalidValue);
  EXPECT_EQ(neuronify::free(p), neuronify::Success);
  EXPECT_EQ(neuronify::free(p), neuronify::ErrorInvalidValue);
  EXPECT_EQ(neuronify::freeHost(pinned), neuronify::Success);
}

TEST_F(Memory, CopiesCheckSidesAndEnds) {
  char host[64] = {}, *device;
  neuronify::malloc(&device, 64);
  using namespace neuronify;
  EXPECT_EQ(neuronify::memcpy(host, host + 32, 32, MemcpyHostToDevice), ErrorInvalidValue);
  EXPECT_EQ(neuronify::memcpy(device, device, 64, MemcpyHostToDevice), ErrorInvalidValue);
  EXPECT_EQ(neuronify::memcpy(device, host, 64, MemcpyDeviceToHost), ErrorInvalidValue);
  EXPECT_EQ(neuronify::memcpy(device, host, 64, MemcpyHostToHost), ErrorInvalidValue);
  EXPECT_EQ(neuronify::memcpy(device, host, 65, MemcpyHostToDevice), ErrorInvalidValue);
  EXPECT_EQ(neuronify::memcpy(device + 60, host, 5, MemcpyHostToDevice), ErrorInvalidValue);
  EXPECT_EQ(neuronify::memcpy(device, host, SIZE_MAX, MemcpyHostToDevice), ErrorInvalidValue);
  EXPECT_EQ(neuronify::memcpy(nullptr, host, 1, MemcpyHostToDevice), ErrorInvalidValue);
  EXPECT_EQ(neuronify::memcpy(device, host, 64, MemcpyKind(9)), ErrorInvalidMemcpyDirection);
  EXPECT_EQ(neuronify::memcpy(nullptr, nullptr, 0, MemcpyHostToDevice), Success);
  EXPECT_EQ(neuronify::memcpy(device + 60, host, 4, MemcpyHostToDevice), Success);
}

TEST_F(Memory, FillsCheckTheirRange) {
  unsigned char *p, out[8];
  neuronify::malloc(&p, 8);
  EXPECT_EQ(neuronify::memset(p, 0x1FF, 8), neuronify::Success);
  neuronify::memcpy(out, p, 8, neuronify::MemcpyDeviceToHost);
  EXPECT_EQ(out[7], 0xFF);
  EXPECT_EQ(neuronify::memset(p, 0, 9), neuronify::ErrorInvalidValue);
  EXPECT_EQ(neuronify::memset(out, 0, 8), neuronify::ErrorInvalidValue);
  EXPECT_EQ(neuronify::memset2D(p, 4, 0, 3, 2), neuronify::Success);
  EXPECT_EQ(neuronify::memset2D(p, 4, 0, 5, 2), neuronify::ErrorInvalidValue);
  neuronify::memcpy(out, p, 8, neuronify::MemcpyDeviceToHost);
  EXPECT_EQ(out[2], 0);
  EXPECT_EQ(out[3], 0xFF); // the gap between the rows
}

TEST_F(Memory, PitchedRowsKeepTheirGaps) {
  float *device;
  size_t pitch;
  ASSERT_EQ(neuronify::mallocPitch(&device, &pitch, 7 * sizeof(float), 5), neuronify::Success);
  EXPECT_GE(pitch, 7 * sizeof(float));
  EXPECT_EQ(pitch % 256, 0u);
  std::vector<float> in(35), out(35);
  std::iota(in.begin(), in.end(), 1.0f);
  EXPECT_EQ(neuronify::memcpy2D(device, pitch, in.data(), 28, 28, 5, neuronify::MemcpyHostToDevice),
            0);
  EXPECT_EQ(
      neuronify::memcpy2D(out.data(), 28, device, pitch, 28, 5, neuronify::MemcpyDeviceToHost), 0);
  EXPECT_EQ(in, out);
  EXPECT_EQ(
      neuronify::memcpy2D(out.data(), 27, device, pitch, 28, 5, neuronify::MemcpyDeviceToHost),
      neuronify::ErrorInvalidPitchValue);
  EXPECT_EQ(
      neuronify::memcpy2D(out.data(), 28, device, pitch, 28, 6, neuronify::MemcpyDeviceToHost),
      neuronify::ErrorInvalidValue);
}

TEST_F(Memory, VolumesCopySliceBySlice) {
  neuronify::PitchedPtr device;
  ASSERT_EQ(neuronify::malloc3D(&device, neuronify::make_Extent(12, 3, 2)), neuronify::Success);
  std::vector<int> in(18), out(18);
  std::iota(in.begin(), in.end(), 1);
  neuronify::Memcpy3DParms p{};
  p.srcPtr = neuronify::make_PitchedPtr(in.data(), 12, 12, 3);
  p.dstPtr = device;
  p.extent = neuronify::make_Extent(12, 3, 2);
  p.kind = neuronify::MemcpyHostToDevice;
  EXPECT_EQ(neuronify::memcpy3D(&p), neuronify::Success);
  p.srcPtr = device;
  p.dstPtr = neuronify::make_PitchedPtr(out.data(), 12, 12, 3);
  p.kind = neuronify::MemcpyDeviceToHost;
  EXPECT_EQ(neuronify::memcpy3D(&p), neuronify::Success);
  EXPECT_EQ(in, out);
}

TEST_F(Memory, ManagedAndPinnedMemoryIsOfBothSides) {
  int *managed, *pinned, *seen;
  ASSERT_EQ(neuronify::mallocManaged(&managed, 64), neuronify::Success);
  ASSERT_EQ(neuronify::hostAlloc(&pinned, 64, neuronify::HostAllocMapped), neuronify::Success);
  managed[15] = 3;
  EXPECT_EQ(neuronify::memcpy(pinned, managed, 64, neuronify::MemcpyDeviceToHost), 0);
  EXPECT_EQ(pinned[15], 3);
  EXPECT_EQ(neuronify::hostGetDevicePointer(&seen, pinned, 0), neuronify::Success);
  EXPECT_EQ(seen, pinned);
  EXPECT_EQ(neuronify::free(managed), neuronify::Success);
  neuronify::PointerAttributes attributes;
  EXPECT_EQ(neuronify::pointerGetAttributes(&attributes, pinned + 3), neuronify::Success);
  EXPECT_EQ(attributes.type, neuronify::MemoryTypeHost);
  EXPECT_EQ(neuronify::pointerGetAttributes(&attributes, &attributes), neuronify::Success);
  EXPECT_EQ(attributes.type, neuronify::MemoryTypeUnregistered);
}

TEST_F(Memory, RegisteredMemoryIsKeptTrackOf) {
  int host[4];
  void *device;
  EXPECT_EQ(neuronify::hostRegister(host, 16, 0), neuronify::Success);
  EXPECT_EQ(neuronify::hostRegister(host, 16, 0), neuronify::ErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(neuronify::hostGetDevicePointer(&device, host, 0), neuronify::ErrorNotSupported);
  EXPECT_EQ(neuronify::hostUnregister(host), neuronify::Success);
  EXPECT_EQ(neuronify::hostUnregister(host), neuronify::ErrorHostMemoryNotRegistered);
}

TEST_F(Memory, FreeMemoryShrinksByWhatIsAllocated) {
  size_t before, after, total;
  void *p;
  neuronify::memGetInfo(&before, &total);
  neuronify::malloc(&p, 1 << 20);
  neuronify::memGetInfo(&after, &total);
  EXPECT_EQ(before - after, size_t(1) << 20);
  EXPECT_EQ(total, size_t(144) << 30);
}

TEST_F(Memory, DeviceResetFreesEverything) {
  void *p;
  neuronify::malloc(&p, 16);
  neuronify::deviceReset();
  EXPECT_EQ(neuronify::free(p), neuronify::ErrorInvalidValue);
}

} // namespace
