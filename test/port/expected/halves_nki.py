"""Kernels of halves.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of halves.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def dot_rows(
    a,
    b,
    out,
    first,
    scale,
    n,
    width,
    grid_dim,
    block_dim,
    dynamic_shared_bytes=0,
    precise_math=False,
):
    """halves.cu:4  dot_rows

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        a (tensor[bytes], uint8): float16 elements, read
        b (tensor[bytes], uint8): float16 elements, read
        out (tensor[bytes], uint8): float16 elements, written
        first (tensor[bytes], uint8): float16 elements, written
        scale (int, int16): a compile-time number
        n (int, int32): a compile-time number
        width (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        out, first, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        # :6
        row = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :7
        m0 = lanes.slt(row, n)
        i0 = ix.mul(row, width)
        acc_1 = lanes.tile(w, nl.float32)
        lanes.fill(acc_1, 0.0)
        acc = acc_1
        # :10
        acc = lanes.own(acc)
        acc_1 = lanes.own(acc_1)
        first_1 = 0
        end_1 = width

        def round_1(k):
            k = lanes.counter(k, first_1, end_1, 1)
            # :11
            i1 = ix.add(i0, k)
            t1 = lanes.tile(w, nl.int32)
            lanes.load(t1, lanes.element(a, ix.mul(i1, 2, 64), 2), 2, m0)
            t2 = lanes.tile(w, nl.float32)
            lanes.half_to_float(t2, t1)
            t3 = lanes.tile(w, nl.int32)
            lanes.load(t3, lanes.element(a, ix.add(ix.mul(i1, 2, 64), 1, 64), 2), 2, m0)
            t4 = lanes.tile(w, nl.float32)
            lanes.half_to_float(t4, t3)
            t5 = lanes.tile(w, nl.int32)
            lanes.load(t5, lanes.element(b, ix.mul(k, 2, 64), 2), 2, m0)
            t6 = lanes.tile(w, nl.float32)
            lanes.half_to_float(t6, t5)
            t7 = lanes.tile(w, nl.int32)
            lanes.load(t7, lanes.element(b, ix.add(ix.mul(k, 2, 64), 1, 64), 2), 2, m0)
            t8 = lanes.tile(w, nl.float32)
            lanes.half_to_float(t8, t7)
            t9 = lanes.tile(w, nl.float32)
            lanes.fma_half(t9, t2, t6, acc)
            t10 = lanes.tile(w, nl.float32)
            lanes.fma_half(t10, t4, t8, acc_1)
            # :10
            lanes.copy(acc, t9)
            lanes.copy(acc_1, t10)

        lanes.repeat(first_1, end_1, 1, round_1)
        # :12
        t11 = lanes.tile(w, nl.float32)
        nisa.tensor_tensor(dst=t11, data1=acc, data2=acc_1, op=nl.add)
        t12 = lanes.tile(w, nl.float32)
        lanes.round_half(t12, t11)
        t13 = lanes.tile(w, nl.float32)
        nisa.tensor_scalar(
            dst=t13, data=t12, op0=nl.multiply, operand0=lanes.half_number(scale)
        )
        t14 = lanes.tile(w, nl.int32)
        lanes.float_to_half(t14, t13)
        lanes.store(lanes.element(out, row, 2), t14, 2, m0)
        # :13
        t15 = lanes.tile(w, nl.int32)
        lanes.load(t15, lanes.element(a, ix.mul(ix.mul(row, width), 2, 64), 2), 2, m0)
        lanes.store(lanes.element(first, row, 2), t15, 2, m0)
    return out, first
