// Shared memory and local arrays against the same accesses lane by lane.
#include "lanes/memory.h"
#include "lanes/ops.h"

#include "chip_for_test.h"
#include "nki/error.h"

#include <random>

namespace nki {
namespace {

using Random = std::mt19937_64;

/// Bytes of every block's (or lane's) array on the host, and the same array on the chip.
class Array {
public:
  Array(const Wave &wave, bool local, int64_t bytes)
      : wave_(wave), local_(local), bytes_(bytes),
        place_(local ? local_array(wave, bytes) : shared_array(wave, bytes)),
        host_(size_t((local ? wave.lanes() : wave.P()) * bytes)) {}

  const Place &place() const { return place_; }
  uint8_t *at(int64_t lane, int64_t offset) {
    return &host_[size_t((local_ ? lane : lane / wave_.F()) * bytes_ + offset)];
  }
  void expect_same(const std::string &what) const {
    int64_t parts = local_ ? wave_.F() : 1;
    int64_t pitch = local_ ? place_.local_bytes : 0;
    for (int64_t p = 0; p < wave_.P(); ++p)
      for (int64_t part = 0; part < parts; ++part)
        for (int64_t i = 0; i < bytes_; ++i)
          ASSERT_EQ(place_.storage.storage()->row(p)[part * pitch + i],
                    host_[size_t((p * parts + part) * bytes_ + i)])
              << what << ", partition " << p << ", part " << part << ", byte " << i;
  }

private:
  const Wave &wave_;
  bool local_;
  int64_t bytes_;
  Place place_;
  std::vector<uint8_t> host_;
};

struct Named {
  const char *name;
  Index offset; // in elements
};

std::vector<Named> offsets_of(const Wave &wave, int64_t elements, Random &random) {
  Index x = wave.threadIdx.x, y = wave.threadIdx.y, z = wave.threadIdx.z;
  int nx = int(wave.launch().blockDim.x), ny = int(wave.launch().blockDim.y);
  Index t = (z * Index(ny) + y) * Index(nx) + x;
  Index block = wave.blockIdx.x - Index(wave, 32, wave.first(Axis::block_x), {});
  std::vector<int64_t> anywhere(size_t(wave.lanes()));
  for (int64_t &element : anywhere)
    element = int64_t(random() % uint64_t(elements));
  return {{"thread", t},
          {"padded", y * Index(nx + 1) + x + z},
          {"transposed", x * Index(ny) + y},
          {"reversed", Index(nx - 1) - x},
          {"row", y},
          {"constant", Index(3)},
          {"overlapping", x + y},
          {"swapped", t ^ Index(1)},
          {"modulo", urem(t * Index(5), Index(7))},
          {"halved", lshr(t, Index(1))},
          {"by block", urem(block + t, Index(19))},
          {"anywhere", Index(wave, 32, anywhere)}};
}

std::vector<Mask> masks_of(const Wave &wave, Random &random) {
  std::vector<uint8_t> noise(size_t(wave.lanes())), row(size_t(wave.F()));
  for (uint8_t &byte : noise)
    byte = random() % 2;
  std::vector<Mask> known{wave.all(),
                          Mask(true),
                          Mask(wave, noise),
                          slt(wave.threadIdx.x, Index(3)),
                          eq(wave.threadIdx.x & Index(1), Index(0)),
                          eq(wave.blockIdx.x & Index(1), Index(0)),
                          Mask(wave, false),
                          eq(wave.threadIdx.x | wave.threadIdx.y, Index(0))};
  std::vector<Mask> masks = known;
  for (const Mask &mask : known)
    masks.push_back(Mask(wave, mask.tile(wave)));
  return masks;
}

uint32_t low_bytes(uint32_t value, int bytes) {
  return bytes == 4 ? value : value & ((1u << 8 * bytes) - 1);
}

class OnChip : public testing::TestWithParam<std::tuple<WaveShape, bool>> {
protected:
  static constexpr int64_t kElements = 160; // of any size; local arrays have as many per lane
  OnChip() : made_(std::get<0>(GetParam())), wave_(made_.wave()) {}
  bool is_local() const { return std::get<1>(GetParam()); }
  /// One block per partition in kernels with shared memory; local arrays are for all.
  bool applies() const { return is_local() || wave_.counts()[3] == 1; }

  Place place_of(Array &array, const Index &offset, int size, int kind) {
    Index bytes = sext(offset, 64) * Index(long(size));
    if (kind == 0)
      return array.place() + bytes;
    Index lane_part = kind == 2 ? sext(wave_.threadIdx.x, 64) : Index(kind == 3 ? 2L : 0L);
    std::vector<int32_t> index(size_t(wave_.lanes()));
    for (int64_t lane = 0; lane < wave_.lanes(); ++lane)
      index[size_t(lane)] = int32_t(offset.signed_at(lane) - lane_part.signed_at(lane));
    return (array.place() + lane_part * Index(long(size)))
        .plus(to_tile(wave_, index, DType::int32), size);
  }

  void store_and_load(Array &array, const Named &named, int size, int kind, const Mask &mask) {
    std::string what = std::string(named.name) + ", " + std::to_string(size) + " bytes, kind " +
                       std::to_string(kind) + (mask.is_tile() ? ", predicate" : "");
    std::vector<uint32_t> predicate;
    if (mask.is_tile())
      predicate = from_tile<uint32_t>(mask.tile(wave_));
    auto in = [&](int64_t lane) {
      return mask.is_tile() ? predicate[size_t(lane)] != 0 : mask.at(lane);
    };
    Place place = place_of(array, named.offset, size, kind);
    std::vector<uint32_t> values(size_t(wave_.lanes()));
    bool same_value = random_() % 4 == 0;
    for (uint32_t &value : values)
      value = same_value ? 77 : uint32_t(random_());
    for (int64_t lane = 0; lane < wave_.lanes(); ++lane)
      if (in(lane))
        std::memcpy(array.at(lane, named.offset.signed_at(lane) * size), &values[size_t(lane)],
                    size_t(size));
    if (same_value)
      store(place, 77u, size, mask);
    else
      store(place, to_tile(wave_, values, size == 4 ? DType::float32 : DType::int32), size, mask);
    ASSERT_NO_FATAL_FAILURE(array.expect_same(what));

    Tensor tile = wave_.tile(DType::int32);
    load(tile, place, size, mask);
    std::vector<uint32_t> loaded = from_tile<uint32_t>(tile);
    for (int64_t lane = 0; lane < wave_.lanes(); ++lane) {
      if (!in(lane))
        continue;
      uint32_t expected = 0;
      std::memcpy(&expected, array.at(lane, named.offset.signed_at(lane) * size), size_t(size));
      ASSERT_EQ(low_bytes(loaded[size_t(lane)], size), expected) << what << ", lane " << lane;
    }
    ASSERT_NE(tile.storage()->contents, chip::Contents::partly) << what;
  }

  Random random_{9};
  TestChip chip_;
  TestWave made_;
  const Wave &wave_;
};

TEST_P(OnChip, EveryAccessActsLikeTheLanesOneAfterTheOther) {
  if (!applies())
    return;
  // Sizes that compare and sizes that go through device memory.
  for (int64_t bytes : {kElements * 4, kElements * 4 + 1500}) {
    if (is_local() && wave_.F() * bytes > 24 << 10)
      continue; // what an array takes is taken several times over while it is scattered to
    Array array(wave_, is_local(), bytes);
    int turn = 0;
    for (const Named &named : offsets_of(wave_, kElements, random_))
      for (const Mask &mask : masks_of(wave_, random_))
        for (int kind : {0, 1 + turn++ % 3}) {
          int size = std::array{1, 2, 4, 4}[random_() % 4];
          ASSERT_NO_FATAL_FAILURE(store_and_load(array, named, size, kind, mask));
        }
  }
}

TEST_P(OnChip, AnAffinePlaceIsAView) {
  if (!applies())
    return;
  Array array(wave_, is_local(), kElements * 4);
  for (const Named &named : offsets_of(wave_, kElements, random_)) {
    Place place = place_of(array, named.offset, 4, 0);
    std::optional<Tensor> view = shared_view(place, wave_, DType::int32);
    if (!view)
      continue;
    Tensor loaded = wave_.tile(DType::int32), copied = wave_.tile(DType::int32);
    std::vector<int32_t> values(size_t(wave_.lanes()));
    for (int32_t &value : values)
      value = int32_t(random_());
    store(place, to_tile(wave_, values, DType::int32), 4, wave_.all());
    load(loaded, place, 4, wave_.all());
    nisa::tensor_copy(copied, *view);
    EXPECT_EQ(from_tile<int32_t>(copied), from_tile<int32_t>(loaded)) << named.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Waves, OnChip,
                         testing::Combine(testing::ValuesIn(kWaveShapes), testing::Bool()));

TEST(SharedMemory, ALaneOutsideOfTheArrayIsNamed) {
  TestChip chip;
  TestWave made({{10, 1, 1}, {64, 1, 1}, {0, 0, 0}, {10, 1, 1}, 1});
  const Wave &wave = made.wave();
  Place s = shared_array(wave, 63 * 4) + sext(wave.threadIdx.x, 64) * Index(4L);
  Tensor tile = wave.tile(DType::float32);
  try {
    load(tile, s, 4, wave.all());
    FAIL();
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what())
                  .find("thread (63,0,0) of block (0,0,0) reads 4 bytes at byte 252 of shared "
                        "memory of 252 bytes"),
              std::string::npos)
        << error.what();
  }
  load(tile, s, 4, slt(wave.threadIdx.x, Index(63)));
}

} // namespace
} // namespace nki
