"""Device memory: strided transfers where addresses run evenly, one index per lane elsewhere."""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from . import index, lanes_order
from .masks import is_all, is_tile, predicate_tile, row_of
from .places import element_index, inside, is_within, memory_type, offset_in
from .progressions import position_pattern, runs_of, value_pattern
from .tiles import like, spread
from .values import materialize


def _flat(memory, dtype):
    """Device memory as a list of elements of a type of the same or another size."""
    return memory if memory.dtype == dtype else memory.view(dtype)


def _row(offset, p, count):
    """The offsets of the lanes of partition p."""
    result = []
    for f in range(count):
        result.append(index.at(offset, p, f))
    return result


class Piece(NKIObject):
    """Lanes of consecutive partitions that one transfer moves."""

    def __init__(self, first, partitions, stride, base, run):
        self.first = first
        self.partitions = partitions
        self.stride = stride
        self.base = base
        self.run = run


def _same_rows(mask, p, q):
    return row_of(mask, p) == row_of(mask, q)


def _even_pieces(offset, mask, shape):
    """Pieces where the offset is a value per partition plus one per free position."""
    offset = index.Index([offset], [0]) if index.is_uniform(offset) else offset
    rows = offset.rows
    cols = _row(index.Index([0], offset.cols), 0, shape[1])
    pieces = []
    first = 0
    while first < shape[0]:
        row = row_of(mask, first)
        end = first + 1
        stride = 0
        if len(rows) > 1 and end < shape[0]:
            stride = rows[end] - rows[first]
        while (
            end < shape[0]
            and _same_rows(mask, first, end)
            and (len(rows) == 1 or rows[end] - rows[end - 1] == stride)
        ):
            end += 1
        base = rows[first] if len(rows) > 1 else rows[0]
        if row != False:  # noqa: E712
            for run in runs_of(cols, row):
                pieces.append(Piece(first, end - first, stride, base + run.value, run))
        first = end
    return pieces


def _pieces(offset, mask, shape):
    """The lanes of a mask that is no tile, as pieces in the order of partitions."""
    if index.is_separable(offset):
        return _even_pieces(offset, mask, shape)
    pieces = []
    for p in range(shape[0]):
        row = row_of(mask, p)
        if row != False:  # noqa: E712
            for run in runs_of(_row(offset, p, shape[1]), row):
                pieces.append(Piece(p, 1, 0, run.value, run))
    return pieces


def _view(memory, offset, pattern, base):
    """An access pattern that starts at `base`, further on where a loop on the chip counts."""
    if not index.is_dynamic(offset) or offset.factor == 0:
        return memory.ap(pattern=pattern, offset=base)
    assert offset.factor > 0 and base >= 0, "a loop on the chip counts an address down"
    # The register counts rows, as many elements apart as the address moves.
    rows = memory.shape[0] // offset.factor
    table = memory[0 : rows * offset.factor].reshape((rows, offset.factor))
    return table.ap(
        pattern=pattern, offset=base, scalar_offset=offset.register, indirect_dim=0
    )


def _start(offset):
    """The offset without what a loop on the chip adds."""
    return offset.base if index.is_dynamic(offset) else offset


def _of_memory(memory, offset, piece):
    pattern = [[piece.stride, piece.partitions]]
    pattern.extend(value_pattern(piece.run, 1))
    return _view(memory, offset, pattern, piece.base)


def _of_tile(tile, piece):
    free = tile.shape[1]
    pattern = [[free, piece.partitions]]
    pattern.extend(position_pattern(piece.run))
    return tile.ap(pattern=pattern, offset=piece.first * free + piece.run.first)


def _copy_in(dst, memory, offset, mask):
    for piece in _pieces(_start(offset), mask, dst.shape):
        nisa.dma_copy(dst=_of_tile(dst, piece), src=_of_memory(memory, offset, piece))


def _copy_out(memory, src, offset, mask):
    for piece in _pieces(_start(offset), mask, src.shape):
        nisa.dma_copy(dst=_of_memory(memory, offset, piece), src=_of_tile(src, piece))


def _widened(dst, narrow):
    if dst.dtype != narrow.dtype:
        nisa.tensor_copy(dst=dst, src=narrow)


def load(dst, place, size, mask):
    """dst = memory[place] for the lanes of `mask`."""
    dtype = memory_type(size, dst.dtype)
    memory = _flat(place.memory, dtype)
    target = dst if dtype == dst.dtype else like(dst, dtype)
    if place.by != None:  # noqa: E711
        _gather(target, memory, element_index(place, dst.shape, size), mask)
        _widened(dst, target)
        return
    offset = offset_in(place, size)
    lanes = inside(offset, memory.shape[0], mask, "load")
    if lanes != False and is_within(offset, memory.shape[0]):  # noqa: E712
        lanes = True  # loads have no side effects: the others may read along
    if lanes != True:  # noqa: E712
        nisa.memset(dst=target, value=0)
    if lanes != False and index.is_uniform(_start(offset)):  # noqa: E712
        # The same element for all lanes.
        column = nl.ndarray((dst.shape[0], 1), dtype=dtype, buffer=nl.sbuf)
        nisa.dma_copy(
            dst=column,
            src=_view(memory, offset, [[0, dst.shape[0]], [1, 1]], _start(offset)),
        )
        nisa.tensor_copy(dst=target, src=spread(column, dst.shape[1]))
    elif lanes != False:  # noqa: E712
        _copy_in(target, memory, offset, lanes)
    _widened(dst, target)


def _index_or(by, mask, other):
    """The index, and `other` in lanes outside of the mask."""
    if is_all(mask):
        return by
    result = like(by, nl.int32)
    nisa.memset(dst=result, value=other)
    nisa.tensor_copy_predicated(
        dst=result, src=by, predicate=predicate_tile(mask, by.shape)
    )
    return result


def _gather(dst, memory, by, mask):
    """One transfer per free position; each partition has its index."""
    skip = is_tile(mask)
    by = _index_or(by, mask, -1 if skip else 0)
    if skip:
        nisa.memset(dst=dst, value=0)
    table = memory.reshape((memory.shape[0], 1))
    for f in range(dst.shape[1]):
        nisa.dma_copy(
            dst=dst[:, f : f + 1],
            src=table.vector_select(0, by[:, f : f + 1]),
            oob_mode=nisa.oob_mode.skip if skip else nisa.oob_mode.error,
        )


def _scatter(memory, by, src, mask):
    by = _index_or(by, mask, -1)
    table = memory.reshape((memory.shape[0], 1))
    for f in range(src.shape[1]):
        nisa.dma_copy(
            dst=table.vector_select(0, by[:, f : f + 1]),
            src=src[:, f : f + 1],
            oob_mode=nisa.oob_mode.error if is_all(mask) else nisa.oob_mode.skip,
        )


def store(place, src, size, mask):
    """memory[place] = src for the lanes of `mask`."""
    memory = _flat(place.memory, memory_type(size, src.dtype))
    if place.by != None:  # noqa: E711
        _scatter(memory, element_index(place, src.shape, size), src, mask)
        return
    offset = offset_in(place, size)
    lanes = inside(offset, memory.shape[0], mask, "store")
    if lanes == False:  # noqa: E712
        return
    if not is_tile(mask):
        writers = lanes_order.last_writers(_start(offset), lanes, src.shape)
        _copy_out(memory, src, offset, writers)
        return
    if index.is_uniform(offset):
        _store_last(memory, src, offset, mask)
        return
    if lanes_order.are_distinct(_start(offset), lanes, src.shape):
        # Reads what is there, replaces the lanes of the mask, and puts it back.
        old = like(src, src.dtype)
        nisa.memset(dst=old, value=0)
        _copy_in(old, memory, offset, lanes)
        nisa.tensor_copy_predicated(
            dst=old, src=src, predicate=predicate_tile(mask, src.shape)
        )
        _copy_out(memory, old, offset, lanes)
        return
    assert not index.is_dynamic(offset), "lanes take turns at what the chip counts"
    _store_in_turn(memory, src, offset, mask)


def _store_last(memory, src, offset, mask):
    """One place for all lanes: the last one that the chip finds in the mask writes it."""
    value, exists = lanes_order.last_value(src, mask)
    by = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    place = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.memset(dst=by, value=-1)
    nisa.memset(dst=place, value=offset)
    nisa.tensor_copy_predicated(dst=by, src=place, predicate=exists)
    nisa.dma_copy(
        dst=memory.reshape((memory.shape[0], 1)).vector_select(0, by),
        src=value,
        oob_mode=nisa.oob_mode.skip,
    )


def _store_in_turn(memory, src, offset, mask):
    """Several lanes may write one place, and only the chip knows which: one after the other."""
    by = nl.ndarray(src.shape, dtype=nl.int32, buffer=nl.sbuf)
    materialize(by, offset)
    by = _index_or(by, mask, -1)
    table = memory.reshape((memory.shape[0], 1))
    for p in range(src.shape[0]):
        for f in range(src.shape[1]):
            # An index has to be in the partition that its element is written from.
            nisa.dma_copy(
                dst=table.vector_select(0, by[p : p + 1, f : f + 1]),
                src=src[p : p + 1, f : f + 1],
                oob_mode=nisa.oob_mode.skip,
            )
