"""nki.language: tiles, data types, operators, loops."""

from .. import _chip
from .._objects import NKIObject  # noqa: F401
from ._types import *  # noqa: F401,F403
from ._types import MemoryRegion  # noqa: F401
from ._tiles import *  # noqa: F401,F403
from . import _operators
from ._program import (  # noqa: F401
    affine_range, ds, dynamic_range, fori_loop, no_reorder, num_programs, program_id, program_ndim,
    sequential_range, static_range, tile_size, while_loop,
)

NkiTensor = _chip.NkiTensor
DType = str
range = range  # noqa: A001  (nl.range, as some kernels write)

globals().update(_operators.OPERATORS)

from ._functions import (  # noqa: E402,F401
    all, broadcast_to, ceil, cos, divide, dropout, expand_dims, floor, fmod, gather_flattened,
    logical_not, matmul, max, mean, min, mod, negative, prod, rand, random_seed, rms_norm, softmax,
    sum, tan, transpose, trunc, var, where,
)
