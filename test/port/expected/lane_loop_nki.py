"""Kernels of lane_loop.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of lane_loop.cu.
"""

import nki
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def collatz(
    start, steps, n, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False
):
    """lane_loop.cu:2  collatz

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        start (tensor[elements], uint32): read
        steps (tensor[elements], int32): written
        n (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        steps, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        # :3
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :4
        m0 = lanes.slt(i, n)
        # :6
        x = lanes.tile(w, nl.int32)
        lanes.load(x, lanes.element(start, i, 4), 4, m0)
        count = lanes.tile(w, nl.int32)
        lanes.fill(count, 0)
        count_1 = lanes.tile(w, nl.int32)
        lanes.fill(count_1, 0)
        active0 = m0
        active0 = lanes.own_mask(w, active0)
        x = lanes.own(x)
        count_1 = lanes.own(count_1)

        def round_1(going):
            # :8
            m1 = lanes.both(
                lanes.compare_integers(w, "ult", 1, x),
                lanes.compare_integers(w, "slt", count_1, 1000),
            )
            lanes.assign(count, count_1, lanes.andnot(active0, m1))
            m2 = lanes.both(active0, m1)
            # :9
            t1 = lanes.tile(w, nl.int32)
            lanes.urem(t1, x, 2)
            t2 = lanes.tile(w, nl.int32)
            lanes.udiv(t2, x, 2)
            t3 = lanes.tile(w, nl.int32)
            lanes.imul(t3, 3, x)
            t4 = lanes.tile(w, nl.int32)
            lanes.iadd(t4, t3, 1)
            x_1 = lanes.tile(w, nl.int32)
            lanes.select(
                x_1, lanes.andnot(m2, lanes.compare_integers(w, "ne", t1, 0)), t2, t4
            )
            # :10
            lanes.set_mask(active0, m2)
            lanes.assign(x, x_1, m2)
            c1 = lanes.tile(w, nl.int32)
            lanes.iadd(c1, count_1, 1)
            lanes.assign(count_1, c1, m2)
            return lanes.any_lane(w, m2)

        nl.while_loop(lanes.first_round(), round_1)
        # :12
        lanes.store(lanes.element(steps, i, 4), count, 4, m0)
    return steps
