"""Moving values between lanes' variables: constants, predicated copies, selections."""

import nki.isa as nisa
import nki.language as nl

from . import index
from .masks import is_all, is_none, predicate_tile
from .progressions import length, position_pattern, runs_of, value_pattern
from .tiles import bits, column_of, is_number, like, number, spread


def _ramps(tile, values):
    """Writes values[f] to free position f of all partitions of an int32 tile."""
    for run in runs_of(values, True):
        target = tile
        if len(run.steps) > 1:
            pattern = [[tile.shape[1], tile.shape[0]]]
            pattern.extend(position_pattern(run))
            target = tile.ap(pattern=pattern, offset=run.first)
        elif length(run) < tile.shape[1]:
            target = tile[:, run.first : run.first + length(run)]
        nisa.iota(dst=target, pattern=value_pattern(run, 1), offset=run.value)


def _column(values):
    """values[p] in partition p, as int32 {P, 1}."""
    line = nl.ndarray((1, len(values)), dtype=nl.int32, buffer=nl.sbuf)
    _ramps(line, values)
    memory = nl.ndarray((len(values),), dtype=nl.int32, buffer=nl.private_hbm)
    nisa.dma_copy(dst=memory.reshape((1, len(values))), src=line)
    column = nl.ndarray((len(values), 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.dma_copy(dst=column, src=memory.reshape((len(values), 1)))
    return column


def _low_words(values):
    words = []
    for value in values:
        words.append(index.wrap(value, 32))
    return words


def materialize(dst, value):
    """A launch-known integer as an int32 tile (its low 32 bits)."""
    out = bits(dst, nl.int32)
    value = index.trunc(value, 32)
    if index.is_uniform(value):
        nisa.memset(dst=out, value=value)
        return
    if value.table != None:  # noqa: E711
        # A row at a time in partition 0, from where a transfer takes it to its partition.
        line = nl.ndarray((1, dst.shape[1]), dtype=nl.int32, buffer=nl.sbuf)
        memory = nl.ndarray(dst.shape, dtype=nl.int32, buffer=nl.private_hbm)
        for p in range(dst.shape[0]):
            row = value.table[p] if len(value.table) > 1 else value.table[0]
            _ramps(line, row)
            nisa.dma_copy(dst=memory[p : p + 1, :], src=line)
        nisa.dma_copy(dst=out, src=memory)
        return
    rows = value.rows
    cols = value.cols
    if len(cols) == 1:
        repeated = []
        for f in range(dst.shape[1]):
            repeated.append(cols[0])
        cols = repeated
    steps = runs_of(rows, True)
    if len(cols) > 0 and len(rows) == 1:
        _ramps(out, cols)
        return
    if len(steps) == 1 and len(steps[0].steps) == 1:
        runs = runs_of(cols, True)
        if len(runs) == 1 and len(runs[0].steps) < 4:
            nisa.iota(
                dst=_nest(out, runs[0]),
                pattern=value_pattern(runs[0], 1),
                offset=rows[0] + runs[0].value,
                channel_multiplier=steps[0].steps[0][0],
            )
            return
    _ramps(out, _low_words(cols))
    nisa.tensor_tensor(
        dst=out, data1=out, data2=spread(_column(rows), dst.shape[1]), op=nl.add
    )


def _nest(tile, run):
    """The tile in the shape of a run's steps."""
    if len(run.steps) == 1:
        return tile
    shape = [tile.shape[0]]
    for step in run.steps:
        shape.append(step[2])
    return tile.reshape(tuple(shape))


def fill(dst, value):
    """dst = value in all lanes, a number or a data scalar."""
    put(dst, value)


def full(dst, value):
    """The operand as a tile of dst's shape and type: a number, a data scalar or a tile."""
    if is_number(value):
        return number(dst, value, dst.dtype)
    value = column_of(value)
    if value.shape[1] == 1 and dst.shape[1] != 1:
        return spread(bits(value, dst.dtype), dst.shape[1])
    return bits(value, dst.dtype)


def copy(dst, src):
    nisa.tensor_copy(dst=dst, src=bits(src, dst.dtype))


def put(dst, value):
    """dst = value in all lanes; a number, a column or a tile."""
    if is_number(value):
        nisa.memset(dst=dst, value=value)
    else:
        nisa.tensor_copy(dst=dst, src=full(dst, value))


def assign(variable, value, mask):
    """Lanes of `mask` of `variable` take `value`; the others keep theirs."""
    if is_none(mask):
        return
    if is_all(mask):
        put(variable, value)
        return
    nisa.tensor_copy_predicated(
        dst=variable,
        src=full(variable, value),
        predicate=predicate_tile(mask, variable.shape),
    )


def select(dst, mask, a, b):
    """dst = mask ? a : b; dst may be one of them."""
    if isinstance(mask, bool):
        put(dst, a if mask else b)
        return
    result = like(dst, dst.dtype)
    put(result, b)
    assign(result, a, mask)
    nisa.tensor_copy(dst=dst, src=result)


def from_mask(dst, mask):
    """The mask as 0 / 1 in an int32 tile."""
    nisa.tensor_copy(dst=bits(dst, nl.uint32), src=predicate_tile(mask, dst.shape))


def zeros(w, dtype):
    """A tile {P, F} of zeros, for a variable that lanes assign at different times."""
    result = nl.ndarray((w.P, w.F), dtype=dtype, buffer=nl.sbuf)
    nisa.memset(dst=result, value=0)
    return result
