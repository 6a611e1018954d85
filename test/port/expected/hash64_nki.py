"""Kernels of hash64.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of hash64.cu.
"""

import nki
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def splitmix(
    seeds,
    where,
    out,
    n,
    grid_dim,
    block_dim,
    dynamic_shared_bytes=0,
    precise_math=False,
):
    """hash64.cu:2  splitmix

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        seeds (tensor[2 * elements], int32): the words of uint64 elements, read
        where (tensor[elements], int32): read
        out (tensor[elements], uint32): written
        n (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        out, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        # :3
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :4
        m0 = lanes.slt(i, n)
        # :6
        t0 = lanes.tile(w, nl.int32)
        lanes.load(t0, lanes.element(where, i, 4), 4, m0)
        t1 = lanes.pair(w)
        lanes.load_pair(t1, lanes.element(seeds, t0, 8), m0)
        z = lanes.pair(w)
        lanes.wide.iadd(z, t1, -7046029254386353131)
        # :7
        t2 = lanes.pair(w)
        lanes.wide.lshr(t2, z, 30)
        t3 = lanes.pair(w)
        lanes.wide.ixor(t3, z, t2)
        z_1 = lanes.pair(w)
        lanes.wide.imul(z_1, t3, -4658895280553007687)
        # :8
        t4 = lanes.pair(w)
        lanes.wide.lshr(t4, z_1, 27)
        t5 = lanes.pair(w)
        lanes.wide.ixor(t5, z_1, t4)
        z_2 = lanes.pair(w)
        lanes.wide.imul(z_2, t5, -7723592293110705685)
        # :9
        t6 = lanes.pair(w)
        lanes.wide.lshr(t6, z_2, 31)
        t7 = lanes.pair(w)
        lanes.wide.ixor(t7, z_2, t6)
        lanes.store(lanes.element(out, i, 4), t7.high, 4, m0)
    return out
