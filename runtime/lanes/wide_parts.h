// What the operations on 64-bit integers share. Private to this room.
#pragma once

#include "lanes/tiles.h"
#include "lanes/wide.h"

namespace nki::wides {

/// Low and high word, each a tile or a number.
struct Words {
  Words(const WideOperand &a) : low(a.low()), high(a.high()) {}
  Words(const Wide &a) : low(a.low), high(a.high) {}
  Words(const IntOperand &low, const IntOperand &high) : low(low), high(high) {}
  IntOperand low, high;
};

inline Tensor as_int(const Tensor &tile) { return tiles::as(tile, DType::int32); }
inline Tensor as_uint(const Tensor &tile) { return tiles::as(tile, DType::uint32); }
inline bool is_number(const IntOperand &a, int32_t value) { return !a.tile && a.value == value; }

/// Fresh tiles of the shape of `tile`.
inline Tensor word_like(const Tensor &tile) { return tiles::like(tile, DType::int32); }
inline Wide pair_like(const Tensor &tile) { return {word_like(tile), word_like(tile)}; }

/// The operand as a tile of `type`, of the shape of `like`.
inline Tensor tile_of(const IntOperand &a, const Tensor &like, DType type = DType::int32) {
  return a.tile ? tiles::as(a.tile, type) : tiles::numbers_like(like, uint32_t(a.value), type);
}
inline Wide pair_of(const WideOperand &a, const Tensor &like) {
  return {tile_of(a.low(), like), tile_of(a.high(), like)};
}

/// dst = a, word by word; nothing where they are the same tile.
void copy_word(const Tensor &dst, const IntOperand &a);
/// a op b of integers of `type`, as a fresh uint32 tile of 0 and 1.
Tensor compare_words(const IntOperand &a, const IntOperand &b, const Tensor &like, DType type,
                     nl::Op op);
/// a < b, a = b of 64-bit integers, as a fresh uint32 tile of 0 and 1. `type` of the high word says
/// whether they are signed.
Tensor less(const Words &a, const Words &b, const Tensor &like, DType type);
Tensor equal(const Words &a, const Words &b, const Tensor &like);
/// All ones where `high` is negative, else 0; a fresh tile, or `dst`.
void sign_word(const Tensor &dst, const Tensor &high);
Tensor sign_word(const Tensor &high);

/// dst = a + b, a - b, a * b modulo 2^64. Not both numbers.
void add(const Wide &dst, const Words &a, const Words &b);
void subtract(const Wide &dst, const Words &a, const Words &b);
void multiply(const Wide &dst, const Words &a, const Words &b);

} // namespace nki::wides
