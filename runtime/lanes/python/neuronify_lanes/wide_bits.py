"""Bit operators, shifts, counts and extensions of 64-bit integers."""

import nki.isa as nisa
import nki.language as nl

from . import integer_bits, integers
from .integers import put_int, sign_of
from .tiles import bits, is_number, like
from .wide_words import (
    Wide,
    compare_words,
    fill,
    is_known,
    is_word,
    own_pair,
    own_word,
    pair_like,
    sign_word,
    wide_of,
    word_like,
)


def _uint(tile):
    return bits(tile, nl.uint32)


def _and_word(dst, a, b):
    if is_word(a, 0) or is_word(b, 0):
        put_int(dst, 0)
    elif is_word(a, -1) or is_word(b, -1):
        put_int(dst, b if is_word(a, -1) else a)
    else:
        integers.iand(dst, a, b)


def _or_word(dst, a, b):
    if is_word(a, -1) or is_word(b, -1):
        put_int(dst, -1)
    elif is_word(a, 0) or is_word(b, 0):
        put_int(dst, b if is_word(a, 0) else a)
    else:
        integers.ior(dst, a, b)


def _xor_word(dst, a, b):
    if is_word(a, 0) or is_word(b, 0):
        put_int(dst, b if is_word(a, 0) else a)
    else:
        integers.ixor(dst, a, b)


def iand(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    _and_word(dst.low, x.low, y.low)
    _and_word(dst.high, x.high, y.high)


def ior(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    _or_word(dst.low, x.low, y.low)
    _or_word(dst.high, x.high, y.high)


def ixor(dst, a, b):
    x = wide_of(a)
    y = wide_of(b)
    _xor_word(dst.low, x.low, y.low)
    _xor_word(dst.high, x.high, y.high)


# ---- shifts ----


def _shift_by_lane(from_dst, to_dst, source, target, count, op, back):
    """Shifts by a count per lane modulo 64, from the word `source` into the word
    `target`: left from the low word, right from the high one. What leaves a word comes
    over in two shifts, none of them by 32."""
    moved = like(source, nl.uint32)
    rest = like(source, nl.uint32)
    whole = like(source, nl.uint32)  # not 0 where a whole word moves as well
    counts = _uint(count)
    nisa.tensor_scalar(dst=moved, data=counts, op0=nl.bitwise_and, operand0=31)
    nisa.tensor_scalar(dst=rest, data=moved, op0=nl.bitwise_xor, operand0=31)
    nisa.tensor_scalar(dst=whole, data=counts, op0=nl.bitwise_and, operand0=32)
    over = like(source, nl.uint32)
    nisa.tensor_scalar(dst=over, data=_uint(source), op0=back, operand0=1)
    nisa.tensor_tensor(dst=over, data1=over, data2=rest, op=back)
    nisa.tensor_tensor(dst=_uint(to_dst), data1=_uint(target), data2=moved, op=op)
    integers.ior(to_dst, to_dst, over)
    nisa.tensor_tensor(dst=_uint(from_dst), data1=_uint(source), data2=moved, op=op)
    nisa.tensor_copy_predicated(
        dst=bits(to_dst, nl.int32), src=bits(from_dst, nl.int32), predicate=whole
    )
    nisa.tensor_copy_predicated(dst=bits(from_dst, nl.int32), src=0, predicate=whole)


def _funnel(dst, high, low, left):
    """The upper word of high:low shifted left by a number from 1 to 31."""
    over = word_like(dst)
    integers.lshr(over, low, 32 - left)
    integers.shl(dst, high, left)
    integers.ior(dst, dst, over)


def _number_of(count):
    """A count for all lanes, clamped to 64."""
    return count if count >= 0 and count < 64 else 64


def shl(dst, a, count):
    """By numbers of 64 and more 0; per lane such counts are modulo 64."""
    x = wide_of(a)
    if is_known(x):
        x = own_pair(x, dst.low)
    if not is_number(count):
        x = own_pair(x, dst.low)
        _shift_by_lane(
            dst.low, dst.high, x.low, x.high, count, nl.left_shift, nl.right_shift
        )
        return
    n = _number_of(count)
    if n >= 64:
        fill(dst, 0)
        return
    if n >= 32:
        integers.shl(dst.high, x.low, n - 32)
        put_int(dst.low, 0)
        return
    if n > 0:
        _funnel(dst.high, x.high, x.low, n)
    else:
        put_int(dst.high, x.high)
    integers.shl(dst.low, x.low, n)


def lshr(dst, a, count):
    x = wide_of(a)
    if is_known(x):
        x = own_pair(x, dst.low)
    if not is_number(count):
        x = own_pair(x, dst.low)
        _shift_by_lane(
            dst.high, dst.low, x.high, x.low, count, nl.right_shift, nl.left_shift
        )
        return
    n = _number_of(count)
    if n >= 64:
        fill(dst, 0)
        return
    if n >= 32:
        integers.lshr(dst.low, x.high, n - 32)
        put_int(dst.high, 0)
        return
    if n > 0:
        _funnel(dst.low, x.high, x.low, 32 - n)
    else:
        put_int(dst.low, x.low)
    integers.lshr(dst.high, x.high, n)


def ashr(dst, a, count):
    x = wide_of(a)
    if not is_number(count):
        # With s all ones for negative x and 0 else, x >> n is ((x ^ s) >>> n) ^ s.
        x = own_pair(x, dst.low)
        sign = sign_word(x.high)
        flipped = pair_like(dst.low)
        ixor(flipped, x, Wide(sign, sign))
        lshr(flipped, flipped, count)
        ixor(dst, flipped, Wide(sign, sign))
        return
    n = _number_of(count)
    if n > 63:
        n = 63
    if is_known(x):
        x = own_pair(x, dst.low)
    if n >= 32:
        integers.ashr(dst.low, x.high, n - 32)
        sign_of(dst.high, own_word(x.high, dst.low))
    elif n > 0:
        _funnel(dst.low, x.high, x.low, 32 - n)
        integers.ashr(dst.high, x.high, n)
    else:
        put_int(dst.low, x.low)
        put_int(dst.high, x.high)


def _back(dst, count):
    """63 - count modulo 64"""
    result = like(dst.low, nl.int32)
    nisa.tensor_scalar(
        dst=_uint(result),
        data=_uint(count),
        op0=nl.bitwise_and,
        operand0=63,
        op1=nl.bitwise_xor,
        operand1=63,
    )
    return result


def fshl(dst, a, b, count):
    """The high 64 bits of a:b shifted left by count modulo 64."""
    low = pair_like(dst.low)
    high = pair_like(dst.low)
    if is_number(count):
        n = count & 63
        if n == 0:
            ior(dst, a, 0)
            return
        lshr(low, b, 64 - n)
        shl(high, a, n)
        ior(dst, high, low)
        return
    back = _back(dst, count)
    lshr(low, b, 1)  # in two steps, none of them by 64
    lshr(low, low, back)
    shl(high, a, count)
    ior(dst, high, low)


def fshr(dst, a, b, count):
    """The low 64 bits of a:b shifted right by count modulo 64."""
    if is_number(count):
        n = count & 63
        if n == 0:
            ior(dst, b, 0)
        else:
            fshl(dst, a, b, 64 - n)
        return
    low = pair_like(dst.low)
    high = pair_like(dst.low)
    back = _back(dst, count)
    shl(high, a, 1)
    shl(high, high, back)
    lshr(low, b, count)
    ior(dst, high, low)


# ---- counting and reversing: dst is a word ----


def popc(dst, a):
    low = word_like(dst)
    high = word_like(dst)
    integer_bits.popc(low, a.low)
    integer_bits.popc(high, a.high)
    integers.iadd(dst, low, high)


def clz(dst, a):
    """The zeros above the highest set bit; 64 for 0."""
    low = word_like(dst)
    high = word_like(dst)
    empty = compare_words(a.high, 0, dst, True, nl.equal)
    integer_bits.clz(low, a.low)
    integer_bits.clz(high, a.high)
    integers.iadd(low, low, 32)
    nisa.tensor_copy_predicated(dst=high, src=low, predicate=empty)
    put_int(dst, high)


def ctz(dst, a):
    """The zeros below the lowest set bit; 64 for 0: each word's, of the upper one only
    where the lower one is empty."""
    low = word_like(dst)
    high = word_like(dst)
    in_low = compare_words(a.low, 0, dst, True, nl.not_equal)
    integer_bits.ctz(low, a.low)
    integer_bits.ctz(high, a.high)
    integers.iadd(high, high, 32)
    nisa.tensor_copy_predicated(dst=high, src=low, predicate=in_low)
    put_int(dst, high)


def ffs(dst, a):
    """The place of the lowest set bit, from 1; 0 where there is none."""
    low = word_like(dst)
    high = word_like(dst)
    in_low = compare_words(a.low, 0, dst, True, nl.not_equal)
    in_high = compare_words(a.high, 0, dst, True, nl.not_equal)
    integer_bits.ffs(low, a.low)
    integer_bits.ffs(high, a.high)
    integers.shl(in_high, in_high, 5)
    integers.iadd(high, high, in_high)
    nisa.tensor_copy_predicated(dst=high, src=low, predicate=in_low)
    put_int(dst, high)


def brev(dst, a):
    high = word_like(dst.low)
    integer_bits.brev(high, a.low)
    integer_bits.brev(dst.low, a.high)
    put_int(dst.high, high)


# ---- extension ----


def sext(dst, a, width):
    """The low `width` bits of a word (up to 32) or of a pair (from 33), the highest of
    them repeated above."""
    if isinstance(a, Wide):
        put_int(dst.low, a.low)
        integer_bits.sext(dst.high, a.high, width - 32)
        return
    if width < 32:
        integer_bits.sext(dst.low, a, width)
    else:
        put_int(dst.low, a)
    sign_of(dst.high, dst.low)


def zext(dst, a, width):
    """The same with zeros above."""
    if isinstance(a, Wide):
        put_int(dst.low, a.low)
        integer_bits.zext(dst.high, a.high, width - 32)
        return
    if width < 32:
        integer_bits.zext(dst.low, a, width)
    else:
        put_int(dst.low, a)
    put_int(dst.high, 0)
