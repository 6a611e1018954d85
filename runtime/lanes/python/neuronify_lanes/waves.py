"""One launch of a ported kernel, and the waves it runs in.

A wave is up to 128 consecutive blocks, one per partition, in the original's order (x first), with
their threads along the free axis (x first). Blocks whose threads need not stay together are cut
into parts where they would not fit.
"""

import nki.language as nl
from nki.language import NKIObject

from . import index


def _check_extents(extents, name):
    assert not isinstance(extents, int) and len(extents) == 3, (
        f"{name} is three positive ints, in x, y, z; not {extents}"
    )
    for extent in extents:
        assert isinstance(extent, int) and extent > 0, (
            f"{name} is three positive ints, in x, y, z; not {extents}"
        )


class Launch(NKIObject):
    """What the original's launch was configured with."""

    def __init__(self, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False):
        _check_extents(grid_dim, "grid_dim")
        _check_extents(block_dim, "block_dim")
        self.gridDim_x = grid_dim[0]
        self.gridDim_y = grid_dim[1]
        self.gridDim_z = grid_dim[2]
        self.blockDim_x = block_dim[0]
        self.blockDim_y = block_dim[1]
        self.blockDim_z = block_dim[2]
        self.dynamic_shared_bytes = dynamic_shared_bytes
        self.precise_math = precise_math


class Wave(NKIObject):
    """The lanes of one pass over the chip: P partitions times F lanes."""

    def __init__(self, launch, first_block, blocks, first_thread, threads):
        self.launch = launch
        self.P = blocks
        self.F = threads
        self.first_block = first_block
        self.first_thread = first_thread
        width = launch.gridDim_x
        height = launch.gridDim_y
        x = []
        y = []
        z = []
        for block in range(first_block, first_block + blocks):
            x.append(block % width)
            y.append(block // width % height)
            z.append(block // (width * height))
        self.blockIdx_x = index.make(x, [0])
        self.blockIdx_y = index.make(y, [0])
        self.blockIdx_z = index.make(z, [0])
        width = launch.blockDim_x
        height = launch.blockDim_y
        x = []
        y = []
        z = []
        linear = []
        for thread in range(first_thread, first_thread + threads):
            x.append(thread % width)
            y.append(thread // width % height)
            z.append(thread // (width * height))
            linear.append(thread)
        self.threadIdx_x = index.make([0], x)
        self.threadIdx_y = index.make([0], y)
        self.threadIdx_z = index.make([0], z)
        self.thread = index.make([0], linear)


PARTITIONS = 128
PARTITION_BYTES = 192 * 1024
"""Of SBUF, on the smallest generation."""


def waves(
    launch,
    mapping,
    lane_bytes=160,
    in_order=False,
    together=False,
    one_core=False,
):
    """This core's waves of a launch, in the order of blocks.

    `mapping` is "block_per_partition" where threads of a block work together, "warps" where those
    of a warp do, "flat" else. `lane_bytes` is what a lane needs of its partition at a time.
    Lanes are `in_order` where a block in parts comes before the next block. Blocks that wait for
    each other are `together` in one wave, or the launch is refused: a kernel is traced wave by wave.
    The cores of a launch (kernel[2]) take turns at waves; those that need each other's results
    are all of the first one's, `one_core`.
    """
    blocks = launch.gridDim_x * launch.gridDim_y * launch.gridDim_z
    threads = launch.blockDim_x * launch.blockDim_y * launch.blockDim_z
    most = threads
    if mapping != "block_per_partition":
        most = min(threads, PARTITION_BYTES // max(lane_bytes, 160))
        if mapping == "warps" and most < threads:
            most = max(most // 32, 1) * 32
    at_once = 1 if in_order and most < threads else PARTITIONS
    result = []
    for first_block in range(0, blocks, at_once):
        count = min(at_once, blocks - first_block)
        for first_thread in range(0, threads, most):
            part = min(most, threads - first_thread)
            result.append([first_block, count, first_thread, part])
    assert not together or len(result) <= 1, (
        f"{blocks} blocks wait for each other at barriers of the grid: a wave has {PARTITIONS}"
    )
    mine = []
    for k in range(len(result)):
        core = 0 if one_core else k % nl.num_programs(0)
        if core == nl.program_id(0):
            wave = result[k]
            mine.append(Wave(launch, wave[0], wave[1], wave[2], wave[3]))
    return mine


def tile(w, dtype):
    """A fresh tile {P, F}: one element per lane, contents unwritten."""
    return nl.ndarray((w.P, w.F), dtype=dtype, buffer=nl.sbuf)


def lane_id(w):
    """The thread's place in its warp."""
    return index.binary("and", w.thread, 31)


def warp_id(w):
    """The warp's place in its block."""
    return index.binary("lshr", w.thread, 5)
