// Integers that are known when a kernel is launched, one per lane.
//
// Everything that CUDA code computes from thread and block coordinates and from launch arguments is
// known before the chip runs: `blockIdx.x * blockDim.x + threadIdx.x`, `i / width`, `tid ^ 1`,
// `tid % 32 == 0`. An Index holds such a value exactly, with the wrap-around of its C type. Most
// are affine in the coordinates and cost nothing; the rest become an explicit table over the lanes
// of the wave, so no arithmetic is ever approximated or rejected.
#pragma once

#include "lanes/lane_array.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace nki {

class Wave;
class Mask;

/// CUDA coordinates of a lane.
enum class Axis : uint8_t { thread_x, thread_y, thread_z, block_x, block_y, block_z };
inline constexpr int kAxes = 6;

/// A launch-known integer per lane: C type (bits, signedness is in the operation) and value.
///
/// Values are kept modulo 2^bits. `bits` is 1 to 64. An Index made from a plain number is uniform
/// and belongs to no wave; mixing it with a lane value adopts that value's wave, and its width (by
/// sign extension or truncation) where the two differ.
class Index {
public:
  Index() : Index(int64_t(0), 32) {}
  Index(int value) : Index(int64_t(value), 32) {}
  Index(unsigned value) : Index(int64_t(value), 32) {}
  Index(long value) : Index(int64_t(value), 64) {}
  Index(unsigned long value) : Index(int64_t(value), 64) {}
  Index(long long value) : Index(int64_t(value), 64) {}
  Index(unsigned long long value) : Index(int64_t(value), 64) {}
  Index(int64_t value, int bits);
  /// constant + sum of coefficient[axis] * coordinate(axis), over the lanes of `wave`.
  Index(const Wave &wave, int bits, int64_t constant,
        const std::array<int64_t, kAxes> &coefficients);
  /// One value per lane, lane order (partition-major, see Wave).
  Index(const Wave &wave, int bits, std::vector<int64_t> values);

  int bits() const { return bits_; }
  bool is_uniform() const; ///< same value for all lanes, as far as the form shows
  bool is_affine() const { return table_ == nullptr; }
  int64_t constant() const { return constant_; }
  int64_t coefficient(Axis axis) const { return coefficients_[int(axis)]; }
  const Wave *wave() const { return wave_; }
  /// Sign-extended values; only where is_affine() is false.
  const LaneArray<int64_t> &table() const { return *table_; }

  /// The value of lane `lane` as a signed / unsigned number of `bits()` bits.
  int64_t signed_at(int64_t lane) const;
  uint64_t unsigned_at(int64_t lane) const;

private:
  friend class IndexOps;
  const Wave *wave_ = nullptr;
  std::shared_ptr<const LaneArray<int64_t>> table_; // sign-extended values; null when affine
  std::array<int64_t, kAxes> coefficients_{};
  int64_t constant_ = 0;
  uint8_t bits_ = 32;
};

// Arithmetic of the operands' common width, with C wrap-around. Where an affine result would not be
// exact modulo 2^bits for every lane of the wave, the result is a table.
Index operator+(const Index &a, const Index &b);
Index operator-(const Index &a, const Index &b);
Index operator*(const Index &a, const Index &b);
Index operator-(const Index &a);
Index operator&(const Index &a, const Index &b);
Index operator|(const Index &a, const Index &b);
Index operator^(const Index &a, const Index &b);
Index operator~(const Index &a);
Index operator<<(const Index &a, const Index &b);
inline Index &operator+=(Index &a, const Index &b) { return a = a + b; }
inline Index &operator-=(Index &a, const Index &b) { return a = a - b; }
inline Index &operator*=(Index &a, const Index &b) { return a = a * b; }

// Operations whose C meaning depends on signedness: s is signed, u is unsigned.
Index sdiv(const Index &a, const Index &b); ///< truncates; a zero divisor gives 0 (dead lanes)
Index udiv(const Index &a, const Index &b);
Index srem(const Index &a, const Index &b);
Index urem(const Index &a, const Index &b);
Index ashr(const Index &a, const Index &b);
Index lshr(const Index &a, const Index &b);
Index smin(const Index &a, const Index &b);
Index smax(const Index &a, const Index &b);
Index umin(const Index &a, const Index &b);
Index umax(const Index &a, const Index &b);
Index abs(const Index &a);

Index sext(const Index &a, int bits);
Index zext(const Index &a, int bits);
Index trunc(const Index &a, int bits);

// Comparisons make launch-known masks.
Mask eq(const Index &a, const Index &b);
Mask ne(const Index &a, const Index &b);
Mask slt(const Index &a, const Index &b);
Mask sle(const Index &a, const Index &b);
Mask sgt(const Index &a, const Index &b);
Mask sge(const Index &a, const Index &b);
Mask ult(const Index &a, const Index &b);
Mask ule(const Index &a, const Index &b);
Mask ugt(const Index &a, const Index &b);
Mask uge(const Index &a, const Index &b);

/// mask ? a : b, where the mask is launch-known.
Index select(const Mask &mask, const Index &a, const Index &b);

/// Lanes of `mask` take `value`, the others keep `variable`. Of a mask that only the chip knows the
/// launch-known part decides (Mask::launch_part): a launch-known variable can depend on no more,
/// and lanes that it lets in too many have no use for the value.
void assign(Index &variable, const Index &value, const Mask &mask);

} // namespace nki
