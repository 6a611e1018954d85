"""Quotients and remainders of 64-bit integers.

The quotient is a sum of estimates in fp32, each of which is too small, never too large,
and leaves a remainder that is exact and that the next one divides. With e = r * (1 / b)
* (1 - 2^-16) - 1/2, rounded to an integer, and 1 / b and the conversion of r off by
less than 2^-17 together,

r/b - (r/b * 2^-15.4 + 1) <= e <= r/b

so a remainder r shrinks to r * 2^-15.4 + b at most: from 2^64 b four rounds leave less
than 6.1 b, the fifth less than 2 b, and a comparison the rest. A quotient of 0 is a
number, not an error.
"""

import nki.isa as nisa
import nki.language as nl

from . import integers
from .tiles import bits, like
from .wide_arithmetic import negated, iabs, power_of
from .wide_bits import iand, lshr
from .wide_words import (
    Wide,
    add,
    copy,
    fill,
    is_known,
    less,
    multiply,
    own_pair,
    pair_like,
    sign_word,
    subtract,
    wide_of,
    word_like,
)

TOO_SMALL = 0.9999847412109375  # 1 - 2^-16
ROUNDS = 5
NARROW_ROUND = 3  # from here on an estimate has fewer than 24 bits
TWO_TO_32 = 4294967296.0
TWO_TO_MINUS_32 = 2.3283064365386963e-10


def _uint(tile):
    return bits(tile, nl.uint32)


def _roughly(a):
    """high * 2^32 + low in fp32, off by less than 2^-22."""
    result = like(a.low, nl.float32)
    nisa.scalar_tensor_tensor(
        dst=result,
        data=_uint(a.high),
        op0=nl.multiply,
        operand0=TWO_TO_32,
        op1=nl.add,
        operand1=_uint(a.low),
    )
    return result


def _inverse(b):
    """1 / b, a little too small, of 1 where b is 0: a tile, or a number of one."""
    if is_known(b):
        high = b.high if b.high >= 0 else b.high + TWO_TO_32
        low = b.low if b.low >= 0 else b.low + TWO_TO_32
        return TOO_SMALL / (high * TWO_TO_32 + low)
    result = like(b.low, nl.float32)
    nisa.tensor_scalar(dst=result, data=_roughly(b), op0=nl.maximum, operand0=1.0)
    nisa.reciprocal(dst=result, data=result)
    nisa.tensor_scalar(dst=result, data=result, op0=nl.multiply, operand0=TOO_SMALL)
    return result


def _estimate(rest, inverse, narrow):
    """The estimate of rest / b, whose high word is 0 in narrow rounds."""
    e = _roughly(rest)
    if isinstance(inverse, float):
        nisa.tensor_scalar(dst=e, data=e, op0=nl.multiply, operand0=inverse)
    else:
        nisa.tensor_tensor(dst=e, data1=e, data2=inverse, op=nl.multiply)
    nisa.tensor_scalar(
        dst=e,
        data=e,
        op0=nl.subtract,
        operand0=0.5,
        op1=nl.maximum,
        operand1=0.0,
    )
    result = pair_like(rest.low)
    if narrow:
        nisa.tensor_copy(dst=result.low, src=e)
        return Wide(result.low, 0)
    # The high word is rounded, so the low one may be negative. Both are exact: e has 24
    # bits.
    nisa.tensor_scalar(
        dst=_uint(result.high), data=e, op0=nl.multiply, operand0=TWO_TO_MINUS_32
    )
    nisa.scalar_tensor_tensor(
        dst=result.low,
        data=_uint(result.high),
        op0=nl.multiply,
        operand0=-TWO_TO_32,
        op1=nl.add,
        operand1=e,
    )
    borrow = word_like(rest.low)
    nisa.tensor_scalar(
        dst=_uint(borrow), data=_uint(result.low), op0=nl.right_shift, operand0=31
    )
    integers.isub(result.high, result.high, borrow)
    return result


def _divide(a, b):
    """The unsigned quotient and remainder of a pair of tiles, in fresh ones."""
    quotient = pair_like(a.low)
    rest = pair_like(a.low)
    inverse = _inverse(b)
    product = pair_like(a.low)
    copy(rest, a)
    for number in range(ROUNDS):
        e = _estimate(rest, inverse, number >= NARROW_ROUND)
        multiply(product, e, b)
        subtract(rest, rest, product)
        if number > 0:
            add(quotient, quotient, e)
        else:
            copy(quotient, e)
    # One more where the remainder still holds the divisor.
    fits = less(rest, b, a.low, False)
    nisa.tensor_scalar(dst=fits, data=fits, op0=nl.bitwise_xor, operand0=1)
    more = bits(fits, nl.int32)
    add(quotient, quotient, Wide(more, 0))
    integers.isub(more, 0, more)
    iand(product, Wide(more, more), b)
    subtract(rest, rest, product)
    return quotient, rest


def udiv(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    if is_known(y) and y.low == 0 and y.high == 0:
        fill(dst, 0)
    elif is_known(y) and power_of(y) >= 0:
        lshr(dst, x, power_of(y))
    else:
        result = _divide(own_pair(x, dst.low), y)
        copy(dst, result[0])


def urem(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    if is_known(y) and y.low == 0 and y.high == 0:
        fill(dst, 0)
    elif is_known(y) and power_of(y) >= 0:
        iand(dst, x, _mask_below(power_of(y)))
    else:
        result = _divide(own_pair(x, dst.low), y)
        copy(dst, result[1])


def _mask_below(n):
    """The number 2^n - 1, for n below 64."""
    if n < 32:
        return Wide(_word_below(n), 0)
    return Wide(-1, _word_below(n - 32))


def _word_below(n):
    if n == 31:
        return 2147483647
    return (1 << n) - 1


def _magnitude(b):
    """The magnitude of a number, or a pair with that of the tiles."""
    if is_known(b):
        return b if b.high >= 0 else negated(b)
    result = pair_like(b.low)
    iabs(result, b)
    return result


def _with_sign(dst, magnitude, sign):
    """dst = -magnitude where the tile `sign` is all ones, else magnitude."""
    integers.ixor(magnitude.low, magnitude.low, sign)
    integers.ixor(magnitude.high, magnitude.high, sign)
    subtract(dst, magnitude, Wide(sign, sign))


def sdiv(dst, a, b):
    """Divides magnitudes; the result is negative where one of the operands is."""
    y = wide_of(b)
    if is_known(y) and y.low == 0 and y.high == 0:
        fill(dst, 0)
        return
    dividend = own_pair(wide_of(a), dst.low)
    sign = sign_word(dividend.high)
    x = pair_like(dst.low)
    result = pair_like(dst.low)
    iabs(x, dividend)
    udiv(result, x, _magnitude(y))
    if not is_known(y):
        integers.ixor(sign, sign, sign_word(y.high))
    elif y.high < 0:
        integers.ixor(sign, sign, -1)
    _with_sign(dst, result, sign)


def srem(dst, a, b):
    """The remainder of magnitudes, negative where the dividend is."""
    y = wide_of(b)
    if is_known(y) and y.low == 0 and y.high == 0:
        fill(dst, 0)
        return
    dividend = own_pair(wide_of(a), dst.low)
    sign = sign_word(dividend.high)
    x = pair_like(dst.low)
    result = pair_like(dst.low)
    iabs(x, dividend)
    urem(result, x, _magnitude(y))
    _with_sign(dst, result, sign)
