"""Kernels of guarded_2d.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of guarded_2d.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def add(
    a,
    b,
    out,
    rows,
    columns,
    grid_dim,
    block_dim,
    dynamic_shared_bytes=0,
    precise_math=False,
):
    """guarded_2d.cu:2  add

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        a (tensor[elements], float32): read
        b (tensor[elements], float32): read
        out (tensor[elements], float32): written
        rows (int, int32): a compile-time number
        columns (int, int32): a compile-time number
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
        column = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :4
        row = ix.add(ix.mul(w.blockIdx_y, launch.blockDim_y), w.threadIdx_y)
        # :5
        m0 = lanes.both(lanes.slt(row, rows), lanes.slt(column, columns))
        # :6
        i0 = ix.add(ix.mul(row, columns), column)
        t0 = lanes.tile(w, nl.float32)
        lanes.load(t0, lanes.element(a, i0, 4), 4, m0)
        t1 = lanes.tile(w, nl.float32)
        lanes.load(t1, lanes.element(b, i0, 4), 4, m0)
        t2 = lanes.tile(w, nl.float32)
        nisa.tensor_tensor(dst=t2, data1=t0, data2=t1, op=nl.add)
        lanes.store(lanes.element(out, i0, 4), t2, 4, m0)
    return out
