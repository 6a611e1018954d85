"""Kernels of struct_argument.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of struct_argument.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def move(
    particles_position,
    particles_velocity,
    particles_count,
    dt,
    grid_dim,
    block_dim,
    dynamic_shared_bytes=0,
    precise_math=False,
):
    """struct_argument.cu:7  move

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        particles_position (tensor[elements], float32): read and written
        particles_velocity (tensor[elements], float32): read
        particles_count (int, int32): a compile-time number
        dt (tensor[1], float32): a number that lanes compute with
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        particles_position, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    dt = lanes.scalar(dt)
    for w in lanes.waves(launch, "flat"):
        # :8
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :9
        m0 = lanes.slt(i, particles_count)
        # :10
        t0 = lanes.tile(w, nl.float32)
        lanes.load(t0, lanes.element(particles_velocity, i, 4), 4, m0)
        t1 = lanes.tile(w, nl.float32)
        nisa.tensor_scalar(
            dst=t1, data=t0, op0=nl.multiply, operand0=dt[0 : w.P, :], reverse0=True
        )
        t2 = lanes.tile(w, nl.float32)
        lanes.load(t2, lanes.element(particles_position, i, 4), 4, m0)
        t3 = lanes.tile(w, nl.float32)
        nisa.tensor_tensor(dst=t3, data1=t2, data2=t1, op=nl.add)
        lanes.store(lanes.element(particles_position, i, 4), t3, 4, m0)
    return particles_position
