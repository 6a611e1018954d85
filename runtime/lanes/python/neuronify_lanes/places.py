"""Places in memory, one per lane: device memory, a block's shared memory, a thread's own array."""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from . import index
from .integers import iadd, imul, lshr, trailing_zeros
from .masks import both, compare, differ, invert, is_tile, launch_part
from .tiles import is_number, like
from .values import materialize


class Place(NKIObject):
    """`offset` elements of `unit` bytes into `memory`, launch-known, plus `by * scale` bytes where
    `by` is an int32 tile.

    memory: {N} in device memory, or {P, words} int32 in SBUF for `space` "shared" and "local".
    A local array has `lane_bytes` for each lane, side by side.
    """

    def __init__(self, space, memory, offset, unit, by=None, scale=0, lane_bytes=0):
        self.space = space
        self.memory = memory
        self.offset = offset
        self.unit = unit
        self.by = by
        self.scale = scale
        self.lane_bytes = lane_bytes


def item_size(dtype):
    """Bytes of an element."""
    if dtype == nl.float32 or dtype == nl.int32 or dtype == nl.uint32:
        return 4
    if dtype == nl.float16 or dtype == nl.bfloat16:
        return 2
    if dtype == nl.int16 or dtype == nl.uint16:
        return 2
    return 1


def shared_array(w, bytes):
    """An array that the threads of a block share, in the block's partition. Like the original's it
    is not set to anything; what is read before it was written is zero."""
    words = max(1, (bytes + 3) // 4)
    memory = nl.ndarray((w.P, words), dtype=nl.int32, buffer=nl.sbuf)
    nisa.memset(dst=memory, value=0)
    return Place("shared", memory, 0, 4)


def local_array(w, bytes):
    """An array of each thread's own."""
    words = max(1, (bytes + 3) // 4)
    memory = nl.ndarray((w.P, w.F * words), dtype=nl.int32, buffer=nl.sbuf)
    nisa.memset(dst=memory, value=0)
    return Place("local", memory, 0, 4, None, 0, words * 4)


def _gcd(a, b):
    while b != 0:
        rest = a % b
        a = b
        b = rest
    return a


def place_of(base):
    """A tensor in device memory, or None for a null pointer, as the place of its first element; or a
    tensor and how many elements behind its start the pointer points."""
    if isinstance(base, Place):
        return base
    if base == None:  # noqa: E711
        return Place("null", base, 0, 1)
    if isinstance(base, tuple):
        return Place("global", base[0], base[1], item_size(base[0].dtype))
    assert not is_number(base) and len(base.shape) == 1, (
        f"a pointer is a one-dimensional tensor or None, not {base}"
    )
    return Place("global", base, 0, item_size(base.dtype))


def _moved(place, by, unit):
    """The place, `by` launch-known units further."""
    common = _gcd(place.unit, unit)
    start = place.offset
    if common < unit and is_number(start) and start * place.unit % unit == 0:
        start = start * place.unit // unit
        common = unit
    else:
        start = index.mul(start, place.unit // common, 64)
    offset = index.add(
        start,
        index.mul(by, unit // common, 64),
        64,
    )
    return Place(
        place.space,
        place.memory,
        offset,
        common,
        place.by,
        place.scale,
        place.lane_bytes,
    )


def element(base, by, unit):
    """`by` elements of `unit` bytes behind a tensor's start or a place; an int32 tile may say."""
    place = place_of(base)
    if is_number(by) or isinstance(by, index.Index) or index.is_dynamic(by):
        return _moved(place, by, unit)
    if place.by == None:  # noqa: E711
        return Place(
            place.space,
            place.memory,
            place.offset,
            place.unit,
            by,
            unit,
            place.lane_bytes,
        )
    common = _gcd(place.scale, unit)
    left = like(by, nl.int32)
    right = like(by, nl.int32)
    imul(left, place.by, place.scale // common)
    imul(right, by, unit // common)
    iadd(left, left, right)
    return Place(
        place.space,
        place.memory,
        place.offset,
        place.unit,
        left,
        common,
        place.lane_bytes,
    )


def offset_in(place, size):
    """The launch-known offset in elements of `size` bytes."""
    if place.unit % size == 0:
        return index.mul(place.offset, place.unit // size, 64)
    ratio = size // place.unit
    if index.is_dynamic(place.offset):
        moving = place.offset
        assert moving.factor % ratio == 0, "the chip counts in smaller units"
        start = offset_in(
            Place(place.space, place.memory, moving.base, place.unit), size
        )
        return index.Dynamic(
            start, moving.register, moving.factor // ratio, moving.first, moving.last
        )
    assert ratio * place.unit == size, "addresses are multiples of the element's size"
    rest = index.binary("and", place.offset, ratio - 1, 64)
    assert index.is_uniform(rest) and rest == 0, (
        "addresses are multiples of the element's size"
    )
    return index.binary("sdiv", place.offset, ratio, 64)


def element_index(place, shape, size):
    """The element of `size` bytes that each lane means, as an int32 tile, for a place with `by`."""
    result = nl.ndarray(shape, dtype=nl.int32, buffer=nl.sbuf)
    if place.scale % size == 0:
        imul(result, place.by, place.scale // size)
        _add_known(result, offset_in(place, size))
        return result
    # In smaller steps, which add up to multiples of the element's size.
    step = _gcd(_gcd(place.scale, place.unit), size)
    assert trailing_zeros(size // step) > 0, "elements have 1, 2 or 4 bytes"
    imul(result, place.by, place.scale // step)
    _add_known(result, index.mul(place.offset, place.unit // step, 64))
    lshr(result, result, trailing_zeros(size // step))
    return result


def _add_known(tile, offset):
    if index.is_uniform(offset):
        iadd(tile, tile, index.wrap(offset, 32))
    else:
        known = like(tile, nl.int32)
        materialize(known, offset)
        iadd(tile, tile, known)


def is_within(offset, count):
    """Is every lane's offset one of `count`?"""
    return index.lowest(offset) >= 0 and index.highest(offset) < count


def _legal(offset, count):
    return both(compare("sge", offset, 0, 64), compare("slt", offset, count, 64))


def inside(offset, count, mask, what):
    """The lanes of `mask` (for a tile, those that may be in it) whose offset is one of `count`.

    A lane that the launch knows to be in the mask and outside of the memory is an error.
    """
    known = launch_part(mask)
    if index.is_dynamic(offset):
        first = _legal(index.in_round(offset, offset.first), count)
        last = _legal(index.in_round(offset, offset.last), count)
        legal = both(first, last)
        partly = both(known, differ(first, last))
        assert isinstance(partly, bool) and not partly, (
            f"{what} outside of memory of {count} elements in some rounds of a loop"
        )
    else:
        legal = _legal(offset, count)
    if not is_tile(mask):
        outside = both(known, invert(legal))
        assert isinstance(outside, bool) and not outside, (
            f"{what} outside of memory of {count} elements: "
            f"{index.lowest(offset)} to {index.highest(offset)}"
        )
    return both(known, legal)


def memory_type(size, dtype):
    """How elements of `size` bytes of a lane's tile lie in memory."""
    if size == 1:
        return nl.uint8
    if size == 2:
        return nl.uint16
    assert size == 4, "elements have 1, 2 or 4 bytes"
    return dtype
