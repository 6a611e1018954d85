"""Atomics on words of device memory that the chip names, or that lanes share in no simple way.

128 lanes at a time, in lane order, on partitions: an indirect transfer takes one index per partition.
Comparing the index of each with those of all 128 tells which lanes meet. What they contribute is
combined per lane twice, over all lanes that meet and over those before it, so that each lane knows
the word's final value and the one it found. All of them write the final value. What does not combine
takes turns: first the lanes with none before them, then those with one, and so on.
"""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from .atomic_words import (
    NEGATIVE_ZERO,
    Request,
    addends,
    apply,
    combines,
    contributions,
    finish,
    float_sums,
    is_float_sum,
)
from .combine import combine_groups, combine_of, masked
from .formulas import trip_count
from .tiles import like

COLUMNS = 8
"""Columns of 128 lanes that are compared together."""


class Lanes(NKIObject):
    """A tile {P, F} in lane order in `memory`: `columns` of `height` lanes, the rest filled up."""

    def __init__(self, memory, lanes, height, columns):
        self.memory = memory
        self.lanes = lanes
        self.height = height
        self.columns = columns


def lanes_of(tile, rest):
    """The tile in lane order; the lanes beyond the last hold `rest`."""
    lanes = tile.shape[0] * tile.shape[1]
    height = min(lanes, 128)
    columns = (lanes + height - 1) // height
    memory = nl.ndarray((height * columns,), dtype=nl.int32, buffer=nl.private_hbm)
    nisa.dma_copy(dst=memory[0:lanes].reshape(tile.shape), src=tile)
    missing = height * columns - lanes
    if missing > 0:
        filling = nl.ndarray((1, missing), dtype=nl.int32, buffer=nl.sbuf)
        nisa.memset(dst=filling, value=rest)
        nisa.dma_copy(
            dst=memory[lanes : lanes + missing].reshape((1, missing)), src=filling
        )
    return Lanes(memory, lanes, height, columns)


def on_partitions(lanes, first, count):
    """{height, count}: lane c * height + p at (p, c - first)."""
    tile = nl.ndarray((lanes.height, count), dtype=nl.int32, buffer=nl.sbuf)
    pattern = [[1, lanes.height], [lanes.height, count]]
    nisa.dma_copy(
        dst=tile, src=lanes.memory.ap(pattern=pattern, offset=first * lanes.height)
    )
    return tile


def everywhere(lanes, first, count):
    """{height, count * height}: in every partition the lanes of the columns."""
    width = count * lanes.height
    tile = nl.ndarray((lanes.height, width), dtype=nl.int32, buffer=nl.sbuf)
    pattern = [[0, lanes.height], [1, width]]
    nisa.dma_copy(
        dst=tile, src=lanes.memory.ap(pattern=pattern, offset=first * lanes.height)
    )
    return tile


def put_back(lanes, tile, first):
    """The columns from `first` on become those of a tile {height, count}."""
    pattern = [[1, lanes.height], [lanes.height, tile.shape[1]]]
    nisa.dma_copy(
        dst=lanes.memory.ap(pattern=pattern, offset=first * lanes.height), src=tile
    )


def take(dst, lanes):
    """dst {P, F} = the lanes."""
    nisa.dma_copy(dst=dst, src=lanes.memory[0 : lanes.lanes].reshape(dst.shape))


def meetings(lanes, rows, first, columns):
    """1 where lanes of a column meet, a lane itself included: uint32 {height, columns * height}."""
    height = lanes.height
    others = everywhere(lanes, first, columns)
    meet = like(others, nl.uint32)
    nisa.tensor_tensor(
        dst=meet.reshape((height, columns, height)),
        data1=others.reshape((height, columns, height)),
        data2=rows.ap(pattern=[[columns, height], [1, columns], [0, height]], offset=0),
        op=nl.equal,
    )
    return meet


def earlier(meet, columns):
    """Those that come before it."""
    height = meet.shape[0]
    distance = nl.ndarray((height, height), dtype=nl.int32, buffer=nl.sbuf)
    before = nl.ndarray((height, height), dtype=nl.uint32, buffer=nl.sbuf)
    nisa.iota(dst=distance, pattern=[[1, height]], offset=0, channel_multiplier=-1)
    nisa.tensor_scalar(dst=before, data=distance, op0=nl.less, operand0=0.0)
    result = like(meet, nl.uint32)
    nisa.tensor_tensor(
        dst=result.reshape((height, columns, height)),
        data1=meet.reshape((height, columns, height)),
        data2=before.ap(
            pattern=[[height, height], [0, columns], [1, height]], offset=0
        ),
        op=nl.bitwise_and,
    )
    return result


def read(memory, rows):
    """The words at indices {height, 1}, widened; 0 for those that are -1."""
    narrow = nl.ndarray(rows.shape, dtype=memory.dtype, buffer=nl.sbuf)
    nisa.memset(dst=narrow, value=0)
    nisa.dma_copy(
        dst=narrow,
        src=memory.reshape((memory.shape[0], 1)).vector_select(0, rows),
        oob_mode=nisa.oob_mode.skip,
    )
    if memory.dtype == nl.int32:
        return narrow
    word = like(rows, nl.int32)
    nisa.tensor_copy(dst=word, src=narrow)
    return word


def write(memory, rows, word):
    """And back."""
    narrow = word
    if memory.dtype != nl.int32:
        narrow = like(word, memory.dtype)
        nisa.tensor_copy(dst=narrow, src=word)
    nisa.dma_copy(
        dst=memory.reshape((memory.shape[0], 1)).vector_select(0, rows),
        src=narrow,
        oob_mode=nisa.oob_mode.skip,
    )


def turns_of(rows, before):
    """When each lane of a column has its turn, from 1; 0 for one that takes no part. {height, 1}"""
    height = rows.shape[0]
    turns = combine_groups(combine_of("add"), before, 1, height)
    nisa.tensor_scalar(dst=turns, data=turns, op0=nl.add, operand0=1.0)
    takes_part = like(turns, nl.int32)
    nisa.tensor_scalar(dst=takes_part, data=rows, op0=nl.greater_equal, operand0=0.0)
    nisa.tensor_tensor(dst=turns, data1=turns, data2=takes_part, op=nl.multiply)
    return turns


def chosen(rows, turn):
    """The indices of the lanes that have their turn, -1 for others."""
    result = like(rows, nl.int32)
    nisa.memset(dst=result, value=-1)
    nisa.tensor_copy_predicated(dst=result, src=rows, predicate=turn)
    return result


# ---- the statements -----------------------------------------------------------------------------


def _combined(memory, request, found, column, meet, before, values):
    """Columns of `column`, their indices {height, count}; `values` in every partition."""
    count = column.shape[1]
    height = column.shape[0]
    combine = combine_of(request.op)
    items = contributions(request, values)
    every = masked(items, meet, combine.identity)
    totals = combine_groups(combine, every, count, height)
    sums = None
    if found != None:  # noqa: E711
        some = masked(items, before, combine.identity)
        sums = combine_groups(combine, some, count, height)
    for c in range(count):
        rows = column[:, c : c + 1]
        word = read(memory, rows)
        after = like(word, nl.int32)
        finish(request, after, word, totals[:, c : c + 1], values)
        write(memory, rows, after)
        if found != None:  # noqa: E711
            finish(request, found[:, c : c + 1], word, sums[:, c : c + 1], values)


def _sum_floats(memory, request, found, column, meet, before, values):
    count = column.shape[1]
    height = column.shape[0]
    items = addends(request, values)
    every = masked(items, meet, NEGATIVE_ZERO)
    some = None
    if found != None:  # noqa: E711
        some = masked(items, before, NEGATIVE_ZERO)
    sums = nl.ndarray((height, height), dtype=nl.int32, buffer=nl.sbuf)
    for c in range(count):
        first = c * height
        rows = column[:, c : c + 1]
        word = read(memory, rows)
        float_sums(sums, every[:, first : first + height], word)
        write(memory, rows, sums[:, height - 1 : height])
        if found != None:  # noqa: E711
            float_sums(sums, some[:, first : first + height], word)
            nisa.tensor_copy(dst=found[:, c : c + 1], src=sums[:, height - 1 : height])


def _in_turn(memory, request, found, rows, before):
    """One column of lanes; the operands of the request are {height, 1}."""
    turns = turns_of(rows, before)
    at = like(turns, nl.float32)
    nisa.memset(dst=at, value=0.0)
    nisa.memset(dst=found, value=0)
    for _ in nl.dynamic_range(trip_count(turns)):
        nisa.tensor_scalar(dst=at, data=at, op0=nl.add, operand0=1.0)
        turn = like(turns, nl.uint32)
        nisa.tensor_tensor(dst=turn, data1=turns, data2=at, op=nl.equal)
        now = chosen(rows, turn)
        word = read(memory, now)
        after = like(word, nl.int32)
        apply(request.op, after, word, request.values, request.compares)
        write(memory, now, after)
        nisa.tensor_copy_predicated(dst=found, src=word, predicate=turn)


def _part(operand, first, count):
    if operand == None:  # noqa: E711
        return None
    return on_partitions(operand, first, count)


def _update_in_turn(memory, request, found, places):
    values = lanes_of(request.values, 0)
    compares = None
    if request.compares != None:  # noqa: E711
        compares = lanes_of(request.compares, 0)
    for c in range(places.columns):
        rows = on_partitions(places, c, 1)
        part = Request(request.op, _part(values, c, 1), _part(compares, c, 1))
        old = like(rows, nl.int32)
        before = earlier(meetings(places, rows, c, 1), 1)
        _in_turn(memory, part, old, rows, before)
        if found != None:  # noqa: E711
            put_back(found, old, c)


def update_columns(memory, request, index, old):
    """Each lane of `index`, int32 {P, K}, works on the element of `memory` that it names, none where
    it is -1. `old`, {P, K} or None, gets what each lane finds."""
    places = lanes_of(index, -1)
    found = None
    if old != None:  # noqa: E711
        found = lanes_of(index, 0)
    if not combines(request):
        _update_in_turn(memory, request, found, places)
    else:
        values = lanes_of(request.values, 0)
        for first in range(0, places.columns, COLUMNS):
            count = min(COLUMNS, places.columns - first)
            column = on_partitions(places, first, count)
            meet = meetings(places, column, first, count)
            before = None
            part = None
            if old != None:  # noqa: E711
                before = earlier(meet, count)
                part = like(column, nl.int32)
            spread_out = everywhere(values, first, count)
            if is_float_sum(request.op):
                _sum_floats(memory, request, part, column, meet, before, spread_out)
            else:
                _combined(memory, request, part, column, meet, before, spread_out)
            if old != None:  # noqa: E711
                put_back(found, part, first)
    if old != None:  # noqa: E711
        take(old, found)
