"""Data scalars: arguments that are tensors, so that a new value needs no new compilation."""

import nki.isa as nisa
import nki.language as nl

from .floats import fabs, fadd, fmul, fneg, fsub
from .quotients import fdiv, sqrt
from .tiles import Scalar, bits, is_number, spread


def scalar(memory):
    """A data scalar, {1} in device memory, as a column {128, 1}."""
    assert not is_number(memory) and memory.shape[0] == 1, (
        f"a number that lanes compute with is a tensor of one element, not {memory}"
    )
    column = nl.ndarray((128, 1), dtype=memory.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=column, src=memory.ap(pattern=[[0, 128], [1, 1]], offset=0))
    return column


def column(w, whole):
    """The partitions of a wave of a column {128, 1}: an operand of an instruction."""
    return whole[0 : w.P, :]


def data(w, column):
    """The data scalar as an operand for the lanes of a wave."""
    return Scalar(column[0 : w.P, :])


def float_column(word):
    """A float by its bits as such a column: a NaN that Python's numbers do not tell apart."""
    column = nl.ndarray((128, 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.memset(dst=column, value=word)
    return column.view(nl.float32)


def data_tile(w, column):
    """An integer data scalar in every lane of a wave, as int32."""
    tile = nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf)
    words = bits(column, nl.int32)
    nisa.tensor_copy(dst=tile, src=spread(words[0 : w.P, :], w.F))
    return tile


def _column(value):
    if not is_number(value):
        return value
    column = nl.ndarray((128, 1), dtype=nl.float32, buffer=nl.sbuf)
    nisa.memset(dst=column, value=value)
    return column


def scalar_op(op, a, b=None):
    """What the host computes from data scalars and numbers in IEEE single precision, as a column."""
    result = nl.ndarray((128, 1), dtype=nl.float32, buffer=nl.sbuf)
    x = _column(a)
    if op == "fneg":
        fneg(result, x)
    elif op == "fabs":
        fabs(result, x)
    elif op == "sqrt":
        sqrt(result, x, True)
    elif op == "fadd":
        fadd(result, x, _column(b))
    elif op == "fsub":
        fsub(result, x, _column(b))
    elif op == "fmul":
        fmul(result, x, _column(b))
    else:
        assert op == "fdiv", op
        fdiv(result, x, _column(b), True)
    return result
