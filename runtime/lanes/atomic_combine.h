// The arithmetic of atomics: one operation on a word, and what many lanes make of one word
// together. Private to this room.
#pragma once

#include "lanes/atomics.h"
#include "lanes/tiles.h"

namespace nki::atomics {

/// One statement: operation, operands, and who wants the old values.
struct Request {
  Atomic op;
  Word value, compare;
  bool wants_old;
};

/// dst = what becomes of a word `old`, lane by lane: int32 tiles of one shape, values and compares
/// of that shape or numbers. dst may be old.
void apply(Atomic op, const Tensor &dst, const Tensor &old, const Word &value, const Word &compare);

/// Do many lanes' operations on one word combine to one, so that none needs the result of the one
/// before? All but compare_swap, and wrapping counters whose limit differs between lanes.
bool combines(const Request &request);

/// An operation that combines is an associative operator over what each lane contributes, and a
/// last step with the word itself. Float sums do not: they are scans (float_sum()).
struct Combine {
  nl::Op op;
  DType type; ///< int32 or uint32
  uint32_t identity;
};
Combine combine_of(Atomic op);
inline bool is_float_sum(Atomic op) { return op == Atomic::fadd || op == Atomic::fsub; }

/// What each lane contributes, int32 like `like`; for exchange its position in its row, from 1.
Tensor contributions(const Request &request, const Tensor &like);
/// dst = `old` after the contributions that were combined to `sum` (all int32 of one shape). For
/// exchange `values` {N, K} has the rows whose positions are in `sum`.
void finish(const Request &request, const Tensor &dst, const Tensor &old, const Tensor &sum,
            const Tensor &values);

/// Combination of each `count` consecutive elements of a row: {N, groups} from {N, groups * count},
/// which is overwritten.
Tensor combine_groups(const Combine &combine, const Tensor &items, int64_t groups, int64_t count);
/// Combination of the elements before each: {N, K}.
Tensor combine_before(const Combine &combine, const Tensor &items);

/// items, or the identity where the predicate (none: everywhere true) is 0. A fresh tile.
Tensor masked(const Tensor &items, const Tensor &predicate, uint32_t identity);
/// The operand as an int32 tile like `like`, without storage for a number.
Tensor words(const Word &word, const Tensor &like);
/// The float to add, negated for fsub, as int32 bits like `like`.
Tensor addends(const Request &request, const Tensor &like);
/// sums[i] = ((start + items[0]) + items[1]) + … + items[i] in fp32; start {N, 1}.
void float_sums(const Tensor &sums, const Tensor &items, const Tensor &start);
inline constexpr uint32_t kNegativeZero = 0x80000000u; ///< adds nothing to any float

/// cell[r], {R, 1}, after the compare_swaps of row r, one lane after the other: values and compares
/// int32 {R, K}, `predicate` (none: all lanes). `old` {R, K}, or none, gets what each lane finds.
/// Takes as many steps as swaps succeed in a row, since nothing happens between those.
void swap_rows(const Tensor &cell, const Tensor &old, const Tensor &values, const Tensor &compares,
               const Tensor &predicate);

/// Every lane of row r works on the word cell[r], {R, 1}, which is updated; values and `predicate`
/// (none: all lanes) are {R, K}. `old` {R, K} or none.
void update_rows(const Request &request, const Tensor &cell, const Tensor &old, int64_t lanes,
                 const Tensor &predicate);

} // namespace nki::atomics
