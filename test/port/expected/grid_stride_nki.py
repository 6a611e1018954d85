"""Kernels of grid_stride.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of grid_stride.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def saxpy(n, a, x, y, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False):
    """grid_stride.cu:2  saxpy

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        n (int, int32): a compile-time number
        a (tensor[1], float32): a number that lanes compute with
        x (tensor[elements], float32): read
        y (tensor[elements], float32): read and written
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        y, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    a = lanes.scalar(a)
    for w in lanes.waves(launch, "flat"):
        # :3
        k0 = lanes.u32(launch.gridDim_x * launch.blockDim_x)
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        active0 = True

        def round_1(i, m0):
            # :4
            t0 = lanes.tile(w, nl.float32)
            lanes.load(t0, lanes.element(x, i, 4), 4, m0)
            t1 = lanes.tile(w, nl.float32)
            nisa.tensor_scalar(
                dst=t1, data=t0, op0=nl.multiply, operand0=a[0 : w.P, :], reverse0=True
            )
            t2 = lanes.tile(w, nl.float32)
            lanes.load(t2, lanes.element(y, i, 4), 4, m0)
            t3 = lanes.tile(w, nl.float32)
            nisa.tensor_tensor(dst=t3, data1=t1, data2=t2, op=nl.add)
            lanes.store(lanes.element(y, i, 4), t3, 4, m0)

        # :3
        while True:
            m0 = lanes.both(active0, lanes.slt(i, n))
            if not lanes.any_known(m0):
                break
            i = lanes.rounds(i, lanes.i32(k0), n, m0, round_1)
            active0 = m0
            i = ix.add(i, lanes.i32(k0))
    return y
