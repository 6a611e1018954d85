"""Who writes a place that several lanes mean: the last one, in the order of blocks and threads."""

import nki.isa as nisa
import nki.language as nl

from . import index
from .masks import at, known, predicate_tile
from .tiles import bits, like, spread


def _span(values):
    return max(values) - min(values)


def _increase(values, least):
    """Does each value exceed the one before by at least `least`?"""
    for i in range(1, len(values)):
        if values[i] - values[i - 1] < least:
            return False
    return True


def _fill_up(values, count):
    """One entry per position."""
    if len(values) == count:
        return values
    result = []
    for i in range(count):
        result.append(values[0])
    return result


def _are_all_distinct(offset, shape):
    """Do no two lanes mean one place? False where that takes a closer look."""
    if index.is_uniform(offset):
        return shape[0] * shape[1] == 1
    if not index.is_separable(offset):
        return False
    rows = _fill_up(offset.rows, shape[0])
    cols = _fill_up(offset.cols, shape[1])
    if _increase(cols, 1) and _increase(rows, _span(cols) + 1):
        return True
    return _increase(rows, 1) and _increase(cols, _span(rows) + 1)


def _winners(offset, mask, shape):
    """The last lane of `mask` for each place that some lane means, and whether several lanes
    mean one place. Lanes outside of the mask may mean anything."""
    # Sorted by place, then by lane.
    total = shape[0] * shape[1]
    keys = []
    for p in range(shape[0]):
        for f in range(shape[1]):
            if at(mask, p, f):
                keys.append(index.at(offset, p, f) * total + p * shape[1] + f)
    keys.sort()
    winners = []
    for k in range(len(keys)):
        if k + 1 == len(keys) or keys[k + 1] // total != keys[k] // total:
            winners.append(keys[k] % total)
    return winners, len(winners) < len(keys)


def are_distinct(offset, mask, shape):
    """Do no two lanes of a mask that is no tile mean one place?"""
    if _are_all_distinct(offset, shape):
        return True
    winners, repeated = _winners(offset, mask, shape)
    return not repeated


def last_writers(offset, mask, shape):
    """The lanes of a mask that is no tile whose value stays."""
    if _are_all_distinct(offset, shape):
        return mask
    winners, repeated = _winners(offset, mask, shape)
    if not repeated:
        return mask
    rows = []
    for p in range(shape[0]):
        row = []
        for f in range(shape[1]):
            row.append(False)
        rows.append(row)
    for lane in winners:
        rows[lane // shape[1]][lane % shape[1]] = True
    return known(rows)


def last_value(src, mask):
    """The value of the last lane of a predicate tile, as {1, 1}, and whether there is one."""
    shape = src.shape
    predicate = predicate_tile(mask, shape)
    order = nl.ndarray(shape, dtype=nl.int32, buffer=nl.sbuf)
    nisa.iota(dst=order, pattern=[[1, shape[1]]], offset=1, channel_multiplier=shape[1])
    marked = like(order, nl.int32)
    nisa.tensor_tensor(
        dst=marked, data1=order, data2=predicate.view(nl.int32), op=nl.multiply
    )
    rows = nl.ndarray((shape[0], 1), dtype=nl.int32, buffer=nl.sbuf)
    last = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=rows, op=nl.maximum, data=marked, axis=1)
    nisa.tensor_partition_reduce(dst=last, op=nl.maximum, data=rows)
    memory = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.private_hbm)
    nisa.dma_copy(dst=memory, src=last)
    column = nl.ndarray((shape[0], 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.dma_copy(dst=column, src=memory.ap(pattern=[[0, shape[0]], [1, 1]], offset=0))
    winner = like(order, nl.uint32)
    nisa.tensor_tensor(
        dst=winner, data1=order, data2=spread(column, shape[1]), op=nl.equal
    )
    chosen = like(order, nl.uint32)
    nisa.memset(dst=chosen, value=0)
    wide = like(src, nl.uint32)
    if src.dtype == nl.uint8 or src.dtype == nl.uint16:
        nisa.tensor_copy(dst=wide, src=src)
    else:
        wide = bits(src, nl.uint32)
    nisa.tensor_copy_predicated(dst=chosen, src=wide, predicate=winner)
    words = nl.ndarray((shape[0], 1), dtype=nl.uint32, buffer=nl.sbuf)
    word = nl.ndarray((1, 1), dtype=nl.uint32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=words, op=nl.bitwise_or, data=chosen, axis=1)
    nisa.tensor_partition_reduce(dst=word, op=nl.bitwise_or, data=words)
    exists = nl.ndarray((1, 1), dtype=nl.uint32, buffer=nl.sbuf)
    nisa.tensor_scalar(dst=exists, data=last, op0=nl.greater, operand0=0.0)
    if src.dtype == nl.uint8 or src.dtype == nl.uint16:
        narrow = nl.ndarray((1, 1), dtype=src.dtype, buffer=nl.sbuf)
        nisa.tensor_copy(dst=narrow, src=word)
        return narrow, exists
    return bits(word, src.dtype), exists
