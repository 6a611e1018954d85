"""Trigonometric functions, from ScalarE's sine on [-pi/2, pi/2], and their inverses,
from its arctangent on [0, 1]."""

import nki.isa as nisa
import nki.language as nl

from .floats import own_tile
from .formulas import (
    NARROW,
    SIGN_BIT,
    WIDE,
    activate,
    activate_into,
    bitwise,
    cast,
    combine,
    copy_where,
    float_of,
    in_stretches,
    in_stretches_of_two,
    int_of,
    inverse_of,
    magnitude,
    nan_where,
    pair,
    predicate,
    scalar,
)
from .quotients import divide, sqrt
from .reduction import reduce
from .tiles import bits, like

# pi / 2 in two parts.
HALF_PI = 1.5707963705062866
HALF_PI_REST = -4.371138828673793e-08
TWO_TO_30 = 1073741824.0


def _signed_sine(dst, rest, flip):
    """dst = sin(rest), negated where the sign bit of `flip` is set."""
    angle = pair(int_of(rest), nl.bitwise_xor, flip, nl.int32)
    activate_into(dst, nl.sin, float_of(angle))


def _sin(dst, x):
    reduced = reduce(x, "pi")
    _signed_sine(dst, reduced[1], bitwise(reduced[0], nl.left_shift, 31))


def sin(dst, a):
    in_stretches(WIDE, _sin, dst, a)


def _cos(dst, x):
    # cos((k + 1/2) pi + r) = -(-1)^k sin(r)
    reduced = reduce(x, "pi from half")
    flip = bitwise(reduced[0], nl.bitwise_xor, 1, nl.left_shift, 31)
    _signed_sine(dst, reduced[1], flip)


def cos(dst, a):
    in_stretches(WIDE, _cos, dst, a)


def _tan(dst, x):
    # sin(r) / cos(r), and minus its inverse in odd quarters.
    reduced = reduce(x, "half pi")
    sine = activate(nl.sin, reduced[1])
    cosine = activate(nl.sin, magnitude(reduced[1]), -1.0, HALF_PI)
    odd = bits(bitwise(reduced[0], nl.bitwise_and, 1), nl.uint32)
    numerator = cast(sine, nl.float32)
    copy_where(numerator, cosine, odd)
    copy_where(cosine, sine, odd)
    quotient = pair(numerator, nl.multiply, inverse_of(cosine))
    flip = bitwise(reduced[0], nl.left_shift, 31)
    nisa.tensor_tensor(
        dst=int_of(dst), data1=int_of(quotient), data2=flip, op=nl.bitwise_xor
    )


def tan(dst, a):
    in_stretches(WIDE, _tan, dst, a)


def _signed(dst, x, sign):
    """dst = x with the sign of `sign`, for x >= 0."""
    bit = bitwise(sign, nl.bitwise_and, SIGN_BIT)
    nisa.tensor_tensor(dst=int_of(dst), data1=int_of(x), data2=bit, op=nl.bitwise_or)


def _reflect(angle, where, halves):
    """Lanes of `where` of angle become `halves` times pi / 2 less it."""
    other = scalar(angle, nl.multiply, -1.0, nl.add, halves * HALF_PI)
    other = scalar(other, nl.add, halves * HALF_PI_REST)
    copy_where(angle, other, where)


def _first_quadrant(a, b, of_root):
    """arctan(a / b), or of the square root of that, for a and b >= 0. Zero over zero is
    0, infinity over infinity pi / 4; lanes with NaN hold anything."""
    small = pair(a, nl.minimum, b)
    large = pair(a, nl.maximum, b)
    ratio = like(a, nl.float32)
    divide(ratio, small, large)
    if of_root:
        sqrt(ratio, ratio, False)
    else:
        one = scalar(large, nl.greater, 0.0)
        copy_where(ratio, one, pair(a, nl.equal, b, nl.uint8))
    angle = activate(nl.arctan, ratio)
    _reflect(angle, pair(a, nl.greater, b, nl.uint8), 1.0)
    return angle


def _atan(dst, x):
    # arctan(|x|), or pi / 2 - arctan(1 / |x|); from 2^30 on the latter is nothing.
    size = magnitude(x)
    inverse = scalar(size, nl.maximum, 1.0, nl.minimum, TWO_TO_30)
    inverse = inverse_of(inverse)
    ratio = combine(size, nl.minimum, 1.0, nl.multiply, inverse)
    angle = activate(nl.arctan, ratio)
    _reflect(angle, predicate(size, nl.greater, 1.0), 1.0)
    unordered = pair(x, nl.not_equal, x, nl.uint8)
    _signed(dst, angle, x)
    nan_where(dst, unordered)


def atan(dst, a):
    in_stretches(NARROW, _atan, dst, a)


def _atan2(dst, upward, rightward):
    y = cast(own_tile(upward, dst), nl.float32)
    x = cast(own_tile(rightward, dst), nl.float32)
    unordered = pair(y, nl.not_equal, y)
    unordered = pair(unordered, nl.add, pair(x, nl.not_equal, x), nl.uint8)
    angle = _first_quadrant(magnitude(y), magnitude(x), False)
    left = bits(bitwise(x, nl.right_shift, 31), nl.uint32)
    _reflect(angle, left, 2.0)
    _signed(dst, angle, y)
    nan_where(dst, unordered)


def atan2(dst, y, x):
    in_stretches_of_two(NARROW, _atan2, dst, y, x)


def _asin(dst, x):
    # arctan(x / sqrt((1 - x) (1 + x))): 1 - x is exact where the root is small.
    size = magnitude(x)
    other = scalar(size, nl.multiply, -1.0, nl.add, 1.0)
    other = combine(size, nl.add, 1.0, nl.multiply, other)
    inside = predicate(size, nl.less_equal, 1.0)
    sqrt(other, other, False)
    _signed(dst, _first_quadrant(size, other, False), x)
    nan_where(dst, inside, True)


def asin(dst, a):
    in_stretches(NARROW, _asin, dst, a)


def _acos(dst, x):
    # 2 arctan(sqrt((1 - x) / (1 + x)))
    inside = predicate(x, nl.abs, 0.0, nl.less_equal, 1.0)
    up = scalar(x, nl.multiply, -1.0, nl.add, 1.0)
    down = scalar(x, nl.add, 1.0)
    half = _first_quadrant(up, down, True)
    nisa.tensor_scalar(dst=dst, data=half, op0=nl.multiply, operand0=2.0)
    nan_where(dst, inside, True)


def acos(dst, a):
    in_stretches(NARROW, _acos, dst, a)
