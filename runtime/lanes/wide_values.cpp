// Moving 64-bit integers: the same moves of 32 bits, word by word.
#include "lanes/index_form.h"
#include "lanes/wide_parts.h"

namespace nki {

using namespace wides;

Wide Wave::wide() const { return {tile(DType::int32), tile(DType::int32)}; }

WideOperand::WideOperand(const Wide &tile) : tile(tile) {}
WideOperand::WideOperand(const WideOperand &other) = default;
WideOperand::~WideOperand() = default;

void fill(const Wide &dst, int64_t value) {
  fill(dst.low, int32_t(value));
  fill(dst.high, int32_t(value >> 32));
}

void copy(const Wide &dst, const Wide &a) {
  copy_word(dst.low, a.low);
  copy_word(dst.high, a.high);
}

void materialize(const Wide &dst, const Index &value) {
  if (value.is_uniform())
    return fill(dst, value.constant());
  const Index wide = value.bits() < 64 ? sext(value, 64) : value;
  materialize(dst.low, trunc(wide, 32));
  auto [low, high] = IndexOps::bounds(wide, true);
  if (low >= INT32_MIN && high <= INT32_MAX && (low < 0) == (high < 0))
    return fill(dst.high, low < 0 ? -1 : 0);
  if (low >= INT32_MIN && high <= INT32_MAX)
    return sign_word(dst.high, dst.low);
  materialize(dst.high, trunc(ashr(wide, Index(int64_t(32), 64)), 32));
}

namespace {

void assign_word(const Tensor &variable, const IntOperand &value, const Mask &mask) {
  if (value.tile)
    assign(variable, value.tile, mask);
  else
    assign(variable, value.value, mask);
}

} // namespace

void assign(const Wide &variable, const WideOperand &value, const Mask &mask) {
  assign_word(variable.low, value.low(), mask);
  assign_word(variable.high, value.high(), mask);
}

void select(const Wide &dst, const Mask &mask, const WideOperand &a, const WideOperand &b) {
  select(dst.low, mask, a.low(), b.low());
  select(dst.high, mask, a.high(), b.high());
}

void words(const Wide &dst, const IntOperand &low, const IntOperand &high) {
  if (!tiles::same(dst.low, high.tile)) {
    copy_word(dst.low, low);
    return copy_word(dst.high, high);
  }
  const Wide result = pair_like(dst.low); // the words of dst itself, the other way round
  copy_word(result.low, low);
  copy_word(result.high, high);
  copy(dst, result);
}

// ---- memory
// ----------------------------------------------------------------------------------------

Place at_address(const Wide &address) {
  Place place;
  place.address_low = as_int(address.low);
  place.address_high = as_int(address.high);
  return place;
}

void load(const Wide &dst, const Place &place, int, const Mask &mask) {
  const Place high = place + Index(int64_t(4), 64);
  // `p = p->next` reads both words at the address that p still is.
  bool moves = false;
  for (const Tensor &part : {place.index, place.address_low, place.address_high})
    moves |= tiles::same(dst.low, part);
  const Tensor low = moves ? word_like(dst.low) : dst.low;
  load(low, place, 4, mask);
  load(dst.high, high, 4, mask);
  if (moves)
    nisa::tensor_copy(dst.low, low);
}

void store(const Place &place, const WideOperand &src, int, const Mask &mask) {
  const Place high = place + Index(int64_t(4), 64);
  if (src.is_number()) {
    store(place, uint32_t(src.value), 4, mask);
    return store(high, uint32_t(uint64_t(src.value) >> 32), 4, mask);
  }
  store(place, src.tile.low, 4, mask);
  store(high, src.tile.high, 4, mask);
}

// ---- warps
// -----------------------------------------------------------------------------------------

void shfl_up(const Wave &wave, const Wide &dst, const Wide &a, const Index &delta, int width) {
  shfl_up(wave, dst.low, a.low, delta, width);
  shfl_up(wave, dst.high, a.high, delta, width);
}
void shfl_down(const Wave &wave, const Wide &dst, const Wide &a, const Index &delta, int width) {
  shfl_down(wave, dst.low, a.low, delta, width);
  shfl_down(wave, dst.high, a.high, delta, width);
}
void shfl_xor(const Wave &wave, const Wide &dst, const Wide &a, const Index &lane_mask, int width) {
  shfl_xor(wave, dst.low, a.low, lane_mask, width);
  shfl_xor(wave, dst.high, a.high, lane_mask, width);
}
void shfl(const Wave &wave, const Wide &dst, const Wide &a, const Index &source, int width) {
  shfl(wave, dst.low, a.low, source, width);
  shfl(wave, dst.high, a.high, source, width);
}
void shfl(const Wave &wave, const Wide &dst, const Wide &a, const Tensor &source, int width) {
  const Tensor from = word_like(source); // may be a word of dst
  nisa::tensor_copy(from, as_int(source));
  shfl(wave, dst.low, a.low, from, width);
  shfl(wave, dst.high, a.high, from, width);
}

} // namespace nki
