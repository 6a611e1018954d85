"""Kernels of shuffle.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of shuffle.cu.
"""

import nki
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def warp_sum(x, sums, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False):
    """shuffle.cu:2  warp_sum

    Lanes: blocks -> partitions, k blocks x warps -> free axis

    Args:
        x (tensor[elements], int32): read
        sums (tensor[elements], int32): written
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        sums, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "warps"):
        # :3
        i0 = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        value = lanes.tile(w, nl.int32)
        lanes.load(value, lanes.element(x, ix.zext(i0, 32, 64), 4), 4, True)
        # :4
        offset = 16
        while offset > 0:
            # :5
            t1 = lanes.tile(w, nl.int32)
            lanes.shfl_down(w, t1, value, offset, 32)
            t2 = lanes.tile(w, nl.int32)
            lanes.iadd(t2, value, t1)
            # :4
            value = t2
            offset = lanes.i32(lanes.c_quotient(offset, 2))
        # :7
        lanes.store(
            lanes.element(sums, ix.udiv(i0, 32), 4),
            value,
            4,
            lanes.eq(ix.urem(w.threadIdx_x, 32), 0),
        )
    return sums
