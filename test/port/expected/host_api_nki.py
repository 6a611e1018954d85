"""Kernels of host_api.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of host_api.cu.
"""

import nki
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def fill(
    x,
    value,
    n,
    grid_dim=(1, 1, 1),
    block_dim=(1, 1, 1),
    dynamic_shared_bytes=0,
    precise_math=False,
):
    """host_api.cu:15  fill

    blocks -> partitions, k blocks x thread -> free axis
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
