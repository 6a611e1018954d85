// Runs functions of lanes/ops.h on vectors of numbers, and measures errors in ULP.
#pragma once

#include "chip/core.h"
#include "chip/storage.h"
#include "lanes/ops.h"
#include "nki/isa.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace nki::math_test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline float from_bits(uint32_t bits) { return std::bit_cast<float>(bits); }
inline uint32_t to_bits(float value) { return std::bit_cast<uint32_t>(value); }

/// A core of its own, made current.
class Chip {
public:
  explicit Chip(chip::ChipAssumptions assumptions = {})
      : core_(chip::generation("trn3"), hbm_, assumptions), scope_(core_) {}

private:
  chip::Hbm hbm_;
  chip::Core core_;
  CoreScope scope_;
};

/// Settings that a port must not depend on, one changed at a time.
inline std::vector<chip::ChipAssumptions> other_assumptions() {
  std::vector<chip::ChipAssumptions> settings(4);
  settings[0].nan_in_min_max = chip::NanRule::number;
  settings[1].integer_overflow = chip::OverflowRule::saturate;
  settings[2].large_shift_is_zero = false;
  settings[3].round_between_operations = false;
  return settings;
}

/// A tile {partitions, free} whose lanes hold `count` values from `values` on, then repeat the
/// last.
template <class T>
Tensor tile_of(const T *values, size_t count, int64_t partitions, int64_t free, DType type) {
  static_assert(sizeof(T) == 4);
  Tensor tile = nl::ndarray({partitions, free}, type);
  nisa::memset(tile.view(DType::int32), 0);
  for (int64_t p = 0; p < partitions; ++p)
    for (int64_t f = 0; f < free; ++f) {
      size_t lane = std::min(size_t(p * free + f), count - 1);
      std::memcpy(tile.storage()->row(p) + f * 4, &values[lane], 4);
    }
  return tile;
}

/// The 32-bit lanes of a contiguous tile.
template <class T> void append_lanes(std::vector<T> &values, const Tensor &tile, size_t count) {
  for (int64_t p = 0; p < tile.shape(0); ++p)
    for (int64_t f = 0; f < tile.shape(1); ++f)
      if (size_t(p * tile.shape(1) + f) < count) {
        T value;
        std::memcpy(&value, tile.storage()->row(p) + f * 4, 4);
        values.push_back(value);
      }
}

/// f(dst, sources...) on tiles of 128 x 512 lanes until all values are through.
template <class R, class F, class... T>
std::vector<R> evaluate(F &&f, DType result_type, DType source_type,
                        const std::vector<T> &...sources) {
  constexpr int64_t kPartitions = 128, kFree = 512;
  constexpr size_t kLanes = kPartitions * kFree;
  std::vector<R> results;
  size_t size = std::min({sources.size()...});
  results.reserve(size);
  for (size_t first = 0; first < size; first += kLanes) {
    size_t count = std::min(kLanes, size - first);
    Tensor dst = nl::ndarray({kPartitions, kFree}, result_type);
    f(dst, tile_of(sources.data() + first, count, kPartitions, kFree, source_type)...);
    append_lanes(results, dst, count);
  }
  return results;
}

template <class F, class... T>
std::vector<float> evaluate_floats(F &&f, const std::vector<T> &...sources) {
  return evaluate<float>(f, DType::float32, DType::float32, sources...);
}

/// |got - exact| in units of the last place of fp32 at `exact`. Infinity counts as 2^128. NaN must
/// be NaN, and an exact zero must have the right sign: otherwise the error is infinite.
inline double ulp_error(float got, long double exact) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : kWrong;
  if (exact == 0)
    return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : kWrong;
  if (std::isinf(exact))
    return got == float(exact) ? 0 : kWrong;
  constexpr long double kOverflow = 0x1p128L;
  long double clamped = std::fmin(std::fmax(exact, -kOverflow), kOverflow);
  long double value = std::isinf(got) ? std::copysign(kOverflow, (long double)(got)) : got;
  int exponent = std::max(std::min(std::ilogb(exact), 127), -126);
  return double(std::fabs(value - clamped) / std::ldexp(1.0L, exponent - 23));
}

/// Distance between sweep points in bit patterns; NEURONIFY_MATH_STEP=1 sweeps all 2^32.
inline uint64_t sweep_step() {
  const char *text = std::getenv("NEURONIFY_MATH_STEP");
  uint64_t step = text ? std::strtoull(text, nullptr, 10) : 0;
  return step ? step : 4099;
}

/// Calls f with vectors of about a million bit patterns that step through all of them.
template <class F> void sweep(F &&f) {
  constexpr size_t kBatch = size_t(1) << 20;
  std::vector<float> batch;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += sweep_step()) {
    batch.push_back(from_bits(uint32_t(bits)));
    if (batch.size() == kBatch) {
      f(batch);
      batch.clear();
    }
  }
  if (!batch.empty())
    f(batch);
}

/// Values at which functions change their formula or their kind of result, both signs.
std::vector<float> edges();
/// A shorter list, to be paired with itself.
std::vector<float> few_edges();

/// The largest error seen, and where.
struct Worst {
  double error = 0;
  std::string where = "nowhere";
  void see(double candidate, const std::string &place) {
    if (candidate > error) {
      error = candidate;
      where = place;
    }
  }
};
inline std::string describe(float value) {
  char text[64];
  std::snprintf(text, sizeof text, "%a (%08x)", double(value), to_bits(value));
  return text;
}

} // namespace nki::math_test
