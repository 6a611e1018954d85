"""What the tests of the nki module share."""

import unittest  # noqa: F401

import numpy as np

import neuronify_nki  # noqa: F401  (makes `nki` importable)
import nki
import nki.isa as nisa
import nki.language as nl

random = np.random.default_rng(7)


def floats(*shape):
    return random.standard_normal(shape).astype(np.float32)


def on_chip(array, buffer=nl.sbuf):
    """A tile with the array's values; only inside of a kernel."""
    tile = nl.ndarray(array.shape, array.dtype, nl.sbuf)
    nisa.dma_copy(tile, array)
    if buffer == nl.sbuf:
        return tile
    copied = nl.ndarray(array.shape, array.dtype, buffer)
    nisa.tensor_copy(copied, tile)
    return copied


def to_hbm(tile, dtype=None):
    """The tile's values in HBM."""
    out = nl.ndarray(tile.shape, dtype or tile.dtype, nl.shared_hbm)
    nl.store(out, tile)
    return out


def run(function, *arrays):
    """function(tiles...) -> tile, as a kernel of arrays."""

    @nki.jit
    def kernel(*tensors):
        return to_hbm(function(*[on_chip(tensor) for tensor in tensors]))

    return kernel(*arrays)
