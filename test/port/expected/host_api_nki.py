"""Kernels of host_api.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of host_api.cu.
"""

import nki
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def fill(x, value, n, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False):
    """host_api.cu:15  fill

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        x (tensor[elements], float32): written
        value (tensor[1], float32): a number that lanes compute with
        n (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        x, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    value = lanes.scalar(value)
    for w in lanes.waves(launch, "flat"):
        # :16
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :18
        lanes.store_number(
            w,
            lanes.element(x, i, 4),
            lanes.data(w, value),
            nl.float32,
            4,
            lanes.slt(i, n),
        )
    return x
