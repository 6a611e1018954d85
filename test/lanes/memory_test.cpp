// Loads and stores against the same access lane by lane.
#include "lanes/element.h"
#include "lanes/ops.h"

#include "chip_for_test.h"
#include "nki/error.h"

#include <random>

namespace nki {
namespace {

using Random = std::mt19937_64;

struct Named {
  const char *name;
  Index offset; // in elements
};

/// Element offsets of usual and unusual kernels, all within [0, elements).
std::vector<Named> offsets_of(const Wave &wave, int64_t elements, Random &random) {
  int threads = int(wave.launch().blockDim.count());
  Index one(1L);
  Index t = sext(wave.threadIdx.x, 64), y = sext(wave.threadIdx.y, 64);
  Index z = sext(wave.threadIdx.z, 64);
  Index bx = sext(wave.blockIdx.x - wave.blockIdx.x * Index(0), 64);
  Index first(wave, 64, wave.first(Axis::block_x), {});
  bx = bx - first;
  Index by = sext(wave.blockIdx.y, 64) - Index(wave, 64, wave.first(Axis::block_y), {});
  Index linear = bx * Index(long(threads)) + t;
  std::vector<int64_t> anywhere(size_t(wave.lanes())), permuted(size_t(wave.lanes()));
  for (size_t i = 0; i < anywhere.size(); ++i) {
    anywhere[i] = int64_t(random() % uint64_t(elements));
    permuted[i] = int64_t(i);
  }
  std::shuffle(permuted.begin(), permuted.end(), random);
  return {{"linear", linear},
          {"volume", (by * Index(64L) + bx) * Index(97L) + z * Index(31L) + y * Index(11L) + t},
          {"reversed", Index(wave, 64, linear.signed_at(wave.lanes() - 1), {}) - linear},
          {"strided", linear * Index(3L) + one},
          {"block", bx + by * Index(5L)},
          {"thread", t},
          {"row", y * Index(4L)},
          {"constant", Index(wave, 64, 17, {})},
          {"overlapping", t + y},
          {"clamped", smin(linear, Index(wave, 64, linear.signed_at(wave.lanes() / 2), {}))},
          {"wrapped", urem(linear + Index(5L), Index(23L))},
          {"swapped", linear ^ one},
          {"divided", udiv(linear, Index(3L))},
          {"anywhere", Index(wave, 64, anywhere)},
          {"permuted", Index(wave, 64, permuted)}};
}

std::vector<Mask> masks_of(const Wave &wave, Random &random) {
  std::vector<uint8_t> noise(size_t(wave.lanes())), lone(size_t(wave.lanes()));
  for (uint8_t &byte : noise)
    byte = random() % 2;
  lone[random() % lone.size()] = 1;
  Index linear = wave.blockIdx.x * Index(int(wave.launch().blockDim.x)) + wave.threadIdx.x;
  std::vector<Mask> known{wave.all(),
                          Mask(true),
                          Mask(wave, noise),
                          Mask(wave, lone),
                          slt(linear, Index(int(linear.signed_at(wave.lanes() / 2)) + 1)),
                          slt(wave.threadIdx.x, Index(3)),
                          eq(wave.threadIdx.x & Index(1), Index(0)),
                          eq(wave.threadIdx.x | wave.threadIdx.y, Index(0)),
                          Mask(wave, false)};
  std::vector<Mask> masks = known;
  for (const Mask &mask : known)
    masks.push_back(Mask(wave, mask.tile(wave)));
  return masks;
}

struct Case {
  Place place;
  std::vector<int64_t> offset; // bytes per lane, from the start of `memory`
};

bool lane_in(const Wave &wave, const Mask &mask, int64_t lane,
             const std::vector<uint32_t> &predicate) {
  (void)wave;
  return mask.is_tile() ? predicate[size_t(lane)] != 0 : mask.at(lane);
}

std::vector<uint32_t> predicate_of(const Wave &wave, const Mask &mask) {
  return mask.is_tile() ? from_tile<uint32_t>(mask.tile(wave)) : std::vector<uint32_t>();
}

uint32_t low_bytes(uint32_t value, int bytes) {
  return bytes == 4 ? value : value & ((1u << 8 * bytes) - 1);
}

uint32_t read(const uint8_t *memory, int64_t offset, int bytes) {
  uint32_t value = 0;
  std::memcpy(&value, memory + offset, size_t(bytes));
  return value;
}

class Memory : public testing::TestWithParam<WaveShape> {
protected:
  static constexpr int64_t kElements = 60000;
  Memory() : chip_(), made_(GetParam()), values_(kElements) {
    for (uint32_t &value : values_)
      value = uint32_t(random_());
    neighbour_ = chip_.device(values_).pointer;
    memory_ = chip_.device(values_).pointer;
  }
  uint8_t *bytes() { return reinterpret_cast<uint8_t *>(memory_); }

  void check_load(const Case &c, int size, const Mask &mask, const std::string &what) {
    const Wave &wave = made_.wave();
    std::vector<uint32_t> predicate = predicate_of(wave, mask);
    Tensor tile = wave.tile(size == 4 && random_() % 2 ? DType::float32 : DType::int32);
    load(tile, c.place, size, mask);
    std::vector<uint32_t> values = from_tile<uint32_t>(tile);
    for (int64_t lane = 0; lane < wave.lanes(); ++lane)
      if (lane_in(wave, mask, lane, predicate))
        ASSERT_EQ(low_bytes(values[size_t(lane)], size),
                  read(bytes(), c.offset[size_t(lane)], size))
            << what << ", lane " << lane << ", " << size << " bytes";
    ASSERT_NE(tile.storage()->contents, chip::Contents::partly) << what;
  }

  void check_store(const Case &c, int size, const Mask &mask, bool same_value,
                   const std::string &what) {
    const Wave &wave = made_.wave();
    std::vector<uint32_t> predicate = predicate_of(wave, mask);
    std::vector<uint32_t> values(size_t(wave.lanes()));
    for (uint32_t &value : values)
      value = same_value ? 0x89abcdefu : uint32_t(random_());
    std::memcpy(memory_, values_.data(), kElements * 4);
    std::vector<uint8_t> expected(bytes(), bytes() + kElements * 4);
    for (int64_t lane = 0; lane < wave.lanes(); ++lane)
      if (lane_in(wave, mask, lane, predicate))
        std::memcpy(&expected[size_t(c.offset[size_t(lane)])], &values[size_t(lane)], size_t(size));
    if (same_value)
      store(c.place, 0x89abcdefu, size, mask);
    else
      store(c.place, to_tile(wave, values, DType::int32), size, mask);
    for (int64_t i = 0; i < kElements * 4; ++i)
      ASSERT_EQ(bytes()[i], expected[size_t(i)])
          << what << ", byte " << i << ", " << size << " bytes";
    ASSERT_EQ(std::memcmp(neighbour_, values_.data(), kElements * 4), 0) << what;
    std::memcpy(memory_, values_.data(), kElements * 4);
  }

  Case known(const Index &offset, int size) {
    Case c{at(hbm<uint32_t>{memory_}) + offset * Index(long(size)), {}};
    for (int64_t lane = 0; lane < made_.wave().lanes(); ++lane)
      c.offset.push_back(offset.signed_at(lane) * size);
    return c;
  }

  /// The offset computed on the chip, with a launch-known part that varies or does not.
  Case computed(const Index &offset, int size, int kind) {
    const Wave &wave = made_.wave();
    std::vector<int32_t> index(size_t(wave.lanes()));
    Case c{at(hbm<uint32_t>{memory_}), {}};
    int64_t known = kind == 1 ? 3 : 0, scale = kind == 3 ? 2 : 1;
    Index lane_part = kind == 2 ? sext(wave.threadIdx.x, 64) : Index(0L);
    for (int64_t lane = 0; lane < wave.lanes(); ++lane) {
      int64_t element = offset.signed_at(lane) / scale * scale;
      c.offset.push_back(element * size);
      index[size_t(lane)] = int32_t((element - known - lane_part.signed_at(lane)) / scale);
    }
    c.place =
        (c.place + Index(known * size)).plus(to_tile(wave, index, DType::int32), size * scale);
    if (kind == 2)
      c.place = c.place + lane_part * Index(long(size));
    return c;
  }

  Random random_{1};
  TestChip chip_;
  TestWave made_;
  std::vector<uint32_t> values_;
  uint32_t *memory_, *neighbour_;
};

TEST_P(Memory, LoadsReadTheElementOfEachLane) {
  const Wave &wave = made_.wave();
  for (const Named &named : offsets_of(wave, kElements, random_))
    for (const Mask &mask : masks_of(wave, random_))
      for (int size : {1, 2, 4})
        ASSERT_NO_FATAL_FAILURE(check_load(known(named.offset, size), size, mask, named.name));
}

TEST_P(Memory, StoresWriteTheLastLaneAndNothingElse) {
  const Wave &wave = made_.wave();
  for (const Named &named : offsets_of(wave, kElements, random_))
    for (const Mask &mask : masks_of(wave, random_)) {
      int size = std::array{1, 2, 4, 4}[random_() % 4];
      ASSERT_NO_FATAL_FAILURE(
          check_store(known(named.offset, size), size, mask, random_() % 4 == 0, named.name));
    }
}

TEST_P(Memory, ComputedIndicesGatherAndScatter) {
  const Wave &wave = made_.wave();
  int kind = 0;
  for (const Named &named : offsets_of(wave, kElements, random_))
    for (const Mask &mask : masks_of(wave, random_)) {
      if (mask.is_all() && random_() % 2)
        continue;
      int size = std::array{1, 2, 4, 4}[random_() % 4];
      Case c = computed(named.offset, size, kind++ % 4);
      ASSERT_NO_FATAL_FAILURE(check_load(c, size, mask, named.name));
      if (kind % 3 == 0)
        ASSERT_NO_FATAL_FAILURE(check_store(c, size, mask, kind % 5 == 0, named.name));
    }
}

INSTANTIATE_TEST_SUITE_P(Waves, Memory, testing::ValuesIn(kWaveShapes), shape_name);

class SmallMemory : public testing::Test {
protected:
  TestChip chip_;
  TestWave made_{{{10, 1, 1}, {64, 1, 1}, {0, 0, 0}, {10, 1, 1}, 1}};
  const Wave &wave_ = made_.wave();
  Index i_ = sext(wave_.blockIdx.x * Index(64) + wave_.threadIdx.x, 64);
};

std::string error_of(const std::function<void()> &f) {
  try {
    f();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

TEST_F(SmallMemory, ATailReadsAndWritesOnlyWhatIsAllocated) {
  std::vector<float> x(601);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i);
  hbm<float> in = chip_.device(x), out = chip_.device(std::vector<float>(601, -1));
  Mask mask = slt(i_, Index(601L));
  Tensor tile = wave_.tile(DType::float32);
  load(tile, at(in) + i_ * Index(4L), 4, mask);
  store(at(out) + i_ * Index(4L), tile, 4, mask);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(out.pointer[i], x[i]);
  // The same under a mask that only the chip knows: lanes outside are skipped.
  Mask unknown(wave_, wave_.all().tile(wave_));
  hbm<float> again = chip_.device(std::vector<float>(601, -1));
  load(tile, at(in) + i_ * Index(4L), 4, unknown);
  store(at(again) + i_ * Index(4L), tile, 4, unknown);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(again.pointer[i], x[i]);
}

TEST_F(SmallMemory, ALaneOutsideOfTheAllocationIsNamed) {
  hbm<float> x = chip_.device(std::vector<float>(600));
  Tensor tile = wave_.tile(DType::float32);
  std::string read = error_of([&] { load(tile, at(x) + i_ * Index(4L), 4, wave_.all()); });
  EXPECT_NE(read.find("thread (24,0,0) of block (9,0,0) reads 4 bytes at 0x"), std::string::npos)
      << read;
  EXPECT_NE(read.find("2400 bytes from the start of the allocation of 2400 bytes"),
            std::string::npos)
      << read;
  fill(tile, 1.0f);
  std::string written =
      error_of([&] { store(at(x) + i_ * Index(4L), tile, 4, sgt(i_, Index(500L))); });
  EXPECT_NE(written.find("thread (24,0,0) of block (9,0,0) writes"), std::string::npos) << written;
  for (int i = 0; i < 600; ++i)
    EXPECT_EQ(x.pointer[i], 0) << "nothing is written before the error";
  EXPECT_NE(
      error_of([&] { load(tile, at(x) + Index(-65536L), 4, Mask(true)); }).find("every thread"),
      std::string::npos);
  EXPECT_NE(error_of([&] {
              load(tile, at(hbm<float>{}) + i_ * Index(4L), 4, wave_.all());
            }).find("in no allocation"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              load(tile, at(x) + i_ * Index(2L), 4, wave_.all());
            }).find("multiples of the element size"),
            std::string::npos);
}

TEST_F(SmallMemory, AComputedIndexOutsideIsAnErrorUnderAKnownMaskAndSkippedOtherwise) {
  hbm<float> x = chip_.device(std::vector<float>(100000));
  std::vector<int32_t> index(size_t(wave_.lanes()), 5);
  index[70] = 100000;
  Place place = at(x).plus(to_tile(wave_, index, DType::int32), 4);
  Tensor tile = wave_.tile(DType::float32);
  EXPECT_NE(error_of([&] { load(tile, place, 4, wave_.all()); }).find("out of bounds"),
            std::string::npos);
  load(tile, place, 4, Mask(wave_, wave_.all().tile(wave_)));
  fill(tile, 2.0f);
  store(place, tile, 4, Mask(wave_, wave_.all().tile(wave_)));
  EXPECT_EQ(x.pointer[5], 2.0f);
}

TEST_F(SmallMemory, LanesMayUseSeveralAllocations) {
  std::vector<float> a(320, 1.0f), b(320, 2.0f);
  hbm<float> first = chip_.device(a), second = chip_.device(b);
  long distance =
      long(reinterpret_cast<char *>(second.pointer) - reinterpret_cast<char *>(first.pointer));
  Mask upper = sge(i_, Index(320L));
  Index offset = select(upper, (i_ - Index(320L)) * Index(4L) + Index(distance), i_ * Index(4L));
  Tensor tile = wave_.tile(DType::float32);
  load(tile, at(first) + offset, 4, wave_.all());
  std::vector<float> values = from_tile<float>(tile);
  EXPECT_EQ(values[0], 1.0f);
  EXPECT_EQ(values[639], 2.0f);
  fill(tile, 3.0f);
  store(at(first) + offset, tile, 4, wave_.all());
  EXPECT_EQ(first.pointer[319], 3.0f);
  EXPECT_EQ(second.pointer[0], 3.0f);
}

TEST_F(SmallMemory, DeadLanesThatPointIntoOtherAllocationsDoNotLoseLiveOnes) {
  // Lanes below 320 lie before the array, maybe in another one; only the chip knows they are dead.
  std::vector<float> values(320);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(i);
  hbm<float> before = chip_.device(values), x = chip_.device(values), after = chip_.device(values);
  Place place = at(x) + (i_ - Index(320L)) * Index(4L);
  Mask live(wave_, sge(i_, Index(320L)).tile(wave_));
  Tensor tile = wave_.tile(DType::float32);
  load(tile, place, 4, live);
  std::vector<float> loaded = from_tile<float>(tile);
  for (size_t i = 0; i < 320; ++i)
    EXPECT_EQ(loaded[320 + i], float(i));
  fill(tile, -1.0f);
  store(place, tile, 4, live);
  for (size_t i = 0; i < 320; ++i) {
    EXPECT_EQ(x.pointer[i], -1.0f);
    EXPECT_EQ(before.pointer[i], float(i));
    EXPECT_EQ(after.pointer[i], float(i));
  }
}

/// A picture of 90 x 70 elements in blocks of 16 x 4 threads, read with an offset and clamped.
TEST_F(SmallMemory, ClampedBordersTakeFewTransfersAndReadTheRightElements) {
  constexpr int kWidth = 90, kHeight = 70;
  std::vector<int32_t> picture(kWidth * kHeight);
  for (size_t i = 0; i < picture.size(); ++i)
    picture[i] = int32_t(i * 2654435761u);
  hbm<int32_t> memory = chip_.device(picture);
  TestWave test({{6, 18, 1}, {16, 4, 1}, {0, 0, 0}, {6, 18, 1}, 1});
  const Wave &wave = test.wave();
  for (int dx : {-3, 0, 5})
    for (int dy : {-2, 0, 1}) {
      Index x = wave.blockIdx.x * Index(16) + wave.threadIdx.x + Index(dx);
      Index y = wave.blockIdx.y * Index(4) + wave.threadIdx.y + Index(dy);
      Index element = smin(smax(y, Index(0)), Index(kHeight - 1)) * Index(kWidth) +
                      smin(smax(x, Index(0)), Index(kWidth - 1));
      Mask live = slt(x - Index(dx), Index(kWidth)) & slt(y - Index(dy), Index(kHeight));
      for (const Mask &mask : {wave.all(), live}) {
        Tensor tile = wave.tile(DType::int32);
        uint64_t before = chip_.core().timeline().summary().instructions;
        load(tile, at(memory).at(element, 4), 4, mask);
        EXPECT_LT(chip_.core().timeline().summary().instructions - before, 100u);
        std::vector<int32_t> values = from_tile<int32_t>(tile);
        for (int64_t lane = 0; lane < wave.lanes(); ++lane)
          if (mask.at(lane))
            ASSERT_EQ(values[size_t(lane)], picture[size_t(element.signed_at(lane))])
                << "lane " << lane << ", moved by " << dx << ", " << dy;
      }
    }
}

TEST_F(SmallMemory, FullAffineWavesTakeOneInstruction) {
  hbm<float> x = chip_.device(std::vector<float>(640));
  Tensor tile = wave_.tile(DType::float32);
  load(tile, at(x) + i_ * Index(4L), 4, wave_.all());
  EXPECT_EQ(tile.storage()->contents, chip::Contents::written);
}

} // namespace
} // namespace nki
