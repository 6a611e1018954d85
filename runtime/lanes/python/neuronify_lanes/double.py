"""Doubles in memory, floats on the chip: no engine knows 64-bit floats.

A double of memory is a Wide with its bits. Both conversions are exact integer
arithmetic and hold for all values: zeros keep their sign, and NaN stays NaN with the
upper bits of its payload.
"""

import nki.isa as nisa
import nki.language as nl

from .conversions import int_to_float
from .integer_bits import clz
from .integers import (
    SMALLEST,
    iabs,
    iadd,
    iand,
    ior,
    isub,
    lshr,
    put_int,
    shl,
    smax,
    smin,
)
from .tiles import bits, is_number, like, number
from .wide_words import Wide, compare_words, less, word_like

MAGNITUDE = 2147483647
FLOAT_INFINITY = 2139095040  # 0x7f800000
FLOAT_QUIET_NAN = 2143289344  # 0x7fc00000
DOUBLE_INFINITY = 2146435072  # 0x7ff00000, the high word
EXPONENT = 23  # of a float; of a double's high word: 20
BIASES = 896  # 1023 - 127


def _put(dst, value, lanes):
    """dst = value where `lanes`, a uint32 tile of 0 and 1, holds."""
    source = value
    if is_number(value):
        source = number(dst, value, nl.int32)
    nisa.tensor_copy_predicated(dst=dst, src=source, predicate=lanes)


def _significand(a):
    """The upper 31 bits of the significand of a finite double that is not subnormal.
    The last bit stands for all below it too."""
    result = word_like(a.low)
    part = word_like(a.low)
    iand(result, a.high, 1048575)
    ior(result, result, 1048576)
    shl(result, result, 10)
    lshr(part, a.low, 22)
    ior(result, result, part)
    shl(part, a.low, 10)
    ior(result, result, compare_words(part, 0, a.low, True, nl.not_equal))
    return result


def _shift_and_round(value, count):
    """value = value / 2^count of 31 bits, to nearest even; 0 where the count is above
    31."""
    beyond = compare_words(count, 31, value, True, nl.greater)
    half = word_like(value)
    odd = word_like(value)
    _put(value, 0, beyond)
    smin(count, count, 31)
    isub(half, count, 1)
    shl(half, 1, half)
    isub(half, half, 1)
    lshr(odd, value, count)
    iand(odd, odd, 1)
    iadd(value, value, half)
    iadd(value, value, odd)
    lshr(value, value, count)


def double_to_float(dst, a):
    """The nearest float, ties to even: infinite beyond the range, subnormal and zero
    below it."""
    magnitude = word_like(a.low)
    exponent = word_like(a.low)
    count = word_like(a.low)
    sign = word_like(a.low)
    payload = word_like(a.low)
    iand(magnitude, a.high, MAGNITUDE)
    iand(sign, a.high, SMALLEST)
    lshr(exponent, magnitude, 20)
    isub(exponent, exponent, BIASES)  # a float's: 1 to 254 for a normal one
    # 24 of the 31 bits, fewer below the normal floats.
    isub(count, 8, exponent)
    smax(count, count, 7)
    result = _significand(a)
    _shift_and_round(result, count)
    # The bit above the fraction counts the exponent up, as an overflow of the fraction
    # does.
    isub(exponent, exponent, 1)
    smax(exponent, exponent, 0)
    beyond = compare_words(exponent, 254, a.low, True, nl.greater_equal)
    smin(exponent, exponent, 254)
    shl(exponent, exponent, EXPONENT)
    iadd(result, result, exponent)
    _put(result, FLOAT_INFINITY, beyond)
    # NaN is what lies above infinity.
    nan = less(Wide(0, DOUBLE_INFINITY), Wide(a.low, magnitude), a.low, True)
    shl(payload, magnitude, 3)
    iand(payload, payload, 8388607)
    ior(payload, payload, FLOAT_QUIET_NAN)
    _put(result, payload, nan)
    ior(dst, result, sign)


def float_to_double(dst, a):
    """The same number, subnormal ones too."""
    x = bits(a, nl.int32)
    result = word_like(x)
    sign = word_like(x)
    bias = word_like(x)
    normal = like(x, nl.float32)
    iand(result, x, MAGNITUDE)
    iand(sign, x, SMALLEST)
    small = compare_words(result, 1 << EXPONENT, x, True, nl.less)
    infinite = compare_words(result, FLOAT_INFINITY, x, True, nl.greater_equal)
    zero = compare_words(result, 0, x, True, nl.equal)
    # A subnormal number is its bits as an integer times 2^-149, and normal as a float.
    int_to_float(normal, result)
    _put(result, bits(normal, nl.int32), small)
    put_int(bias, BIASES << 20)
    _put(bias, (BIASES - 149) << 20, small)
    _put(bias, (2 * BIASES) << 20, infinite)  # the largest exponent of both
    _put(bias, 0, zero)
    shl(dst.low, result, 29)
    lshr(result, result, 3)
    iadd(result, result, bias)
    ior(dst.high, result, sign)


def uint_to_double(dst, a):
    """The same number."""
    result = word_like(a)
    exponent = word_like(a)
    zero = compare_words(a, 0, a, True, nl.equal)
    clz(exponent, a)
    # With the leading bit on top, which counts the exponent up by one.
    shl(result, a, exponent)
    isub(exponent, 1053, exponent)
    shl(exponent, exponent, 20)
    _put(exponent, 0, zero)
    shl(dst.low, result, 21)
    lshr(result, result, 11)
    iadd(dst.high, result, exponent)


def int_to_double(dst, a):
    """The same number."""
    magnitude = word_like(a)
    sign = word_like(a)
    iabs(magnitude, a)  # that of the smallest integer is right as an unsigned one
    iand(sign, a, SMALLEST)
    uint_to_double(dst, magnitude)
    ior(dst.high, dst.high, sign)
