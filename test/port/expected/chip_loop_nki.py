"""Kernels of chip_loop.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of chip_loop.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def halve(
    start,
    below,
    limit,
    n,
    grid_dim,
    block_dim,
    dynamic_shared_bytes=0,
    precise_math=False,
):
    """chip_loop.cu:2  halve

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        start (tensor[elements], float32): read
        below (tensor[elements], float32): written
        limit (tensor[1], float32): a number that lanes compute with
        n (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        below, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    limit = lanes.scalar(limit)
    for w in lanes.waves(launch, "flat"):
        # :3
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :4
        m0 = lanes.slt(i, n)
        # :6
        value_1 = lanes.tile(w, nl.float32)
        lanes.load(value_1, lanes.element(start, i, 4), 4, m0)
        value = lanes.tile(w, nl.float32)
        lanes.fill(value, 0.0)
        active0 = m0
        active0 = lanes.own_mask(w, active0)
        value_1 = lanes.own(value_1)

        def round_1(going):
            # :7
            m1 = lanes.compare(w, "ogt", value_1, lanes.data(w, limit))
            lanes.assign(value, value_1, lanes.andnot(active0, m1))
            m2 = lanes.both(active0, m1)
            # :8
            t1 = lanes.tile(w, nl.float32)
            nisa.tensor_scalar(dst=t1, data=value_1, op0=nl.multiply, operand0=0.5)
            lanes.set_mask(active0, m2)
            lanes.assign(value_1, t1, m2)
            return lanes.any_lane(w, m2)

        nl.while_loop(lanes.first_round(), round_1)
        # :9
        lanes.store(lanes.element(below, i, 4), value, 4, m0)
    return below
