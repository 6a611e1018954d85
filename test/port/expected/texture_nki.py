"""Kernels of texture.cu, ported to AWS Trainium3 by neuronify.

Numbers after # : are lines of texture.cu.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import neuronify_lanes as lanes
import neuronify_lanes.index as ix


@nki.jit
def brighten(
    image,
    image_modes,
    out,
    out_modes,
    gain,
    width,
    height,
    grid_dim,
    block_dim,
    dynamic_shared_bytes=0,
    precise_math=False,
):
    """texture.cu:2  brighten

    Lanes: blocks -> partitions, k blocks x thread -> free axis

    Args:
        image (tensor[bytes], uint8): a texture or surface, read
        image_modes (list of 18 ints): size, format and modes, as run.Texture makes
            them
        out (tensor[bytes], uint8): a texture or surface, read and written
        out_modes (list of 18 ints): size, format and modes, as run.Texture makes them
        gain (tensor[1], float32): a number that lanes compute with
        width (int, int32): a compile-time number
        height (int, int32): a compile-time number
        grid_dim (tuple of 3 ints): blocks in x, y, z
        block_dim (tuple of 3 ints): threads of a block in x, y, z
        dynamic_shared_bytes (int): what the launch asks for
        precise_math (bool): /, sqrtf and fmaf to the last bit

    Returns:
        out, written in place
    """
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    image = lanes.texture(image, image_modes)
    out = lanes.texture(out, out_modes)
    gain = lanes.scalar(gain)
    for w in lanes.waves(launch, "flat"):
        # :4
        x = ix.add(ix.mul(w.blockIdx_x, launch.blockDim_x), w.threadIdx_x)
        # :5
        y = ix.add(ix.mul(w.blockIdx_y, launch.blockDim_y), w.threadIdx_y)
        # :6
        m0 = lanes.both(lanes.slt(x, width), lanes.slt(y, height))
        # :7
        t0 = lanes.tile(w, nl.int32)
        lanes.materialize(t0, x)
        t1 = lanes.tile(w, nl.float32)
        lanes.int_to_float(t1, t0)
        t2 = lanes.tile(w, nl.float32)
        nisa.tensor_scalar(dst=t2, data=t1, op0=nl.add, operand0=0.5)
        lanes.materialize(t0, y)
        lanes.int_to_float(t1, t0)
        t3 = lanes.tile(w, nl.float32)
        nisa.tensor_scalar(dst=t3, data=t1, op0=nl.add, operand0=0.5)
        pixel = lanes.tile(w, nl.float32)
        lanes.texture_2d(w, pixel, image, 0, t2, t3, m0)
        pixel_1 = lanes.tile(w, nl.float32)
        lanes.texture_2d(w, pixel_1, image, 1, t2, t3, m0)
        # :8
        nisa.tensor_scalar(
            dst=t1, data=pixel, op0=nl.multiply, operand0=gain[0 : w.P, :]
        )
        i0 = ix.mul(x, 8)
        lanes.surface_write_2d(w, out, t1.view(nl.int32), i0, y, 8, 0, 4, 2, m0)
        lanes.surface_write_2d(w, out, pixel_1.view(nl.int32), i0, y, 8, 4, 4, 2, m0)
    return out.memory
