"""Loops that end when the chip says so: their bodies are traced once, and what they carry from round
to round stays where it is."""

import nki.isa as nisa
import nki.language as nl

from . import index
from .index import Dynamic
from .masks import Predicate, at, col_count, is_all, predicate_tile, row_count
from .tiles import like


def own(value):
    """A copy with storage of its own: a variable that the loop carries."""
    result = like(value, value.dtype)
    nisa.tensor_copy(dst=result, src=value)
    return result


def own_mask(w, mask):
    """The same of a mask."""
    result = nl.ndarray((w.P, w.F), dtype=nl.uint32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=result, src=predicate_tile(mask, (w.P, w.F)))
    return Predicate(result)


def set_mask(variable, mask):
    """The variable's lanes become those of `mask`."""
    nisa.tensor_copy(dst=variable.tile, src=predicate_tile(mask, variable.tile.shape))


UNROLLED = 16
"""Loops of so many rounds are unrolled, so that the compiler may mix them."""


def repeat(start, end, step, body):
    """body(k) for k from `start` to below `end`: on the chip where the rounds are many."""
    if end - start <= UNROLLED * step:
        for k in range(start, end, step):
            body(k)
    else:
        nl.fori_loop(start, end, body, step=step)


def _rounds_left(i, step, end, lanes):
    """In how many rounds, this one included, all of the lanes are left."""
    if step <= 0 or index.lowest(i) < 0:
        return 1
    left = index.sub(end, i, 64)
    fewest = index.lowest(left)
    if not is_all(lanes):
        fewest = index.highest(left)
        for p in range(max(row_count(lanes), index.row_count(left))):
            for f in range(max(col_count(lanes), index.col_count(left))):
                if at(lanes, p, f):
                    fewest = min(fewest, index.at(left, p, f))
    return 1 if fewest <= 0 else (fewest - 1) // step + 1


def rounds(i, step, end, lanes, body):
    """body(i, lanes) for one round of a loop that each lane counts by itself, from `i` by `step`
    while it is below `end`, and perhaps for more: the first round and the last one with these
    lanes are traced, those in between run on the chip where they are many.

    Returns the i of the last round that ran.
    """
    body(i, lanes)
    between = _rounds_left(i, step, end, lanes) - 2
    if between <= UNROLLED:
        return i

    def one_of_many(k):
        body(Dynamic(i, k, 1, step, between * step), lanes)

    nl.fori_loop(step, (between + 1) * step, one_of_many, step=step)
    return index.add(i, between * step, 64)


MOST_TRACED = 4096
"""Rounds of a loop that the chip might leave early; each makes the kernel larger."""


def one_more_round(rounds):
    """Counts the rounds of a loop that the launch ends at the latest, all of which are traced."""
    assert rounds < MOST_TRACED, (
        "a loop that the chip may leave early has too many rounds to trace all of them"
    )
    return rounds + 1


def counter(k, start, end, step):
    """What a body of repeat() was given, as a launch-known integer for addresses."""
    if isinstance(k, int):
        return k
    last = start + (end - 1 - start) // step * step
    return Dynamic(0, k, 1, start, last)


def any_lane(w, mask):
    """A register that is not 0 where some lane is in the mask."""
    rows = nl.ndarray((w.P, 1), dtype=nl.uint32, buffer=nl.sbuf)
    total = nl.ndarray((1, 1), dtype=nl.uint32, buffer=nl.sbuf)
    nisa.tensor_reduce(
        dst=rows, op=nl.bitwise_or, data=predicate_tile(mask, (w.P, w.F)), axis=1
    )
    nisa.tensor_partition_reduce(dst=total, op=nl.bitwise_or, data=rows)
    register = nisa.register_alloc()
    nisa.register_load(register, total)
    return register


def first_round():
    """The condition of a loop that looks for lanes in its middle."""
    return nisa.register_alloc(1)
