"""Cubic roots, lengths, and the complementary error function."""

import nki.isa as nisa
import nki.language as nl

from .exponentials import log
from .floats import own_tile
from .formulas import (
    INFINITY,
    NARROW,
    SIGN_BIT,
    UPPER_HALF,
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
    is_ordinary,
    magnitude,
    pair,
    power_of_two,
    predicate,
    scalar,
)
from .quotients import divide, sqrt
from .tiles import like

ONE_THIRD = 0.3333333432674408
TWO_TO_60 = 1.152921504606847e18
TWO_TO_MINUS_50 = 8.881784197001252e-16


def _cbrt(dst, x):
    # e^(log(size) / 3) and a step of Newton's, after which only its own rounding is
    # left.
    size = magnitude(x)
    root = like(x, nl.float32)
    quotient = like(x, nl.float32)
    log(root, size)
    activate_into(root, nl.exp, root, ONE_THIRD)
    divide(quotient, size, pair(root, nl.multiply, root))
    root = combine(root, nl.multiply, 2.0, nl.add, quotient)
    third = scalar(root, nl.multiply, ONE_THIRD)
    ordinary = scalar(is_ordinary(x), nl.greater, 0.0, dtype=nl.uint8)
    copy_where(third, size, ordinary, True)
    sign = bitwise(x, nl.bitwise_and, SIGN_BIT)
    nisa.tensor_tensor(
        dst=int_of(dst), data1=int_of(third), data2=sign, op=nl.bitwise_or
    )


def cbrt(dst, a):
    in_stretches(NARROW, _cbrt, dst, a)


def _infinite_where(dst, x):
    copy_where(dst, INFINITY, predicate(x, nl.abs, 0.0, nl.equal, INFINITY))


def _hypot(dst, first, second):
    """sqrt(x^2 + y^2), scaled by a power of two where squares would overflow or be
    subnormal."""
    x = cast(own_tile(first, dst), nl.float32)
    y = cast(own_tile(second, dst), nl.float32)
    larger = pair(magnitude(x), nl.maximum, magnitude(y))
    tiny = scalar(larger, nl.less, TWO_TO_MINUS_50, nl.multiply, 100.0, nl.int32)
    huge = scalar(larger, nl.greater, TWO_TO_60, nl.multiply, -70.0)
    power = pair(huge, nl.add, tiny, nl.int32)
    scale = power_of_two(power)
    back = power_of_two(scalar(power, nl.multiply, -1.0, dtype=nl.int32))
    a = pair(x, nl.multiply, scale)
    b = pair(y, nl.multiply, scale)
    total = pair(pair(a, nl.multiply, a), nl.add, pair(b, nl.multiply, b))
    root = like(total, nl.float32)
    sqrt(root, total, False)
    result = pair(root, nl.multiply, back)
    _infinite_where(result, x)
    _infinite_where(result, y)
    nisa.tensor_copy(dst=dst, src=result)


def hypot(dst, a, b):
    in_stretches_of_two(NARROW, _hypot, dst, a, b)


# Chebyshev fit of log(erfc(z) e^(z^2) / t) in t = 1 / (1 + z / 2), fractional error
# 1.2e-7 (Press et al., Numerical Recipes, section 6.2).
ERFC_FIT = (
    0.170872762799263,
    -0.8221522569656372,
    1.488515853881836,
    -1.1352039575576782,
    0.27886807918548584,
    -0.18628805875778198,
    0.09678418189287186,
    0.3740919530391693,
    1.0000237226486206,
    -1.265512228012085,
)


def _erfc(dst, x):
    near = scalar(activate(nl.erf, x), nl.multiply, -1.0, nl.add, 1.0)
    z = scalar(x, nl.maximum, 0.0, nl.minimum, 12.0)
    t = inverse_of(scalar(z, nl.multiply, 0.5, nl.add, 1.0))
    fit = scalar(t, nl.multiply, ERFC_FIT[0], nl.add, ERFC_FIT[1])
    for i in range(2, len(ERFC_FIT)):
        fit = scalar(pair(fit, nl.multiply, t), nl.add, ERFC_FIT[i])
    # e^(-z^2) in two factors: the square of the first 12 bits of z is exact.
    high = float_of(bitwise(z, nl.bitwise_and, UPPER_HALF))
    rest = pair(pair(z, nl.subtract, high), nl.multiply, pair(z, nl.add, high))
    tail = activate(nl.exp, pair(fit, nl.subtract, rest))
    tail = pair(tail, nl.multiply, t)
    square = pair(high, nl.multiply, high)
    tail = pair(tail, nl.multiply, activate(nl.exp, square, -1.0))
    copy_where(near, tail, predicate(x, nl.greater, 0.5))
    nisa.tensor_copy(dst=dst, src=near)


def erfc(dst, a):
    in_stretches(NARROW, _erfc, dst, a)
