// Element by element: do two copies of a buffer hold the same result?
//
// Integers and bytes must be equal. Floats match where one of these holds:
//     they are normal numbers and at most `ulp` representable values apart
//     |reference - port| <= relative * |reference|
//     |reference - port| <= epsilons * epsilon of the type * largest |reference| of the buffer
// The last is for results of cancellation, whose error is that of the numbers that cancelled. What
// only it lets pass is counted (`near_zero`), with the furthest of these pairs, because it says
// nothing about the sign and the magnitude of a small number. Numbers close to the limit of the
// type (FLT_MAX as "none yet") do not count as largest. NaN matches NaN, unless both have payloads
// that no arithmetic makes, and different ones, in 32 or 64 bits: those are integers that somebody
// stored. Infinities match by sign; -0 matches 0.
#pragma once

#include "host/element_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace neuronify {

struct Tolerance {
  static constexpr double kScaled = -1;
  double relative = 0;
  double absolute = kScaled; ///< a number in place of the scaled part, where a user gives one
  uint64_t ulp = 8;
  double epsilons = 8;
};

struct Tolerances {
  Tolerance f16{2e-3, Tolerance::kScaled, 2, 2};
  Tolerance bf16{1.6e-2, Tolerance::kScaled, 2, 2};
  Tolerance f32{1e-5};
  Tolerance f64{1e-12};
  bool exact = false; ///< floats equal bit for bit, except for the payload of a NaN
  /// Doubles are results of single precision: they compare as floats do, with the tolerance of f32
  /// and in its units. What is below the smallest normal float may be anything as small.
  bool demoted = false;
  /// Doubles are sums of two floats: the tolerance of f64 counts in units of 2^-47, and what is
  /// below 2^-101 may be off by some of the smallest floats.
  bool paired = false;

  const Tolerance &of(ElementType type) const;
};

/// Reads "exact", or a list of "R", "R:A", "R:A:U" (for all types, any of the three left empty
/// keeps its default) and "f32=R:A:U" into `tolerances`: relative, absolute, ULP. False where it
/// cannot be read; `tolerances` is then unchanged.
bool read_tolerances(std::string_view text, Tolerances &tolerances);

/// From `start` (bytes) to the next region the buffer repeats `layout`.
struct Region {
  size_t start = 0;
  Layout layout;
};

/// Histogram of distances between floats that differ in their bits: 0 (signs of zero), 1, 2, to 4,
/// to 16, to 64, to 1024, more.
inline constexpr std::array<uint64_t, 7> kUlpBounds = {0, 1, 2, 4, 16, 64, 1024};

/// A pair of elements that differ.
struct Difference {
  size_t offset = 0; ///< bytes from the start of the buffer
  size_t index = 0;  ///< element, or struct, of the buffer (byte where the layout is unknown)
  int field = -1;    ///< which element of the struct; -1 where the layout is a single element
  ElementType type = ElementType::bytes;
  std::string reference, port; ///< both values
};

struct Comparison {
  uint64_t elements = 0;   ///< compared, floats or not
  uint64_t different = 0;  ///< elements with different bits
  uint64_t mismatches = 0; ///< of these, the ones outside the tolerance
  uint64_t max_ulp = 0;    ///< over pairs of finite floats
  double max_relative = 0; ///< |difference| / larger magnitude, over the same pairs
  /// Floats that match by the absolute tolerance only, and the pair of them with the largest
  /// |difference|.
  uint64_t near_zero = 0;
  double furthest = 0; ///< |difference| of `furthest_near_zero`
  std::optional<Difference> furthest_near_zero;
  std::array<uint64_t, kUlpBounds.size() + 1> ulp_histogram{};
  std::optional<Difference> first; ///< the first that does not match

  void merge(const Comparison &other); ///< keeps this one's first difference if it has one
};

/// `regions` are in order of their start; what is before the first one has its layout. A last piece
/// smaller than an element is compared as bytes.
Comparison compare(const void *reference, const void *port, size_t size,
                   std::span<const Region> regions, const Tolerances &tolerances);

} // namespace neuronify
