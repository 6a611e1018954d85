"""Shared memory and local arrays, which lie in the partition of their block."""

import nki.isa as nisa
import nki.language as nl

from . import index, lanes_order
from .integers import iadd
from .masks import (
    is_all,
    is_tile,
    known,
    predicate_tile,
    row_count,
    row_of,
)
from .places import element_index, inside, is_within, memory_type, offset_in
from .progressions import position_pattern, runs_of, value_pattern
from .tiles import bits, like, spread
from .values import materialize

FEW_RUNS = 4
"""Beyond, a gather takes less time."""


def _view(place, dtype):
    return bits(place.memory, dtype)


def _lane_elements(place, size):
    return place.lane_bytes // size if place.space == "local" else 0


def _in_array(place, offset, shape, size):
    """Offsets in the whole array of a partition."""
    step = _lane_elements(place, size)
    if step == 0:
        return offset
    starts = []
    for f in range(shape[1]):
        starts.append(f * step)
    return index.add(offset, index.make([0], starts), 64)


def _limit(place, memory, size):
    """Elements that one lane may address."""
    if place.space == "local":
        return place.lane_bytes // size
    return memory.shape[1]


def _cols(offset, count):
    """The offsets of a row, the same in all partitions."""
    result = []
    for f in range(count):
        result.append(index.at(offset, 0, f))
    return result


def _pattern(tile, steps):
    pattern = [[tile.shape[1], tile.shape[0]]]
    pattern.extend(steps)
    return pattern


def _of_memory(memory, run):
    return memory.ap(pattern=_pattern(memory, value_pattern(run, 1)), offset=run.value)


def _of_tile(tile, run):
    return tile.ap(pattern=_pattern(tile, position_pattern(run)), offset=run.first)


def load(dst, place, size, mask):
    """dst = array[place] for the lanes of `mask`."""
    dtype = memory_type(size, dst.dtype)
    memory = _view(place, dtype)
    if place.by != None:  # noqa: E711
        by = element_index(place, dst.shape, size)
        _gather(dst, memory, _starts(place, by, size), mask)
        return
    offset = offset_in(place, size)
    lanes = inside(offset, _limit(place, memory, size), mask, "load")
    if lanes == False:  # noqa: E712
        nisa.memset(dst=dst, value=0)
        return
    if is_within(offset, _limit(place, memory, size)):
        lanes = True  # loads have no side effects: the others may read along
    offset = _in_array(place, offset, dst.shape, size)
    runs = []
    if index.row_count(offset) == 1 and row_count(lanes) == 1:
        runs = runs_of(_cols(offset, dst.shape[1]), row_of(lanes, 0))
    if len(runs) == 0 or len(runs) > FEW_RUNS:
        by = nl.ndarray(dst.shape, dtype=nl.int32, buffer=nl.sbuf)
        materialize(by, offset)
        _gather(dst, memory, by, lanes)
        return
    if lanes != True:  # noqa: E712
        nisa.memset(dst=dst, value=0)
    for run in runs:
        nisa.tensor_copy(dst=_of_tile(dst, run), src=_of_memory(memory, run))


def _starts(place, by, size):
    """Indices in the whole array from those in each lane's own."""
    step = _lane_elements(place, size)
    if step == 0:
        return by
    result = like(by, nl.int32)
    nisa.iota(dst=result, pattern=[[step, by.shape[1]]])
    iadd(result, result, by)
    return result


def _gather(dst, memory, by, mask):
    if not is_all(mask):
        legal = like(by, nl.int32)
        nisa.memset(dst=legal, value=0)
        nisa.tensor_copy_predicated(
            dst=legal, src=by, predicate=predicate_tile(mask, by.shape)
        )
        by = legal
    target = dst if memory.dtype == dst.dtype else like(dst, memory.dtype)
    nisa.nc_n_gather(dst=target, data=memory, indices=by.view(nl.uint32))
    if memory.dtype != dst.dtype:
        nisa.tensor_copy(dst=dst, src=target)


def store(place, src, size, mask):
    """array[place] = src for the lanes of `mask`."""
    memory = _view(place, memory_type(size, src.dtype))
    if place.by != None:  # noqa: E711
        _scatter(place, memory, element_index(place, src.shape, size), src, size, mask)
        return
    own = offset_in(place, size)
    lanes = inside(own, _limit(place, memory, size), mask, "store")
    if lanes == False:  # noqa: E712
        return
    offset = _in_array(place, own, src.shape, size)
    # Places are the same in all partitions; so are, perhaps, the lanes.
    if index.row_count(offset) == 1:
        one_row = (1, src.shape[1])
        idle = row_count(lanes) > 1
        may = known([_ever(lanes, src.shape)]) if idle else lanes
        if not is_tile(mask) and not idle:
            may = lanes_order.last_writers(offset, lanes, one_row)
            _store_runs(memory, src, offset, may)
            return
        if lanes_order.are_distinct(offset, may, one_row):
            predicate = predicate_tile(mask, src.shape)
            _store_runs_where(memory, src, offset, may, predicate)
            return
    by = nl.ndarray(src.shape, dtype=nl.int32, buffer=nl.sbuf)
    materialize(by, own)
    _scatter(place, memory, by, src, size, mask if is_tile(mask) else lanes)


def _ever(mask, shape):
    """The free positions that a mask has in some partition."""
    result = []
    for f in range(shape[1]):
        found = False
        for p in range(row_count(mask)):
            row = row_of(mask, p)
            found = found or (row if isinstance(row, bool) else row[f])
        result.append(found)
    return result


def _store_runs(memory, src, offset, lanes):
    for run in runs_of(_cols(offset, src.shape[1]), row_of(lanes, 0)):
        nisa.tensor_copy(dst=_of_memory(memory, run), src=_of_tile(src, run))


def _store_runs_where(memory, src, offset, lanes, predicate):
    for run in runs_of(_cols(offset, src.shape[1]), row_of(lanes, 0)):
        nisa.tensor_copy_predicated(
            dst=_of_memory(memory, run),
            src=_of_tile(src, run),
            predicate=_of_tile(predicate, run),
        )


def _scatter(place, memory, by, src, size, mask):
    """To indices that differ between partitions, or that the chip computes."""
    if not is_all(mask):
        legal = like(by, nl.int32)
        nisa.memset(dst=legal, value=-1)
        nisa.tensor_copy_predicated(
            dst=legal, src=by, predicate=predicate_tile(mask, by.shape)
        )
        by = legal
    numbers = like(by, nl.float32)
    nisa.tensor_copy(dst=numbers, src=by)
    if place.space == "local":
        _scatter_local(memory, numbers, src, _lane_elements(place, size))
        return
    # Lane after lane writes where the element's number is the lane's index.
    positions = nl.ndarray(memory.shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.iota(dst=positions, pattern=[[1, memory.shape[1]]])
    hit = like(positions, nl.uint32)
    for f in range(src.shape[1]):
        nisa.tensor_scalar(
            dst=hit, data=positions, op0=nl.equal, operand0=numbers[:, f : f + 1]
        )
        nisa.tensor_copy_predicated(
            dst=memory, src=spread(src[:, f : f + 1], memory.shape[1]), predicate=hit
        )


def _scatter_local(memory, numbers, src, elements):
    """Element after element of the lanes' arrays takes the lane's value where it is meant."""
    arrays = memory.reshape((memory.shape[0], src.shape[1], elements))
    hit = like(numbers, nl.uint32)
    for i in range(elements):
        nisa.tensor_scalar(dst=hit, data=numbers, op0=nl.equal, operand0=float(i))
        nisa.tensor_copy_predicated(dst=arrays[:, :, i], src=src, predicate=hit)
