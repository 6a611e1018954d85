"""Making, loading and storing tiles."""

import numpy as np

from .. import _chip
from .. import isa as nisa
from ._types import *  # noqa: F401,F403
from ._types import MemoryRegion

sbuf = MemoryRegion.sbuf
psum = MemoryRegion.psum
private_hbm = MemoryRegion.private_hbm
hbm = MemoryRegion.private_hbm
shared_hbm = MemoryRegion.shared_hbm

_HBM = (MemoryRegion.private_hbm, MemoryRegion.shared_hbm)


def is_hbm(buffer):
    """Whether `buffer` is device memory."""
    return buffer in _HBM or buffer in ("hbm", "private_hbm", "shared_hbm")


def is_sbuf(buffer):
    """Whether `buffer` is the state buffer."""
    return buffer is sbuf or buffer == "sbuf"


def is_psum(buffer):
    """Whether `buffer` is PSUM."""
    return buffer is psum or buffer == "psum"


def is_on_chip(buffer):
    """Whether `buffer` is SBUF or PSUM."""
    return is_sbuf(buffer) or is_psum(buffer)


def ndarray(shape, dtype, buffer=sbuf, name="", address=None):
    """A fresh tensor, whose contents nobody has written yet."""
    return _chip.ndarray(shape, dtype, buffer, name or "", address)


def full(shape, fill_value, dtype, buffer=sbuf, name=""):
    """A tensor filled with one value."""
    made = ndarray(shape, dtype, buffer, name)
    _fill(made, fill_value)
    return made


def zeros(shape, dtype, buffer=sbuf, name=""):
    """A tensor of zeros."""
    return full(shape, 0, dtype, buffer, name)


def ones(shape, dtype, buffer=sbuf, name=""):
    """A tensor of ones."""
    return full(shape, 1, dtype, buffer, name)


def zeros_like(x, dtype=None, buffer=None, name=""):
    """Zeros of the shape and, unless others are given, the type and the buffer of x."""
    return zeros(x.shape, dtype or x.dtype, buffer or x.buffer, name)


def empty_like(x, dtype=None, buffer=None, name=""):
    """A fresh tensor of the shape and, unless others are given, the type and the buffer of x."""
    return ndarray(x.shape, dtype or x.dtype, buffer or x.buffer, name)


def _fill(tensor, value):
    if is_on_chip(tensor.buffer):
        nisa.memset(tensor, value)
        return
    flat = tensor.reshape((tensor.size,)) if tensor.is_contiguous() else tensor
    columns = 2048
    tile = full((1, min(columns, tensor.size)), value, tensor.dtype)
    for start in range(0, tensor.size, columns):
        count = min(columns, tensor.size - start)
        nisa.dma_copy(flat[start:start + count], tile[:, 0:count])


def load(src, dtype=None):
    """A tile in SBUF with the values of an HBM tensor."""
    tile = ndarray(src.shape, dtype or src.dtype)
    nisa.dma_copy(tile, src)
    return tile


def store(dst, value):
    """HBM tensor dst = the tile `value`."""
    if is_psum(value.buffer):
        staged = ndarray(value.shape, value.dtype)
        nisa.tensor_copy(staged, value)
        value = staged
    nisa.dma_copy(dst, value)


def load_transpose2d(src, dtype=None):
    """The transposed of a two-dimensional HBM tensor, as a tile in SBUF."""
    rows, columns = src.shape
    result = ndarray((columns, rows), dtype or src.dtype)
    for start in range(0, rows, 128):
        count = min(128, rows - start)
        part = load(src[start:start + count])
        through = ndarray((columns, count), part.dtype, psum)
        nisa.nc_transpose(through, part)
        nisa.tensor_copy(result[:, start:start + count], through)
    return result


def assign(tensor, key, value):
    """tensor[key] = value, with the instruction that the buffers ask for."""
    target = tensor[key]
    if not isinstance(value, _chip.NkiTensor):
        _fill(target, value)
    elif is_hbm(target.buffer) or is_hbm(value.buffer):
        nisa.dma_copy(target, value)
    else:
        nisa.tensor_copy(target, value)


_chip.NkiTensor.__setitem__ = assign


def shared_constant(constant):
    """An HBM tensor with the values of an array, or of a .npy file."""
    array = np.ascontiguousarray(np.load(constant) if isinstance(constant, str) else constant)
    return _chip.from_array(array, array.dtype, shared_hbm)


def shared_identity_matrix(n, dtype=uint8, dst=None):  # noqa: F405
    """The identity matrix as a tile in SBUF."""
    constant = shared_constant(np.eye(n).astype(_chip.numpy_type(dtype)))
    tile = ndarray((n, n), dtype) if dst is None else dst
    nisa.dma_copy(tile, constant)
    return tile


def device_print(print_prefix, tensor):
    """Prints the values of a tensor."""
    print(print_prefix, _chip.to_array(tensor))
