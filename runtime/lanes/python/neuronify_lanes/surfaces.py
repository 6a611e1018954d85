"""Surface reads and writes: places in an array by byte, row and slice.

A coordinate is launch-known or an int32 tile. x counts bytes, and is a multiple of the element's
size. `boundary` is what happens outside: 0 reads zero and drops writes, 1 moves to the edge, 2 ends
the kernel where the launch knows that a lane is outside, and else does what 0 does.
"""

import nki.language as nl
from nki.language import NKIObject

from . import index
from .comparisons import compare_integers
from .integers import ashr, smax, smin, trailing_zeros
from .masks import andnot, both, compare, is_none, is_tile
from .memory import load, store, store_number
from .places import element
from .textures import check
from .tiles import is_number
from .values import assign

CLAMP = 1
TRAP = 2


class Access(NKIObject):
    """The places of an access, and the lanes that lie inside."""

    def __init__(self, place, lanes):
        self.place = place
        self.lanes = lanes


def _is_known(x):
    return is_number(x) or isinstance(x, index.Index)


def _clamped(w, x, last):
    if _is_known(x):
        return index.smin(index.smax(x, 0), last)
    moved = nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf)
    smax(moved, x, 0)
    smin(moved, moved, last)
    return moved


def _is_inside(w, x, last):
    if _is_known(x):
        return both(compare("sle", 0, x), compare("sle", x, last))
    return andnot(compare_integers(w, "sle", x, last), compare_integers(w, "slt", x, 0))


def _access(w, surface, coordinates, size, offset, bytes, boundary, mask):
    check(surface)
    row = surface.size[0] * surface.components * surface.bits // 8
    last = [row - size, surface.size[1] - 1, surface.size[2] - 1]
    steps = [1, surface.row_bytes, surface.slice_bytes]
    place = element(surface.memory, offset, 1)
    lanes = mask
    for axis in range(len(coordinates)):
        x = coordinates[axis]
        if boundary == CLAMP:
            x = _clamped(w, x, last[axis])
        else:
            lanes = both(lanes, _is_inside(w, x, last[axis]))
        if _is_known(x):
            place = element(place, index.mul(x, steps[axis], 64), 1)
        elif axis == 0:  # in pieces of the element, as memory is gathered
            piece = nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf)
            ashr(piece, x, trailing_zeros(bytes))
            place = element(place, piece, bytes)
        else:
            place = element(place, x, steps[axis])
    if boundary == TRAP:
        outside = andnot(mask, lanes)
        assert is_tile(outside) or is_none(outside), (
            "a lane outside of a surface, with cudaBoundaryModeTrap"
        )
    return Access(place, lanes)


def _read(w, dst, surface, coordinates, size, offset, bytes, boundary, mask):
    where = _access(w, surface, coordinates, size, offset, bytes, boundary, mask)
    load(dst, where.place, bytes, where.lanes)
    if boundary != CLAMP:
        assign(dst, 0, andnot(mask, where.lanes))


def _write(w, surface, value, coordinates, size, offset, bytes, boundary, mask):
    where = _access(w, surface, coordinates, size, offset, bytes, boundary, mask)
    if is_number(value):
        store_number(w, where.place, value, nl.int32, bytes, where.lanes)
    else:
        store(where.place, value, bytes, where.lanes)


def surface_read_1d(w, dst, surface, x, size, offset, bytes, boundary, mask):
    """dst = `bytes` bytes (1, 2 or 4) at `offset` of the element of `size` bytes, as an int32 tile."""
    _read(w, dst, surface, [x], size, offset, bytes, boundary, mask)


def surface_read_2d(w, dst, surface, x, y, size, offset, bytes, boundary, mask):
    _read(w, dst, surface, [x, y], size, offset, bytes, boundary, mask)


def surface_read_3d(w, dst, surface, x, y, z, size, offset, bytes, boundary, mask):
    _read(w, dst, surface, [x, y, z], size, offset, bytes, boundary, mask)


def surface_write_1d(w, surface, value, x, size, offset, bytes, boundary, mask):
    """Writes them there."""
    _write(w, surface, value, [x], size, offset, bytes, boundary, mask)


def surface_write_2d(w, surface, value, x, y, size, offset, bytes, boundary, mask):
    _write(w, surface, value, [x, y], size, offset, bytes, boundary, mask)


def surface_write_3d(w, surface, value, x, y, z, size, offset, bytes, boundary, mask):
    _write(w, surface, value, [x, y, z], size, offset, bytes, boundary, mask)
