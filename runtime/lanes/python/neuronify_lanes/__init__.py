"""What ported CUDA kernels need beside NKI: waves, launch-known integers, masks, places in memory,
and what CUDA computes per lane as sequences of instructions.

Written in the language of NKI kernels, over its public interface only. `neuronify port` copies this
package beside the kernels it writes.
"""

from .chip_loops import any_lane, first_round, own, own_mask, set_mask  # noqa: F401
from .comparisons import (  # noqa: F401
    compare,
    compare_integers,
    eq,
    ne,
    sge,
    sgt,
    sle,
    slt,
    test_bit,
    uge,
    ugt,
    ule,
    ult,
)
from .conversions import (  # noqa: F401
    ceil,
    float_to_int,
    float_to_int_rd,
    float_to_int_rn,
    float_to_int_ru,
    float_to_uint,
    float_to_uint_rn,
    floor,
    int_to_float,
    rint,
    round,
    trunc,
    uint_to_float,
)
from .data_scalars import data, scalar, scalar_op  # noqa: F401
from .exponentials import (  # noqa: F401
    BITS_OF_127,
    EXPONENT_OFFSET,
    EXPONENT_SCALE,
    LN_10,
    LOG10_OF_2,
    LOG10_OF_2_HIGH,
    LOG10_OF_2_LOW,
    LOG10_OF_E,
    LOG2_OF_10,
    LOG2_OF_E,
    erf,
    exp,
    exp10,
    exp2,
    expm1,
    log,
    log10,
    log1p,
    log2,
    pow,
    tanh,
)
from .floats import (  # noqa: F401
    copysign,
    fabs,
    fadd,
    fmax,
    fmin,
    fmul,
    fneg,
    fsub,
    saturate,
)
from .halves import (  # noqa: F401
    BITS_OF_TWO_TO_MINUS_135,
    TWO_TO_MINUS_134,
    bfloat_to_float,
    float_to_bfloat,
    float_to_half,
    fma_bfloat,
    fma_half,
    half_to_float,
    int_to_float_odd,
    round_bfloat,
    round_half,
    uint_to_float_odd,
)
from .host_numbers import (  # noqa: F401
    INFINITY,
    NAN,
    divide_numbers,
    f32,
    i16,
    i32,
    i64,
    i8,
    quotient,
    remainder,
    u16,
    u32,
    u64,
    u8,
)
from .hyperbolic import FAR, acosh, asinh, atanh, cosh, sinh  # noqa: F401
from .integer_bits import (  # noqa: F401
    brev,
    clz,
    ctz,
    ffs,
    fshl,
    fshr,
    popc,
    sext,
    zext,
)
from .integer_division import sdiv, srem, udiv, urem  # noqa: F401
from .integers import (  # noqa: F401
    ashr,
    iabs,
    iadd,
    iand,
    imul,
    ior,
    isub,
    ixor,
    lshr,
    shl,
    smax,
    smin,
    smulhi,
    umax,
    umin,
    umulhi,
)
from .masks import (  # noqa: F401
    andnot,
    any_known,
    both,
    choose,
    choose_known,
    differ,
    either,
    invert,
    launch_part,
    maybe_any,
)
from .memory import load, store, store_number  # noqa: F401
from .multiply_add import fma  # noqa: F401
from .places import element, local_array, shared_array  # noqa: F401
from .quotients import fdiv, reciprocal, rsqrt, sqrt  # noqa: F401
from .remainder import fmod  # noqa: F401
from .roots import (  # noqa: F401
    ERFC_FIT,
    ONE_THIRD,
    TWO_TO_60,
    TWO_TO_MINUS_50,
    cbrt,
    erfc,
    hypot,
)
from .trigonometry import (  # noqa: F401
    HALF_PI,
    HALF_PI_REST,
    TWO_TO_30,
    acos,
    asin,
    atan,
    atan2,
    cos,
    sin,
    tan,
)
from .values import (  # noqa: F401
    assign,
    copy,
    fill,
    from_mask,
    materialize,
    select,
    zeros,
)
from .warps import shfl, shfl_down, shfl_up, shfl_xor  # noqa: F401
from .waves import Launch, lane_id, tile, warp_id, waves  # noqa: F401
