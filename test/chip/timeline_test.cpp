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

TEST_F(TimelineTest, TypesAndPlacesCostWhatIsDocumented) {
  using nisa::engine;
  const DType f32 = nl::float32, bf16 = nl::bfloat16, u8 = nl::uint8;
  auto make = [](DType type, Buffer buffer = nl::sbuf) {
    Tensor tensor = nl::ndarray({128, 512}, type, buffer);
    nisa::memset(tensor, 0);
    return tensor;
  };
  auto half = [](const Tensor &tensor) { return tensor.slice(1, 0, 512, 2); };
  /// Cycles of an engine that `call` takes.
  auto cycles = [&](chip::Unit unit, double hz, const std::function<void()> &call) {
    core.timeline().reset();
    call();
    return busy(unit) * hz;
  };
  auto copy = [&](engine on, const Tensor &dst, const Tensor &src) {
    const chip::Unit unit = on == engine::vector   ? chip::Unit::vector
                            : on == engine::scalar ? chip::Unit::scalar
                                                   : chip::Unit::gpsimd;
    return cycles(unit, 1.2e9, [&] { nisa::tensor_copy(dst, src, on); });
  };
  const Tensor a = make(f32), b = make(bf16), c = make(bf16), bytes = make(u8);
  const Tensor p = make(f32, nl::psum), q = make(bf16, nl::psum);
  EXPECT_DOUBLE_EQ(copy(engine::vector, a, bytes), 512);
  EXPECT_DOUBLE_EQ(copy(engine::vector, c, b), 512 / 4.0);             // two bytes, contiguous
  EXPECT_DOUBLE_EQ(copy(engine::vector, half(c), half(b)), 256 / 2.0); // strided
  EXPECT_DOUBLE_EQ(copy(engine::vector, q, b), 512 / 2.0);             // one side in PSUM
  EXPECT_DOUBLE_EQ(copy(engine::vector, half(q), half(b)), 256);
  EXPECT_DOUBLE_EQ(copy(engine::vector, a, b), 512); // four bytes on one side
  EXPECT_DOUBLE_EQ(copy(engine::scalar, c, b), 512 / 2.0);
  EXPECT_DOUBLE_EQ(copy(engine::scalar, q, b), 512);
  EXPECT_DOUBLE_EQ(copy(engine::scalar, a, p), 512);
  EXPECT_DOUBLE_EQ(copy(engine::gpsimd, c, b), 512);
  const Tensor apart = a.slice(1, 0, 512, 5); // 103 elements, 20 bytes apart: half the bandwidth
  EXPECT_DOUBLE_EQ(copy(engine::vector, apart, apart), 2 * 103);
  EXPECT_DOUBLE_EQ(copy(engine::vector, a.slice(1, 0, 512, 4), p.slice(1, 0, 128)), 128); // 16

  auto add = [&](const Tensor &dst, const Tensor &x, const Tensor &y) {
    return cycles(chip::Unit::vector, 1.2e9, [&] { nisa::tensor_tensor(dst, x, y, nl::add); });
  };
  EXPECT_DOUBLE_EQ(add(a, a, a), 2 * 512);
  EXPECT_DOUBLE_EQ(add(c, b, b), 512);
  EXPECT_DOUBLE_EQ(add(a, b, b), 2 * 512);
  EXPECT_DOUBLE_EQ(add(a, a, p), 512); // each memory delivers one element
  EXPECT_DOUBLE_EQ(cycles(chip::Unit::vector, 1.2e9, [&] { nisa::reciprocal(a, a); }), 8 * 512);
  EXPECT_DOUBLE_EQ(
      cycles(chip::Unit::gpsimd, 1.2e9, [&] { nisa::tensor_scalar(a, a, nl::rsqrt, {}); }),
      4 * 512);

  auto multiply = [&](DType type, int64_t columns, bool one_zero = false) {
    Tensor s = nl::ndarray({128, 128}, type), m = nl::ndarray({128, columns}, type);
    nisa::memset(s, 1.0f);
    nisa::memset(m, 1.0f);
    return cycles(chip::Unit::tensor, 2.4e9, [&] {
      nisa::nc_matmul(nl::ndarray({128, columns}, f32, nl::psum), s, m,
                      {.is_moving_onezero = one_zero});
    });
  };
  EXPECT_DOUBLE_EQ(multiply(bf16, 512), 512);
  EXPECT_DOUBLE_EQ(multiply(f32, 512), 4 * 512);
  EXPECT_DOUBLE_EQ(multiply(f32, 512, true), 2 * 512);
  EXPECT_DOUBLE_EQ(multiply(bf16, 10), 64);
  EXPECT_DOUBLE_EQ(multiply(f32, 10), 4 * 64);
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

TEST_F(TimelineTest, AScalarOffsetIsWaitedForByItsInstructionOnly) {
  Tensor index = nl::ndarray({1, 1}, nl::int32), source = nl::ndarray({128, 4, 64}, nl::float32);
  Tensor out = tile(64), slow = tile(4096), other = tile(3000);
  nisa::memset(index, 1);
  nisa::memset(source, 1.0f);
  auto end_of_copy = [&](bool late) {
    core.timeline().reset();
    if (late) { // the index is written after something long on its engine
      nisa::memset(slow, 1.0f, nisa::engine::vector);
      nisa::memset(index, 2, nisa::engine::vector);
    }
    nisa::activation(out, nl::copy, source.select(1, ScalarOffset(index)));
    const double end = core.timeline().summary().seconds;
    nisa::memset(other, 1.0f, nisa::engine::gpsimd); // waits for nothing
    return std::pair(end, core.timeline().summary().seconds);
  };
  const double cycle = 1 / 1.2e9;
  auto [end, with_other] = end_of_copy(true);
  EXPECT_NEAR(end / cycle, 4096 + 64 + 100 + 64 + 100, 1);
  EXPECT_EQ(with_other, end);
  EXPECT_NEAR(end_of_copy(false).first / cycle, 64 + 100, 1);
}

TEST_F(TimelineTest, WhatIsReadIsNotOverwrittenBefore) {
  Tensor a = tile(4096), b = tile(4096), c = tile(64);
  nisa::memset(a, 1.0f);
  nisa::memset(b, 1.0f);
  core.timeline().reset();
  nisa::activation(b, nl::copy, a);
  nisa::memset(a.slice(1, 0, 64), 1.0f, nisa::engine::gpsimd);
  EXPECT_NEAR(core.timeline().summary().seconds * 1.2e9, 4096 + 64 + 100, 1);

  Tensor read = nl::ndarray({128, 1024}, nl::float32, nl::hbm);
  Tensor apart = nl::ndarray({128, 64}, nl::float32, nl::hbm);
  nisa::memset(c, 1.0f);
  auto seconds = [&](const Tensor &written) {
    core.timeline().reset();
    nisa::dma_copy(a.slice(1, 0, 1024), read);
    nisa::dma_copy(written, c);
    nisa::dma_copy(c, apart); // so that the writer's end counts
    return core.timeline().summary().seconds;
  };
  EXPECT_GT(seconds(read.slice(1, 0, 64)), seconds(apart) + 1e-6);
}

TEST_F(TimelineTest, NothingStartsBeforeARegisterIsLoaded) {
  Tensor value = nl::ndarray({1, 1}, nl::int32), slow = tile(4096), other = tile(64);
  nisa::memset(slow, 1.0f, nisa::engine::vector);
  nisa::memset(value, 1, nisa::engine::vector);
  nisa::register_load(nisa::register_alloc(), value);
  nisa::memset(other, 1.0f, nisa::engine::gpsimd);
  // The loop or branch that the register decides about comes first.
  EXPECT_NEAR(core.timeline().summary().seconds * 1.2e9, 4096 + 64 + 100 + 64 + 64 + 100, 1);
}

TEST_F(TimelineTest, ATransferStartsAfterItsDescriptorsAndItsLatency) {
  Tensor a = nl::ndarray({16, 64}, nl::float32),
         memory = nl::ndarray({16, 64}, nl::float32, nl::hbm);
  nisa::dma_copy(a, memory);
  EXPECT_NEAR(core.timeline().summary().seconds, 600e-9 + 1.3e-6 + (256 + 256) / 33e9, 1e-12);
}

TEST_F(TimelineTest, MemoryThatWasFreedIsWrittenAfterItsLastReader) {
  const int64_t all = core.capacity(Buffer::sbuf) / 4 - 64 - 16;
  Tensor sum = nl::ndarray({128, 1}, nl::float32);
  {
    Tensor first = tile(all);
    nisa::memset(first.slice(1, 0, 64), 1.0f, nisa::engine::gpsimd);
    nisa::tensor_reduce(sum, nl::add, first.slice(1, 0, 64), 1);
    nisa::activation(sum, nl::copy, sum);
    nisa::activation(first.slice(1, 0, 4096), nl::copy, first.slice(1, 0, 4096));
  }
  const double before = core.timeline().summary().seconds;
  Tensor second = tile(all); // lies where the first did
  nisa::memset(second.slice(1, 0, 64), 1.0f, nisa::engine::gpsimd);
  EXPECT_GT(core.timeline().summary().seconds, before);
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
