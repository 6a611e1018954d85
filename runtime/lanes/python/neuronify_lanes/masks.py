"""Which lanes a statement acts on: True, False, a set known when tracing, or a predicate tile."""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from . import index
from .progressions import length, runs_of


class Known(NKIObject):
    """Lanes known when tracing. `rows[p]` is True, False or a list of booleans; one row for all
    partitions where they are alike."""

    def __init__(self, rows):
        self.rows = rows


class Predicate(NKIObject):
    """Lanes that the chip knows: `tile` is uint32 {P, F}, 1 or 0; `known` contains all of them."""

    def __init__(self, tile, known=True):
        self.tile = tile
        self.known = known


def is_all(mask):
    return isinstance(mask, bool) and mask


def is_none(mask):
    return isinstance(mask, bool) and not mask


def is_tile(mask):
    return isinstance(mask, Predicate)


def _simple(row):
    """True or False where a row is."""
    if isinstance(row, bool):
        return row
    first = row[0]
    for value in row:
        if value != first:
            return row
    return first


def known(rows):
    """A mask from rows, in its simplest form."""
    simple = []
    alike = True
    for row in rows:
        simple.append(_simple(row))
        alike = alike and simple[-1] == simple[0]
    if alike:
        if isinstance(simple[0], bool):
            return simple[0]
        return Known([simple[0]])
    return Known(simple)


def row_of(mask, p):
    """Row p of a mask that is no tile."""
    if isinstance(mask, bool):
        return mask
    return mask.rows[p] if len(mask.rows) > 1 else mask.rows[0]


def at(mask, p, f):
    """Is lane (p, f) in a mask that is no tile?"""
    row = row_of(mask, p)
    return row if isinstance(row, bool) else row[f]


def row_count(mask):
    return 1 if isinstance(mask, bool) else len(mask.rows)


def col_count(mask):
    """1, or the number of free positions, of a mask that is no tile."""
    width = 1
    for p in range(row_count(mask)):
        row = row_of(mask, p)
        if not isinstance(row, bool):
            width = max(width, len(row))
    return width


def launch_part(mask):
    """The mask, or what is known when tracing of a predicate tile."""
    return mask.known if is_tile(mask) else mask


# ---- comparisons of launch-known integers ---------------------------------------------------------


def _holds(op, difference):
    if op == "lt":
        return difference < 0
    if op == "le":
        return difference <= 0
    return difference == 0


def _compare_row(op, row, cols, low, high):
    """Where row + cols[f] is below zero (or not above it, or zero); low and high bound cols."""
    if op != "eq":
        if _holds(op, row + high):
            return True
        if not _holds(op, row + low):
            return False
    elif row + low > 0 or row + high < 0:
        return False
    result = []
    for value in cols:
        result.append(_holds(op, row + value))
    return result


def _test(op, difference):
    """Lanes where a launch-known integer is below zero (lt), not above it (le) or zero (eq)."""
    if index.is_uniform(difference):
        return _holds(op, difference)
    rows = []
    if difference.table != None:  # noqa: E711
        for row in difference.table:
            rows.append(_compare_row(op, 0, row, min(row), max(row)))
        return known(rows)
    low = min(difference.cols)
    high = max(difference.cols)
    for row in difference.rows:
        rows.append(_compare_row(op, row, difference.cols, low, high))
    return known(rows)


def _as_unsigned(a, bits):
    """Values read as unsigned integers, in more bits."""
    return index.zext(a, bits, bits + 1)


def compare(predicate, a, b, bits=32):
    """Lanes where a predicate of LLVM's icmp holds: eq ne slt sle sgt sge ult ule ugt uge."""
    if predicate == "ne":
        return invert(compare("eq", a, b, bits))
    if predicate[1:3] == "gt" or predicate[1:3] == "ge":
        opposite = "lt" if predicate[1:3] == "gt" else "le"
        return compare(predicate[0] + opposite, b, a, bits)
    if predicate[0] == "u":
        a = _as_unsigned(a, bits)
        b = _as_unsigned(b, bits)
    return _test(
        predicate if predicate == "eq" else predicate[1:3], index.sub(a, b, bits + 2)
    )


# ---- algebra ------------------------------------------------------------------------------------


def _combine_rows(op, a, b):
    if isinstance(a, bool) and isinstance(b, bool):
        if op == "and":
            return a and b
        return (a or b) if op == "or" else a != b
    if isinstance(a, bool):
        return _combine_rows(op, b, a)
    if isinstance(b, bool):
        if op == "and":
            return a if b else False
        if op == "or":
            return True if b else a
        if not b:
            return a
    result = []
    for f in range(len(a)):
        other = b if isinstance(b, bool) else b[f]
        result.append(_combine_rows(op, a[f], other))
    return result


def _combine(op, a, b):
    rows = []
    for p in range(max(row_count(a), row_count(b))):
        rows.append(_combine_rows(op, row_of(a, p), row_of(b, p)))
    return known(rows)


def _on_chip(op, a, b):
    shape = a.tile.shape if is_tile(a) else b.tile.shape
    result = nl.ndarray(shape, dtype=nl.uint32, buffer=nl.sbuf)
    nisa.tensor_tensor(
        dst=result,
        data1=predicate_tile(a, shape),
        data2=predicate_tile(b, shape),
        op=op,
    )
    return result


def both(a, b):
    """Lanes in a and in b."""
    if is_none(a) or is_none(b):
        return False
    if is_all(a):
        return b
    if is_all(b):
        return a
    if is_tile(a) or is_tile(b):
        return Predicate(
            _on_chip(nl.bitwise_and, a, b), both(launch_part(a), launch_part(b))
        )
    return _combine("and", a, b)


def either(a, b):
    """Lanes in a or in b."""
    if is_all(a) or is_all(b):
        return True
    if is_none(a):
        return b
    if is_none(b):
        return a
    if is_tile(a) or is_tile(b):
        return Predicate(
            _on_chip(nl.bitwise_or, a, b), either(launch_part(a), launch_part(b))
        )
    return _combine("or", a, b)


def differ(a, b):
    """Lanes in one of a and b."""
    if is_none(a):
        return b
    if is_none(b):
        return a
    if is_all(a):
        return invert(b)
    if is_all(b):
        return invert(a)
    if is_tile(a) or is_tile(b):
        return Predicate(
            _on_chip(nl.bitwise_xor, a, b), either(launch_part(a), launch_part(b))
        )
    return _combine("xor", a, b)


def invert(a):
    """The other lanes."""
    if isinstance(a, bool):
        return not a
    if is_tile(a):
        result = nl.ndarray(a.tile.shape, dtype=nl.uint32, buffer=nl.sbuf)
        nisa.tensor_scalar(dst=result, data=a.tile, op0=nl.bitwise_xor, operand0=1)
        return Predicate(result)
    return _combine("xor", a, True)


def andnot(a, b):
    """Lanes of a that are not in b."""
    return both(a, invert(b))


def choose(mask, a, b):
    """mask ? a : b, lane by lane."""
    if isinstance(mask, bool):
        return a if mask else b
    return either(both(mask, a), andnot(b, mask))


def choose_known(mask, a, b):
    """The same of launch-known integers; the mask is no tile."""
    if isinstance(mask, bool):
        return a if mask else b
    assert not is_tile(mask), "the chip decides here what is known when tracing"
    width = max(index.col_count(a), index.col_count(b))
    for lanes in mask.rows:
        width = max(width, 1 if isinstance(lanes, bool) else len(lanes))
    table = []
    for p in range(max(row_count(mask), index.row_count(a), index.row_count(b))):
        row = []
        for f in range(width):
            row.append(index.at(a if at(mask, p, f) else b, p, f))
        table.append(row)
    return index.from_table(table)


def maybe_any(mask):
    """May some lane be in the mask? For a predicate tile, yes."""
    return not is_none(mask)


def any_known(mask):
    """Is some lane in the mask? Not of predicate tiles: what the chip decides loops on the chip."""
    assert not is_tile(mask), "this loop ends when the chip says so: lanes.while_any"
    return not is_none(mask)


# ---- on the chip --------------------------------------------------------------------------------


def _paint(tile, row):
    """Writes 1 where a row has lanes and 0 elsewhere, in all partitions of the tile."""
    if isinstance(row, bool):
        nisa.memset(dst=tile, value=1 if row else 0)
        return
    nisa.memset(dst=tile, value=0)
    zeros = []
    for value in row:
        zeros.append(0)
    for run in runs_of(zeros, row):
        if len(run.steps) == 1:
            nisa.memset(dst=tile[:, run.first : run.first + length(run)], value=1)
        else:
            _paint_nest(tile, run)


def _paint_nest(tile, run):
    pattern = [[tile.shape[1], tile.shape[0]]]
    for step in run.steps:
        pattern.append([step[1], step[2]])
    nisa.memset(dst=tile.ap(pattern=pattern, offset=run.first), value=1)


def predicate_tile(mask, shape):
    """The mask as uint32 {P, F} on the chip, 1 where a lane is in it."""
    if is_tile(mask):
        return mask.tile
    tile = nl.ndarray(shape, dtype=nl.uint32, buffer=nl.sbuf)
    if row_count(mask) == 1:
        _paint(tile, row_of(mask, 0))
        return tile
    # Engines start at certain partitions only; transfers start anywhere.
    line = nl.ndarray((1, shape[1]), dtype=nl.uint32, buffer=nl.sbuf)
    lines = nl.ndarray((shape[0], shape[1]), dtype=nl.uint32, buffer=nl.private_hbm)
    for p in range(shape[0]):
        if p == 0 or mask.rows[p] != mask.rows[p - 1]:
            _paint(line, mask.rows[p])
        nisa.dma_copy(dst=lines[p : p + 1, :], src=line)
    nisa.dma_copy(dst=tile, src=lines)
    return tile
