"""Kernels of template.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of template.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def powers_float_2(
    out, x, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False
):
    """template.cu:4  powers<float, 2>

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        out (tensor[elements], float32): written
        x (tensor[elements], float32): read
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        out, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        # :5
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :6
        value = lanes.tile(w, nl.float32)
        lanes.load(value, lanes.element(x, i, 4), 4, True)
        i0 = ix.mul(i, 2)
        # :7
        for k in range(2):
            # :2
            t1 = lanes.tile(w, nl.float32)
            nisa.tensor_tensor(dst=t1, data1=value, data2=value, op=nl.multiply)
            # :8
            lanes.store(lanes.element(out, ix.add(i0, k), 4), t1, 4, True)
            # :7
            value = t1
    return out


@nki.jit
def powers_int_3(
    out, x, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False
):
    """template.cu:4  powers<int, 3>

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        out (tensor[elements], int32): written
        x (tensor[elements], int32): read
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        out, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        # :5
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :6
        value = lanes.tile(w, nl.int32)
        lanes.load(value, lanes.element(x, i, 4), 4, True)
        i0 = ix.mul(i, 3)
        # :7
        for k in range(3):
            # :2
            t1 = lanes.tile(w, nl.int32)
            lanes.imul(t1, value, value)
            # :8
            lanes.store(lanes.element(out, ix.add(i0, k), 4), t1, 4, True)
            # :7
            value = t1
    return out
