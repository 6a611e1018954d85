"""Numbers that the original's host code or launch decides, with the arithmetic of C.

Integers keep the range of their C type. Floats are Python's where that has double precision, rounded
to single after each operation, which for + - * / is what single precision gives; a language that has
single precision only rounds by itself.
"""

from . import index

INFINITY = float("inf")
NAN = float("nan")

_LARGEST = 3.4028234663852886e38
_SMALLEST_NORMAL = 1.1754943508222875e-38


def i8(value):
    return index.wrap(value, 8)


def u8(value):
    return value & 255


def i16(value):
    return index.wrap(value, 16)


def u16(value):
    return value & 65535


def i32(value):
    return index.wrap(value, 32)


def u32(value):
    return value & 4294967295


def i64(value):
    return index.wrap(value, 64)


def u64(value):
    return value & 18446744073709551615


def c_quotient(a, b):
    """C's a / b, rounded toward zero; 0 where b is 0."""
    return index.divide(a, b)


def c_remainder(a, b):
    """C's a % b, with the sign of a."""
    return 0 if b == 0 else a - b * index.divide(a, b)


def f32(value):
    """The nearest number of single precision, to even."""
    value = value * 1.0
    one = 1.0
    if one + 0.00000001 == one:
        return value  # the language's floats are single already
    size = abs(value)
    if value == 0.0 or value != value:
        return value
    if size > 1e290:
        return INFINITY if value > 0 else -INFINITY
    if size < _SMALLEST_NORMAL:
        # Multiples of 2^-149: adding 1.5 * 2^(52 - 149) rounds to them.
        shift = 1.5 * 2.0**-97
        return value + shift - shift
    # Dekker's splitting of 53 bits into 24 and the rest.
    large = value * 536870913.0
    rounded = large - (large - value)
    if abs(rounded) > _LARGEST:
        return INFINITY if value > 0 else -INFINITY
    return rounded


def divide_numbers(a, b):
    """a / b in single precision, also by zero."""
    if b == 0.0:
        if a == 0.0 or a != a:
            return NAN
        negative = (a < 0.0) != (1.0 * b < 0.0 or str(b) == "-0.0")
        return -INFINITY if negative else INFINITY
    return f32(a / b)
