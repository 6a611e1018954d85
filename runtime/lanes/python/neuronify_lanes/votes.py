"""What the threads of a warp or a block find out together: votes, ballots, matches, reductions.

Warps are 32 consecutive threads of a block; the last one may be shorter. `active` are the lanes that
execute the statement, `members` the bits of a warp that its member mask names, a tile or a number.
The lanes that take part with a lane are the active members of its warp. The other lanes get what an
active lane in their place would.
"""

import nki.isa as nisa
import nki.language as nl

from . import floats, index
from .combine import combine_groups, combine_of, masked
from .integers import iand
from .masks import (
    Predicate,
    both,
    invert,
    is_all,
    is_none,
    known,
    predicate_tile,
)
from .tiles import bits, is_number, like, number, spread
from .values import put, select
from .waves import lane_id
from .wide_words import wide_of

WARP = 32


def _warps(w):
    """Warps of a partition, the last of which may be partial."""
    return (w.F + WARP - 1) // WARP


def _padded(w, lanes, rest):
    """A copy of a tile in whole warps, {P, warps * 32}; `rest` where a partial one has no lane."""
    tile = nl.ndarray((w.P, _warps(w) * WARP), dtype=lanes.dtype, buffer=nl.sbuf)
    if w.F % WARP != 0:
        nisa.memset(dst=bits(tile, nl.int32), value=rest)
    nisa.tensor_copy(dst=tile[:, 0 : w.F], src=lanes)
    return tile


def _in_warps(w, tile):
    """A padded tile as {P, warps, 32}."""
    return tile.reshape((w.P, _warps(w), WARP))


def _take(w, dst, by_warp):
    """dst = the lanes of a view {P, warps, 32}."""
    if w.F % WARP == 0:
        nisa.tensor_copy(dst=_in_warps(w, dst), src=by_warp)
        return
    tile = nl.ndarray((w.P, _warps(w) * WARP), dtype=dst.dtype, buffer=nl.sbuf)
    nisa.tensor_copy(dst=_in_warps(w, tile), src=by_warp)
    nisa.tensor_copy(dst=dst, src=tile[:, 0 : w.F])


def _spread_over_warps(w, dst, values):
    """A value per warp, {P, warps}, to each of its lanes."""
    count = _warps(w)
    _take(w, dst, values.ap(pattern=[[count, w.P], [1, count], [0, WARP]], offset=0))


def _lane_of_all(w, tile, lane):
    """Lane `lane` of each warp of a padded tile in all lanes of the warp: {P, warps, 32}."""
    count = _warps(w)
    return tile.ap(pattern=[[count * WARP, w.P], [WARP, count], [0, WARP]], offset=lane)


def _words(w, operand):
    """A 32-bit operand as an int32 tile."""
    if not is_number(operand):
        return bits(operand, nl.int32)
    tile = nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf)
    nisa.memset(dst=tile, value=operand)
    return tile


def ballot(w, dst, predicate, active, members):
    """Bit i: lane i of the warp takes part and is in `predicate`."""
    voters = both(predicate, active)
    if is_none(voters):
        nisa.memset(dst=dst, value=0)
        return
    lanes = _padded(w, predicate_tile(voters, (w.P, w.F)), 0)
    position = like(lanes, nl.uint32)
    nisa.iota(dst=_in_warps(w, position), pattern=[[0, _warps(w)], [1, WARP]])
    nisa.tensor_tensor(dst=lanes, data1=lanes, data2=position, op=nl.left_shift)
    ballots = nl.ndarray((w.P, _warps(w)), dtype=nl.uint32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=ballots, op=nl.bitwise_or, data=_in_warps(w, lanes), axis=2)
    spread_out = like(dst, nl.int32)
    _spread_over_warps(w, bits(spread_out, nl.uint32), ballots)
    iand(dst, spread_out, members)


def activemask(w, dst, active):
    ballot(w, dst, True, active, -1)


def vote_any(w, predicate, active, members):
    """Is the predicate true in some lane that takes part?"""
    found = nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf)
    ballot(w, found, predicate, active, members)
    result = like(found, nl.uint32)
    floats.compare_integers(result, "ne", found, 0)
    return Predicate(result)


def vote_all(w, predicate, active, members):
    """In all of them?"""
    return invert(vote_any(w, invert(predicate), active, members))


def vote_uni(w, predicate, active, members):
    """Is it equal in all of them?"""
    some = vote_any(w, predicate, active, members)
    others = vote_any(w, invert(predicate), active, members)
    return invert(both(some, others))


# ---- matches ------------------------------------------------------------------------------------


def match_any(w, dst, value, active, members):
    """The lanes that take part and have the lane's own value."""
    values = _padded(w, _words(w, value), 0)
    matching = like(values, nl.uint32)
    equal = like(values, nl.uint32)
    nisa.memset(dst=matching, value=0)
    for lane in range(WARP):
        nisa.tensor_tensor(
            dst=_in_warps(w, equal),
            data1=_in_warps(w, values),
            data2=_lane_of_all(w, values, lane),
            op=nl.equal,
        )
        if lane > 0:
            nisa.tensor_scalar(dst=equal, data=equal, op0=nl.left_shift, operand0=lane)
        nisa.tensor_tensor(dst=matching, data1=matching, data2=equal, op=nl.bitwise_or)
    taking_part = like(dst, nl.int32)
    result = like(dst, nl.int32)
    ballot(w, taking_part, True, active, members)
    _take(w, bits(result, nl.uint32), _in_warps(w, matching))
    iand(dst, result, taking_part)


def match_any64(w, dst, value, active, members):
    """The same of 64-bit values."""
    words = wide_of(value)
    low = like(dst, nl.int32)
    high = like(dst, nl.int32)
    match_any(w, low, words.low, active, members)
    match_any(w, high, words.high, active, members)
    iand(dst, low, high)


def _all_or_none(w, dst, matching, active, members):
    """The lanes that match if they are all that take part, else 0."""
    taking_part = like(dst, nl.int32)
    same = like(dst, nl.uint32)
    ballot(w, taking_part, True, active, members)
    floats.compare_integers(same, "eq", matching, taking_part)
    select(dst, Predicate(same), matching, 0)


def match_all(w, dst, value, active, members):
    """The lanes that take part if all of them have one value, else 0."""
    matching = like(dst, nl.int32)
    match_any(w, matching, value, active, members)
    _all_or_none(w, dst, matching, active, members)


def match_all64(w, dst, value, active, members):
    matching = like(dst, nl.int32)
    match_any64(w, matching, value, active, members)
    _all_or_none(w, dst, matching, active, members)


# ---- the n-th set bit ---------------------------------------------------------------------------


def _test(a, op, b):
    result = like(a, nl.uint32)
    nisa.tensor_tensor(dst=result, data1=a, data2=b, op=op)
    return result


def _and(dst, other):
    nisa.tensor_tensor(dst=dst, data1=dst, data2=other, op=nl.bitwise_and)


def _own(dst, operand):
    """A copy of a 32-bit operand."""
    tile = like(dst, nl.int32)
    put(tile, operand)
    return tile


def _search(result, word, start, wanted, upwards):
    """Sets `result` where the wanted set bit of `word` lies in this direction."""
    count = like(result, nl.int32)
    bit = like(result, nl.uint32)
    nisa.memset(dst=count, value=0)
    for step in range(WARP):
        at = step if upwards else WARP - 1 - step
        position = number(result, at, nl.int32)
        nisa.tensor_scalar(
            dst=bit,
            data=bits(word, nl.uint32),
            op0=nl.right_shift,
            operand0=at,
            op1=nl.bitwise_and,
            operand1=1,
        )
        _and(
            bit, _test(start, nl.less_equal if upwards else nl.greater_equal, position)
        )
        nisa.tensor_tensor(
            dst=count,
            data1=count,
            data2=bits(bit, nl.int32),
            op=nl.add if upwards else nl.subtract,
        )
        hit = _test(count, nl.equal, wanted)
        _and(hit, bit)
        nisa.tensor_copy_predicated(dst=result, src=position, predicate=hit)
        if upwards:
            itself = _test(start, nl.equal, position)
            _and(itself, _test(wanted, nl.equal, number(result, 0, nl.int32)))
            _and(itself, bit)
            nisa.tensor_copy_predicated(dst=result, src=position, predicate=itself)


def fns(dst, mask, base, offset):
    """Position of the offset-th set bit of `mask`, from bit `base` on upwards, or downwards for a
    negative offset; for offset 0 `base` itself. -1 where there is none."""
    word = _own(dst, mask)
    start = _own(dst, base)
    wanted = _own(dst, offset)
    result = like(dst, nl.int32)
    nisa.memset(dst=result, value=-1)
    _search(result, word, start, wanted, True)
    _search(result, word, start, wanted, False)
    nisa.tensor_copy(dst=bits(dst, nl.int32), src=result)


# ---- reductions ---------------------------------------------------------------------------------


def _lanes_named(w, members):
    """The lanes that a number names."""
    if members == -1:
        return True
    row = []
    for f in range(w.F):
        row.append((members >> (f % WARP)) % 2 == 1)
    return known([row])


def _reduce_by_lane(w, combine, dst, values, members):
    """Each lane combines the values of the lanes that its own member mask names."""
    padded = _padded(w, values, combine.identity)
    words = like(values, nl.int32)
    result = bits(words, combine.dtype)
    value = like(values, nl.int32)
    named = like(values, nl.uint32)
    nisa.memset(dst=words, value=combine.identity)
    for lane in range(WARP):
        _take(w, value, _lane_of_all(w, padded, lane))
        floats.test_bit(named, members, lane)
        item = masked(value, named, combine.identity)
        nisa.tensor_tensor(
            dst=result, data1=result, data2=bits(item, combine.dtype), op=combine.op
        )
    nisa.tensor_copy(dst=bits(dst, nl.int32), src=words)


def _reduce(op, w, dst, value, active, members):
    """The values of the lanes that take part, combined; exact, sums wrap."""
    combine = combine_of(op)
    taking_part = active
    if is_number(members):
        taking_part = both(active, _lanes_named(w, members))
    predicate = None
    if not is_all(taking_part):
        predicate = predicate_tile(taking_part, (w.P, w.F))
    values = masked(_words(w, value), predicate, combine.identity)
    if not is_number(members):
        _reduce_by_lane(w, combine, dst, values, members)
        return
    padded = _padded(w, values, combine.identity)
    result = combine_groups(combine, padded, _warps(w), WARP)
    _spread_over_warps(w, bits(dst, nl.int32), result)


def reduce_add(w, dst, value, active, members):
    _reduce("add", w, dst, value, active, members)


def reduce_min(w, dst, value, active, members):
    _reduce("min", w, dst, value, active, members)


def reduce_max(w, dst, value, active, members):
    _reduce("max", w, dst, value, active, members)


def reduce_umin(w, dst, value, active, members):
    _reduce("umin", w, dst, value, active, members)


def reduce_umax(w, dst, value, active, members):
    _reduce("umax", w, dst, value, active, members)


def reduce_and(w, dst, value, active, members):
    _reduce("and", w, dst, value, active, members)


def reduce_or(w, dst, value, active, members):
    _reduce("or", w, dst, value, active, members)


def reduce_xor(w, dst, value, active, members):
    _reduce("xor", w, dst, value, active, members)


# ---- blocks -------------------------------------------------------------------------------------


def block_count(w, dst, predicate, active):
    """How many active lanes of the block are in `predicate`."""
    counted = both(predicate, active)
    if is_none(counted):
        nisa.memset(dst=dst, value=0)
        return
    count = nl.ndarray((w.P, 1), dtype=nl.int32, buffer=nl.sbuf)  # exact below 2^24
    nisa.tensor_reduce(
        dst=count, op=nl.add, data=predicate_tile(counted, (w.P, w.F)), axis=1
    )
    nisa.tensor_copy(dst=dst, src=spread(count, w.F))


def block_any(w, predicate, active):
    """Is some active lane of the block in `predicate`?"""
    count = nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf)
    block_count(w, count, predicate, active)
    result = like(count, nl.uint32)
    floats.compare_integers(result, "ne", count, 0)
    return Predicate(result)


def block_all(w, predicate, active):
    """Are all of them?"""
    return invert(block_any(w, invert(predicate), active))


# ---- registers ----------------------------------------------------------------------------------


def lane_mask_eq(w):
    """The bit of the lane itself."""
    return index.shl(1, lane_id(w))


def lane_mask_lt(w):
    """The bits of the lanes before it."""
    return index.sub(lane_mask_eq(w), 1)


def lane_mask_le(w):
    """And its own."""
    return index.bit_or(lane_mask_lt(w), lane_mask_eq(w))


def lane_mask_gt(w):
    """The bits of the lanes after it."""
    return index.xor(lane_mask_le(w), -1)


def lane_mask_ge(w):
    """And its own."""
    return index.xor(lane_mask_lt(w), -1)
