// Texture fetches and surface accesses on waves of many shapes, against numbers worked out by hand
// or by other means than the fetch itself.
#include "lanes/ops.h"
#include "lanes/texture.h"

#include "chip_for_test.h"
#include "nki/error.h"

#include <cmath>

namespace nki {
namespace {

class TextureFetch : public testing::TestWithParam<WaveShape> {
protected:
  /// A texture of floats over `values`, width x height, in device memory.
  uint64_t make(const std::vector<float> &values, int width, int height, Texture modes = {}) {
    Texture texture = modes;
    texture.mark = Texture::kMark;
    texture.data = reinterpret_cast<char *>(chip_.device(values).pointer);
    texture.row_bytes = 4 * width;
    texture.slice_bytes = texture.row_bytes * height;
    texture.size[0] = width;
    texture.size[1] = height;
    texture.components = 1;
    texture.bits = 32;
    texture.kind = Texture::Kind::floating;
    return uint64_t(chip_.device(std::vector<Texture>{texture}).pointer);
  }
  static Texture modes(Texture::Address address, bool linear, bool normalized) {
    Texture texture;
    for (Texture::Address &one : texture.address)
      one = address;
    texture.linear = linear;
    texture.normalized = normalized;
    texture.border[0] = -9;
    return texture;
  }
  /// What a 1-D fetch at `x` gives in all lanes.
  float fetch(uint64_t handle, float x) {
    const TestWave wave(GetParam());
    Tensor value = wave.wave().tile(DType::float32);
    texture_1d(wave.wave(), value, handle, 0, x, wave.wave().all());
    const auto values = from_tile<float>(value);
    for (float other : values)
      EXPECT_EQ(other, values[0]);
    return values[0];
  }
  TestChip chip_;
};

using Address = Texture::Address;
const std::vector<float> kLine{10, 20, 40, 80};

TEST_P(TextureFetch, NearestTakesTheTexelUnderTheCoordinate) {
  const uint64_t clamp = make(kLine, 4, 1, modes(Address::clamp, false, false));
  EXPECT_EQ(fetch(clamp, 0.0f), 10);
  EXPECT_EQ(fetch(clamp, 0.999f), 10);
  EXPECT_EQ(fetch(clamp, 1.0f), 20);
  EXPECT_EQ(fetch(clamp, 3.5f), 80);
  EXPECT_EQ(fetch(clamp, -100.0f), 10);
  EXPECT_EQ(fetch(clamp, INFINITY), 80);
  EXPECT_EQ(fetch(clamp, NAN), 10);
}

TEST_P(TextureFetch, LinearWeighsTheTwoNeighbours) {
  const uint64_t clamp = make(kLine, 4, 1, modes(Address::clamp, true, false));
  EXPECT_EQ(fetch(clamp, 0.5f), 10);
  EXPECT_EQ(fetch(clamp, 1.0f), 15);
  EXPECT_EQ(fetch(clamp, 2.25f), 35);
  EXPECT_EQ(fetch(clamp, 9.0f), 80);
  // Eight bits of fraction, to the nearest.
  EXPECT_EQ(fetch(clamp, 1.5f + 0.4f / 256), 20);
  EXPECT_EQ(fetch(clamp, 1.5f + 0.6f / 256), 20 + 20.0f / 256);
}

TEST_P(TextureFetch, AddressModesAgreeWithTheirNames) {
  const uint64_t wrap = make(kLine, 4, 1, modes(Address::wrap, false, true));
  EXPECT_EQ(fetch(wrap, 1.25f), 20);
  EXPECT_EQ(fetch(wrap, -0.25f), 80);
  EXPECT_EQ(fetch(wrap, -1e-30f), 10) << "the fraction rounds to one";
  const uint64_t mirror = make(kLine, 4, 1, modes(Address::mirror, false, true));
  EXPECT_EQ(fetch(mirror, 1.125f), 80);
  EXPECT_EQ(fetch(mirror, -0.125f), 10);
  EXPECT_EQ(fetch(mirror, -0.375f), 20);
  EXPECT_EQ(fetch(mirror, 2.125f), 10);
  const uint64_t border = make(kLine, 4, 1, modes(Address::border, false, false));
  EXPECT_EQ(fetch(border, -0.5f), -9);
  EXPECT_EQ(fetch(border, 4.0f), -9);
  EXPECT_EQ(fetch(border, 3.75f), 80);
  const uint64_t around = make(kLine, 4, 1, modes(Address::wrap, true, true));
  EXPECT_EQ(fetch(around, 0.0f), 45) << "half of the last, half of the first";
  const uint64_t edge = make(kLine, 4, 1, modes(Address::border, true, false));
  EXPECT_EQ(fetch(edge, 0.0f), 0.5f) << "half of the border, half of the first";
}

TEST_P(TextureFetch, ElementsOutsideOfLinearMemoryAreZero) {
  const uint64_t line = make(kLine, 4, 1);
  const TestWave wave(GetParam());
  const Wave &w = wave.wave();
  const Index x = urem(w.threadIdx.x + w.blockIdx.x * Index(3), Index(9)) - Index(2);
  Tensor launch = w.tile(DType::float32), chip = w.tile(DType::float32);
  texture_element(w, launch, line, 0, x, w.all());
  Tensor tile = w.tile(DType::int32);
  materialize(tile, x);
  texture_element(w, chip, line, 0, tile, w.all());
  const auto known = from_tile<float>(launch), computed = from_tile<float>(chip);
  for (int64_t lane = 0; lane < w.lanes(); ++lane) {
    const int64_t at = x.signed_at(lane);
    const float expected = at >= 0 && at < 4 ? kLine[size_t(at)] : 0.0f;
    EXPECT_EQ(known[size_t(lane)], expected);
    EXPECT_EQ(computed[size_t(lane)], expected);
  }
}

TEST_P(TextureFetch, SurfaceWritesStayInside) {
  const TestWave wave(GetParam());
  const Wave &w = wave.wave();
  const std::vector<float> before(12, 1.0f);
  for (const bool on_chip : {false, true}) {
    const uint64_t handle = make(before, 3, 4);
    const Index x = w.threadIdx.x * Index(4), y = w.threadIdx.y - Index(1);
    Tensor tile = w.tile(DType::int32);
    materialize(tile, x);
    const SurfaceCoordinate along = on_chip ? SurfaceCoordinate(tile) : SurfaceCoordinate(x);
    surface_write_2d(w, handle, 7, along, y, 4, 0, 4, int(SurfaceBoundary::zero), w.all());
    const auto *values =
        reinterpret_cast<const int *>(reinterpret_cast<const Texture *>(handle)->data);
    const Dim3 block = w.launch().blockDim;
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 3; ++column)
        EXPECT_EQ(values[row * 3 + column] == 7, column < int(block.x) && row < int(block.y) - 1);
    if (block.x > 3 || block.y > 0)
      EXPECT_THROW(
          surface_write_2d(w, handle, 7, x, y, 4, 0, 4, int(SurfaceBoundary::trap), w.all()),
          Error);
  }
}

TEST_P(TextureFetch, OtherNumbersAreNoHandles) {
  const TestWave wave(GetParam());
  Tensor value = wave.wave().tile(DType::float32);
  const uint64_t no_texture = uint64_t(chip_.device(std::vector<float>(64)).pointer);
  for (uint64_t handle : {uint64_t(0), uint64_t(12345), no_texture})
    EXPECT_THROW(texture_1d(wave.wave(), value, handle, 0, 0.5f, wave.wave().all()), Error);
}

INSTANTIATE_TEST_SUITE_P(Waves, TextureFetch, testing::ValuesIn(kWaveShapes), shape_name);

} // namespace
} // namespace nki
