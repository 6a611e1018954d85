"""fmod, exactly."""

import nki.isa as nisa
import nki.language as nl

from .floats import own_tile
from .formulas import (
    INFINITY,
    NARROW,
    TWO_TO_23,
    UPPER_HALF,
    bitwise,
    cast,
    copy_where,
    fields_of,
    float_of,
    in_stretches_of_two,
    inverse_of,
    nan_where,
    pair,
    power_of_two,
    predicate,
    scalar,
    scale_with_sign,
    trip_count,
)
from .reduction import ONE_TWELFTH
from .tiles import like


def _remainder(dividend, divisor):
    """The remainder nearest to 0 of a dividend of up to 24 significant bits, below 2^12
    divisors of 24 bits: the quotient has 12 bits, so all products and differences are
    exact. `divisor` is the divisor, its inverse, and its upper and lower bits."""
    quotient = pair(dividend, nl.multiply, divisor[1], nl.int32)
    rest = pair(dividend, nl.subtract, pair(quotient, nl.multiply, divisor[2]))
    return pair(rest, nl.subtract, pair(quotient, nl.multiply, divisor[3]))


def _fmod(dst, first, second):
    a = own_tile(first, dst)
    b = own_tile(second, dst)
    finite = scalar(a, nl.abs, 0.0, nl.less, INFINITY)
    divisible = scalar(b, nl.abs, 0.0, nl.greater, 0.0)  # 0 for NaN too
    defined = pair(finite, nl.multiply, divisible, nl.uint8)
    # With integers of 24 bits, a is x 2^distance units of b = y.
    x = fields_of(a, False)
    y = fields_of(b, False)
    distance = pair(x[1], nl.subtract, y[1])
    reducible = predicate(distance, nl.greater_equal, 0.0)
    size = scalar(y[0], nl.multiply, TWO_TO_23)
    upper = float_of(bitwise(size, nl.bitwise_and, UPPER_HALF))
    divisor = (size, inverse_of(size), upper, pair(size, nl.subtract, upper))
    rest = _remainder(scalar(x[0], nl.multiply, TWO_TO_23), divisor)
    # Twelve bits of the quotient per round, as many rounds as the largest distance
    # takes.
    left = scalar(distance, nl.maximum, 0.0)
    rounds = scalar(left, nl.add, 5.5, nl.multiply, ONE_TWELFTH, nl.int32)
    count = trip_count(rounds)
    for _ in nl.dynamic_range(count):
        shift = scalar(left, nl.minimum, 12.0, dtype=nl.int32)
        nisa.tensor_tensor(dst=left, data1=left, data2=shift, op=nl.subtract)
        shifted = pair(rest, nl.multiply, power_of_two(shift))
        nisa.tensor_copy(dst=rest, src=_remainder(shifted, divisor))
    unit = scalar(y[1], nl.subtract, 150.0, dtype=nl.int32)
    negative = scalar(rest, nl.less, 0.0)
    positive = pair(pair(negative, nl.multiply, size), nl.add, rest)
    result = like(dst, nl.float32)
    scale_with_sign(result, positive, unit, a)
    kept = cast(a, nl.float32)  # where |a| is less than |b| at first sight
    copy_where(kept, result, reducible)
    nan_where(kept, defined, True)
    nisa.tensor_copy(dst=dst, src=kept)


def fmod(dst, a, b):
    in_stretches_of_two(NARROW, _fmod, dst, a, b)
