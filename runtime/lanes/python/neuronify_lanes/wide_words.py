"""64-bit integers as pairs of words, because no engine knows wider ones than 32 bits.

Every operation is a sequence of exact 32-bit instructions and gives C's result modulo
2^64. An operand is a Wide or one number for all lanes. `dst` may be the pair of an
operand.
"""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from .integers import (
    SMALLEST,
    iadd,
    iand,
    imul,
    int_tile,
    isub,
    lshr,
    put_int,
    sign_of,
    uint_tile,
)
from .tiles import bits, is_number, like


class Wide(NKIObject):
    """The bits below and from 2^32 on of one integer per lane. Each word is an int32
    tile {P, F}, with storage of its own, or one number for all lanes in [-2^31, 2^31).
    """

    def __init__(self, low, high):
        self.low = low
        self.high = high


def wide_of(a):
    """The operand as a Wide. Of a number that does not fit in 32 bits the words are
    found in integers of more; where the language has none, such a number is a Wide from
    the start."""
    if not is_number(a):
        return a
    if a >= SMALLEST and a <= 2147483647:
        return Wide(a, -1 if a < 0 else 0)
    low = a & 4294967295
    high = (a >> 32) & 4294967295
    return Wide(
        low if low < 2147483648 else low - 4294967296,
        high if high < 2147483648 else high - 4294967296,
    )


def is_known(a):
    """Are both words numbers?"""
    return is_number(a.low) and is_number(a.high)


def is_word(a, value):
    return is_number(a) and a == value


def word_like(tile):
    return like(tile, nl.int32)


def pair_like(tile):
    return Wide(like(tile, nl.int32), like(tile, nl.int32))


def own_word(a, tile):
    """The word as a tile of the shape of `tile`, of which views can be made."""
    if not is_number(a):
        return a
    result = like(tile, nl.int32)
    put_int(result, a)
    return result


def own_pair(a, tile):
    return Wide(own_word(a.low, tile), own_word(a.high, tile))


def fill(dst, value):
    copy(dst, wide_of(value))


def copy(dst, a):
    put_int(dst.low, a.low)
    put_int(dst.high, a.high)


def words(dst, low, high):
    """dst = high * 2^32 + low, both as bits; they may be words of dst."""
    result = own_word(low, dst.low)
    if not is_number(low):
        result = like(dst.low, nl.int32)
        put_int(result, low)
    put_int(dst.high, high)
    put_int(dst.low, result)


def compare_words(a, b, tile, signed, op):
    """a op b as a fresh uint32 tile of 0 and 1."""
    result = like(tile, nl.uint32)
    if signed:
        nisa.tensor_tensor(
            dst=result, data1=int_tile(a, tile), data2=int_tile(b, tile), op=op
        )
    else:
        nisa.tensor_tensor(
            dst=result, data1=uint_tile(a, tile), data2=uint_tile(b, tile), op=op
        )
    return result


def less(a, b, tile, signed):
    """a < b as a fresh uint32 tile of 0 and 1."""
    if signed and is_word(b.low, 0) and is_word(b.high, 0):  # the sign
        result = like(tile, nl.uint32)
        nisa.tensor_scalar(
            dst=result, data=uint_tile(a.high, tile), op0=nl.right_shift, operand0=31
        )
        return result
    result = compare_words(a.high, b.high, tile, signed, nl.less)
    tied = compare_words(a.high, b.high, tile, True, nl.equal)
    below = compare_words(a.low, b.low, tile, False, nl.less)
    nisa.tensor_tensor(dst=tied, data1=tied, data2=below, op=nl.bitwise_and)
    nisa.tensor_tensor(dst=result, data1=result, data2=tied, op=nl.bitwise_or)
    return result


def equal(a, b, tile):
    """a = b as a fresh uint32 tile of 0 and 1."""
    result = compare_words(a.low, b.low, tile, True, nl.equal)
    high = compare_words(a.high, b.high, tile, True, nl.equal)
    nisa.tensor_tensor(dst=result, data1=result, data2=high, op=nl.bitwise_and)
    return result


def sign_word(high):
    """All ones where the word is negative, else 0; a fresh tile."""
    result = like(high, nl.int32)
    sign_of(result, high)
    return result


def add(dst, a, b):
    """dst = a + b, for Wides of which one word of each pair is a tile."""
    if is_word(a.low, 0) or is_word(b.low, 0):
        low = b.low if is_word(a.low, 0) else a.low
        iadd(dst.high, a.high, b.high)
        put_int(dst.low, low)
        return
    # The sum carries where it is below either summand.
    total = word_like(dst.low)
    iadd(total, a.low, b.low)
    summand = b.low if is_number(a.low) else a.low
    carry = bits(compare_words(total, summand, dst.low, False, nl.less), nl.int32)
    if is_word(a.high, 0) or is_word(b.high, 0):
        iadd(dst.high, b.high if is_word(a.high, 0) else a.high, carry)
    else:
        iadd(dst.high, a.high, b.high)
        iadd(dst.high, dst.high, carry)
    put_int(dst.low, total)


def subtract(dst, a, b):
    """dst = a - b"""
    if is_word(b.low, 0):
        isub(dst.high, a.high, b.high)
        put_int(dst.low, a.low)
        return
    borrow = compare_words(a.low, b.low, dst.low, False, nl.less)
    isub(dst.low, a.low, b.low)
    rest = a.high
    if not is_word(b.high, 0):
        isub(dst.high, a.high, b.high)
        rest = dst.high
    isub(dst.high, rest, bits(borrow, nl.int32))


def _lower_half(x, tile):
    if is_number(x):
        return x & 65535
    half = word_like(tile)
    iand(half, x, 65535)
    return half


def _upper_half(x, tile):
    if is_number(x):
        return (x >> 16) & 65535
    half = word_like(tile)
    lshr(half, x, 16)
    return half


def product(x, y, tile):
    """The whole product of unsigned words, in fresh tiles: products of halves, and the
    carries of the middle ones."""
    if is_number(x) and not is_number(y):
        return product(y, x, tile)
    result = pair_like(tile)
    imul(result.low, x, y)
    x0 = _lower_half(x, tile)
    x1 = _upper_half(x, tile)
    y0 = _lower_half(y, tile)
    y1 = _upper_half(y, tile)
    low = word_like(tile)
    middle = word_like(tile)
    imul(low, x0, y0)
    lshr(low, low, 16)
    imul(middle, x1, y0)  # at most (2^16 - 1)^2, so 16 more bits fit
    iadd(middle, middle, low)
    if is_word(y1, 0):
        lshr(result.high, middle, 16)
        return result
    imul(low, x0, y1)
    iand(result.high, middle, 65535)
    iadd(low, low, result.high)
    lshr(low, low, 16)
    lshr(middle, middle, 16)
    imul(result.high, x1, y1)
    iadd(result.high, result.high, middle)
    iadd(result.high, result.high, low)
    return result


def _add_product(total, a, b):
    """total += a * b modulo 2^32"""
    if is_word(a, 0) or is_word(b, 0):
        return
    term = word_like(total)
    imul(term, a, b)
    iadd(total, total, term)


def multiply(dst, a, b):
    """dst = a * b"""
    result = product(a.low, b.low, dst.low)
    _add_product(result.high, a.low, b.high)
    _add_product(result.high, a.high, b.low)
    copy(dst, result)
