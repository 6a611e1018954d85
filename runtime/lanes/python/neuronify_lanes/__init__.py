"""What ported CUDA kernels need beside NKI: waves, launch-known integers, masks, places in memory,
and what CUDA computes per lane as sequences of instructions.

Written in the language of NKI kernels, over its public interface only. `neuronify port` copies this
package beside the kernels it writes.
"""

# ruff: noqa: F401, F403
from . import wide
from .addresses import address_of, at_address, whole_memory
from .atomics import (
    atomic_add,
    atomic_and,
    atomic_cas,
    atomic_cas16,
    atomic_dec,
    atomic_exch,
    atomic_fadd,
    atomic_fadd_bfloat,
    atomic_fadd_half,
    atomic_fmax,
    atomic_fmin,
    atomic_fsub,
    atomic_inc,
    atomic_max,
    atomic_min,
    atomic_or,
    atomic_sub,
    atomic_umax,
    atomic_umin,
    atomic_xor,
)
from .atomics_wide import (
    atomic_add64,
    atomic_and64,
    atomic_cas64,
    atomic_exch64,
    atomic_max64,
    atomic_min64,
    atomic_or64,
    atomic_sub64,
    atomic_umax64,
    atomic_umin64,
    atomic_xor64,
)
from .chip_loops import (
    any_lane,
    counter,
    first_round,
    one_more_round,
    own,
    own_mask,
    repeat,
    rounds,
    set_mask,
)
from .comparisons import (
    compare,
    compare_integers,
    compare_wide,
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
from .conversions import *
from .data_scalars import column, data, data_tile, float_column, scalar, scalar_op
from .floats import copysign, fabs, fadd, fmax, fmin, fmul, fneg, fsub, saturate
from .halves import *
from .host_numbers import (
    INFINITY,
    NAN,
    bfloat_bits,
    bfloat_number,
    bits_of_float,
    c_quotient,
    c_remainder,
    divide_doubles,
    divide_numbers,
    double_of,
    f32,
    field,
    field_of_lanes,
    float_of_bits,
    float_to_odd,
    fma_of_bfloats,
    fma_of_halves,
    half_bits,
    half_number,
    i8,
    i16,
    i32,
    i64,
    square_root,
    truncated,
    u8,
    u16,
    u32,
    u64,
)
from .integer_bits import *
from .integer_division import *
from .integers import *
from .masks import (
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
from .math import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cbrt,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    exp2,
    exp10,
    expm1,
    fdiv,
    fma,
    fmod,
    hypot,
    log,
    log1p,
    log2,
    log10,
    pow,
    reciprocal,
    rsqrt,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
from .memory import load, store, store_number
from .pairs import (
    assign_pair,
    load_pair,
    materialize_pair,
    own_pair,
    pair,
    select_pair,
    shfl_down_pair,
    shfl_pair,
    shfl_up_pair,
    shfl_xor_pair,
    store_pair,
    zero_pair,
)
from .places import element, local_array, shared_array
from .prints import print_values
from .surfaces import (
    surface_read_1d,
    surface_read_2d,
    surface_read_3d,
    surface_write_1d,
    surface_write_2d,
    surface_write_3d,
)
from .textures import (
    texture,
    texture_1d,
    texture_1d_layered,
    texture_2d,
    texture_2d_layered,
    texture_3d,
    texture_element,
)
from .values import assign, copy, fill, from_mask, materialize, select, zeros
from .votes import (
    activemask,
    ballot,
    block_all,
    block_any,
    block_count,
    fns,
    lane_mask_eq,
    lane_mask_ge,
    lane_mask_gt,
    lane_mask_le,
    lane_mask_lt,
    match_all,
    match_all64,
    match_any,
    match_any64,
    reduce_add,
    reduce_and,
    reduce_max,
    reduce_min,
    reduce_or,
    reduce_umax,
    reduce_umin,
    reduce_xor,
    vote_all,
    vote_any,
    vote_uni,
)
from .warps import shfl, shfl_down, shfl_up, shfl_xor
from .waves import Launch, lane_id, tile, warp_id, waves
