"""Loads and stores of one element per lane, in device memory and on the chip."""

import nki.isa as nisa
import nki.language as nl

from . import device, on_chip
from .masks import is_none, is_tile
from .places import place_of
from .tiles import like
from .values import put


def _check_null(mask, what):
    """Nobody follows a null pointer, as far as the launch knows."""
    assert is_tile(mask), f"a {what} by a null pointer"


def load(dst, place, size, mask):
    """dst = the element of `size` bytes at each lane's place, for the lanes of `mask`.

    Narrow elements are widened by zeros. Lanes outside of the mask hold some number.
    """
    place = place_of(place)
    if is_none(mask) or place.space == "null":
        if not is_none(mask):
            _check_null(mask, "load")
        nisa.memset(dst=dst, value=0)
        return
    if place.space == "global":
        device.load(dst, place, size, mask)
    else:
        on_chip.load(dst, place, size, mask)


def _elements(value, size):
    """The low `size` bytes of each lane."""
    if size == 4:
        return value
    result = like(value, nl.uint8 if size == 1 else nl.uint16)
    low = like(value, nl.int32)
    nisa.tensor_scalar(
        dst=low,
        data=value.view(nl.int32),
        op0=nl.bitwise_and,
        operand0=255 if size == 1 else 65535,
    )
    nisa.tensor_copy(dst=result, src=low)
    return result


def store_number(w, place, value, dtype, size, mask):
    """The same with one value for all lanes."""
    if is_none(mask):
        return
    tile = nl.ndarray((w.P, w.F), dtype=dtype, buffer=nl.sbuf)
    put(tile, value)
    store(place, tile, size, mask)


def store(place, value, size, mask):
    """Each lane of `mask` writes its element's low `size` bytes to its place.

    Where lanes mean the same place, the last one's value stays, in the order of blocks and threads.
    """
    place = place_of(place)
    if is_none(mask):
        return
    if place.space == "null":
        _check_null(mask, "store")
        return
    if place.space == "global":
        device.store(place, _elements(value, size), size, mask)
    else:
        on_chip.store(place, _elements(value, size), size, mask)
