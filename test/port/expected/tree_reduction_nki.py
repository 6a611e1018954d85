"""Kernels of tree_reduction.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of tree_reduction.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def block_sum(
    x, sums, n, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False
):
    """tree_reduction.cu:2  block_sum

    Lanes: block -> partition, thread -> free axis

    Args:
        x (tensor[elements], float32): read
        sums (tensor[elements], float32): written
        n (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        sums, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "block_per_partition"):
        # :2
        s = lanes.shared_array(w, 1024)
        # :4
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :5
        m0 = lanes.slt(i, n)
        t0 = lanes.tile(w, nl.float32)
        lanes.load(t0, lanes.element(x, i, 4), 4, m0)
        t1 = lanes.tile(w, nl.float32)
        lanes.select(t1, lanes.invert(m0), 0.0, t0)
        lanes.store(lanes.element(s, w.threadIdx_x, 4), t1, 4, True)
        # :7
        k = lanes.i32(launch.blockDim_x // 2)
        while k > 0:
            # :8
            m1 = lanes.ult(w.threadIdx_x, k)
            # :9
            t2 = lanes.tile(w, nl.float32)
            lanes.load(t2, lanes.element(s, ix.add(w.threadIdx_x, k), 4), 4, m1)
            t3 = lanes.tile(w, nl.float32)
            lanes.load(t3, lanes.element(s, w.threadIdx_x, 4), 4, m1)
            t4 = lanes.tile(w, nl.float32)
            nisa.tensor_tensor(dst=t4, data1=t3, data2=t2, op=nl.add)
            lanes.store(lanes.element(s, w.threadIdx_x, 4), t4, 4, m1)
            k = k >> 1
        # :12
        m2 = lanes.eq(w.threadIdx_x, 0)
        # :13
        t5 = lanes.tile(w, nl.float32)
        lanes.load(t5, s, 4, m2)
        lanes.store(lanes.element(sums, w.blockIdx_x, 4), t5, 4, m2)
    return sums
