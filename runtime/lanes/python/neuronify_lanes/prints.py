"""What printf prints, as tensors: a kernel on the chip leaves values, and the host reads them."""

import nki.language as nl

from . import index
from .masks import is_none, predicate_tile
from .pairs import materialize_pair, pair
from .tiles import Scalar
from .values import materialize, put
from .wide_words import Wide


def _print(w, name, value, dtype):
    tile = nl.ndarray((w.P, w.F), dtype=dtype, buffer=nl.sbuf)
    if _is_known(value):
        materialize(tile, value)
    else:
        put(tile, value)
    nl.device_print(name, tile)


def _is_known(value):
    return isinstance(value, int) or isinstance(value, index.Index)


def _is_word(value):
    """Does it have 32 bits, with a sign or without?"""
    return index.lowest(value) >= -(1 << 31) and index.highest(value) < (1 << 32)


def print_values(w, name, values, mask):
    """Exports the values of a printf: NAME_0 and so on are {P, F}, float32 or int32, NAME_lanes has 1
    for each lane that prints them. 64-bit integers have _low and _high."""
    if is_none(mask):
        return
    for i in range(len(values)):
        value = values[i]
        part = f"{name}_{i}"
        if _is_known(value) and not _is_word(value):
            words = pair(w)
            materialize_pair(words, value)
            value = words
        if isinstance(value, Wide):
            _print(w, part + "_low", value.low, nl.int32)
            _print(w, part + "_high", value.high, nl.int32)
        elif isinstance(value, float) or isinstance(value, Scalar):
            _print(w, part, value, nl.float32)
        elif _is_known(value):
            _print(w, part, value, nl.int32)
        else:
            _print(w, part, value, value.dtype)
    nl.device_print(name + "_lanes", predicate_tile(mask, (w.P, w.F)))
