"""Small helpers on tiles {P, F}: one element per lane of a wave."""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject


def like(tile, dtype):
    """A fresh SBUF tile of the shape of `tile`, contents unwritten."""
    return nl.ndarray(tile.shape, dtype=dtype, buffer=nl.sbuf)


def bits(tile, dtype):
    """The same bytes as another type of the same size. No instruction."""
    if tile.dtype == dtype:
        return tile
    return tile.view(dtype)


def is_number(value):
    """Is the operand one number for all lanes that Python knows?"""
    return isinstance(value, int) or isinstance(value, float)


def spread(column, count):
    """A column {P, 1} seen as {P, count}, the same value everywhere in a partition."""
    return column.broadcast(1, count)


def number(tile, value, dtype):
    """One number as a tile of the shape of `tile`, with storage for a column only.

    `value` is what a lane of type `dtype` holds; for integers its low 32 bits count.
    """
    column = nl.ndarray((tile.shape[0], 1), dtype=dtype, buffer=nl.sbuf)
    nisa.memset(dst=column, value=value)
    return spread(column, tile.shape[1])


class Scalar(NKIObject):
    """A data scalar of the kernel, the same in all lanes: `column` is a float32 tile
    {P, 1}.

    Where a wave has one lane per partition it tells a data scalar from a variable of
    the lanes; elsewhere the column alone does.
    """

    def __init__(self, column):
        self.column = column


def column_of(value):
    return value.column if isinstance(value, Scalar) else value


def is_tile(value, dst):
    """Is the operand a tile of dst's shape, neither a number nor a data scalar?"""
    if is_number(value) or isinstance(value, Scalar):
        return False
    return value.shape[1] == dst.shape[1]
