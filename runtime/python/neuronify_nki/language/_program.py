"""Loops, the launch grid, and facts about the chip."""

import contextlib
import warnings

from .. import _chip
from .._objects import NKIObject


def ds(start, size):
    """The slice of `size` elements from `start` on."""
    first = int(start)
    return slice(first, first + size)


def affine_range(start, stop=None, step=1):
    """range(), under an old name."""
    return range(start) if stop is None else range(start, stop, step)


sequential_range = static_range = affine_range
range_ = range


def _named(name):
    def function(start, stop=None, step=1):
        return affine_range(start, stop, step)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = affine_range.__doc__
    return function


sequential_range = _named("sequential_range")
static_range = _named("static_range")


def _bound(value):
    return value if isinstance(value, int) else int(value)


def dynamic_range(start, stop=None, step=1):
    """A loop with bounds that registers may hold; yields a register in each round."""
    lower, upper = (0, start) if stop is None else (start, stop)
    for value in range(_bound(lower), _bound(upper), step):
        yield _chip.register_alloc(value)


def fori_loop(lower, upper, body_fun, step=1):
    """body_fun(i) for i from lower to upper, each time with a register of its own."""
    if not isinstance(step, int) or step < 1:
        raise ValueError("nl.fori_loop: step must be a positive integer")
    for value in range(_bound(lower), _bound(upper), step):
        if body_fun(_chip.register_alloc(value)) is not None:
            raise ValueError("nl.fori_loop: the body returns nothing")


def while_loop(init, body_fun):
    """r = body_fun(r) while r is not zero, beginning with `init`."""
    condition = init
    while int(condition) != 0:
        condition = body_fun(_chip.register_alloc(int(condition)))


@contextlib.contextmanager
def no_reorder():
    """The model keeps program order anyway."""
    yield


def program_id(axis=0):
    """Which of the kernel's programs this is."""
    return _chip.program_id() if axis == 0 else 0


def num_programs(axes=0):
    """How many programs the kernel runs as."""
    return 1 if axes not in (0, None, (0,), [0]) else max(1, _chip.grid())


def program_ndim():
    """Dimensions of the launch grid: 1, or 0 without one."""
    return 1 if _chip.grid() else 0


class _TileSize(NKIObject):
    """Sizes that the hardware gives tiles, of the generation at hand."""

    pmax = 128
    psum_bank_fmax = 512
    psum_bank_fmax_bytes = 2048
    gemm_stationary_fmax = 128
    gemm_moving_fmax = 512
    bn_stats_fmax = 512
    psum_min_align = 4
    sbuf_min_align = 1

    def __init__(self):
        pass

    @staticmethod
    def _fact(name):
        from .._launch import target_facts
        return target_facts()[name]

    @property
    def psum_fmax(self):
        """Deprecated: psum_bank_fmax."""
        return self.psum_bank_fmax

    @property
    def psum_num_banks(self):
        return self._fact("psum_banks")

    @property
    def sbuf_size_bytes(self):
        return self.pmax * self.sbuf_fmax_bytes

    @property
    def sbuf_fmax(self):
        return self.sbuf_fmax_bytes // 4

    @property
    def sbuf_fmax_bytes(self):
        return self._fact("sbuf_partition_bytes")

    @property
    def total_available_sbuf_size(self):
        """Deprecated: sbuf_fmax_bytes."""
        return self.sbuf_fmax_bytes


tile_size = _TileSize()
