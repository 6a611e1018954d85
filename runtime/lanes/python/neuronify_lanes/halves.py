"""16-bit floats: conversions, and multiply-add with one rounding.

A half in memory is the low 16 bits of an int32 lane; one that something is computed
from is a float32 lane of the same value. Other operations on halves are those on
floats, rounded to 16 bits.
"""

import nki.isa as nisa
import nki.language as nl

from .floats import own_tile
from .formulas import (
    INFINITY,
    NARROW,
    SIGN_BIT,
    WIDE,
    bitwise,
    cast,
    combine,
    copy_where,
    exact_sum,
    float_of,
    in_stretches,
    in_stretches_of_three,
    int_of,
    pair,
    power_of_two,
    scalar,
    to_odd_where,
)
from .integers import isub
from .tiles import bits, like

__all__ = [
    "bfloat_to_float",
    "float_to_bfloat",
    "float_to_half",
    "fma_bfloat",
    "fma_half",
    "half_to_float",
    "int_to_float_odd",
    "round_bfloat",
    "round_half",
    "uint_to_float_odd",
]

TWO_TO_MINUS_134 = 4.591774807899561e-41
BITS_OF_TWO_TO_MINUS_135 = 16384


def _half_to_float(dst, a):
    nisa.tensor_copy(dst=float_of(dst), src=a.view(nl.float16)[:, ::2])


def half_to_float(dst, a):
    """The low 16 bits of int32 lanes, an fp16 number, as float32."""
    in_stretches(WIDE, _half_to_float, dst, a)


def _bfloat_to_float(dst, a):
    nisa.tensor_copy(dst=float_of(dst), src=a.view(nl.bfloat16)[:, ::2])


def bfloat_to_float(dst, a):
    in_stretches(WIDE, _bfloat_to_float, dst, a)


def _float_to_half(dst, a):
    nisa.tensor_copy(dst=int_of(dst), src=cast(a, nl.float16).view(nl.uint16))


def float_to_half(dst, a):
    """The nearest fp16 number, ties to even, as 16 bits in int32 lanes."""
    in_stretches(WIDE, _float_to_half, dst, a)


def _float_to_bfloat(dst, a):
    nisa.tensor_copy(dst=int_of(dst), src=cast(a, nl.bfloat16).view(nl.uint16))


def float_to_bfloat(dst, a):
    in_stretches(WIDE, _float_to_bfloat, dst, a)


def _round_half(dst, a):
    nisa.tensor_copy(dst=dst, src=cast(a, nl.float16))


def round_half(dst, a):
    """The nearest fp16 number, ties to even, as float32."""
    in_stretches(WIDE, _round_half, dst, a)


def _round_bfloat(dst, a):
    nisa.tensor_copy(dst=dst, src=cast(a, nl.bfloat16))


def round_bfloat(dst, a):
    in_stretches(WIDE, _round_bfloat, dst, a)


def _inexact(total):
    """Where low counts. Next to an infinity nothing is lost; what is computed there is
    NaN."""
    return scalar(total[1], nl.abs, 0.0, nl.greater, 0.0)


def _fma_half(dst, a, b, c):
    # The product has 22 bits and is far from the bounds of fp32.
    product = pair(own_tile(a, dst), nl.multiply, own_tile(b, dst))
    total = exact_sum(product, own_tile(c, dst))
    nisa.tensor_copy(
        dst=dst, src=cast(to_odd_where(total, _inexact(total)), nl.float16)
    )


def fma_half(dst, a, b, c):
    """a * b + c of fp16 numbers, rounded once."""
    in_stretches_of_three(NARROW, _fma_half, dst, a, b, c)


def _bfloat_product(a, b):
    """The exact product where it does not overflow. One that is lost next to any bf16
    number, but for its sign, becomes 2^-135 with that sign; fp32 would drop bits of it.
    """
    product = pair(a, nl.multiply, b)
    other = scalar(b, nl.not_equal, 0.0)
    factors = combine(a, nl.not_equal, 0.0, nl.multiply, other)
    below = scalar(product, nl.abs, 0.0, nl.less, TWO_TO_MINUS_134)
    tiny = pair(below, nl.multiply, factors, nl.uint8)
    smallest = bitwise(
        product, nl.bitwise_and, SIGN_BIT, nl.bitwise_or, BITS_OF_TWO_TO_MINUS_135
    )
    copy_where(product, float_of(smallest), tiny)
    return product


def _fma_bfloat(dst, a, b, c):
    x = own_tile(a, dst)
    y = own_tile(b, dst)
    z = own_tile(c, dst)
    # Where the product overflows the sum may not. Both factors are 1 or more then, and
    # 2^-65 of them is computed with; what that takes from c does not matter.
    infinite = scalar(pair(x, nl.multiply, y), nl.abs, 0.0, nl.equal, INFINITY)
    overflows = combine(
        pair(x, nl.abs_max, y), nl.less, INFINITY, nl.multiply, infinite
    )
    smaller = power_of_two(scalar(overflows, nl.multiply, -65.0, dtype=nl.int32))
    larger = power_of_two(scalar(overflows, nl.multiply, 65.0, dtype=nl.int32))
    product = _bfloat_product(
        pair(x, nl.multiply, smaller), pair(y, nl.multiply, smaller)
    )
    addend = pair(pair(z, nl.multiply, smaller), nl.multiply, smaller)
    total = exact_sum(product, addend)
    odd = to_odd_where(total, _inexact(total))
    odd = pair(pair(odd, nl.multiply, larger), nl.multiply, larger)
    nisa.tensor_copy(dst=dst, src=cast(odd, nl.bfloat16))


def fma_bfloat(dst, a, b, c):
    """a * b + c of bf16 numbers, rounded once."""
    in_stretches_of_three(NARROW, _fma_bfloat, dst, a, b, c)


def _to_float_odd(dst, exact):
    """The float nearest to an integer, and what it lacks, below 2^8."""
    nearest = cast(exact, nl.float32)
    lost = like(exact, nl.int32)
    isub(lost, int_of(exact), int_of(cast(nearest, exact.dtype)))
    total = (nearest, lost)
    odd = to_odd_where(total, scalar(lost, nl.not_equal, 0.0))
    nisa.tensor_copy(dst=float_of(dst), src=odd)


def int_to_float_odd(dst, a):
    """An integer as a float rounded to odd, so that 16 bits of it are rounded once."""
    in_stretches(WIDE, _to_float_odd, dst, int_of(a))


def uint_to_float_odd(dst, a):
    in_stretches(WIDE, _to_float_odd, dst, bits(a, nl.uint32))
