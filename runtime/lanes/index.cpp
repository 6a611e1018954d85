// Index values in affine form: construction, ring operations, widths.
#include "lanes/index_form.h"

#include "nki/error.h"

#include <string>

namespace nki {

namespace {

void check_bits(int bits) {
  if (bits < 1 || bits > 64)
    throw Error("Index", "a width of 1 to 64 bits", std::to_string(bits));
}

} // namespace

Index::Index(int64_t value, int bits) : constant_(0), bits_(uint8_t(bits)) {
  check_bits(bits);
  constant_ = canonical(uint64_t(value), bits);
}

Index::Index(const Wave &wave, int bits, int64_t constant,
             const std::array<int64_t, kAxes> &coefficients) {
  check_bits(bits);
  *this = IndexOps::affine(&wave, bits, uint64_t(constant), coefficients);
}

Index::Index(const Wave &wave, int bits, std::vector<int64_t> values) {
  check_bits(bits);
  if (int64_t(values.size()) != wave.lanes())
    throw Error("Index", "one value per lane",
                std::to_string(values.size()) + " values for " + std::to_string(wave.lanes()) +
                    " lanes");
  for (int64_t &value : values)
    value = canonical(uint64_t(value), bits);
  *this = IndexOps::table(wave, bits, {std::move(values), wave.F(), 1});
}

bool Index::is_uniform() const {
  if (table_)
    return false;
  for (int64_t coefficient : coefficients_)
    if (coefficient != 0)
      return false;
  return true;
}

int64_t Index::signed_at(int64_t lane) const {
  if (table_)
    return table_->at(lane / wave_->F(), lane % wave_->F());
  uint64_t value = uint64_t(constant_);
  for (int axis = 0; axis < kAxes; ++axis)
    if (coefficients_[axis] != 0)
      value += uint64_t(coefficients_[axis]) * uint64_t(wave_->coordinate(Axis(axis), lane));
  return canonical(value, bits_);
}

uint64_t Index::unsigned_at(int64_t lane) const {
  return low_bits(uint64_t(signed_at(lane)), bits_);
}

Index IndexOps::affine(const Wave *wave, int bits, uint64_t constant,
                       const std::array<int64_t, kAxes> &coefficients) {
  Index result(int64_t(0), bits);
  result.wave_ = wave;
  for (int axis = 0; axis < kAxes; ++axis) {
    if (coefficients[axis] == 0)
      continue;
    int64_t coefficient = canonical(uint64_t(coefficients[axis]), bits);
    if (wave->first(Axis(axis)) == wave->last(Axis(axis))) {
      constant += uint64_t(coefficient) * uint64_t(wave->first(Axis(axis)));
      coefficient = 0;
    }
    result.coefficients_[axis] = coefficient;
  }
  result.constant_ = canonical(constant, bits);
  return result;
}

const Wave *IndexOps::join(Index &a, Index &b) {
  if (a.bits_ != b.bits_) {
    if (a.is_uniform() && !a.wave_)
      a = sext_or_trunc(a, b.bits_);
    else if (b.is_uniform() && !b.wave_)
      b = sext_or_trunc(b, a.bits_);
    else
      throw Error("Index", "operands of one width",
                  std::to_string(a.bits_) + " and " + std::to_string(b.bits_) + " bits");
  }
  if (a.wave_ && b.wave_ && a.wave_ != b.wave_)
    throw Error("Index", "operands of one wave");
  return a.wave_ ? a.wave_ : b.wave_;
}

Index IndexOps::same_values(const Index &table, int bits) {
  Index result = table;
  result.bits_ = uint8_t(bits);
  return result;
}

Index IndexOps::sext_or_trunc(const Index &a, int bits) {
  return uniform(a.wave_, bits, uint64_t(a.constant_));
}

Range IndexOps::range(const Index &a) {
  Range range{a.constant_, a.constant_, a.constant_};
  for (int axis = 0; axis < kAxes; ++axis) {
    int64_t coefficient = a.coefficients_[axis];
    if (coefficient == 0)
      continue;
    Int128 first = Int128(coefficient) * a.wave_->first(Axis(axis));
    Int128 last = Int128(coefficient) * a.wave_->last(Axis(axis));
    range.low += coefficient > 0 ? first : last;
    range.high += coefficient > 0 ? last : first;
  }
  return range;
}

std::optional<Range> IndexOps::exact(const Index &a, bool is_signed) {
  if (!a.is_affine())
    return {};
  Range r = range(a);
  Int128 least = is_signed ? -(Int128(1) << (a.bits_ - 1)) : 0;
  Int128 shift = (r.low - least) >> a.bits_
                                        << a.bits_; // a floor: >> of negative numbers is arithmetic
  r.low -= shift;
  r.high -= shift;
  r.constant -= shift;
  if (r.high >= least + (Int128(1) << a.bits_))
    return {};
  return r;
}

Index operator+(const Index &left, const Index &right) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  if (!a.is_affine() || !b.is_affine())
    return map_lanes(*wave, a, b, [](uint64_t x, uint64_t y) { return x + y; });
  std::array<int64_t, kAxes> sum;
  for (int axis = 0; axis < kAxes; ++axis)
    sum[axis] = int64_t(uint64_t(a.coefficient(Axis(axis))) + uint64_t(b.coefficient(Axis(axis))));
  return IndexOps::affine(wave, a.bits(), uint64_t(a.constant()) + uint64_t(b.constant()), sum);
}

Index operator*(const Index &left, const Index &right) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  if (a.is_uniform())
    std::swap(a, b);
  if (!a.is_affine() || !b.is_uniform())
    return map_lanes(*wave, a, b, [](uint64_t x, uint64_t y) { return x * y; });
  uint64_t factor = uint64_t(b.constant());
  std::array<int64_t, kAxes> product;
  for (int axis = 0; axis < kAxes; ++axis)
    product[axis] = int64_t(uint64_t(a.coefficient(Axis(axis))) * factor);
  return IndexOps::affine(wave, a.bits(), uint64_t(a.constant()) * factor, product);
}

Index operator-(const Index &a) { return a * Index(int64_t(-1), a.bits()); }
Index operator-(const Index &left, const Index &right) {
  Index a = left, b = right;
  IndexOps::join(a, b);
  return a + -b;
}
Index operator~(const Index &a) { return -a + Index(int64_t(-1), a.bits()); }

Index trunc(const Index &a, int bits) {
  check_bits(bits);
  if (a.is_affine())
    return IndexOps::affine(a.wave(), bits, uint64_t(a.constant()), IndexOps::coefficients(a));
  LaneArray<int64_t> values = a.table();
  reduce_all(values.values, bits);
  return IndexOps::table(*a.wave(), bits, std::move(values));
}

namespace {

/// The value as a signed or unsigned number, at another width.
Index extend(const Index &a, int bits, bool is_signed) {
  check_bits(bits);
  if (bits <= a.bits())
    return trunc(a, bits);
  if (std::optional<Range> range = IndexOps::exact(a, is_signed))
    return IndexOps::affine(a.wave(), bits, uint64_t(range->constant), IndexOps::coefficients(a));
  const Wave &wave = *a.wave();
  int from = a.bits();
  if (!a.is_affine() && is_signed)
    return IndexOps::same_values(a, bits);
  LaneArray<int64_t> values =
      lane_array<int64_t>(wave.P(), wave.F(), varies_over_partitions(a), varies_over_free(a));
  int64_t columns = varies_over_free(a) ? wave.F() : 1;
  for (int64_t p = 0; p * columns < int64_t(values.values.size()); ++p)
    fill_row(a, p, {values.values.data() + p * columns, size_t(columns)});
  if (!is_signed)
    for (int64_t &value : values.values)
      value = canonical(low_bits(uint64_t(value), from), bits);
  return IndexOps::table(wave, bits, std::move(values));
}

} // namespace

Index sext(const Index &a, int bits) { return extend(a, bits, true); }
Index zext(const Index &a, int bits) { return extend(a, bits, false); }

} // namespace nki
