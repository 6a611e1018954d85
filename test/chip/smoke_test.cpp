#include "chip/core.h"
#include "nki/error.h"
#include "nki/isa.h"

#include <gtest/gtest.h>

namespace {

using namespace nki;

class Smoke : public testing::Test {
protected:
  chip::Hbm hbm;
  chip::Core core{chip::generation("trn3"), hbm};
  CoreScope scope{core};
};

TEST_F(Smoke, SaxpyThroughSbuf) {
  const int64_t P = 128, F = 37;
  auto *x = static_cast<float *>(hbm.allocate(P * F * 4));
  auto *y = static_cast<float *>(hbm.allocate(P * F * 4));
  for (int64_t i = 0; i < P * F; ++i) {
    x[i] = float(i);
    y[i] = 1.0f;
  }
  Tensor a = nl::ndarray({P, F}, nl::float32), b = nl::ndarray({P, F}, nl::float32);
  nisa::dma_copy(a, hbm_tensor(x, P * F * 4, nl::float32).reshape({P, F}));
  nisa::dma_copy(b, hbm_tensor(y, P * F * 4, nl::float32));
  nisa::scalar_tensor_tensor(b, a, nl::multiply, 2.0f, nl::add, b);
  nisa::dma_copy(hbm_tensor(y, P * F * 4, nl::float32), b);
  for (int64_t i = 0; i < P * F; ++i)
    ASSERT_EQ(y[i], 2.0f * float(i) + 1.0f);
}

TEST_F(Smoke, GatherSkipsIndicesOutOfRange) {
  auto *table = static_cast<float *>(hbm.allocate(16 * 4));
  for (int i = 0; i < 16; ++i)
    table[i] = float(10 * i);
  Tensor index = nl::ndarray({4, 1}, nl::int32), out = nl::ndarray({4, 1}, nl::float32);
  nisa::iota(index, {{1, 1}}, -1, 6); // -1, 5, 11, 17
  nisa::memset(out, 7.0f);
  Dim pattern[] = {{1, 4}, {1, 1}};
  Tensor flat = hbm_tensor(table, 64, nl::float32);
  nisa::dma_copy(out, flat.ap_indirect(pattern, index), nisa::oob_mode::skip);
  auto *result = static_cast<float *>(hbm.allocate(16));
  nisa::dma_copy(hbm_tensor(result, 16, nl::float32), out);
  EXPECT_EQ(result[0], 7.0f);
  EXPECT_EQ(result[1], 50.0f);
  EXPECT_EQ(result[2], 110.0f);
  EXPECT_EQ(result[3], 7.0f);
  EXPECT_THROW(nisa::dma_copy(out, flat.ap_indirect(pattern, index)), Error);
}

TEST_F(Smoke, UnwrittenMemoryMayNotReachHbm) {
  Tensor a = nl::ndarray({4, 8}, nl::float32, nl::sbuf, "a"), b = nl::ndarray({4, 8}, nl::float32);
  nisa::memset(a.slice(1, 0, 7), 1.0f);
  nisa::tensor_tensor(b, a, a, nl::add);
  Tensor out = nl::ndarray({4, 8}, nl::float32, nl::hbm);
  nisa::dma_copy(out.slice(1, 0, 7), b.slice(1, 0, 7));
  EXPECT_THROW(nisa::dma_copy(out, b), Error);
  nisa::memset(a, 1.0f);
  nisa::tensor_tensor(b, a, a, nl::add);
  nisa::dma_copy(out, b);
}

} // namespace
