"""Hyperbolic functions and their inverses."""

import nki.isa as nisa
import nki.language as nl

from .exponentials import log, log1p
from .formulas import (
    LN_2,
    NARROW,
    WIDE,
    activate,
    combine,
    copy_where,
    in_stretches,
    inverse_of,
    magnitude,
    nan_where,
    pair,
    predicate,
    scalar,
    with_sign,
)
from .quotients import divide, sqrt
from .tiles import like


def _cosine(x):
    """(e^|x| + e^-|x|) / 2, where e^|x| / 2 is (e^(|x| / 2) / 2) e^(|x| / 2), which
    overflows no earlier."""
    root = activate(nl.exp, magnitude(x), 0.5)
    half = combine(root, nl.multiply, 0.5, nl.multiply, root)
    return combine(inverse_of(half), nl.multiply, 0.25, nl.add, half)


# From here on sqrt(x^2 +- 1) is x.
FAR = 1048576.0


def _far_logarithm(dst, x):
    """Lanes where x is that large become log(2 x)."""
    far = predicate(x, nl.greater, FAR)
    log_of_x = like(x, nl.float32)
    log(log_of_x, x)
    copy_where(dst, scalar(log_of_x, nl.add, LN_2), far)


def _cosh(dst, x):
    nisa.tensor_copy(dst=dst, src=_cosine(x))


def cosh(dst, a):
    in_stretches(WIDE, _cosh, dst, a)


def _sinh(dst, x):
    # tanh(x / 2) (1 + cosh(x)): nothing cancels.
    half = activate(nl.tanh, x, 0.5)
    nisa.scalar_tensor_tensor(
        dst=dst,
        data=_cosine(x),
        op0=nl.add,
        operand0=1.0,
        op1=nl.multiply,
        operand1=half,
    )


def sinh(dst, a):
    in_stretches(WIDE, _sinh, dst, a)


def _asinh(dst, x):
    # log(1 + size + size^2 / (1 + sqrt(1 + size^2)))
    size = magnitude(x)
    square = pair(size, nl.multiply, size)
    root = scalar(square, nl.add, 1.0)
    total = like(x, nl.float32)
    sqrt(root, root, False)
    divide(total, square, scalar(root, nl.add, 1.0))
    total = pair(total, nl.add, size)
    result = like(x, nl.float32)
    log1p(result, total)
    _far_logarithm(result, size)
    with_sign(dst, result, x)


def asinh(dst, a):
    in_stretches(NARROW, _asinh, dst, a)


def _acosh(dst, x):
    # log(1 + above + sqrt(above (above + 2))) with above = x - 1
    inside = predicate(x, nl.greater_equal, 1.0)
    above = scalar(x, nl.subtract, 1.0)
    root = combine(above, nl.add, 2.0, nl.multiply, above)
    result = like(x, nl.float32)
    sqrt(root, root, False)
    log1p(result, pair(root, nl.add, above))
    _far_logarithm(result, x)
    nan_where(result, inside, True)
    nisa.tensor_copy(dst=dst, src=result)


def acosh(dst, a):
    in_stretches(NARROW, _acosh, dst, a)


def _atanh(dst, x):
    # log(1 + 2 size / (1 - size)) / 2
    size = magnitude(x)
    quotient = like(x, nl.float32)
    rest = scalar(size, nl.multiply, -1.0, nl.add, 1.0)
    divide(quotient, scalar(size, nl.multiply, 2.0), rest)
    log1p(quotient, quotient)
    with_sign(dst, scalar(quotient, nl.multiply, 0.5), x)


def atanh(dst, a):
    in_stretches(NARROW, _atanh, dst, a)
