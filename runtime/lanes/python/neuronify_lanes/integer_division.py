"""Quotients and remainders of 32-bit integers.

No engine divides integers. A reciprocal in fp32 estimates the quotient; what the
estimate leaves of the dividend, exact in wrapping arithmetic, is divided in the same
way once more, and is off by one divisor at most then. With r = 1 / b to a relative
error of 2^-17 this works for b below 2^31; above, the quotient is 0 or 1. Any quotient
of 0 is a number, not an error.
"""

import nki.isa as nisa
import nki.language as nl

from .integers import (
    iabs,
    iand,
    int_tile,
    isub,
    ixor,
    lshr,
    put_int,
    sign_of,
    trailing_zeros,
    uint_tile,
)
from .tiles import bits, is_number, like, number

__all__ = [
    "sdiv",
    "srem",
    "udiv",
    "urem",
]


def _uint(tile):
    return bits(tile, nl.uint32)


def _pair(dst, a, op, b):
    nisa.tensor_tensor(dst=dst, data1=a, data2=b, op=op)


def _divide_by_large(quotient, remainder, a, b, is_large):
    """By 2^31 and more: subtracts the divisor once where it is not the larger one. `a`
    and `b` are pairs of the int32 and the uint32 tile."""
    fits = like(quotient, nl.uint32)
    rest = like(quotient, nl.int32)
    _pair(fits, a[1], nl.greater_equal, b[1])
    _pair(rest, bits(fits, nl.int32), nl.multiply, b[0])
    _pair(rest, a[0], nl.subtract, rest)
    nisa.tensor_copy_predicated(
        dst=quotient, src=bits(fits, nl.int32), predicate=is_large
    )
    nisa.tensor_copy_predicated(dst=remainder, src=rest, predicate=is_large)


def _divide(dst, a, b):
    """The unsigned quotient and remainder of operands, int32 tiles; a divisor 0 counts
    as 1."""
    quotient = like(dst, nl.int32)
    rest = like(dst, nl.int32)
    step = like(dst, nl.int32)
    inverse = like(dst, nl.float32)
    dividend = (int_tile(a, dst), uint_tile(a, dst))
    divisor = (int_tile(b, dst), uint_tile(b, dst))
    factor = 0.0
    if is_number(b):
        factor = 1.0 / (b if b > 0 else b + 4294967296.0)
        nisa.tensor_scalar(
            dst=_uint(quotient), data=dividend[1], op0=nl.multiply, operand0=factor
        )
    else:
        nisa.tensor_scalar(dst=inverse, data=divisor[1], op0=nl.maximum, operand0=1.0)
        nisa.reciprocal(dst=inverse, data=inverse)
        _pair(_uint(quotient), dividend[1], nl.multiply, inverse)
    _pair(step, quotient, nl.multiply, divisor[0])
    _pair(rest, dividend[0], nl.subtract, step)
    if is_number(b):
        nisa.tensor_scalar(dst=step, data=rest, op0=nl.multiply, operand0=factor)
    else:
        _pair(step, rest, nl.multiply, inverse)
    _pair(quotient, quotient, nl.add, step)
    _pair(step, step, nl.multiply, divisor[0])
    _pair(rest, rest, nl.subtract, step)
    # A negative rest takes one divisor back.
    nisa.tensor_scalar(
        dst=_uint(step), data=_uint(rest), op0=nl.right_shift, operand0=31
    )
    _pair(quotient, quotient, nl.subtract, step)
    _pair(step, step, nl.multiply, divisor[0])
    _pair(rest, rest, nl.add, step)
    if not is_number(b):
        is_large = like(dst, nl.uint32)
        nisa.tensor_scalar(
            dst=is_large, data=divisor[1], op0=nl.right_shift, operand0=31
        )
        _divide_by_large(quotient, rest, dividend, divisor, is_large)
    elif b < 0:
        _divide_by_large(quotient, rest, dividend, divisor, number(dst, 1, nl.uint32))
    return quotient, rest


def udiv(dst, a, b):
    if is_number(b) and b == 0:
        put_int(dst, 0)
    elif is_number(b) and trailing_zeros(b) >= 0:
        lshr(dst, a, trailing_zeros(b))
    else:
        result = _divide(dst, a, b)
        put_int(dst, result[0])


def urem(dst, a, b):
    if is_number(b) and b == 0:
        put_int(dst, 0)
    elif is_number(b) and trailing_zeros(b) >= 0:
        iand(dst, a, b - 1 if b > 0 else 2147483647)
    else:
        result = _divide(dst, a, b)
        put_int(dst, result[1])


def _own_tile(a, dst):
    """The operand as a tile with storage of its own if it is a number."""
    if not is_number(a):
        return bits(a, nl.int32)
    tile = like(dst, nl.int32)
    put_int(tile, a)
    return tile


def sdiv(dst, a, b):
    """Divides magnitudes; the result is negative where one of the operands is."""
    if is_number(b) and b == 0:
        put_int(dst, 0)
        return
    dividend = _own_tile(a, dst)
    sign = like(dst, nl.int32)
    x = like(dst, nl.int32)
    result = like(dst, nl.int32)
    sign_of(sign, dividend)
    iabs(x, dividend)
    if is_number(b):
        udiv(result, x, _magnitude(b))
        if b < 0:
            ixor(sign, sign, -1)
    else:
        y = like(dst, nl.int32)
        other = like(dst, nl.int32)
        iabs(y, b)
        udiv(result, x, y)
        sign_of(other, b)
        ixor(sign, sign, other)
    ixor(result, result, sign)
    isub(dst, result, sign)


def srem(dst, a, b):
    """The remainder of magnitudes, negative where the dividend is."""
    if is_number(b) and b == 0:
        put_int(dst, 0)
        return
    dividend = _own_tile(a, dst)
    sign = like(dst, nl.int32)
    x = like(dst, nl.int32)
    result = like(dst, nl.int32)
    sign_of(sign, dividend)
    iabs(x, dividend)
    if is_number(b):
        urem(result, x, _magnitude(b))
    else:
        y = like(dst, nl.int32)
        iabs(y, b)
        urem(result, x, y)
    ixor(result, result, sign)
    isub(dst, result, sign)


def _magnitude(value):
    """|value| modulo 2^32, as a signed number."""
    return -value if value < 0 and value > -2147483647 - 1 else value
