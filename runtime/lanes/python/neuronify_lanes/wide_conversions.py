"""Conversions between 64-bit integers and floats."""

import nki.isa as nisa
import nki.language as nl

from . import conversions, integers
from .floats import fabs
from .integers import SMALLEST, sign_of
from .tiles import bits, like, number
from .wide_arithmetic import iabs
from .wide_words import (
    Wide,
    compare_words,
    copy,
    pair_like,
    subtract,
    word_like,
)

EXPONENT = 23  # of fp32
TWO_TO_32 = 4294967296.0
TWO_TO_MINUS_32 = 2.3283064365386963e-10
TWO_TO_63 = 9223372036854775808.0
TWO_TO_64 = 18446744073709551616.0


def _uint(tile):
    return bits(tile, nl.uint32)


def _scalar(dst, data, op0, operand0, op1=None, operand1=None):
    nisa.tensor_scalar(
        dst=dst, data=data, op0=op0, operand0=operand0, op1=op1, operand1=operand1
    )


def _pair(dst, a, op, b):
    nisa.tensor_tensor(dst=dst, data1=a, data2=b, op=op)


def _excess_bits(high):
    """How many bits of the magnitude lie above a word: 1 to 32 where `high` is not 0.
    Just below a power of two that may be one more than there are: the word has 31 bits
    then."""
    rough = like(high, nl.float32)
    result = like(high, nl.uint32)
    nisa.tensor_copy(dst=rough, src=_uint(high))
    _scalar(result, _uint(rough), nl.right_shift, EXPONENT)
    _scalar(result, result, nl.subtract, 126.0, nl.maximum, 1.0)
    _scalar(result, result, nl.minimum, 32.0)
    return result


def uint_to_float(dst, a):
    """The nearest float, ties to even.

    The upper 31 or 32 bits make a word whose last bit stands for all that is cut off,
    which is below the one that rounds: the engine's conversion of it rounds the whole
    number.
    """
    excess = _excess_bits(a.high)
    count = like(dst, nl.uint32)
    part = like(dst, nl.uint32)
    word = like(dst, nl.uint32)
    cut = like(dst, nl.uint32)
    _scalar(count, excess, nl.subtract, 1.0)
    _scalar(word, _uint(a.low), nl.right_shift, 1)
    _pair(word, word, nl.right_shift, count)
    _scalar(count, excess, nl.multiply, -1.0, nl.add, 32.0)
    _pair(part, _uint(a.high), nl.left_shift, count)
    _pair(word, word, nl.bitwise_or, part)
    _pair(cut, _uint(a.low), nl.left_shift, count)
    _scalar(cut, cut, nl.not_equal, 0.0)
    _pair(word, word, nl.bitwise_or, cut)
    # Times 2^excess.
    scale = like(dst, nl.uint32)
    result = like(dst, nl.float32)
    small = like(dst, nl.float32)
    _scalar(scale, excess, nl.add, 127.0)
    _scalar(scale, scale, nl.left_shift, EXPONENT)
    _pair(result, word, nl.multiply, bits(scale, nl.float32))
    # A number of one word is converted as it is.
    nisa.tensor_copy(dst=small, src=_uint(a.low))
    is_small = compare_words(a.high, 0, dst, True, nl.equal)
    nisa.tensor_copy_predicated(dst=result, src=small, predicate=is_small)
    nisa.tensor_copy(dst=bits(dst, nl.float32), src=result)


def int_to_float(dst, a):
    magnitude = pair_like(a.low)
    sign = word_like(a.low)
    result = like(dst, nl.float32)
    iabs(magnitude, a)
    integers.iand(sign, a.high, SMALLEST)
    uint_to_float(result, magnitude)
    integers.ior(dst, result, sign)


def _split(dst, a):
    """The words of a nonnegative float without its fraction, below 2^64. The high word
    has 24 bits at most, so what is left of the float is exact."""
    scaled = like(a, nl.float32)
    rest = like(a, nl.float32)
    _scalar(scaled, a, nl.multiply, TWO_TO_MINUS_32)
    conversions.float_to_uint(dst.high, scaled)
    nisa.scalar_tensor_tensor(
        dst=rest,
        data=_uint(dst.high),
        op0=nl.multiply,
        operand0=-TWO_TO_32,
        op1=nl.add,
        operand1=a,
    )
    conversions.float_to_uint(dst.low, rest)


def _put(dst, low, high, where):
    """Lanes of `where` take a number; as tiles, for an instruction takes a number as
    fp32."""
    nisa.tensor_copy_predicated(
        dst=dst.low, src=number(dst.low, low, nl.int32), predicate=where
    )
    nisa.tensor_copy_predicated(
        dst=dst.high, src=number(dst.low, high, nl.int32), predicate=where
    )


def _put_where(dst, low, high, a, op, bound):
    where = like(a, nl.uint32)
    _scalar(where, a, op, bound)
    _put(dst, low, high, where)


def _put_where_nan(dst, a):
    where = like(a, nl.uint32)
    _pair(where, a, nl.not_equal, a)
    _put(dst, 0, SMALLEST, where)


def float_to_uint(dst, a):
    """Truncates and saturates; NaN gives 2^63, as PTX's cvt to 64 bits."""
    x = bits(a, nl.float32)
    positive = like(a, nl.float32)
    result = pair_like(a)
    _scalar(positive, x, nl.maximum, 0.0)
    _split(result, positive)
    _put_where(result, -1, -1, x, nl.greater_equal, TWO_TO_64)
    _put_where(result, 0, 0, x, nl.less_equal, 0.0)
    _put_where_nan(result, x)
    copy(dst, result)


def float_to_int(dst, a):
    x = bits(a, nl.float32)
    magnitude = like(a, nl.float32)
    sign = word_like(a)
    result = pair_like(a)
    fabs(magnitude, x)
    sign_of(sign, x)
    _split(result, magnitude)
    integers.ixor(result.low, result.low, sign)
    integers.ixor(result.high, result.high, sign)
    subtract(result, result, Wide(sign, sign))
    _put_where(result, -1, 2147483647, x, nl.greater_equal, TWO_TO_63)
    _put_where(result, 0, SMALLEST, x, nl.less_equal, -TWO_TO_63)
    _put_where_nan(result, x)
    copy(dst, result)


def float_to_int_rn(dst, a):
    whole = like(a, nl.float32)
    conversions.rint(whole, a)
    float_to_int(dst, whole)


def float_to_int_rd(dst, a):
    whole = like(a, nl.float32)
    conversions.floor(whole, a)
    float_to_int(dst, whole)


def float_to_int_ru(dst, a):
    whole = like(a, nl.float32)
    conversions.ceil(whole, a)
    float_to_int(dst, whole)


def float_to_uint_rn(dst, a):
    whole = like(a, nl.float32)
    conversions.rint(whole, a)
    float_to_uint(dst, whole)
