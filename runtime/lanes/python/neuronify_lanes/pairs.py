"""Moving 64-bit integers: the same moves of 32 bits, word by word."""

import nki.isa as nisa
import nki.language as nl

from . import index, memory, values, warps
from .integers import sign_of
from .places import element
from .tiles import like
from .wide_words import Wide, wide_of


def pair(w):
    """A fresh 64-bit integer per lane, contents unwritten."""
    return Wide(
        nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf),
        nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf),
    )


def zero_pair(w):
    """Zeros, for a variable that lanes assign at different times."""
    return Wide(values.zeros(w, nl.int32), values.zeros(w, nl.int32))


def own_pair(value):
    """A copy with storage of its own: a variable that a loop on the chip carries."""
    result = Wide(like(value.low, nl.int32), like(value.high, nl.int32))
    nisa.tensor_copy(dst=result.low, src=value.low)
    nisa.tensor_copy(dst=result.high, src=value.high)
    return result


def assign_pair(variable, value, mask):
    """Lanes of `mask` of `variable` take `value`; the others keep theirs."""
    words = wide_of(value)
    values.assign(variable.low, words.low, mask)
    values.assign(variable.high, words.high, mask)


def select_pair(dst, mask, a, b):
    """dst = mask ? a : b."""
    x = wide_of(a)
    y = wide_of(b)
    values.select(dst.low, mask, x.low, y.low)
    values.select(dst.high, mask, x.high, y.high)


def materialize_pair(dst, value):
    """A launch-known integer in both words."""
    values.materialize(dst.low, value)
    low = index.lowest(value)
    high = index.highest(value)
    if low >= -(1 << 31) and high < (1 << 31):
        if (low < 0) == (high < 0):
            nisa.memset(dst=dst.high, value=-1 if low < 0 else 0)
        else:
            sign_of(dst.high, dst.low)
        return
    values.materialize(dst.high, index.ashr(value, 32, 64))


def load_pair(dst, place, mask):
    """dst = the 8 bytes at each lane's place; the place may be computed from dst."""
    low = like(dst.low, nl.int32)
    memory.load(low, place, 4, mask)
    memory.load(dst.high, element(place, 4, 1), 4, mask)
    nisa.tensor_copy(dst=dst.low, src=low)


def store_pair(w, place, value, mask):
    """Each lane of `mask` writes 8 bytes to its place."""
    words = wide_of(value)
    high = element(place, 4, 1)
    if isinstance(words.low, int):
        memory.store_number(w, place, words.low, nl.int32, 4, mask)
    else:
        memory.store(place, words.low, 4, mask)
    if isinstance(words.high, int):
        memory.store_number(w, high, words.high, nl.int32, 4, mask)
    else:
        memory.store(high, words.high, 4, mask)


def shfl_up_pair(w, dst, src, delta, width):
    warps.shfl_up(w, dst.low, src.low, delta, width)
    warps.shfl_up(w, dst.high, src.high, delta, width)


def shfl_down_pair(w, dst, src, delta, width):
    warps.shfl_down(w, dst.low, src.low, delta, width)
    warps.shfl_down(w, dst.high, src.high, delta, width)


def shfl_xor_pair(w, dst, src, lane_mask, width):
    warps.shfl_xor(w, dst.low, src.low, lane_mask, width)
    warps.shfl_xor(w, dst.high, src.high, lane_mask, width)


def shfl_pair(w, dst, src, source, width):
    warps.shfl(w, dst.low, src.low, source, width)
    warps.shfl(w, dst.high, src.high, source, width)
