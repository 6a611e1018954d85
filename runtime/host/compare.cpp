#include "host/compare.h"

#include "host/float_bits.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

namespace neuronify {

namespace {

/// Equal stretches are passed over in blocks of this size.
constexpr size_t kBlock = 4096;

/// Bits of a double that a pair of floats does not keep.
constexpr int kPairLoss = 5;

/// One region of one buffer under comparison.
class Comparer {
public:
  Comparer(const char *reference, const char *port, size_t start, size_t end, const Layout &layout,
           const Tolerances &tolerances, Comparison &result)
      : reference_(reference), port_(port), start_(start), end_(end), layout_(layout),
        tolerances_(tolerances), result_(result) {
    if (layout_.elements.empty())
      layout_.elements = {ElementType::bytes};
    for (ElementType type : layout_.elements) {
      offsets_.push_back(stride_);
      stride_ += size_of(type);
    }
  }

  void run() {
    size_t count = (end_ - start_) / stride_;
    size_t tail = start_ + count * stride_;
    result_.elements += count * layout_.elements.size() + (end_ - tail);
    size_t per_block = std::max<size_t>(1, kBlock / stride_);
    for (size_t i = 0; i < count; i += per_block) {
      size_t n = std::min(per_block, count - i), from = start_ + i * stride_;
      if (std::memcmp(reference_ + from, port_ + from, n * stride_) == 0)
        continue;
      for (size_t j = i; j < i + n; ++j)
        compare_struct(j);
    }
    for (size_t offset = tail; offset < end_; ++offset)
      if (reference_[offset] != port_[offset])
        mismatch(ElementType::bytes, offset, offset, -1);
  }

private:
  void compare_struct(size_t number) {
    size_t from = start_ + number * stride_;
    for (size_t k = 0; k < offsets_.size(); ++k) {
      ElementType type = layout_.elements[k];
      size_t offset = from + offsets_[k];
      if (type != ElementType::pad &&
          std::memcmp(reference_ + offset, port_ + offset, size_of(type)) != 0)
        compare_different(type, offset, number + start_ / stride_, int(k));
    }
  }

  /// The bits differ; do the values?
  void compare_different(ElementType type, size_t offset, size_t index, int field) {
    bool match = false;
    switch (type) { // one instance per format: this is the inner loop where all results differ
    case ElementType::f16:
      match = floats_match<ElementType::f16>(offset, index, field);
      break;
    case ElementType::bf16:
      match = floats_match<ElementType::bf16>(offset, index, field);
      break;
    case ElementType::f32:
      match = floats_match<ElementType::f32>(offset, index, field);
      break;
    case ElementType::f64:
      match = floats_match<ElementType::f64>(offset, index, field);
      break;
    default:
      break;
    }
    if (match)
      ++result_.different;
    else
      mismatch(type, offset, index, field);
  }

  template <ElementType type> bool floats_match(size_t offset, size_t index, int field) {
    uint64_t a_bits = read_bits(type, reference_ + offset),
             b_bits = read_bits(type, port_ + offset);
    double a = read_float(type, reference_ + offset), b = read_float(type, port_ + offset);
    if (std::isnan(a) && std::isnan(b))
      return tolerances_.demoted || tolerances_.paired || nans_match(type, a_bits, b_bits);
    if (!std::isfinite(a) || !std::isfinite(b))
      return false;
    if (type == ElementType::f64 && tolerances_.demoted)
      return demoted_match(a, b, offset, index, field);
    const bool paired = type == ElementType::f64 && tolerances_.paired;
    const uint64_t ulp = ulp_distance(format_of(type), a_bits, b_bits) >> (paired ? kPairLoss : 0);
    count_distance(ulp, a, b);
    if (tolerances_.exact)
      return false;
    return (paired && both_tiny(a, b, offset, index, field)) ||
           near_enough(a, b, ulp, type, offset, index, field);
  }

  /// Pairs of floats lose digits where their lower half falls below the floats.
  bool both_tiny(double a, double b, size_t offset, size_t index, int field) {
    const double difference = std::fabs(a - b);
    return std::fabs(a) < 0x1p-101 && difference <= tolerances_.f64.epsilons * 0x1p-149 &&
           pass_near_zero(difference, ElementType::f64, offset, index, field);
  }

  /// Arithmetic may keep the payload of a NaN, or make one of its own. Where both sides have a
  /// payload that no arithmetic makes, it is bits that somebody stored, and must be the same.
  static bool nans_match(ElementType type, uint64_t a, uint64_t b) {
    const uint64_t all = (uint64_t(1) << format_of(type).fraction_bits) - 1;
    const uint64_t quiet = all / 2 + 1;
    auto is_made = [&](uint64_t bits) { return (bits & all) == all || (bits & all) == quiet; };
    const bool is_narrow = format_of(type).bits() < 32; // few store integers there
    return is_narrow || is_made(a) || is_made(b) || (a | quiet) == (b | quiet);
  }

  /// Doubles that were computed as floats. A number that no float holds has no counterpart.
  bool demoted_match(double a, double b, size_t offset, size_t index, int field) {
    const float a_float = float(a), b_float = float(b);
    if (!std::isfinite(a_float) || !std::isfinite(b_float))
      return false;
    const uint64_t ulp = ulp_distance(format_of(ElementType::f32), std::bit_cast<uint32_t>(a_float),
                                      std::bit_cast<uint32_t>(b_float));
    count_distance(ulp, a, b);
    if (tolerances_.exact)
      return false;
    // Below the normal floats units say little: 0 stands for all that is smaller.
    const bool tiny = std::fabs(a) < double(std::numeric_limits<float>::min());
    if (tiny && ulp <= tolerances_.f32.ulp)
      return pass_near_zero(std::fabs(a - b), ElementType::f64, offset, index, field);
    return near_enough(a, b, ulp, ElementType::f32, offset, index, field);
  }

  /// Within the tolerance of `type`?
  bool near_enough(double a, double b, uint64_t ulp, ElementType type, size_t offset, size_t index,
                   int field) {
    const Tolerance &tolerance = tolerances_.of(type);
    const double difference = std::fabs(a - b);
    // Units mean nothing below the normal floats; these may be integers that somebody stored.
    const bool tiny = std::max(std::fabs(a), std::fabs(b)) < smallest_normal(type);
    if ((ulp <= tolerance.ulp && !tiny) || difference <= tolerance.relative * std::fabs(a))
      return true;
    if (!(difference <= absolute(tolerance, type)))
      return false;
    const bool demoted = type == ElementType::f32 && layout_.elements[field] == ElementType::f64;
    return pass_near_zero(difference, demoted ? ElementType::f64 : type, offset, index, field);
  }

  bool pass_near_zero(double difference, ElementType type, size_t offset, size_t index, int field) {
    ++result_.near_zero;
    if (difference > result_.furthest) {
      result_.furthest = difference;
      result_.furthest_near_zero = describe(type, offset, index, field);
    }
    return true;
  }

  void count_distance(uint64_t ulp, double a, double b) {
    size_t bucket = 0;
    while (bucket < kUlpBounds.size() && ulp > kUlpBounds[bucket])
      ++bucket;
    ++result_.ulp_histogram[bucket];
    result_.max_ulp = std::max(result_.max_ulp, ulp);
    double larger = std::max(std::fabs(a), std::fabs(b));
    if (larger > 0) // divided first: the difference of two large numbers could overflow
      result_.max_relative = std::max(result_.max_relative, std::fabs(a / larger - b / larger));
  }

  double absolute(const Tolerance &tolerance, ElementType type) {
    if (tolerance.absolute >= 0)
      return tolerance.absolute;
    const bool paired = type == ElementType::f64 && tolerances_.paired;
    const double epsilon =
        std::ldexp(1.0, (paired ? kPairLoss : 0) - format_of(type).fraction_bits);
    return tolerance.epsilons * epsilon * largest_reference();
  }

  /// Largest finite magnitude of the region's floats. Computed once, when it is first needed.
  double largest_reference() {
    if (largest_ >= 0)
      return largest_;
    largest_ = 0;
    for (size_t from = start_; from + stride_ <= end_; from += stride_)
      for (size_t k = 0; k < offsets_.size(); ++k) {
        if (!is_float(layout_.elements[k]))
          continue;
        double value = std::fabs(read_float(layout_.elements[k], reference_ + from + offsets_[k]));
        // Numbers close to the limit of the type stand for "none yet" and the like.
        if (std::isfinite(value) && value < largest_number(layout_.elements[k]) / 16)
          largest_ = std::max(largest_, value);
      }
    return largest_;
  }

  void mismatch(ElementType type, size_t offset, size_t index, int field) {
    ++result_.different;
    if (++result_.mismatches == 1)
      result_.first = describe(type, offset, index, field);
  }

  Difference describe(ElementType type, size_t offset, size_t index, int field) const {
    return {offset,
            index,
            offsets_.size() == 1 ? -1 : field,
            type,
            print_element(type, reference_ + offset),
            print_element(type, port_ + offset)};
  }

  const char *reference_, *port_;
  size_t start_, end_;
  Layout layout_;
  const Tolerances &tolerances_;
  Comparison &result_;
  std::vector<size_t> offsets_;
  size_t stride_ = 0;
  double largest_ = -1;
};

bool read_number(std::string_view part, double &value) {
  auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  return error == std::errc() && end == part.data() + part.size() && value >= 0 &&
         std::isfinite(value);
}

/// "R", "R:A" or "R:A:U"; what is empty stays as it is.
bool read_tolerance(std::string_view text, Tolerance &tolerance) {
  Tolerance read = tolerance;
  if (text.empty() || std::ranges::count(text, ':') > 2 || text.ends_with(':'))
    return false;
  double ulp = double(read.ulp);
  for (double *value : {&read.relative, &read.absolute, &ulp}) {
    const size_t colon = text.find(':');
    const std::string_view part = text.substr(0, colon);
    if (!part.empty() && !read_number(part, *value))
      return false;
    text = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  }
  if (ulp != std::floor(ulp) || ulp > 0x1p52)
    return false;
  read.ulp = uint64_t(ulp);
  tolerance = read;
  return true;
}

Tolerance *find_tolerance(std::string_view name, Tolerances &tolerances) {
  if (name == "f16")
    return &tolerances.f16;
  if (name == "bf16")
    return &tolerances.bf16;
  if (name == "f32")
    return &tolerances.f32;
  if (name == "f64")
    return &tolerances.f64;
  return nullptr;
}

} // namespace

const Tolerance &Tolerances::of(ElementType type) const {
  switch (type) {
  case ElementType::f16:
    return f16;
  case ElementType::bf16:
    return bf16;
  case ElementType::f64:
    return f64;
  default:
    return f32;
  }
}

bool read_tolerances(std::string_view text, Tolerances &tolerances) {
  Tolerances read = tolerances;
  if (text == "exact") {
    tolerances.exact = true;
    return true;
  }
  if (text.empty())
    return false;
  while (!text.empty()) {
    size_t comma = text.find(',');
    std::string_view entry = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    if (comma != std::string_view::npos && text.empty())
      return false;
    size_t equals = entry.find('=');
    if (equals == std::string_view::npos) {
      for (Tolerance *one : {&read.f16, &read.bf16, &read.f32, &read.f64})
        if (!read_tolerance(entry, *one))
          return false;
      continue;
    }
    Tolerance *one = find_tolerance(entry.substr(0, equals), read);
    if (!one || !read_tolerance(entry.substr(equals + 1), *one))
      return false;
  }
  tolerances = read;
  return true;
}

void Comparison::merge(const Comparison &other) {
  elements += other.elements;
  different += other.different;
  mismatches += other.mismatches;
  max_ulp = std::max(max_ulp, other.max_ulp);
  max_relative = std::max(max_relative, other.max_relative);
  for (size_t i = 0; i < ulp_histogram.size(); ++i)
    ulp_histogram[i] += other.ulp_histogram[i];
  near_zero += other.near_zero;
  if (other.furthest > furthest) {
    furthest = other.furthest;
    furthest_near_zero = other.furthest_near_zero;
  }
  if (!first)
    first = other.first;
}

Comparison compare(const void *reference, const void *port, size_t size,
                   std::span<const Region> regions, const Tolerances &tolerances) {
  Comparison result;
  const Region unknown;
  if (regions.empty())
    regions = {&unknown, 1};
  auto a = static_cast<const char *>(reference), b = static_cast<const char *>(port);
  // Elements before the first region keep its phase: they end where it starts.
  size_t stride = std::max<size_t>(1, regions.front().layout.size());
  size_t lead = regions.front().start % stride;
  if (lead)
    Comparer(a, b, 0, lead, Layout(), tolerances, result).run();
  for (size_t i = 0; i < regions.size(); ++i) {
    size_t start = i == 0 ? lead : regions[i].start;
    size_t end = i + 1 < regions.size() ? regions[i + 1].start : size;
    Comparer(a, b, std::min(start, size), std::min(end, size), regions[i].layout, tolerances,
             result)
        .run();
  }
  return result;
}

} // namespace neuronify
