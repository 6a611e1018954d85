"""Kernels of switch.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of switch.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def apply(
    operation, x, n, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False
):
    """switch.cu:2  apply

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        operation (tensor[elements], int32): read
        x (tensor[elements], float32): read and written
        n (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        x, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        # :3
        i = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :4
        m0 = lanes.slt(i, n)
        # :6
        t0 = lanes.tile(w, nl.float32)
        lanes.load(t0, lanes.element(x, i, 4), 4, m0)
        # :7
        t1 = lanes.tile(w, nl.int32)
        lanes.load(t1, lanes.element(operation, i, 4), 4, m0)
        m1 = lanes.compare_integers(w, "slt", t1, 1)
        m2 = lanes.both(m0, m1)
        m3 = lanes.andnot(lanes.andnot(m0, m1), lanes.compare_integers(w, "slt", t1, 2))
        m4 = lanes.compare_integers(w, "eq", t1, 2)
        # :12
        t2 = lanes.tile(w, nl.float32)
        nisa.tensor_scalar(dst=t2, data=t0, op0=nl.add, operand0=1.0)
        value = lanes.tile(w, nl.float32)
        lanes.select(value, lanes.both(m3, m4), t0, t2)
        # :15
        t3 = lanes.tile(w, nl.float32)
        nisa.tensor_tensor(dst=t3, data1=value, data2=value, op=nl.multiply)
        m5 = lanes.compare_integers(w, "eq", t1, 0)
        # :9
        t4 = lanes.tile(w, nl.float32)
        lanes.fneg(t4, t0)
        value_1 = lanes.zeros(w, nl.float32)
        lanes.copy(value_1, t3)
        lanes.assign(value_1, t4, lanes.both(m2, m5))
        lanes.assign(value_1, 0.0, lanes.andnot(m3, m4))
        lanes.assign(value_1, 0.0, lanes.andnot(m2, m5))
        # :20
        lanes.store(lanes.element(x, i, 4), value_1, 4, m0)
    return x
