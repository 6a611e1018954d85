"""a * b + c with one rounding."""

import nki.isa as nisa
import nki.language as nl

from .floats import own_tile, scalar_of
from .formulas import (
    INFINITY,
    MAGNITUDE_BITS,
    NARROW,
    SIGN_BIT,
    bitwise,
    combine,
    copy_where,
    exact_product,
    exact_product_by,
    exact_sum,
    fields_of,
    float_of,
    in_stretches_of_three,
    is_ordinary,
    pair,
    power_of_two,
    predicate,
    scalar,
    scale_with_sign,
    sign_and_one,
    to_odd,
)
from .quotients import TWO_TO_100
from .tiles import is_number, is_tile, like

# By default, to a few units in the last place: the product p loses e, which is found
# exactly, and p + c is s. Where the sum cancels so far that e matters, p + c is exact;
# where it rounds, the result is not much smaller than p, and e is small. So s - e has
# the error of two additions.


def _add_product(dst, product, c):
    if is_tile(c, dst):
        nisa.tensor_tensor(dst=dst, data1=product[0], data2=c, op=nl.add)
    else:
        nisa.tensor_scalar(dst=dst, data=product[0], op0=nl.add, operand0=scalar_of(c))
    finite = predicate(dst, nl.abs, 0.0, nl.less, INFINITY)
    corrected = pair(dst, nl.subtract, product[1])
    copy_where(dst, corrected, finite)


def _add_scaled_product(dst, a, b, c):
    """The product may overflow where the sum does not, but only next to a huge c, and
    for |a| > 1: all is a quarter then."""
    smaller = combine(a, nl.multiply, TWO_TO_100, nl.abs_min, c)
    ordinary = scalar(smaller, nl.less, TWO_TO_100)
    x = combine(ordinary, nl.maximum, 0.25, nl.multiply, a)
    z = combine(ordinary, nl.maximum, 0.25, nl.multiply, c)
    restore = scalar(ordinary, nl.multiply, -3.0, nl.add, 4.0)
    total = like(dst, nl.float32)
    _add_product(total, exact_product(x, b), z)
    nisa.tensor_tensor(dst=total, data1=total, data2=restore, op=nl.multiply)
    # An infinite c is the result for finite a and b, even where their product
    # overflows.
    factors = pair(
        predicate(a, nl.abs, 0.0, nl.less, INFINITY),
        nl.logical_and,
        predicate(b, nl.abs, 0.0, nl.less, INFINITY),
        nl.uint8,
    )
    infinite = predicate(c, nl.abs, 0.0, nl.equal, INFINITY)
    copy_where(total, c, pair(infinite, nl.logical_and, factors, nl.uint8))
    nisa.tensor_copy(dst=dst, src=total)


def _is_up_to(a, limit):
    return is_number(a) and a <= limit and a >= -limit


def _is_finite(a):
    return is_number(a) and a - a == 0


def _own_column(a, dst):
    """A number as a column {P, 1}."""
    column = nl.ndarray((dst.shape[0], 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.memset(dst=column, value=a)
    return column


def _fused(dst, a, b, c):
    cannot_overflow = _is_up_to(a, 1.0) or _is_up_to(b, 1.0)
    if not cannot_overflow and not _is_up_to(c, TWO_TO_100):
        _add_scaled_product(dst, own_tile(a, dst), own_tile(b, dst), own_tile(c, dst))
    elif _is_finite(b):
        product = exact_product_by(own_tile(a, dst), _own_column(b, dst))
        _add_product(dst, product, c)
    elif _is_finite(a):
        product = exact_product_by(own_tile(b, dst), _own_column(a, dst))
        _add_product(dst, product, c)
    else:
        _add_product(dst, exact_product(own_tile(a, dst), own_tile(b, dst)), c)


def _scaled(a, b, c):
    """The operands without the product's exponents: the sum is (a * b + c) * 2^exponent
    with a and b in [1, 2) and |c| in [2^-60, 2^61]. Beyond that the smaller one of
    product and c counts by its sign only, and is moved to the bound."""
    x = fields_of(a, True)
    y = fields_of(b, True)
    z = fields_of(c, True)
    of_c = scalar(z[1], nl.subtract, 127.0)
    of_product = combine(x[1], nl.subtract, 254.0, nl.add, y[1])
    distance = pair(of_c, nl.subtract, of_product)
    distance = scalar(distance, nl.maximum, -60.0, nl.minimum, 60.0, nl.int32)
    moved = pair(z[0], nl.multiply, power_of_two(distance))
    exponent = combine(of_c, nl.subtract, 60.0, nl.maximum, of_product, nl.int32)
    return x[0], y[0], moved, exponent


def _rounded_sum(a, b, c, exponent):
    """The float nearest to the exact a * b + c, whose last place is no lower than
    2^-149 once it is multiplied by 2^exponent."""
    product = exact_product(a, b)
    low = exact_sum(c, scalar(product[1], nl.multiply, -1.0))
    total = exact_sum(product[0], low[0])  # total[0] + total[1] + low[1], exactly
    total = exact_sum(total[0], to_odd(exact_sum(total[1], low[1])))
    # A subnormal result is rounded by adding a number with the last place of subnormal
    # ones.
    unit = scalar(exponent, nl.multiply, -1.0, nl.subtract, 126.0)
    unit = scalar(unit, nl.maximum, -100.0, nl.minimum, 120.0, nl.int32)
    anchor = power_of_two(unit)
    subnormal = combine(total[0], nl.abs, 0.0, nl.less, anchor)
    sign = sign_and_one(total[0])
    anchor = pair(pair(anchor, nl.multiply, subnormal), nl.multiply, sign)
    high = pair(anchor, nl.add, total[0])
    lost = pair(total[0], nl.subtract, pair(high, nl.subtract, anchor))
    tail = to_odd(exact_sum(lost, total[1]))
    rounded = pair(pair(high, nl.add, tail), nl.subtract, anchor)
    # The sign of a result that rounds to zero is lost in the anchor.
    size = bitwise(rounded, nl.bitwise_and, MAGNITUDE_BITS)
    sign_bit = bitwise(sign, nl.bitwise_and, SIGN_BIT)
    return float_of(pair(size, nl.bitwise_or, sign_bit, nl.int32))


def _fused_precisely(dst, x, y, z):
    a = own_tile(x, dst)
    b = own_tile(y, dst)
    c = own_tile(z, dst)
    # With a zero, an infinity or a NaN two roundings are one. A zero c leaves the
    # product as it is, and an infinite one hides an overflow of it.
    product = pair(a, nl.multiply, b)
    result = pair(product, nl.add, c)
    factors = pair(is_ordinary(a), nl.multiply, is_ordinary(b))
    only_product = combine(c, nl.equal, 0.0, nl.multiply, factors, nl.uint8)
    copy_where(result, product, only_product)
    infinite = scalar(c, nl.abs, 0.0, nl.equal, INFINITY)
    copy_where(result, c, pair(infinite, nl.multiply, factors, nl.uint8))
    ordinary = pair(is_ordinary(c), nl.multiply, factors, nl.uint8)

    parts = _scaled(a, b, c)
    total = _rounded_sum(parts[0], parts[1], parts[2], parts[3])
    unscaled = like(dst, nl.float32)
    scale_with_sign(unscaled, total, parts[3], total)
    copy_where(result, unscaled, ordinary)
    nisa.tensor_copy(dst=dst, src=result)


def fma(dst, a, b, c, precise):
    """a * b + c: rounded once if `precise`, else to a few units in the last place."""
    if precise:
        in_stretches_of_three(NARROW, _fused_precisely, dst, a, b, c)
    else:
        in_stretches_of_three(NARROW, _fused, dst, a, b, c)
