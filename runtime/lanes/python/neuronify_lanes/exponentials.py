"""Exponentials, logarithms, powers, and what ScalarE evaluates over all floats."""

import nki.isa as nisa
import nki.language as nl

from .floats import own_tile
from .formulas import (
    INFINITY,
    LN_2,
    NARROW,
    TWO_TO_23,
    WIDE,
    activate,
    activate_into,
    combine,
    copy_where,
    float_of,
    in_stretches,
    in_stretches_of_two,
    int_of,
    nan_where,
    pair,
    power_of_two,
    predicate,
    scalar,
)
from .tiles import is_number, is_tile, like


def exp(dst, a):
    activate_into(dst, nl.exp, a)


def tanh(dst, a):
    activate_into(dst, nl.tanh, a)


def erf(dst, a):
    activate_into(dst, nl.erf, a)


# base^x is 2^n * e^r with n the integer nearest to x * log2(base), so that the size of
# x multiplies no error, and 2^x of an integer is exact. n stays in [-126, 127], where
# 2^n is a normal number; what is left over goes into r, which e^r copes with: only the
# last product overflows or is subnormal.


def _exp2(dst, x):
    n = scalar(x, nl.maximum, -126.0, nl.minimum, 127.0, nl.int32)
    r = pair(x, nl.subtract, n)
    mantissa = activate(nl.exp, r, LN_2)
    nisa.tensor_tensor(dst=dst, data1=mantissa, data2=power_of_two(n), op=nl.multiply)


def exp2(dst, a):
    in_stretches(WIDE, _exp2, dst, a)


LOG2_OF_10 = 3.321928024291992
LN_10 = 2.3025851249694824
# log10(2) in two parts. The first one has 12 bits, so that its product with n is exact.
LOG10_OF_2_HIGH = 0.301025390625
LOG10_OF_2_LOW = 4.605039066518657e-06


def _exp10(dst, x):
    scaled = scalar(x, nl.multiply, LOG2_OF_10, nl.maximum, -126.0)
    n = scalar(scaled, nl.minimum, 127.0, dtype=nl.int32)
    r = combine(n, nl.multiply, -LOG10_OF_2_HIGH, nl.add, x)
    r = combine(n, nl.multiply, -LOG10_OF_2_LOW, nl.add, r)
    mantissa = activate(nl.exp, r, LN_10)
    nisa.tensor_tensor(dst=dst, data1=mantissa, data2=power_of_two(n), op=nl.multiply)


def exp10(dst, a):
    in_stretches(WIDE, _exp10, dst, a)


def _expm1(dst, x):
    # (e^x + 1) tanh(x / 2): nothing cancels.
    half = activate(nl.tanh, x, 0.5)
    power = activate(nl.exp, x)
    nisa.scalar_tensor_tensor(
        dst=dst, data=power, op0=nl.add, operand0=1.0, op1=nl.multiply, operand1=half
    )


def expm1(dst, a):
    in_stretches(WIDE, _expm1, dst, a)


# A little less than 2^-23, and where that makes 1.0 about 0: exponents stay in [-126,
# 126], where 2^-exponent is a normal number, also for subnormal and huge x.
EXPONENT_SCALE = 1.1757947504520416e-07
EXPONENT_OFFSET = 125.2699966430664
BITS_OF_127 = 1065353216.0  # 127 * 2^23


def _split(x):
    """x = mantissa * 2^exponent for positive, finite x: exponent, an int32 tile, is 0
    for x in [0.75, 1.51], so that nothing is added to the logarithm of a number near 1,
    and the mantissa is in [0.2, 6], from 2^-24 on where x is subnormal. Returns
    (exponent, mantissa)."""
    exponent = scalar(
        int_of(x),
        nl.multiply,
        EXPONENT_SCALE,
        nl.subtract,
        EXPONENT_OFFSET,
        nl.int32,
    )
    scale = scalar(exponent, nl.multiply, -TWO_TO_23, nl.add, BITS_OF_127, nl.int32)
    return exponent, pair(x, nl.multiply, float_of(scale))


def _specials(x):
    """Where a logarithm of x has no ordinary value: not NaN, zero, infinite."""
    return (
        predicate(x, nl.greater_equal, 0.0),
        predicate(x, nl.equal, 0.0),
        predicate(x, nl.equal, INFINITY),
    )


def _put_specials(dst, specials):
    nan_where(dst, specials[0], True)
    copy_where(dst, -INFINITY, specials[1])
    copy_where(dst, INFINITY, specials[2])


def _log(dst, x):
    specials = _specials(x)
    parts = _split(x)
    nisa.scalar_tensor_tensor(
        dst=dst,
        data=parts[0],
        op0=nl.multiply,
        operand0=LN_2,
        op1=nl.add,
        operand1=activate(nl.log, parts[1]),
    )
    _put_specials(dst, specials)


def log(dst, a):
    in_stretches(WIDE, _log, dst, a)


LOG2_OF_E = 1.4426950216293335
LOG10_OF_2 = 0.3010300099849701
LOG10_OF_E = 0.4342944920063019


def _log2(dst, x):
    specials = _specials(x)
    parts = _split(x)
    nisa.scalar_tensor_tensor(
        dst=dst,
        data=activate(nl.log, parts[1]),
        op0=nl.multiply,
        operand0=LOG2_OF_E,
        op1=nl.add,
        operand1=parts[0],
    )
    _put_specials(dst, specials)


def log2(dst, a):
    in_stretches(WIDE, _log2, dst, a)


def _log10(dst, x):
    specials = _specials(x)
    parts = _split(x)
    nisa.scalar_tensor_tensor(
        dst=dst,
        data=activate(nl.log, parts[1]),
        op0=nl.multiply,
        operand0=LOG10_OF_E,
        op1=nl.add,
        operand1=scalar(parts[0], nl.multiply, LOG10_OF_2),
    )
    _put_specials(dst, specials)


def log10(dst, a):
    in_stretches(WIDE, _log10, dst, a)


def _log1p(dst, x):
    # For u = 1 + x rounded, log(1 + x) is log(u) + (x - (u - 1)) / u up to second
    # order, and 1 / u is e^-log(u). The minus log(u) of 1 is +0, which makes log1p(-0)
    # come out as -0.
    u = scalar(x, nl.add, 1.0)
    specials = _specials(u)
    parts = _split(u)
    log_of_mantissa = activate(nl.log, parts[1])
    whole = like(x, nl.float32)
    nisa.tensor_scalar(
        dst=whole,
        data=parts[0],
        op0=nl.subtract,
        operand0=0.0,
        reverse0=True,
        op1=nl.multiply,
        operand1=LN_2,
    )
    minus_log = pair(whole, nl.subtract, log_of_mantissa)
    rounded = scalar(u, nl.subtract, 1.0)
    lost = pair(x, nl.subtract, rounded)
    correction = pair(lost, nl.multiply, activate(nl.exp, minus_log))
    nisa.tensor_tensor(dst=dst, data1=correction, data2=minus_log, op=nl.subtract)
    _put_specials(dst, specials)


def log1p(dst, a):
    in_stretches(NARROW, _log1p, dst, a)


def _pow(dst, a, b):
    # GpSimdE's power is taken to be that of C.
    nisa.tensor_tensor(
        dst=dst, data1=own_tile(a, dst), data2=own_tile(b, dst), op=nl.power
    )


def pow(dst, a, b):
    if not is_tile(a, dst) or is_tile(b, dst):
        in_stretches_of_two(WIDE, _pow, dst, a, b)
    elif not is_number(b):
        # The square is a product, also where the exponent is a data scalar.
        square = pair(a, nl.multiply, a)
        in_stretches_of_two(WIDE, _pow, dst, a, b)
        is_two = predicate(own_tile(b, dst[:, 0:1]), nl.equal, 2.0)
        copy_where(dst, square, is_two.broadcast(1, dst.shape[1]))
    elif b == 2.0:
        nisa.tensor_tensor(dst=dst, data1=a, data2=a, op=nl.multiply)
    else:
        in_stretches_of_two(WIDE, _pow, dst, a, b)
