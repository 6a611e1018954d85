#include "chip/timeline.h"

#include "chip/core.h"
#include "chip/report.h"
#include "nki/device.h"
#include "nki/isa.h"
#include "nki/language.h"

#include <gtest/gtest.h>

#include <sstream>

namespace nki {
namespace {

class TimelineTest : public testing::Test {
protected:
  chip::Hbm hbm{1 << 20};
  chip::Core core{chip::generation("trn3"), hbm};
  CoreScope scope{core};

  double busy(chip::Unit unit) { return core.timeline().summary().busy[int(unit)]; }
  static Tensor tile(int64_t n, DType type = nl::float32) { return nl::ndarray({128, n}, type); }
};

TEST_F(TimelineTest, VectorEStreamsOneElementACycleAndTwoTilesInTwo) {
  Tensor a = tile(512), b = tile(512);
  nisa::memset(a, 1.0f);
  EXPECT_DOUBLE_EQ(busy(chip::Unit::vector), 512 / 1.2e9);
  nisa::tensor_tensor(b, a, a, nl::add);
  EXPECT_DOUBLE_EQ(busy(chip::Unit::vector), 3 * 512 / 1.2e9);
}

TEST_F(TimelineTest, SmallInstructionsCostTheFloor) {
  nisa::memset(tile(1), 1.0f);
  EXPECT_DOUBLE_EQ(busy(chip::Unit::vector), 64 / 1.2e9);
}

TEST_F(TimelineTest, IntegersRunOnGpSimdE) {
  Tensor a = tile(512, nl::int32);
  nisa::memset(a, 1);
  nisa::tensor_tensor(a, a, a, nl::add);
  EXPECT_DOUBLE_EQ(busy(chip::Unit::gpsimd), 2 * 512 / 1.2e9);
}

TEST_F(TimelineTest, AnInstructionWaitsForItsOperandsAndEnginesOverlap) {
  Tensor a = tile(512), b = tile(512), c = tile(512);
  nisa::memset(a, 1.0f);
  nisa::activation(b, nl::exp, a); // ScalarE, after the memset and its latency
  const double after_both = core.timeline().summary().seconds;
  EXPECT_DOUBLE_EQ(after_both, (512 + 100 + 512 + 100) / 1.2e9);
  nisa::memset(c, 1.0f); // VectorE has been idle: no longer in total
  EXPECT_DOUBLE_EQ(core.timeline().summary().seconds, after_both);
}

TEST_F(TimelineTest, TransfersToOtherPartsOfATileDoNotWaitForEachOther) {
  auto seconds = [&](bool overlap) {
    core.timeline().reset();
    Tensor a = tile(512), memory = nl::ndarray({128, 256}, nl::float32, nl::hbm);
    nisa::dma_copy(a.slice(1, 0, 256), memory);
    nisa::dma_copy(a.slice(1, overlap ? 255 : 256, overlap ? 511 : 512), memory);
    return core.timeline().summary().seconds;
  };
  EXPECT_LT(seconds(false), 0.8 * seconds(true));
  // An engine waits for both, and what comes after the engine for it.
  Tensor a = tile(512), b = tile(512), memory = nl::ndarray({128, 256}, nl::float32, nl::hbm);
  core.timeline().reset();
  nisa::dma_copy(a.slice(1, 0, 256), memory);
  nisa::dma_copy(a.slice(1, 256, 512), memory);
  double both = core.timeline().summary().seconds;
  nisa::tensor_copy(b, a);
  EXPECT_GT(core.timeline().summary().seconds, both + 400 / 1.2e9);
}

TEST_F(TimelineTest, GeneratingDescriptorsBoundsManySmallTransfers) {
  Tensor memory = nl::ndarray({128, 1}, nl::float32, nl::hbm), a = tile(100);
  for (int64_t k = 0; k < 100; ++k)
    nisa::dma_copy(a.slice(1, k, k + 1), memory);
  EXPECT_GT(core.timeline().summary().seconds, 100 * 300e-9);
}

TEST_F(TimelineTest, ShortRunsMakeTransfersSlower) {
  void *memory = hbm.allocate(128 * 512 * 4);
  Tensor flat = hbm_tensor(memory, 128 * 512 * 4, nl::float32);
  nisa::memset(tile(1), 0.0f);
  Tensor a = tile(512), b = tile(256);
  nisa::dma_copy(a, flat.ap({{512, 128}, {1, 512}}));
  const double whole = busy(chip::Unit::dma);
  EXPECT_NEAR(whole, 128 * 2048 * (1 + 256.0 / 2048) / (16 * 33e9), 1e-12);
  nisa::dma_copy(b, flat.ap({{512, 128}, {2, 256}}));
  EXPECT_GT(busy(chip::Unit::dma) - whole, 10 * whole) << "half the bytes, one element a run";
  EXPECT_EQ(core.timeline().summary().hbm_bytes, 128 * 512 * 4 + 128 * 256 * 4);
  hbm.release(memory);
}

TEST_F(TimelineTest, ABrokenRuleTakesNoTime) {
  EXPECT_ANY_THROW(nisa::tensor_tensor(tile(2), tile(3), tile(3), nl::add));
  EXPECT_EQ(core.timeline().summary().instructions, 0u);
}

TEST_F(TimelineTest, ResetForgetsTheLastLaunch) {
  Tensor a = tile(512);
  nisa::memset(a, 1.0f);
  core.timeline().reset();
  EXPECT_EQ(core.timeline().summary().bound(1e9), "");
  nisa::memset(a, 1.0f);
  // `a` was written 100 cycles after VectorE was free; memset of it waits for no one else.
  EXPECT_LE(core.timeline().summary().seconds, (512 + 100) / 1.2e9 + 1e-15);
}

TEST_F(TimelineTest, TheBusiestUnitBoundsUnlessMemoryIsAsBusy) {
  chip::Summary summary;
  summary.instructions = 1;
  summary.busy[int(chip::Unit::vector)] = 2e-6;
  EXPECT_EQ(summary.bound(1e12), "VectorE");
  summary.hbm_bytes = 2'000'000;
  EXPECT_EQ(summary.bound(1e12), "HBM");
}

TEST_F(TimelineTest, LatencyBoundsWhereEverythingRestsMostOfTheTime) {
  chip::Summary summary;
  summary.instructions = 1;
  summary.busy[int(chip::Unit::vector)] = 2e-6;
  summary.seconds = 4e-6;
  EXPECT_EQ(summary.bound(1e12), "VectorE");
  summary.seconds = 4.1e-6;
  EXPECT_EQ(summary.bound(1e12), "latency");
  summary.hbm_bytes = 3'000'000;
  EXPECT_EQ(summary.bound(1e12), "HBM");
}

TEST_F(TimelineTest, TracesWhatItIsAskedToAndNoMore) {
  core.timeline().trace(true, 1);
  nisa::memset(tile(4), 1.0f);
  nisa::memset(tile(4), 1.0f);
  std::ostringstream out;
  core.timeline().write_events(out, 3, 1.0);
  EXPECT_EQ(out.str(), "{\"name\":\"memset\",\"cat\":\"nki\",\"ph\":\"X\",\"ts\":1000000.000000,"
                       "\"dur\":0.053333,\"pid\":3,\"tid\":1},\n");
}

TEST_F(TimelineTest, SaysWhatItConsistsOf) {
  core.timeline().reset();
  core.timeline().trace(true);
  Tensor memory = nl::ndarray({128, 512}, nl::bfloat16, nl::hbm);
  Tensor a = tile(512, nl::bfloat16), b = tile(512);
  Tensor product = nl::ndarray({128, 512}, nl::float32, nl::psum);
  nisa::dma_copy(a, memory);
  nisa::nc_matmul(product, a.slice(1, 0, 128), a);
  for (int i = 0; i < 8; ++i)
    nisa::tensor_scalar(b, i ? b : product, nl::add, 1.0f); // each waits for the one before
  const chip::Summary &summary = core.timeline().summary();
  EXPECT_DOUBLE_EQ(summary.flops, 2.0 * 128 * 128 * 512);
  EXPECT_EQ(summary.dma_bytes, 128 * 512 * 2);
  const chip::Utilisation use = chip::utilisation(summary, core.generation());
  EXPECT_NEAR(use.mfu, summary.flops / summary.seconds / 78.6e12, 1e-4);
  EXPECT_NEAR(use.intensity, 128, 1e-9);
  EXPECT_NEAR(use.ridge, 78.6e12 / (4.7e12 / 8), 1);
  EXPECT_NEAR(use.hbm, 128 * 1024 / summary.seconds / (4.7e12 / 8), 1e-9);

  const std::string text = chip::report(core.timeline(), core.generation());
  EXPECT_NE(text.find("predicted for one core of trn3, 10 instructions"), std::string::npos)
      << text;
  EXPECT_NE(text.find("131 kB by DMA"), std::string::npos) << text;
  EXPECT_NE(text.find("under the memory's roof"), std::string::npos) << text;
  // The path goes through everything, since everything waits for what is before it.
  const std::string path = core.timeline().critical_path();
  for (const char *part : {"VectorE", "tensor_scalar", "TensorE", "nc_matmul", "DMA", "dma_copy"})
    EXPECT_NE(path.find(part), std::string::npos) << path;
}

TEST_F(TimelineTest, TheCriticalPathLeavesOutWhatNobodyWaitsFor) {
  core.timeline().reset();
  core.timeline().trace(true);
  Tensor a = tile(512), b = tile(64);
  nisa::memset(b, 1.0f, nisa::engine::gpsimd); // ends long before
  for (int i = 0; i < 3; ++i)
    nisa::tensor_scalar(a, a, nl::add, 1.0f);
  EXPECT_EQ(core.timeline().critical_path().find("GpSimdE"), std::string::npos)
      << core.timeline().critical_path();
  EXPECT_EQ(core.timeline().critical_path().find("VectorE 88 %"), 0u)
      << core.timeline().critical_path();
  core.timeline().reset();
  core.timeline().trace(false);
  nisa::memset(b, 1.0f);
  EXPECT_EQ(core.timeline().critical_path(), "");
}

} // namespace
} // namespace nki
