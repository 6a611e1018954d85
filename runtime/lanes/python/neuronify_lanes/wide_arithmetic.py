"""Sums, products, minima, maxima and comparisons of 64-bit integers."""

import nki.isa as nisa
import nki.language as nl

from . import integers
from .integers import SMALLEST, trailing_zeros
from .tiles import bits, is_number
from .wide_bits import ixor, shl
from .wide_words import (
    Wide,
    add,
    copy,
    equal,
    fill,
    is_known,
    less,
    multiply,
    own_pair,
    own_word,
    pair_like,
    product,
    sign_word,
    subtract,
    wide_of,
    word_like,
)


def iadd(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    add(dst, own_pair(x, dst.low) if is_known(x) and is_known(y) else x, y)


def negated(a):
    """The number -a, of a number."""
    low = a.low if a.low == SMALLEST else -a.low
    if a.low != 0:
        return Wide(low, -1 - a.high)
    return Wide(low, a.high if a.high == SMALLEST else -a.high)


def isub(dst, a, b):
    y = wide_of(b)
    if is_known(y):
        iadd(dst, a, negated(y))
    else:
        subtract(dst, wide_of(a), y)


def power_of(a):
    """n for the number 2^n; -1 for any other."""
    if a.high == 0:
        return trailing_zeros(a.low)
    if a.low != 0 or trailing_zeros(a.high) < 0:
        return -1
    return 32 + trailing_zeros(a.high)


def imul(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    if is_known(x) and not is_known(y):
        imul(dst, y, x)
        return
    if is_known(x):
        x = own_pair(x, dst.low)
    if not is_known(y):
        multiply(dst, x, y)
    elif y.low == 0 and y.high == 0:
        fill(dst, 0)
    elif power_of(y) >= 0:
        shl(dst, x, power_of(y))
    else:
        multiply(dst, x, y)


def umulhi(dst, a, b):
    """The high 64 bits of unsigned products: four products of words, whose sums stay
    below 2^64."""
    x = wide_of(a)
    y = wide_of(b)
    if is_known(x) and is_known(y):
        x = own_pair(x, dst.low)
    low = product(x.low, y.low, dst.low)
    middle = product(x.high, y.low, dst.low)
    add(middle, middle, Wide(low.high, 0))
    other = product(x.low, y.high, dst.low)
    add(other, other, Wide(middle.low, 0))
    top = product(x.high, y.high, dst.low)
    add(top, top, Wide(middle.high, 0))
    add(dst, top, Wide(other.high, 0))


def _less_where_negative(result, negative, other):
    """result -= other where `negative` is."""
    if is_number(negative.high) and negative.high >= 0:
        return
    sign = sign_word(own_word(negative.high, result.low))
    term = pair_like(result.low)
    integers.iand(term.low, sign, other.low)
    integers.iand(term.high, sign, other.high)
    subtract(result, result, term)


def smulhi(dst, a, b):
    """The high 64 bits of signed products: modulo 2^64 the unsigned ones, less b for a
    < 0 and less a for b < 0."""
    x = wide_of(a)
    y = wide_of(b)
    result = pair_like(dst.low)
    umulhi(result, x, y)
    _less_where_negative(result, x, y)
    _less_where_negative(result, y, x)
    copy(dst, result)


def umul_wide(dst, a, b):
    """dst = the whole product of two unsigned words."""
    copy(dst, product(a, b, dst.low))


def smul_wide(dst, a, b):
    """dst = the whole product of two signed words."""
    result = product(a, b, dst.low)
    term = word_like(dst.low)
    for operands in ((a, b), (b, a)):
        if not is_number(operands[0]) or operands[0] < 0:
            sign = sign_word(own_word(operands[0], dst.low))
            integers.iand(term, sign, operands[1])
            integers.isub(result.high, result.high, term)
    copy(dst, result)


def iabs(dst, a):
    """(a ^ s) - s with s all ones for negative a: -2^63 keeps its value."""
    sign = sign_word(a.high)
    ixor(dst, a, Wide(sign, sign))
    subtract(dst, dst, Wide(sign, sign))


def _choose(dst, where, a, b):
    """dst = a where the predicate holds, else b."""
    result = pair_like(dst.low)
    copy(result, b)
    chosen = own_pair(a, dst.low)
    nisa.tensor_copy_predicated(
        dst=result.low, src=bits(chosen.low, nl.int32), predicate=where
    )
    nisa.tensor_copy_predicated(
        dst=result.high, src=bits(chosen.high, nl.int32), predicate=where
    )
    copy(dst, result)


def smin(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    _choose(dst, less(x, y, dst.low, True), x, y)


def smax(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    _choose(dst, less(x, y, dst.low, True), y, x)


def umin(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    _choose(dst, less(x, y, dst.low, False), x, y)


def umax(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    _choose(dst, less(x, y, dst.low, False), y, x)


MIRRORED = {"sgt": "slt", "sge": "sle", "ugt": "ult", "uge": "ule"}


def compare(dst, predicate, a, b):
    """dst, a uint32 tile, = 1 where `a predicate b` holds, else 0: eq, ne, and lt, le,
    gt, ge after s or u."""
    x = wide_of(a)
    y = wide_of(b)
    signed = predicate == "slt" or predicate == "sle"
    if predicate == "eq" or predicate == "ne":
        result = equal(x, y, dst)
    elif predicate == "slt" or predicate == "ult":
        result = less(x, y, dst, signed)
    elif predicate == "sle" or predicate == "ule":
        result = less(y, x, dst, signed)
    else:
        compare(dst, MIRRORED[predicate], y, x)
        return
    if predicate == "ne" or predicate == "sle" or predicate == "ule":
        nisa.tensor_scalar(dst=dst, data=result, op0=nl.bitwise_xor, operand0=1)
    else:
        nisa.tensor_copy(dst=dst, src=result)
