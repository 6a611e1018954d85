"""Atomic operations: a read-modify-write per lane, as if the lanes did it one after the other in the
order of blocks and threads.

CUDA leaves the order open; this is one legal order. `old` gets what each lane of the mask finds; where
it is None nobody asks.
"""

import nki.isa as nisa
import nki.language as nl

from . import atomic_places
from .atomic_words import Request, is_half, widen
from .integers import iand
from .masks import is_none
from .places import place_of
from .tiles import Scalar, bits, is_number
from .values import put


def _values(w, value, is_float):
    """A copy of a 32-bit operand as an int32 tile."""
    floats = is_float or isinstance(value, float) or isinstance(value, Scalar)
    tile = nl.ndarray(
        (w.P, w.F), dtype=nl.float32 if floats else nl.int32, buffer=nl.sbuf
    )
    put(tile, value)
    return bits(tile, nl.int32)


def _atomic(op, w, place, value, mask, old, compare=None):
    if is_none(mask):
        return
    number = None
    if is_number(value) and not isinstance(value, float):
        number = value
    values = _values(w, value, op[0] == "f")
    compares = None
    if compare != None:  # noqa: E711
        compares = _values(w, compare, False)
    request = Request(op, values, compares, number)
    found = None
    if old != None:  # noqa: E711
        found = nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf)
        nisa.memset(dst=found, value=0)
    atomic_places.update(request, place_of(place), found, mask)
    if old == None:  # noqa: E711
        return
    if is_half(op):
        widen(op, old, found)
    else:
        nisa.tensor_copy(dst=bits(old, nl.int32), src=found)


def atomic_add(w, place, value, mask, old=None):
    """Old + value."""
    _atomic("add", w, place, value, mask, old)


def atomic_sub(w, place, value, mask, old=None):
    """Old - value."""
    _atomic("sub", w, place, value, mask, old)


def atomic_exch(w, place, value, mask, old=None):
    """Value."""
    _atomic("exch", w, place, value, mask, old)


def atomic_min(w, place, value, mask, old=None):
    """The smaller of signed integers."""
    _atomic("min", w, place, value, mask, old)


def atomic_max(w, place, value, mask, old=None):
    """The larger of signed integers."""
    _atomic("max", w, place, value, mask, old)


def atomic_umin(w, place, value, mask, old=None):
    """The smaller of unsigned integers."""
    _atomic("umin", w, place, value, mask, old)


def atomic_umax(w, place, value, mask, old=None):
    """The larger of unsigned integers."""
    _atomic("umax", w, place, value, mask, old)


def atomic_and(w, place, value, mask, old=None):
    """Old & value."""
    _atomic("and", w, place, value, mask, old)


def atomic_or(w, place, value, mask, old=None):
    """Old | value."""
    _atomic("or", w, place, value, mask, old)


def atomic_xor(w, place, value, mask, old=None):
    """Old ^ value."""
    _atomic("xor", w, place, value, mask, old)


def atomic_inc(w, place, value, mask, old=None):
    """0 where the unsigned old is at least value, else old + 1."""
    _atomic("inc", w, place, value, mask, old)


def atomic_dec(w, place, value, mask, old=None):
    """Value where the unsigned old is 0 or above value, else old - 1."""
    _atomic("dec", w, place, value, mask, old)


def atomic_fadd(w, place, value, mask, old=None):
    """Old + value, floats."""
    _atomic("fadd", w, place, value, mask, old)


def atomic_fsub(w, place, value, mask, old=None):
    """Old - value, floats."""
    _atomic("fsub", w, place, value, mask, old)


def atomic_fmin(w, place, value, mask, old=None):
    """The smaller of floats, the other one where one is NaN."""
    _atomic("fmin", w, place, value, mask, old)


def atomic_fmax(w, place, value, mask, old=None):
    """The larger of floats, the other one where one is NaN."""
    _atomic("fmax", w, place, value, mask, old)


def atomic_fadd_half(w, place, value, mask, old=None):
    """Old + value in memory of fp16, rounded to that."""
    _atomic("fadd_half", w, place, value, mask, old)


def atomic_fadd_bfloat(w, place, value, mask, old=None):
    """The same of bf16."""
    _atomic("fadd_bfloat", w, place, value, mask, old)


def atomic_cas(w, place, compare, value, mask, old=None):
    """Value where old is compare, else old."""
    _atomic("cas", w, place, value, mask, old, compare)


def atomic_cas16(w, place, compare, value, mask, old=None):
    """The same of 16 bits, those of the operands that count; old has zeros above them."""
    words = []
    for operand in (compare, value):
        tile = _values(w, operand, False)
        iand(tile, tile, 65535)
        words.append(tile)
    _atomic("cas16", w, place, words[1], mask, old, words[0])
