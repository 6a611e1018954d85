"""All operations on 64-bit integers, under the names that those on 32 bits have."""

from .double import (  # noqa: F401
    double_to_float,
    float_to_double,
    int_to_double,
    uint_to_double,
)
from .wide_arithmetic import (  # noqa: F401
    compare,
    iabs,
    iadd,
    imul,
    isub,
    smax,
    smin,
    smul_wide,
    smulhi,
    umax,
    umin,
    umul_wide,
    umulhi,
)
from .wide_bits import (  # noqa: F401
    ashr,
    brev,
    clz,
    ctz,
    ffs,
    fshl,
    fshr,
    iand,
    ior,
    ixor,
    lshr,
    popc,
    sext,
    shl,
    zext,
)
from .wide_conversions import (  # noqa: F401
    float_to_int,
    float_to_int_rd,
    float_to_int_rn,
    float_to_int_ru,
    float_to_uint,
    float_to_uint_rn,
    int_to_float,
    uint_to_float,
)
from .wide_division import sdiv, srem, udiv, urem  # noqa: F401
from .wide_words import Wide, copy, fill, wide_of, words  # noqa: F401
