// Arrays, texture and surface objects: what the runtime keeps, and what it rejects as CUDA does.
#include "host/runtime.h"
#include "lanes/texture.h"
#include "neuronify.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace {

using namespace neuronify;

class Textures : public testing::Test {
protected:
  void SetUp() override { deviceReset(); }

  static Array_t array(ChannelFormatDesc desc, Extent extent, unsigned flags = 0) {
    Array_t result = nullptr;
    EXPECT_EQ(malloc3DArray(&result, &desc, extent, flags), Success);
    return result;
  }
  static ResourceDesc over(Array_t array) {
    ResourceDesc resource = {};
    resource.resType = ResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }
};

TEST_F(Textures, ArraysAreRowsWithoutGaps) {
  Array_t a = array(createChannelDesc<short2>(), {5, 3, 0});
  std::vector<int> in(15), out(15, -1);
  std::iota(in.begin(), in.end(), 100);
  ASSERT_EQ(memcpy2DToArray(a, 0, 0, in.data(), 20, 20, 3, MemcpyHostToDevice), Success);
  EXPECT_EQ(memcpyFromArray(out.data(), a, 0, 0, 60, MemcpyDeviceToHost), Success);
  EXPECT_EQ(in, out);
  // One column of two rows, from the middle to the start of another array.
  Array_t b = array(createChannelDesc<int>(), {5, 3, 0});
  EXPECT_EQ(memcpy2DArrayToArray(b, 4, 1, a, 8, 0, 8, 2), Success);
  int part[4] = {};
  EXPECT_EQ(memcpy2DFromArray(part, 8, b, 4, 1, 8, 2, MemcpyDeviceToHost), Success);
  EXPECT_EQ(part[0], 102);
  EXPECT_EQ(part[3], 108);
  EXPECT_EQ(freeArray(a), Success);
  EXPECT_EQ(freeArray(a), ErrorInvalidValue);
  EXPECT_EQ(freeArray(nullptr), Success);
}

TEST_F(Textures, CopiesStayInTheArray) {
  Array_t a = array(createChannelDesc<float>(), {8, 4, 0});
  float values[64] = {};
  EXPECT_EQ(memcpy2DToArray(a, 4, 0, values, 32, 32, 1, MemcpyHostToDevice), ErrorInvalidValue);
  EXPECT_EQ(memcpy2DToArray(a, 0, 2, values, 32, 32, 3, MemcpyHostToDevice), ErrorInvalidValue);
  EXPECT_EQ(memcpyToArray(a, 0, 3, values, 33, MemcpyHostToDevice), ErrorInvalidValue);
  EXPECT_EQ(memcpyToArray(a, 4, 3, values, 28, MemcpyHostToDevice), Success);
}

TEST_F(Textures, VolumesAreCopiedInTexels) {
  Array_t a = array(createChannelDesc<float2>(), {4, 3, 2});
  std::vector<float> in(48), out(12, -1);
  std::iota(in.begin(), in.end(), 0.0f);
  Memcpy3DParms copy = {};
  copy.srcPtr = make_PitchedPtr(in.data(), 32, 4, 3);
  copy.dstArray = a;
  copy.extent = make_Extent(4, 3, 2);
  copy.kind = MemcpyHostToDevice;
  ASSERT_EQ(memcpy3D(&copy), Success);
  Memcpy3DParms back = {};
  back.srcArray = a;
  back.srcPos = make_Pos(1, 1, 1);
  back.dstPtr = make_PitchedPtr(out.data(), 24, 3, 2);
  back.extent = make_Extent(3, 2, 1);
  back.kind = MemcpyDeviceToHost;
  ASSERT_EQ(memcpy3D(&back), Success);
  EXPECT_EQ(out[0], 24 + 8 + 2);
  EXPECT_EQ(out[6], 24 + 16 + 2);
  back.extent = make_Extent(4, 2, 1);
  EXPECT_EQ(memcpy3D(&back), ErrorInvalidValue);
}

TEST_F(Textures, FormatsThatNoTextureHasAreRejected) {
  Array_t a = nullptr;
  ChannelFormatDesc three = {32, 32, 32, 0, ChannelFormatKindFloat};
  ChannelFormatDesc uneven = {8, 16, 0, 0, ChannelFormatKindUnsigned};
  ChannelFormatDesc wide = {64, 0, 0, 0, ChannelFormatKindSigned};
  EXPECT_EQ(mallocArray(&a, &three, 8), ErrorInvalidChannelDescriptor);
  EXPECT_EQ(mallocArray(&a, &uneven, 8), ErrorInvalidChannelDescriptor);
  EXPECT_EQ(mallocArray(&a, &wide, 8), ErrorInvalidChannelDescriptor);
  ChannelFormatDesc good = createChannelDesc<uchar4>();
  EXPECT_EQ(mallocArray(&a, &good, 0), ErrorInvalidValue);
  EXPECT_EQ(mallocArray(&a, &good, size_t(1) << 20, size_t(1) << 20), ErrorInvalidValue);
  EXPECT_EQ(mallocArray(&a, &good, 8, 8, 0x40), ErrorNotSupported);
}

TEST_F(Textures, HandlesAreAddressesOfDescriptions) {
  Array_t a = array(createChannelDesc<ushort2>(), {7, 5, 0});
  ResourceDesc resource = over(a);
  TextureDesc how = {};
  how.addressMode[1] = AddressModeBorder;
  how.normalizedCoords = 1;
  TextureObject_t object = 0;
  ASSERT_EQ(createTextureObject(&object, &resource, &how, nullptr), Success);
  const nki::Texture &texture = *reinterpret_cast<const nki::Texture *>(object);
  EXPECT_EQ(texture.mark, nki::Texture::kMark);
  EXPECT_EQ(texture.size[0], 7);
  EXPECT_EQ(texture.size[1], 5);
  EXPECT_EQ(texture.row_bytes, 28);
  EXPECT_EQ(texture.bits, 16);
  EXPECT_EQ(texture.components, 2);
  EXPECT_EQ(texture.address[1], nki::Texture::Address::border);
  EXPECT_EQ(destroyTextureObject(object), Success);
  EXPECT_EQ(destroyTextureObject(object), ErrorInvalidValue);
}

TEST_F(Textures, ModesThatDoNotFitAreRejected) {
  Array_t a = array(createChannelDesc<int>(), {7, 5, 0});
  ResourceDesc resource = over(a);
  TextureDesc how = {};
  TextureObject_t object = 0;
  how.filterMode = FilterModeLinear;
  EXPECT_EQ(createTextureObject(&object, &resource, &how, nullptr), ErrorInvalidFilterSetting);
  how = {};
  how.sRGB = 1;
  EXPECT_EQ(createTextureObject(&object, &resource, &how, nullptr), ErrorNotSupported);
  how = {};
  ResourceViewDesc view = {};
  EXPECT_EQ(createTextureObject(&object, &resource, &how, &view), ErrorNotSupported);
  SurfaceObject_t surface = 0;
  EXPECT_EQ(createSurfaceObject(&surface, &resource), ErrorInvalidValue) << "no load and store";
  freeArray(a);
  EXPECT_EQ(createTextureObject(&object, &resource, &how, nullptr), ErrorInvalidResourceHandle);
}

TEST_F(Textures, LinearMemoryMustBeOnTheDevice) {
  float host[16];
  ResourceDesc resource = {};
  resource.resType = ResourceTypeLinear;
  resource.res.linear = {host, createChannelDesc<float>(), sizeof host};
  TextureDesc how = {};
  TextureObject_t object = 0;
  EXPECT_EQ(createTextureObject(&object, &resource, &how, nullptr), ErrorInvalidValue);
  float *device = nullptr;
  ASSERT_EQ(neuronify::malloc(&device, sizeof host), Success);
  resource.res.linear.devPtr = device;
  EXPECT_EQ(createTextureObject(&object, &resource, &how, nullptr), Success);
  resource.res.linear.sizeInBytes += 4;
  EXPECT_EQ(createTextureObject(&object, &resource, &how, nullptr), ErrorInvalidValue);
}

TEST_F(Textures, ReferencesMustBeVariablesOfTheDevice) {
  neuronify::texture<float, 1> unknown;
  float *device = nullptr;
  ASSERT_EQ(neuronify::malloc(&device, 64), Success);
  EXPECT_EQ(bindTexture(nullptr, unknown, device, 64), ErrorInvalidTexture);
  EXPECT_EQ(unknown.channelDesc.f, ChannelFormatKindFloat);
}

} // namespace
