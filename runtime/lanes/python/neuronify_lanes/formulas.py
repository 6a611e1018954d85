"""Formulas of tiles: each function issues one instruction and returns a fresh tile, so
that a sequence of instructions reads like the formula it computes.

Float constants, here and in all modules, are written with as many digits as single them
out among 64-bit floats too, and their values are 32-bit floats. So they are the same
numbers whether a float of the language has 32 or 64 bits.
"""

import nki.isa as nisa
import nki.language as nl

from .integers import SMALLEST
from .tiles import bits, is_tile, like

INFINITY = float("inf")
NAN_BITS = 2143289344  # 0x7fc00000
LN_2 = 0.6931471824645996
SMALLEST_NORMAL = 1.1754943508222875e-38  # 2^-126
TWO_TO_23 = 8388608.0
TWO_TO_24 = 16777216.0

# Fields of the bit pattern of a float.
SIGN_BIT = SMALLEST
MAGNITUDE_BITS = 2147483647
MANTISSA_BITS = 8388607
ONE_BITS = 1065353216  # 0x3f800000, of 1.0
UPPER_HALF = -4096  # 0xfffff000, of a mantissa

# Sequences with few live scratch tiles, and with many, take so many lanes of a
# partition at a time.
WIDE = 2048
NARROW = 512


def int_of(tile):
    """The same bytes as int32."""
    return bits(tile, nl.int32)


def float_of(tile):
    """The same bytes as float32."""
    return bits(tile, nl.float32)


def scalar(data, op0, operand0, op1=None, operand1=None, dtype=nl.float32):
    """(data op0 operand0) op1 operand1"""
    result = like(data, dtype)
    nisa.tensor_scalar(
        dst=result, data=data, op0=op0, operand0=operand0, op1=op1, operand1=operand1
    )
    return result


def bitwise(data, op0, operand0, op1=None, operand1=None):
    """(data op0 operand0) op1 operand1 on bit patterns, as int32"""
    return scalar(int_of(data), op0, operand0, op1, operand1, nl.int32)


def pair(a, op, b, dtype=nl.float32):
    """a op b"""
    result = like(a, dtype)
    nisa.tensor_tensor(dst=result, data1=a, data2=b, op=op)
    return result


def combine(data, op0, operand0, op1, tile, dtype=nl.float32):
    """(data op0 operand0) op1 tile"""
    result = like(data, dtype)
    nisa.scalar_tensor_tensor(
        dst=result, data=data, op0=op0, operand0=operand0, op1=op1, operand1=tile
    )
    return result


def activate_into(dst, op, data, scale=1.0, bias=-0.0):
    """dst = op(data * scale + bias) on ScalarE. It is -0 that changes nothing as a
    bias: next to +0 a negative zero would not reach the function."""
    nisa.activation(dst=dst, op=op, data=data, bias=bias, scale=scale)


def activate(op, data, scale=1.0, bias=-0.0):
    result = like(data, nl.float32)
    activate_into(result, op, data, scale, bias)
    return result


def cast(data, dtype):
    """The values as another type: to nearest even, saturating for integers, whose NaN
    is 0."""
    result = like(data, dtype)
    nisa.tensor_copy(dst=result, src=data)
    return result


def predicate(data, op0, operand0, op1=None, operand1=None):
    """(data op0 operand0) op1 operand1, where 1 or 0, as what an instruction takes for
    a predicate"""
    return scalar(data, op0, operand0, op1, operand1, nl.uint8)


def inverse_of(data):
    """1 / data on VectorE"""
    result = like(data, nl.float32)
    nisa.reciprocal(dst=result, data=data)
    return result


def is_ordinary(x):
    """1 where x is finite and not zero, else 0."""
    finite = scalar(x, nl.abs, 0.0, nl.less, INFINITY)
    return combine(x, nl.not_equal, 0.0, nl.multiply, finite)


def magnitude(x):
    return float_of(bitwise(x, nl.bitwise_and, MAGNITUDE_BITS))


def sign_and_one(x):
    """1 with the sign of x."""
    return float_of(bitwise(x, nl.bitwise_and, SIGN_BIT, nl.bitwise_or, ONE_BITS))


def with_sign(dst, x, sign):
    """dst = |x| with the sign bit of `sign`."""
    bit = bitwise(sign, nl.bitwise_and, SIGN_BIT)
    size = bitwise(x, nl.bitwise_and, MAGNITUDE_BITS)
    nisa.tensor_tensor(dst=int_of(dst), data1=size, data2=bit, op=nl.bitwise_or)


def nan_where(dst, where, reverse=False):
    """Lanes of `where`, or the others, of dst become NaN."""
    column = nl.ndarray((dst.shape[0], 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.memset(dst=column, value=NAN_BITS)
    nisa.tensor_copy_predicated(
        dst=dst,
        src=column.view(nl.float32).broadcast(1, dst.shape[1]),
        predicate=where,
        reverse_pred=reverse,
    )


def copy_where(dst, src, where, reverse=False):
    nisa.tensor_copy_predicated(dst=dst, src=src, predicate=where, reverse_pred=reverse)


def power_of_two(n):
    """2^n for an int32 tile of n in [-126, 127], and 0 for n = -127: its bit pattern,
    which has eight significant bits."""
    return float_of(scalar(n, nl.add, 127.0, nl.multiply, TWO_TO_23, nl.int32))


def fields_of(x, keep_sign):
    """The mantissa, in [1, 2) or with the sign of x, and the exponent plus 127, an
    int32 tile, of finite x. For subnormal numbers that is less than 1; zero has 1 and
    -24."""
    subnormal = scalar(x, nl.abs, 0.0, nl.less, SMALLEST_NORMAL)
    factor = scalar(subnormal, nl.multiply, TWO_TO_24, nl.maximum, 1.0)
    normal = pair(x, nl.multiply, factor)
    biased = bitwise(normal, nl.right_shift, 23, nl.bitwise_and, 255)
    kept = SIGN_BIT + MANTISSA_BITS if keep_sign else MANTISSA_BITS
    mantissa = bitwise(normal, nl.bitwise_and, kept, nl.bitwise_or, ONE_BITS)
    exponent = combine(subnormal, nl.multiply, -24.0, nl.add, biased, nl.int32)
    return float_of(mantissa), exponent


def exact_product(a, b):
    """(high, excess) with a * b = high - excess exactly, where nothing underflows and
    high is finite.

    Dekker, Numerische Mathematik 18 (1971): the products of halves of 12 bits are
    exact, and are taken off the rounded product from the largest to the smallest.
    """
    a_high = float_of(bitwise(a, nl.bitwise_and, UPPER_HALF))
    b_high = float_of(bitwise(b, nl.bitwise_and, UPPER_HALF))
    a_low = pair(a, nl.subtract, a_high)
    b_low = pair(b, nl.subtract, b_high)
    high = pair(a, nl.multiply, b)
    rest = pair(high, nl.subtract, pair(a_high, nl.multiply, b_high))
    rest = pair(rest, nl.subtract, pair(a_low, nl.multiply, b_high))
    rest = pair(rest, nl.subtract, pair(a_high, nl.multiply, b_low))
    return high, pair(rest, nl.subtract, pair(a_low, nl.multiply, b_low))


def _less_product(rest, a, column):
    """rest - a * column"""
    result = like(a, nl.float32)
    nisa.scalar_tensor_tensor(
        dst=result,
        data=a,
        op0=nl.multiply,
        operand0=column,
        op1=nl.subtract,
        operand1=rest,
        reverse1=True,
    )
    return result


def exact_product_by(a, column):
    """The same for a number that a column {P, 1} holds."""
    b_high = float_of(bitwise(column, nl.bitwise_and, UPPER_HALF))
    b_low = pair(column, nl.subtract, b_high)
    a_high = float_of(bitwise(a, nl.bitwise_and, UPPER_HALF))
    a_low = pair(a, nl.subtract, a_high)
    high = scalar(a, nl.multiply, column)
    rest = _less_product(_less_product(high, a_high, b_high), a_low, b_high)
    rest = _less_product(_less_product(rest, a_high, b_low), a_low, b_low)
    return high, rest


def exact_sum(a, b):
    """(high, low) with a + b = high + low exactly, where high is finite. Knuth's, for
    any order of magnitudes."""
    high = pair(a, nl.add, b)
    b_part = pair(high, nl.subtract, a)
    a_part = pair(high, nl.subtract, b_part)
    a_lost = pair(a, nl.subtract, a_part)
    b_lost = pair(b, nl.subtract, b_part)
    return high, pair(a_lost, nl.add, b_lost)


def _outward(total):
    """1, or -1 where low leads towards zero."""
    signs = pair(int_of(total[0]), nl.bitwise_xor, int_of(total[1]), nl.int32)
    return sign_and_one(signs)


def _moved_to_odd(high, direction):
    """high moved by one in `direction`, which is 1, -1 or 0, where its last bit is not
    set."""
    even = bitwise(high, nl.bitwise_and, 1, nl.bitwise_xor, 1)
    step = pair(direction, nl.multiply, even, nl.int32)
    return float_of(pair(int_of(high), nl.add, step, nl.int32))


def to_odd_where(total, inexact):
    """high + low, of (high, low) with high the float nearest to the sum, rounded to
    odd: where the sum lies between two floats, the one whose last bit is set. What is
    rounded from it later, to fewer bits, is rounded as the exact sum would be (Boldo
    and Melquiond, IEEE TC 57, 2008). `inexact` is 1 where low counts and else 0; low
    may be an int32 tile."""
    return _moved_to_odd(total[0], pair(inexact, nl.multiply, _outward(total)))


def to_odd(total):
    """The same where low is a number everywhere."""
    outward = _outward(total)
    direction = combine(total[1], nl.not_equal, 0.0, nl.multiply, outward)
    return _moved_to_odd(total[0], direction)


def scale_with_sign(dst, x, n, sign):
    """dst = |x| * 2^n with the sign of `sign`, for an int32 tile n in [-252, 254]; x *
    2^n must be exact or overflow."""
    half = scalar(n, nl.multiply, 0.5, dtype=nl.int32)
    rest = combine(half, nl.multiply, -1.0, nl.add, n, nl.int32)
    scaled = pair(x, nl.multiply, power_of_two(half))
    scaled = pair(scaled, nl.multiply, power_of_two(rest))
    with_sign(dst, scaled, sign)


def trip_count(values):
    """The largest value of all lanes, none of them NaN, as a register that bounds a
    loop."""
    rows = nl.ndarray((values.shape[0], 1), dtype=nl.float32, buffer=nl.sbuf)
    largest = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.tensor_reduce(dst=rows, op=nl.maximum, data=values, axis=1)
    nisa.tensor_partition_reduce(dst=largest, op=nl.maximum, data=rows)
    count = nisa.register_alloc(0)
    nisa.register_load(dst=count, src=largest)
    return count


def in_stretches(width, function, dst, a):
    """function(dst, a) on stretches of at most `width` lanes per partition."""
    lanes = dst.shape[1]
    for first in range(0, lanes, width):
        end = min(first + width, lanes)
        function(dst[:, first:end], a[:, first:end])


def part_of(a, dst, first, end):
    """A stretch of an operand; one that is the same in all lanes stays as it is."""
    if is_tile(a, dst) and dst.shape[1] != end - first:
        return a[:, first:end]
    return a


def in_stretches_of_two(width, function, dst, a, b):
    lanes = dst.shape[1]
    for first in range(0, lanes, width):
        end = min(first + width, lanes)
        x = part_of(a, dst, first, end)
        y = part_of(b, dst, first, end)
        function(dst[:, first:end], x, y)


def in_stretches_of_three(width, function, dst, a, b, c):
    lanes = dst.shape[1]
    for first in range(0, lanes, width):
        end = min(first + width, lanes)
        x = part_of(a, dst, first, end)
        y = part_of(b, dst, first, end)
        z = part_of(c, dst, first, end)
        function(dst[:, first:end], x, y, z)
