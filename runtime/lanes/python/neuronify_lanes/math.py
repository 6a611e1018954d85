"""The mathematical functions of CUDA's single precision, all in one place."""

from .exponentials import (  # noqa: F401
    erf,
    exp,
    exp2,
    exp10,
    expm1,
    log,
    log1p,
    log2,
    log10,
    pow,
    tanh,
)
from .quotients import fdiv, reciprocal, rsqrt, sqrt  # noqa: F401
