"""Conversions between integers and floats, and rounding to integral values.

A cast of the engines rounds to nearest even and saturates; NaN becomes 0. CUDA's
conversions to integers truncate, so a cast that went away from zero is taken back by
one.
"""

import nki.isa as nisa
import nki.language as nl

from .formulas import (
    SIGN_BIT,
    TWO_TO_23,
    WIDE,
    bitwise,
    cast,
    combine,
    copy_where,
    float_of,
    in_stretches,
    int_of,
    pair,
    predicate,
    scalar,
    sign_and_one,
)
from .tiles import bits, like

__all__ = [
    "ceil",
    "float_to_int",
    "float_to_int_rd",
    "float_to_int_rn",
    "float_to_int_ru",
    "float_to_uint",
    "float_to_uint_rn",
    "floor",
    "int_to_float",
    "rint",
    "round",
    "trunc",
    "uint_to_float",
]


def int_to_float(dst, a):
    nisa.tensor_copy(dst=float_of(dst), src=int_of(a))


def uint_to_float(dst, a):
    nisa.tensor_copy(dst=float_of(dst), src=bits(a, nl.uint32))


def _truncated(x):
    """|x| without its fraction, as float32; 2^31 where int32 saturates, 0 for NaN.
    Where a cast rounded up there was a fraction, so taking one back is exact."""
    nearest = scalar(x, nl.abs, 0.0, dtype=nl.int32)
    too_large = combine(x, nl.abs, 0.0, nl.less, nearest)
    return pair(nearest, nl.subtract, too_large)


def _to_int(dst, x):
    size = _truncated(x)
    sign = sign_and_one(x)
    nisa.tensor_tensor(dst=int_of(dst), data1=size, data2=sign, op=nl.multiply)


def float_to_int(dst, a):
    in_stretches(WIDE, _to_int, dst, a)


def _to_uint(dst, x):
    nearest = scalar(x, nl.maximum, 0.0, dtype=nl.uint32)
    too_large = combine(x, nl.maximum, 0.0, nl.less, nearest)
    nisa.tensor_tensor(
        dst=bits(dst, nl.uint32), data1=nearest, data2=too_large, op=nl.subtract
    )


def float_to_uint(dst, a):
    in_stretches(WIDE, _to_uint, dst, a)


def _finish(dst, x, integral):
    """dst = `integral` with the sign of x where |x| < 2^23, else x, which is integral
    then or NaN."""
    fits = predicate(x, nl.abs, 0.0, nl.less, TWO_TO_23)
    sign = bitwise(x, nl.bitwise_and, SIGN_BIT)
    result = pair(int_of(integral), nl.bitwise_or, sign, nl.int32)
    nisa.tensor_copy(dst=dst, src=x)
    copy_where(dst, float_of(result), fits)


def _rint(dst, x):
    nearest = cast(x, nl.int32)
    _finish(dst, x, cast(nearest, nl.float32))


def rint(dst, a):
    """To the nearest integral value, ties to even."""
    in_stretches(WIDE, _rint, dst, a)


def _floor(dst, x):
    nearest = cast(x, nl.int32)
    too_large = pair(nearest, nl.greater, x)
    _finish(dst, x, pair(nearest, nl.subtract, too_large))


def floor(dst, a):
    in_stretches(WIDE, _floor, dst, a)


def _ceil(dst, x):
    nearest = cast(x, nl.int32)
    too_small = pair(nearest, nl.less, x)
    _finish(dst, x, pair(nearest, nl.add, too_small))


def ceil(dst, a):
    in_stretches(WIDE, _ceil, dst, a)


def _trunc(dst, x):
    _finish(dst, x, _truncated(x))


def trunc(dst, a):
    in_stretches(WIDE, _trunc, dst, a)


def _round(dst, x):
    whole = _truncated(x)
    fraction = combine(x, nl.abs, 0.0, nl.subtract, whole)
    rounded = combine(fraction, nl.greater_equal, 0.5, nl.add, whole)
    _finish(dst, x, rounded)


def round(dst, a):
    """To the nearest integral value, ties away from zero."""
    in_stretches(WIDE, _round, dst, a)


def float_to_int_rn(dst, a):
    whole = like(a, nl.float32)
    rint(whole, a)
    float_to_int(dst, whole)


def float_to_uint_rn(dst, a):
    whole = like(a, nl.float32)
    rint(whole, a)
    float_to_uint(dst, whole)


def float_to_int_rd(dst, a):
    whole = like(a, nl.float32)
    floor(whole, a)
    float_to_int(dst, whole)


def float_to_int_ru(dst, a):
    whole = like(a, nl.float32)
    ceil(whole, a)
    float_to_int(dst, whole)
