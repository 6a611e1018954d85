"""Quotients and square roots.

A quotient is a product with VectorE's reciprocal, and a square root one with GpSimdE's
reciprocal square root. The precise sequences look for the integer nearest to the result
in units of its last place: an approximation is right to one or two units, and the exact
remainder says which it is. Where the result is subnormal the units are 2^-149, so that
is rounded correctly too.
"""

import nki.isa as nisa
import nki.language as nl

from .floats import own_tile
from .formulas import (
    INFINITY,
    NARROW,
    TWO_TO_23,
    WIDE,
    bitwise,
    cast,
    combine,
    copy_where,
    exact_product,
    fields_of,
    in_stretches,
    in_stretches_of_two,
    int_of,
    inverse_of,
    is_ordinary,
    nan_where,
    pair,
    power_of_two,
    predicate,
    scalar,
    scale_with_sign,
)
from .tiles import is_number, is_tile, like

TWO_TO_32 = 4294967296.0
TWO_TO_46 = 70368744177664.0
TWO_TO_76 = 7.555786372591432e22
TWO_TO_100 = 1.2676506002282294e30
TWO_TO_126 = 8.507059173023462e37
TWO_TO_MINUS_23 = 1.1920928955078125e-07
TWO_TO_MINUS_24 = 5.960464477539063e-08
TWO_TO_MINUS_32 = 2.3283064365386963e-10
TWO_TO_MINUS_66 = 1.3552527156068805e-20
TWO_TO_MINUS_100 = 7.888609052210118e-31
TWO_TO_MINUS_126 = 1.1754943508222875e-38


def divide(dst, a, b):
    """a / b to a few units in the last place. Of a tiny b the reciprocal would
    overflow, so it is made larger first."""
    tiny = scalar(b, nl.abs, 0.0, nl.less, TWO_TO_MINUS_100)
    factor = scalar(tiny, nl.multiply, TWO_TO_32, nl.maximum, 1.0)
    inverse = inverse_of(pair(b, nl.multiply, factor))
    quotient = pair(a, nl.multiply, inverse)
    nisa.tensor_tensor(dst=dst, data1=quotient, data2=factor, op=nl.multiply)


def _units_of_quotient(a, b):
    """For the fields of a and b: the quotient in units of its last place is |a| * 2^n /
    |b| with mantissas a and b, and a unit is 2^unit. Returns n and unit, int32 tiles.
    """
    exponent = pair(a[1], nl.subtract, b[1])
    below_one = pair(a[0], nl.less, b[0])
    normal_bits = scalar(below_one, nl.add, 23.0)
    unit = pair(exponent, nl.subtract, normal_bits)
    unit = scalar(unit, nl.maximum, -149.0, dtype=nl.int32)
    # Less than half a unit is 0, however much less.
    count = pair(exponent, nl.subtract, unit)
    return scalar(count, nl.maximum, -2.0, dtype=nl.int32), unit


def _nearest_quotient(a, b):
    """The integer nearest to a / b, for a up to 2^25 b."""
    inverse = inverse_of(b)
    estimate = cast(pair(a, nl.multiply, inverse, nl.int32), nl.float32)
    product = exact_product(estimate, b)
    remainder = pair(pair(a, nl.subtract, product[0]), nl.add, product[1])
    # Two units off at most, and the products of two units with b are exact.
    step = pair(remainder, nl.multiply, inverse, nl.int32)
    estimate = pair(estimate, nl.add, step)
    remainder = pair(remainder, nl.subtract, pair(step, nl.multiply, b))
    # Halves of a unit, which only subnormal results have, go to even.
    odd = bitwise(cast(estimate, nl.int32), nl.bitwise_and, 1)
    up = combine(remainder, nl.multiply, 2.0, nl.greater, b)
    tie_up = combine(remainder, nl.multiply, 2.0, nl.equal, b)
    tie_up = pair(tie_up, nl.multiply, odd)
    down = combine(remainder, nl.multiply, -2.0, nl.greater, b)
    tie_down = combine(remainder, nl.multiply, -2.0, nl.equal, b)
    tie_down = pair(tie_down, nl.multiply, odd)
    up = pair(up, nl.add, tie_up)
    down = pair(down, nl.add, tie_down)
    return pair(estimate, nl.add, pair(up, nl.subtract, down))


def divide_precisely(dst, a, b):
    """a / b, rounded correctly."""
    ordinary = pair(is_ordinary(a), nl.multiply, is_ordinary(b), nl.uint8)
    special = like(dst, nl.float32)
    divide(special, a, b)
    sign = pair(int_of(a), nl.bitwise_xor, int_of(b), nl.int32)
    x = fields_of(a, False)
    y = fields_of(b, False)
    units = _units_of_quotient(x, y)
    dividend = pair(x[0], nl.multiply, power_of_two(units[0]))
    result = like(dst, nl.float32)
    scale_with_sign(result, _nearest_quotient(dividend, y[0]), units[1], sign)
    copy_where(special, result, ordinary)
    nisa.tensor_copy(dst=dst, src=special)


def _multiply_twice(dst, a, inverse, factor):
    nisa.tensor_scalar(
        dst=dst,
        data=a,
        op0=nl.multiply,
        operand0=inverse,
        op1=nl.multiply,
        operand1=factor,
    )


def _divide_by_number(dst, a, b):
    """By a number that is not 0: one instruction. Its inverse comes in two factors, so
    that neither it nor a product overflows or underflows early."""
    size = b if b > 0 else -b
    factor = 1.0
    if size < TWO_TO_MINUS_100:
        factor = TWO_TO_32
    elif size > TWO_TO_100:
        factor = TWO_TO_MINUS_32
    # A quotient of floats rounded to 64 bits first is rounded to 32 bits as it would be
    # at once.
    inverse = 1.0 / (b * factor)
    if factor == 1.0:
        nisa.tensor_scalar(dst=dst, data=a, op0=nl.multiply, operand0=inverse)
    else:
        _multiply_twice(dst, a, inverse, factor)


def _divide_by_column(dst, a, b):
    """The same with a data scalar, whose inverse the chip computes."""
    factor = like(b, nl.float32)
    nisa.memset(dst=factor, value=1.0)
    tiny = predicate(b, nl.abs, 0.0, nl.less, TWO_TO_MINUS_100)
    huge = predicate(b, nl.abs, 0.0, nl.greater, TWO_TO_100)
    copy_where(factor, TWO_TO_32, tiny)
    copy_where(factor, TWO_TO_MINUS_32, huge)
    inverse = like(b, nl.float32)
    divide_precisely(inverse, own_tile(1.0, b), pair(b, nl.multiply, factor))
    _multiply_twice(dst, a, inverse, factor)


def _is_power_of_two(value):
    """A power of two whose inverse is a normal number too."""
    size = value if value > 0 else -value
    if not (size >= TWO_TO_MINUS_126 and size <= TWO_TO_126):
        return False
    while size < 1.0:
        size = size * 2.0
    while size >= 2.0:
        size = size * 0.5
    return size == 1.0


def _divide_operands(dst, a, b):
    divide(dst, own_tile(a, dst), own_tile(b, dst))


def _divide_operands_precisely(dst, a, b):
    divide_precisely(dst, own_tile(a, dst), own_tile(b, dst))


def fdiv(dst, a, b, precise):
    """a / b: rounded correctly if `precise`, else to a few units in the last place."""
    if is_tile(a, dst) and not is_tile(b, dst):
        if is_number(b):
            b = 1.0 * b
            if b != 0 and (not precise or _is_power_of_two(b)):
                _divide_by_number(dst, a, b)
                return
        if not precise:
            _divide_by_column(dst, a, own_tile(b, dst[:, 0:1]))
            return
    if precise:
        in_stretches_of_two(NARROW, _divide_operands_precisely, dst, a, b)
    else:
        in_stretches_of_two(WIDE, _divide_operands, dst, a, b)


def reciprocal(dst, a, precise):
    if precise:
        fdiv(dst, 1.0, a, True)
    else:
        nisa.reciprocal(dst=dst, data=own_tile(a, dst))


def rsqrt(dst, a):
    nisa.tensor_scalar(dst=dst, data=own_tile(a, dst), op0=nl.rsqrt, operand0=0.0)


def _square_root(dst, x):
    negative = predicate(x, nl.less, 0.0)
    inverse = scalar(x, nl.rsqrt, 0.0)
    # x * (1 / sqrt(x)) would be NaN for zeros and infinity; a finite, positive factor
    # keeps them.
    factor = scalar(inverse, nl.maximum, TWO_TO_MINUS_66, nl.minimum, TWO_TO_76)
    nisa.tensor_tensor(dst=dst, data1=x, data2=factor, op=nl.multiply)
    nan_where(dst, negative)


def _nearest_square_root(x):
    """The integer nearest to sqrt(x) * 2^23, for x in [1, 4)."""
    inverse = scalar(x, nl.rsqrt, 0.0)
    estimate = combine(x, nl.multiply, TWO_TO_23, nl.multiply, inverse, nl.int32)
    estimate = cast(estimate, nl.float32)
    square = exact_product(estimate, estimate)
    coarse = combine(x, nl.multiply, TWO_TO_46, nl.subtract, square[0])
    remainder = pair(coarse, nl.add, square[1])
    # A step s of two units at most changes the square by 2 s n + s^2, in exact steps.
    step = combine(
        remainder, nl.multiply, TWO_TO_MINUS_24, nl.multiply, inverse, nl.int32
    )
    double_step = combine(step, nl.multiply, 2.0, nl.multiply, estimate)
    step_squared = pair(step, nl.multiply, step)
    coarse = pair(coarse, nl.subtract, double_step)
    rest = pair(square[1], nl.subtract, step_squared)
    remainder = pair(coarse, nl.add, rest)
    estimate = pair(estimate, nl.add, step)
    # The root is above n + 1/2 where the remainder is above n, and below n - 1/2 where
    # it is -n or less; it is never a half.
    up = pair(remainder, nl.greater, estimate)
    down = combine(remainder, nl.multiply, -1.0, nl.greater_equal, estimate)
    return pair(estimate, nl.add, pair(up, nl.subtract, down))


def _square_root_precisely(dst, x):
    positive = scalar(x, nl.greater, 0.0)
    ordinary = combine(x, nl.less, INFINITY, nl.multiply, positive, nl.uint8)
    special = like(dst, nl.float32)
    _square_root(special, x)
    fields = fields_of(x, False)
    # Where the exponent is odd, which is where the biased one is even, twice the
    # mantissa.
    odd = bitwise(fields[1], nl.bitwise_and, 1, nl.bitwise_xor, 1)
    radicand = combine(odd, nl.add, 1.0, nl.multiply, fields[0])
    exponent = combine(fields[1], nl.subtract, 127.0, nl.subtract, odd)
    half = scalar(exponent, nl.multiply, 0.5, dtype=nl.int32)
    root = _nearest_square_root(radicand)
    scale = power_of_two(half)
    result = combine(root, nl.multiply, TWO_TO_MINUS_23, nl.multiply, scale)
    copy_where(special, result, ordinary)
    nisa.tensor_copy(dst=dst, src=special)


def sqrt(dst, a, precise):
    if precise:
        in_stretches(NARROW, _square_root_precisely, dst, a)
    else:
        in_stretches(WIDE, _square_root, dst, a)
