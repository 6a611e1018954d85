"""Shuffles: moves along the free axis, where a block's threads lie in warps of 32."""

import nki.isa as nisa
import nki.language as nl

from . import index
from .integers import iadd, iand
from .progressions import position_pattern, runs_of, value_pattern
from .tiles import bits, like
from .values import materialize

FEW_RUNS = 4
"""Beyond, a gather takes less time."""


def _source(kind, position, threads, by, width):
    """The free position that one reads from, as PTX defines shfl.sync.

    A source beyond the segment, or a thread that the block does not have, is the lane itself. The
    butterfly may read from an earlier segment of its warp.
    """
    lane = position % 32
    first = lane // width * width
    last = first + width - 1
    by = by & 31
    source = lane
    if kind == "up" and lane - by >= first:
        source = lane - by
    elif kind == "down" and lane + by <= last:
        source = lane + by
    elif kind == "xor" and (lane ^ by) <= last:
        source = lane ^ by
    elif kind == "idx":
        source = first + by % width
    if position - lane + source >= threads:
        source = lane
    return position - lane + source


def _moved(dst, a, sources):
    """Every partition reads sources[f] for position f, by strided copies, if they are few."""
    runs = runs_of(sources, True)
    if len(runs) > FEW_RUNS:
        return False
    for run in runs:
        to = [[dst.shape[1], dst.shape[0]]]
        to.extend(position_pattern(run))
        source = [[a.shape[1], a.shape[0]]]
        source.extend(value_pattern(run, 1))
        nisa.tensor_copy(
            dst=dst.ap(pattern=to, offset=run.first),
            src=a.ap(pattern=source, offset=run.value),
        )
    return True


def _shuffle(kind, w, dst, src, by, width):
    a = like(dst, dst.dtype)
    nisa.tensor_copy(dst=a, src=bits(src, dst.dtype))
    table = []
    for p in range(index.row_count(by)):
        row = []
        for f in range(w.F):
            row.append(_source(kind, f, w.F, index.at(by, p, f), width))
        table.append(row)
    if len(table) == 1 and _moved(dst, a, table[0]):
        return
    sources = like(dst, nl.int32)
    materialize(sources, index.from_table(table))
    nisa.nc_n_gather(dst=dst, data=a, indices=sources.view(nl.uint32))


def _is_known(by):
    return isinstance(by, int) or isinstance(by, index.Index)


def shfl_up(w, dst, src, delta, width):
    """The value of the lane `delta` below, in segments of `width` lanes."""
    if _is_known(delta):
        _shuffle("up", w, dst, src, delta, width)
    else:
        _shuffle_computed("up", w, dst, src, delta, width)


def shfl_down(w, dst, src, delta, width):
    """The value of the lane `delta` above."""
    if _is_known(delta):
        _shuffle("down", w, dst, src, delta, width)
    else:
        _shuffle_computed("down", w, dst, src, delta, width)


def shfl_xor(w, dst, src, lane_mask, width):
    """The value of the lane whose number differs in the bits of `lane_mask`."""
    if _is_known(lane_mask):
        _shuffle("xor", w, dst, src, lane_mask, width)
    else:
        _shuffle_computed("xor", w, dst, src, lane_mask, width)


def shfl(w, dst, src, source, width):
    """The value of lane `source` of the segment; the chip may compute which."""
    if _is_known(source):
        _shuffle("idx", w, dst, src, source, width)
    else:
        _shuffle_computed("idx", w, dst, src, source, width)


def _shuffle_computed(kind, w, dst, src, source, width):
    """With a source that the chip computes: only of the kind idx."""
    assert kind == "idx", "the distance of a shuffle is known when the kernel is traced"
    a = like(dst, dst.dtype)
    nisa.tensor_copy(dst=a, src=bits(src, dst.dtype))
    first = []
    room = []
    for f in range(w.F):
        segment = f - f % 32 % width
        first.append(segment)
        room.append(w.F - segment)
    within = like(dst, nl.int32)
    by = like(dst, nl.int32)
    offsets = like(dst, nl.int32)
    iand(within, source, width - 1)
    materialize(offsets, index.make([0], first))
    iadd(by, within, offsets)
    if w.F % 32 != 0:
        # Threads that a partial warp does not have: the lane itself.
        exists = like(dst, nl.uint32)
        rooms = like(dst, nl.int32)
        legal = like(dst, nl.int32)
        materialize(rooms, index.make([0], room))
        nisa.tensor_tensor(dst=exists, data1=within, data2=rooms, op=nl.less)
        nisa.iota(dst=legal, pattern=[[1, w.F]])
        nisa.tensor_copy_predicated(dst=legal, src=by, predicate=exists)
        by = legal
    nisa.nc_n_gather(dst=dst, data=a, indices=by.view(nl.uint32))
