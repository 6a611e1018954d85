"""Kernels of counted_loop.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of counted_loop.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def matrix_vector(
    matrix,
    x,
    y,
    rows,
    columns,
    grid_dim,
    block_dim,
    dynamic_shared_bytes=0,
    precise_math=False,
):
    """counted_loop.cu:2  matrix_vector

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        matrix (tensor[elements], float32): read
        x (tensor[elements], float32): read
        y (tensor[elements], float32): written
        rows (int, int32): a compile-time number
        columns (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        y, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        # :3
        row = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :4
        m0 = lanes.slt(row, rows)
        i0 = ix.mul(row, columns)
        sum = lanes.tile(w, nl.float32)
        lanes.fill(sum, 0.0)
        # :7
        first_1 = 0
        end_1 = columns

        def round_1(column):
            column = lanes.counter(column, first_1, end_1, 1)
            # :8
            t1 = lanes.tile(w, nl.float32)
            lanes.load(t1, lanes.element(matrix, ix.add(i0, column), 4), 4, m0)
            t2 = lanes.tile(w, nl.float32)
            lanes.load(t2, lanes.element(x, column, 4), 4, m0)
            t3 = lanes.tile(w, nl.float32)
            nisa.tensor_tensor(dst=t3, data1=t1, data2=t2, op=nl.multiply)
            nisa.tensor_tensor(dst=sum, data1=sum, data2=t3, op=nl.add)

        lanes.repeat(first_1, end_1, 1, round_1)
        # :9
        lanes.store(lanes.element(y, row, 4), sum, 4, m0)
    return y
