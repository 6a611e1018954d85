"""Kernels of lambda.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of lambda.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def for_each_lambda_9(
    n, f_x, f_by, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False
):
    """lambda.cu:2  for_each<(lambda:9)>

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        n (int, int32): a compile-time number
        f_x (tensor[elements], float32): read and written
        f_by (tensor[1], float32): a number that lanes compute with
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        f_x, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    f_by = lanes.scalar(f_by)
    for w in lanes.waves(launch, "flat"):
        # :3
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :4
        m0 = lanes.slt(i, n)
        # :9
        t0 = lanes.tile(w, nl.float32)
        lanes.load(t0, lanes.element(f_x, i, 4), 4, m0)
        t1 = lanes.tile(w, nl.float32)
        nisa.tensor_scalar(dst=t1, data=t0, op0=nl.multiply, operand0=f_by[0 : w.P, :])
        lanes.store(lanes.element(f_x, i, 4), t1, 4, m0)
    return f_x
