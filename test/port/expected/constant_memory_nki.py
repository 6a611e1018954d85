"""Kernels of constant_memory.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of constant_memory.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def smooth(
    x,
    y,
    n,
    weights,
    calls,
    grid_dim,
    block_dim,
    dynamic_shared_bytes=0,
    precise_math=False,
):
    """constant_memory.cu:7  smooth

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        x (tensor[elements], float32): read
        y (tensor[elements], float32): written
        n (int, int32): a compile-time number
        weights (tensor[elements], float32): a variable of the device, read
        calls (tensor[elements], int32): a variable of the device, read and written
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        y, calls, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        # :8
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :9
        i0 = ix.add(i, 1)
        m0 = lanes.both(lanes.sgt(i, 0), lanes.slt(i0, n))
        # :10
        t0 = lanes.tile(w, nl.float32)
        lanes.load(t0, weights, 4, m0)
        t1 = lanes.tile(w, nl.float32)
        lanes.load(t1, lanes.element(x, ix.sub(i, 1), 4), 4, m0)
        t2 = lanes.tile(w, nl.float32)
        nisa.tensor_tensor(dst=t2, data1=t0, data2=t1, op=nl.multiply)
        t3 = lanes.tile(w, nl.float32)
        lanes.load(t3, lanes.element(weights, 1, 4), 4, m0)
        t4 = lanes.tile(w, nl.float32)
        lanes.load(t4, lanes.element(x, i, 4), 4, m0)
        t5 = lanes.tile(w, nl.float32)
        nisa.tensor_tensor(dst=t5, data1=t3, data2=t4, op=nl.multiply)
        t6 = lanes.tile(w, nl.float32)
        nisa.tensor_tensor(dst=t6, data1=t2, data2=t5, op=nl.add)
        t7 = lanes.tile(w, nl.float32)
        lanes.load(t7, lanes.element(weights, 2, 4), 4, m0)
        t8 = lanes.tile(w, nl.float32)
        lanes.load(t8, lanes.element(x, i0, 4), 4, m0)
        t9 = lanes.tile(w, nl.float32)
        nisa.tensor_tensor(dst=t9, data1=t7, data2=t8, op=nl.multiply)
        t10 = lanes.tile(w, nl.float32)
        nisa.tensor_tensor(dst=t10, data1=t6, data2=t9, op=nl.add)
        lanes.store(lanes.element(y, i, 4), t10, 4, m0)
        # :11
        m1 = lanes.eq(i, 0)
        # :12
        t11 = lanes.tile(w, nl.int32)
        lanes.load(t11, calls, 4, m1)
        t12 = lanes.tile(w, nl.int32)
        lanes.iadd(t12, t11, 1)
        lanes.store(calls, t12, 4, m1)
    return y, calls
