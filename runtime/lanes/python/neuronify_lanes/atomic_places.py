"""Atomic operations by where the words are: one for all lanes, one per partition, one per lane,
anything; in device memory and on the chip."""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from . import index, lanes_order, memory
from .atomic_columns import update_columns
from .atomic_words import (
    Request,
    apply,
    combines,
    contributions,
    finish,
    is_counted,
    is_float_sum,
    is_narrow,
    update_rows,
)
from .combine import combine_groups, combine_of, masked
from .integers import iadd, imul, smax
from .masks import (
    both,
    is_all,
    is_none,
    is_tile,
    known,
    launch_part,
    predicate_tile,
    row_count,
    row_of,
)
from .places import element_index, inside, is_within, offset_in
from .tiles import bits, like, spread
from .values import materialize

LONGEST_ROW = 4096
"""Lanes in one partition at a time."""

LONGEST_TABLE = 4096
"""Words, up to which all of them are counted."""


class Stretch(NKIObject):
    """Free positions, all that may be in a mask."""

    def __init__(self, first, count):
        self.first = first
        self.count = count


def stretch_of(mask, shape):
    lanes = launch_part(mask)
    if is_all(lanes):
        return Stretch(0, shape[1])
    first = shape[1]
    last = -1
    for p in range(row_count(lanes)):
        row = row_of(lanes, p)
        for f in range(shape[1]):
            if row if isinstance(row, bool) else row[f]:
                first = min(first, f)
                last = max(last, f)
    if last < 0:
        return Stretch(0, 1)
    return Stretch(first, last - first + 1)


def cut(tile, stretch):
    """A copy of a stretch, or the tile where that is all of it."""
    if tile == None or tile.shape[1] == stretch.count:  # noqa: E711
        return tile
    part = nl.ndarray((tile.shape[0], stretch.count), dtype=tile.dtype, buffer=nl.sbuf)
    last = stretch.first + stretch.count
    nisa.tensor_copy(dst=part, src=tile[:, stretch.first : last])
    return part


def cut_request(request, stretch):
    return Request(
        request.op,
        cut(request.values, stretch),
        cut(request.compares, stretch),
        request.number,
    )


def fresh_part(old, stretch):
    """A tile for the old values of a stretch, or None where nobody asks."""
    if old == None:  # noqa: E711
        return None
    part = nl.ndarray((old.shape[0], stretch.count), dtype=nl.int32, buffer=nl.sbuf)
    nisa.memset(dst=part, value=0)
    return part


def put_part(old, part, stretch):
    """The stretch of `old` becomes `part`."""
    if old != None:  # noqa: E711
        last = stretch.first + stretch.count
        nisa.tensor_copy(dst=old[:, stretch.first : last], src=part)


def lanes_inside(offset, count, mask):
    """The lanes of `mask` whose launch-known offset is one of `count`."""
    if is_within(offset, count):
        return mask
    legal = inside(offset, count, mask, "atomic")
    return both(mask, legal) if is_tile(mask) else legal


def predicate_of(mask, shape, stretch):
    """A stretch of the mask on the chip; None where all lanes are in it."""
    if is_all(mask):
        return None
    return cut(predicate_tile(mask, shape), stretch)


def index_where(index_tile, mask, other):
    """The index, and `other` in lanes outside of the mask."""
    if is_all(mask):
        return index_tile
    result = like(index_tile, nl.int32)
    nisa.memset(dst=result, value=other)
    nisa.tensor_copy_predicated(
        dst=result, src=index_tile, predicate=predicate_tile(mask, index_tile.shape)
    )
    return result


def _update_distinct(request, place, old, mask, size):
    """No two lanes mean one place."""
    word = like(request.values, nl.int32)
    after = like(request.values, nl.int32)
    memory.load(word, place, size, mask)
    apply(request.op, after, word, request.values, request.compares)
    memory.store(place, after, size, mask)
    if old != None:  # noqa: E711
        nisa.tensor_copy(dst=old, src=word)


# ---- counting -----------------------------------------------------------------------------------


def _count_lanes(positions, count):
    """How many lanes of each partition name each of `count` elements: int32 {P, count}."""
    wanted = like(positions, nl.float32)  # below 2^24: exact
    nisa.tensor_copy(dst=wanted, src=positions)
    shape = (positions.shape[0], count)
    counts = nl.ndarray(shape, dtype=nl.float32, buffer=nl.sbuf)
    if count <= positions.shape[1]:
        hits = like(positions, nl.float32)
        for e in range(count):
            nisa.tensor_scalar_reduce(
                dst=hits,
                data=wanted,
                op0=nl.equal,
                operand0=1.0 * e,
                reduce_op=nl.add,
                reduce_res=counts[:, e : e + 1],
            )
    else:
        element = nl.ndarray(shape, dtype=nl.float32, buffer=nl.sbuf)
        nisa.iota(dst=element, pattern=[[1, count]])
        nisa.memset(dst=counts, value=0.0)
        for f in range(positions.shape[1]):
            nisa.scalar_tensor_tensor(
                dst=counts,
                data=element,
                op0=nl.equal,
                operand0=wanted[:, f : f + 1],
                op1=nl.add,
                operand1=counts,
            )
    result = nl.ndarray(shape, dtype=nl.int32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=result, src=counts)
    return result


def _add_counts(request, words, counts):
    """The words after as many steps of one number as lanes were counted."""
    if request.op == "inc" or request.op == "dec":
        finish(request, words, words, counts, words)
        return
    total = like(counts, nl.int32)
    step = request.number if request.op == "add" else -request.number
    imul(total, counts, index.wrap(step, 32))
    iadd(words, words, total)


# ---- device memory ------------------------------------------------------------------------------


def _one_row(tile, first, count):
    """Partitions [first, first + count) as one row {1, lanes}. Engines start at certain partitions
    only, so they come through memory."""
    if tile == None:  # noqa: E711
        return None
    lanes = count * tile.shape[1]
    through = nl.ndarray(
        (count, tile.shape[1]), dtype=tile.dtype, buffer=nl.private_hbm
    )
    row = nl.ndarray((1, lanes), dtype=tile.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=through, src=tile[first : first + count, :])
    nisa.dma_copy(dst=row, src=through.reshape((1, lanes)))
    return row


def _update_one_word(request, cell, old, predicate):
    """All lanes work on one word, cell {1, 1}. Integers that nobody asks for meet inside of their
    partitions first; the others go one after the other."""
    partitions = request.values.shape[0]
    lanes = request.values.shape[1]
    together = combines(request) and not is_float_sum(request.op)
    if together and request.op != "exch" and old == None and partitions > 1:  # noqa: E711
        combine = combine_of(request.op)
        items = contributions(request, request.values)
        items = masked(items, predicate, combine.identity)
        sums = _one_row(combine_groups(combine, items, 1, lanes), 0, partitions)
        total = combine_groups(combine, sums, 1, partitions)
        finish(request, cell, cell, total, sums)
        return
    step = max(1, LONGEST_ROW // lanes)
    for first in range(0, partitions, step):
        count = min(step, partitions - first)
        part = Request(
            request.op,
            _one_row(request.values, first, count),
            _one_row(request.compares, first, count),
            request.number,
        )
        found = None
        if old != None:  # noqa: E711
            found = nl.ndarray((1, count * lanes), dtype=nl.int32, buffer=nl.sbuf)
        update_rows(cell, found, part, _one_row(predicate, first, count))
        if old != None:  # noqa: E711
            through = nl.ndarray((count, lanes), dtype=nl.int32, buffer=nl.private_hbm)
            nisa.dma_copy(dst=through.reshape((1, count * lanes)), src=found)
            nisa.dma_copy(dst=old[first : first + count, :], src=through)


def _update_uniform(request, words, offset, old, mask):
    """One word for all lanes."""
    shape = request.values.shape
    stretch = stretch_of(mask, shape)
    cell = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    word = words.reshape((1, words.shape[0]))[:, offset : offset + 1]
    nisa.dma_copy(dst=cell, src=word)
    part = fresh_part(old, stretch)
    predicate = predicate_of(mask, shape, stretch)
    _update_one_word(cut_request(request, stretch), cell, part, predicate)
    put_part(old, part, stretch)
    nisa.dma_copy(dst=word, src=cell)


def _update_per_partition(request, words, offset, old, mask):
    """One word for each partition, different ones."""
    shape = request.values.shape
    stretch = stretch_of(mask, shape)
    rows = nl.ndarray((shape[0], 1), dtype=nl.int32, buffer=nl.sbuf)
    materialize(rows, offset)
    predicate = predicate_of(mask, shape, stretch)
    if predicate != None:  # noqa: E711  (partitions without a lane stay away)
        some = nl.ndarray((shape[0], 1), dtype=nl.uint32, buffer=nl.sbuf)
        live = like(rows, nl.int32)
        nisa.tensor_reduce(dst=some, op=nl.bitwise_or, data=predicate, axis=1)
        nisa.memset(dst=live, value=-1)
        nisa.tensor_copy_predicated(dst=live, src=rows, predicate=some)
        rows = live
    cell = like(rows, nl.int32)
    nisa.memset(dst=cell, value=0)
    table = words.reshape((words.shape[0], 1)).vector_select(0, rows)
    nisa.dma_copy(dst=cell, src=table, oob_mode=nisa.oob_mode.skip)
    part = fresh_part(old, stretch)
    update_rows(cell, part, cut_request(request, stretch), predicate)
    put_part(old, part, stretch)
    nisa.dma_copy(dst=table, src=cell, oob_mode=nisa.oob_mode.skip)


def _update_table(request, words, positions):
    """Counts in every partition, sums over partitions, and one update of all words."""
    count = words.shape[0]
    counts = _count_lanes(positions, count)
    if counts.shape[0] > 1:  # far below 2^24: exact
        total = nl.ndarray((1, count), dtype=nl.int32, buffer=nl.sbuf)
        nisa.tensor_partition_reduce(dst=total, op=nl.add, data=counts)
        counts = total
    now = nl.ndarray((1, count), dtype=nl.int32, buffer=nl.sbuf)
    nisa.dma_copy(dst=now, src=words.reshape((1, count)))
    _add_counts(request, now, counts)
    nisa.dma_copy(dst=words.reshape((1, count)), src=now)


def _update_columns(request, words, positions, old, mask):
    stretch = stretch_of(mask, positions.shape)
    positions = cut(index_where(positions, mask, -1), stretch)
    if old == None and is_counted(request):  # noqa: E711
        if words.shape[0] <= LONGEST_TABLE:
            _update_table(request, words, positions)
            return
    part = fresh_part(old, stretch)
    update_columns(words, cut_request(request, stretch), positions, part)
    put_part(old, part, stretch)


def _words_of(place, size):
    dtype = nl.int32 if size == 4 else nl.uint16
    return bits(place.memory, dtype)


def device_positions(place, shape, size):
    """The element that each lane means, as an int32 tile."""
    if place.by != None:  # noqa: E711
        return element_index(place, shape, size)
    positions = nl.ndarray(shape, dtype=nl.int32, buffer=nl.sbuf)
    materialize(positions, offset_in(place, size))
    return positions


def _update_device(request, place, old, mask, size):
    shape = request.values.shape
    words = _words_of(place, size)
    if place.by == None:  # noqa: E711
        offset = offset_in(place, size)
        mask = lanes_inside(offset, words.shape[0], mask)
        if is_none(mask):
            return
        if size == 4 and index.is_uniform(offset):
            _update_uniform(request, words, offset, old, mask)
            return
        if size == 4 and index.col_count(offset) == 1:
            if lanes_order.are_distinct(offset, True, (shape[0], 1)):
                _update_per_partition(request, words, offset, old, mask)
                return
        if lanes_order.are_distinct(offset, launch_part(mask), shape):
            _update_distinct(request, place, old, mask, size)
            return
    positions = device_positions(place, shape, size)
    _update_columns(request, words, positions, old, mask)


# ---- shared memory ------------------------------------------------------------------------------


def live_index(positions, predicate, count, other):
    """Lanes inside of the mask and the array keep their index, the others get `other`."""
    legal = like(positions, nl.uint32)
    limit = nl.ndarray((positions.shape[0], 1), dtype=nl.uint32, buffer=nl.sbuf)
    nisa.memset(dst=limit, value=count)
    nisa.tensor_tensor(
        dst=legal,
        data1=bits(positions, nl.uint32),
        data2=spread(limit, positions.shape[1]),
        op=nl.less,
    )
    if predicate != None:  # noqa: E711
        nisa.tensor_tensor(dst=legal, data1=legal, data2=predicate, op=nl.bitwise_and)
    live = like(positions, nl.int32)
    nisa.memset(dst=live, value=other)
    nisa.tensor_copy_predicated(dst=live, src=positions, predicate=legal)
    return live


def _column(tile, f):
    return None if tile == None else tile[:, f : f + 1]  # noqa: E711


def _one_by_one(request, array, positions, old):
    """Lane after lane, all partitions at the same time."""
    shape = (array.shape[0], array.shape[1])
    wanted = like(positions, nl.float32)
    source = like(positions, nl.int32)
    element = nl.ndarray(shape, dtype=nl.float32, buffer=nl.sbuf)
    hit = nl.ndarray(shape, dtype=nl.uint32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=wanted, src=positions)
    smax(source, positions, 0)
    nisa.iota(dst=element, pattern=[[1, shape[1]]])
    item = nl.ndarray((shape[0], 1), dtype=array.dtype, buffer=nl.sbuf)
    word = like(item, nl.int32)
    after = like(item, nl.int32)
    for f in range(positions.shape[1]):
        at = source[:, f : f + 1].view(nl.uint32)
        nisa.nc_n_gather(dst=item, data=array, indices=at)
        nisa.tensor_copy(dst=word, src=item)
        if old != None:  # noqa: E711
            nisa.tensor_copy(dst=old[:, f : f + 1], src=word)
        value = _column(request.values, f)
        apply(request.op, after, word, value, _column(request.compares, f))
        nisa.tensor_scalar(
            dst=hit, data=element, op0=nl.equal, operand0=wanted[:, f : f + 1]
        )
        nisa.tensor_copy(dst=item, src=after)
        nisa.tensor_copy_predicated(
            dst=array, src=spread(item, shape[1]), predicate=hit
        )


def _are_distinct_in_partitions(offset, mask, shape):
    """Do no two lanes of one partition mean one place?"""
    for p in range(max(index.row_count(offset), row_count(mask))):
        row = []
        for f in range(shape[1]):
            row.append(index.at(offset, p, f))
        lanes = known([row_of(mask, p)])
        if not lanes_order.are_distinct(index.make([0], row), lanes, (1, shape[1])):
            return False
    return True


def _update_shared(request, place, old, mask, size):
    shape = request.values.shape
    array = bits(place.memory, nl.int32 if size == 4 else nl.uint16)
    if place.by == None:  # noqa: E711
        offset = offset_in(place, size)
        mask = lanes_inside(offset, array.shape[1], mask)
        if is_none(mask):
            return
        if not index.is_uniform(offset):
            if _are_distinct_in_partitions(offset, launch_part(mask), shape):
                _update_distinct(request, place, old, mask, size)
                return
        elif size == 4:
            stretch = stretch_of(mask, shape)
            predicate = predicate_of(mask, shape, stretch)
            part = fresh_part(old, stretch)
            cell = array[:, offset : offset + 1]
            update_rows(cell, part, cut_request(request, stretch), predicate)
            put_part(old, part, stretch)
            return
    stretch = stretch_of(mask, shape)
    predicate = predicate_of(mask, shape, stretch)
    positions = cut(device_positions(place, shape, size), stretch)
    positions = live_index(positions, predicate, array.shape[1], -1)
    request = cut_request(request, stretch)
    if old == None and is_counted(request):  # noqa: E711
        _add_counts(request, array, _count_lanes(positions, array.shape[1]))
        return
    part = fresh_part(old, stretch)
    _one_by_one(request, array, positions, part)
    put_part(old, part, stretch)


def update(request, place, old, mask):
    """One operation per lane of `mask`; `old`, int32 {P, F} or None, gets what each lane found."""
    size = 2 if is_narrow(request.op) else 4
    if place.space == "global":
        _update_device(request, place, old, mask, size)
    elif place.space == "shared":
        _update_shared(request, place, old, mask, size)
    elif place.space == "local":
        _update_distinct(request, place, old, mask, size)
    else:
        assert is_tile(mask), "an atomic operation by a null pointer"
