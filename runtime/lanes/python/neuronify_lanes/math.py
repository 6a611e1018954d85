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
from .hyperbolic import acosh, asinh, atanh, cosh, sinh  # noqa: F401
from .multiply_add import fma  # noqa: F401
from .quotients import fdiv, reciprocal, rsqrt, sqrt  # noqa: F401
from .remainder import fmod  # noqa: F401
from .roots import cbrt, erfc, hypot  # noqa: F401
from .trigonometry import (  # noqa: F401
    acos,
    asin,
    atan,
    atan2,
    cos,
    sin,
    tan,
)
