"""Kernels of unsupported.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of unsupported.cu.
"""

import nki
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def increment(x, n, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False):
    """unsupported.cu:10  increment

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        x (tensor[elements], int32): read and written
        n (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        x, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        # :11
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :12
        m0 = lanes.slt(i, n)
        # :13
        t0 = lanes.tile(w, nl.int32)
        lanes.load(t0, lanes.element(x, i, 4), 4, m0)
        t1 = lanes.tile(w, nl.int32)
        lanes.iadd(t1, t0, 1)
        lanes.store(lanes.element(x, i, 4), t1, 4, m0)
    return x
