"""Atomic operations on 64-bit integers: from those on words where the words do not need each other, or
only through a carry that each lane knows; the others one lane per number at a time."""

import nki.isa as nisa
import nki.language as nl

from . import atomic_columns, atomic_places, floats
from .atomic_words import Request
from .formulas import trip_count
from .integers import iadd, smax
from .masks import is_none, is_tile
from .pairs import pair
from .places import element, offset_in, place_of
from .tiles import bits, like, spread
from .wide_arithmetic import isub
from .wide_words import Wide, copy, equal, less, wide_of

NOWHERE = -2
"""No element's number, and neither is that of the word behind it."""


def _own(w, value):
    """A copy of a 64-bit operand."""
    result = pair(w)
    copy(result, wide_of(value))
    return result


def _add(w, place, value, mask, old):
    """The sum of the low words is carried by the lane that it overflows in: it has found the low word
    before itself, so the high words only have its carry to add."""
    shape = (w.P, w.F)
    low = nl.ndarray(shape, dtype=nl.int32, buffer=nl.sbuf)
    nisa.memset(dst=low, value=0)
    atomic_places.update(Request("add", value.low), place, low, mask)
    total = like(low, nl.int32)
    carry = like(low, nl.uint32)
    high = like(low, nl.int32)
    iadd(total, low, value.low)
    floats.compare_integers(carry, "ult", total, low)
    iadd(high, bits(carry, nl.int32), value.high)
    found = None
    if old != None:  # noqa: E711
        found = like(low, nl.int32)
        nisa.memset(dst=found, value=0)
    behind = element(place, 4, 1)
    atomic_places.update(Request("add", high), behind, found, mask)
    if old != None:  # noqa: E711
        copy(old, Wide(low, found))


def _by_words(op, w, place, value, mask, old):
    """Both words for themselves."""
    low = None
    high = None
    if old != None:  # noqa: E711
        low = nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf)
        high = like(low, nl.int32)
        nisa.memset(dst=low, value=0)
        nisa.memset(dst=high, value=0)
    atomic_places.update(Request(op, value.low), place, low, mask)
    atomic_places.update(Request(op, value.high), element(place, 4, 1), high, mask)
    if old != None:  # noqa: E711
        copy(old, Wide(low, high))


def _replaces(op, old, value, compare):
    """Does `value` take the place of `old`?"""
    if op == "min" or op == "umin":
        return less(value, old, old.low, op == "min")
    if op == "max" or op == "umax":
        return less(old, value, old.low, op == "max")
    return equal(old, compare, old.low)


def _replace(op, now, value, compare):
    takes = _replaces(op, now, value, compare)
    nisa.tensor_copy_predicated(dst=now.low, src=value.low, predicate=takes)
    nisa.tensor_copy_predicated(dst=now.high, src=value.high, predicate=takes)


# ---- device memory ------------------------------------------------------------------------------


def _lanes_of(value):
    return Wide(
        atomic_columns.lanes_of(value.low, 0), atomic_columns.lanes_of(value.high, 0)
    )


def _on_partitions(lanes, column):
    """One column of lanes, words with storage of their own."""
    return Wide(
        atomic_columns.on_partitions(lanes.low, column, 1),
        atomic_columns.on_partitions(lanes.high, column, 1),
    )


def _in_turn(op, memory, rows, turns, value, compare):
    """One column of lanes, those that meet one after the other; what they find."""
    found = Wide(like(rows, nl.int32), like(rows, nl.int32))
    behind = like(rows, nl.int32)
    at = like(rows, nl.float32)
    iadd(behind, rows, 1)
    nisa.memset(dst=found.low, value=0)
    nisa.memset(dst=found.high, value=0)
    nisa.memset(dst=at, value=0.0)
    for _ in nl.dynamic_range(trip_count(turns)):
        nisa.tensor_scalar(dst=at, data=at, op0=nl.add, operand0=1.0)
        turn = like(rows, nl.uint32)
        nisa.tensor_tensor(dst=turn, data1=turns, data2=at, op=nl.equal)
        low_rows = atomic_columns.chosen(rows, turn)
        high_rows = atomic_columns.chosen(behind, turn)
        now = Wide(
            atomic_columns.read(memory, low_rows),
            atomic_columns.read(memory, high_rows),
        )
        nisa.tensor_copy_predicated(dst=found.low, src=now.low, predicate=turn)
        nisa.tensor_copy_predicated(dst=found.high, src=now.high, predicate=turn)
        _replace(op, now, value, compare)
        atomic_columns.write(memory, low_rows, now.low)
        atomic_columns.write(memory, high_rows, now.high)
    return found


def _update_device(op, place, value, compare, mask, old):
    memory = bits(place.memory, nl.int32)
    if place.by == None:  # noqa: E711
        offset = offset_in(place, 4)
        mask = atomic_places.lanes_inside(offset, memory.shape[0] - 1, mask)
        if is_none(mask):
            return
    shape = value.low.shape
    positions = atomic_places.device_positions(place, shape, 4)
    positions = atomic_places.index_where(positions, mask, -1)
    stretch = atomic_places.stretch_of(mask, shape)
    places = atomic_columns.lanes_of(atomic_places.cut(positions, stretch), -1)
    values = _lanes_of(_cut(value, stretch))
    compares = None
    if compare != None:  # noqa: E711
        compares = _lanes_of(_cut(compare, stretch))
    low = atomic_columns.lanes_of(atomic_places.cut(positions, stretch), 0)
    high = atomic_columns.lanes_of(atomic_places.cut(positions, stretch), 0)
    for c in range(places.columns):
        rows = atomic_columns.on_partitions(places, c, 1)
        meet = atomic_columns.meetings(places, rows, c, 1)
        turns = atomic_columns.turns_of(rows, atomic_columns.earlier(meet, 1))
        other = None
        if compare != None:  # noqa: E711
            other = _on_partitions(compares, c)
        found = _in_turn(op, memory, rows, turns, _on_partitions(values, c), other)
        atomic_columns.put_back(low, found.low, c)
        atomic_columns.put_back(high, found.high, c)
    if old == None:  # noqa: E711
        return
    part = nl.ndarray((shape[0], stretch.count), dtype=nl.int32, buffer=nl.sbuf)
    atomic_columns.take(part, low)
    atomic_places.put_part(old.low, part, stretch)
    atomic_columns.take(part, high)
    atomic_places.put_part(old.high, part, stretch)


def _cut(value, stretch):
    return Wide(
        atomic_places.cut(value.low, stretch), atomic_places.cut(value.high, stretch)
    )


# ---- shared memory ------------------------------------------------------------------------------


def _gather(array, at):
    word = nl.ndarray((array.shape[0], 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.nc_n_gather(dst=word, data=array, indices=at.view(nl.uint32))
    return word


def _column(value, f):
    if value == None:  # noqa: E711
        return None
    return Wide(value.low[:, f : f + 1], value.high[:, f : f + 1])


def _update_shared(op, place, value, compare, mask, old):
    """Lane after lane, all partitions at the same time."""
    array = place.memory
    shape = value.low.shape
    positions = atomic_places.device_positions(place, shape, 4)
    if place.by == None:  # noqa: E711
        offset = offset_in(place, 4)
        mask = atomic_places.lanes_inside(offset, array.shape[1] - 1, mask)
    stretch = atomic_places.stretch_of(mask, shape)
    predicate = atomic_places.predicate_of(mask, shape, stretch)
    positions = atomic_places.cut(positions, stretch)
    limit = array.shape[1] - 1
    positions = atomic_places.live_index(positions, predicate, limit, NOWHERE)
    wanted = like(positions, nl.float32)
    source = like(positions, nl.int32)
    behind = like(positions, nl.int32)
    nisa.tensor_copy(dst=wanted, src=positions)
    smax(source, positions, 0)
    iadd(behind, source, 1)
    element_number = nl.ndarray(array.shape, dtype=nl.float32, buffer=nl.sbuf)
    hit = nl.ndarray(array.shape, dtype=nl.uint32, buffer=nl.sbuf)
    nisa.iota(dst=element_number, pattern=[[1, array.shape[1]]])
    for f in range(stretch.count):
        now = Wide(
            _gather(array, source[:, f : f + 1]), _gather(array, behind[:, f : f + 1])
        )
        lane = stretch.first + f
        if old != None:  # noqa: E711
            nisa.tensor_copy(dst=old.low[:, lane : lane + 1], src=now.low)
            nisa.tensor_copy(dst=old.high[:, lane : lane + 1], src=now.high)
        _replace(op, now, _column(value, lane), _column(compare, lane))
        for word in (0, 1):
            nisa.tensor_scalar(
                dst=hit,
                data=element_number,
                op0=nl.subtract,
                operand0=1.0 * word,
                op1=nl.equal,
                operand1=wanted[:, f : f + 1],
            )
            source_word = now.low if word == 0 else now.high
            nisa.tensor_copy_predicated(
                dst=array, src=spread(source_word, array.shape[1]), predicate=hit
            )


# ---- the statements -----------------------------------------------------------------------------


def _atomic(op, w, place, value, mask, old, compare=None):
    if is_none(mask):
        return
    place = place_of(place)
    if place.space == "null":
        assert is_tile(mask), "an atomic operation by a null pointer"
        return
    assert place.space != "local", "64-bit numbers are in device or shared memory"
    words = _own(w, value)
    if op == "add":
        _add(w, place, words, mask, old)
    elif op == "sub":
        isub(words, 0, words)
        _add(w, place, words, mask, old)
    elif op == "exch" or op == "and" or op == "or" or op == "xor":
        _by_words(op, w, place, words, mask, old)
    else:
        other = None
        if compare != None:  # noqa: E711
            other = _own(w, compare)
        if place.space == "global":
            _update_device(op, place, words, other, mask, old)
        else:
            _update_shared(op, place, words, other, mask, old)


def atomic_add64(w, place, value, mask, old=None):
    """Old + value."""
    _atomic("add", w, place, value, mask, old)


def atomic_sub64(w, place, value, mask, old=None):
    """Old - value."""
    _atomic("sub", w, place, value, mask, old)


def atomic_exch64(w, place, value, mask, old=None):
    """Value."""
    _atomic("exch", w, place, value, mask, old)


def atomic_min64(w, place, value, mask, old=None):
    """The smaller of signed integers."""
    _atomic("min", w, place, value, mask, old)


def atomic_max64(w, place, value, mask, old=None):
    """The larger of signed integers."""
    _atomic("max", w, place, value, mask, old)


def atomic_umin64(w, place, value, mask, old=None):
    """The smaller of unsigned integers."""
    _atomic("umin", w, place, value, mask, old)


def atomic_umax64(w, place, value, mask, old=None):
    """The larger of unsigned integers."""
    _atomic("umax", w, place, value, mask, old)


def atomic_and64(w, place, value, mask, old=None):
    """Old & value."""
    _atomic("and", w, place, value, mask, old)


def atomic_or64(w, place, value, mask, old=None):
    """Old | value."""
    _atomic("or", w, place, value, mask, old)


def atomic_xor64(w, place, value, mask, old=None):
    """Old ^ value."""
    _atomic("xor", w, place, value, mask, old)


def atomic_cas64(w, place, compare, value, mask, old=None):
    """Value where old is compare, else old."""
    _atomic("cas", w, place, value, mask, old, compare)
