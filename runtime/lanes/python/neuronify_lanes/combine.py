"""Many lanes' numbers as one: associative operations, by halving."""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from .tiles import bits, like

SMALLEST = -2147483647 - 1
LARGEST = 2147483647


class Combine(NKIObject):
    """An associative operation on tiles of `dtype`; `identity`, as an int32, changes nothing."""

    def __init__(self, op, dtype, identity):
        self.op = op
        self.dtype = dtype
        self.identity = identity


def combine_of(op):
    """The operation of a reduction or an atomic of this name."""
    if op == "min":
        return Combine(nl.minimum, nl.int32, LARGEST)
    if op == "max" or op == "fmin" or op == "fmax":  # those of floats on keys
        return Combine(nl.maximum, nl.int32, SMALLEST)
    if op == "umin":
        return Combine(nl.minimum, nl.uint32, -1)
    if op == "umax" or op == "exch":  # of positions
        return Combine(nl.maximum, nl.uint32, 0)
    if op == "and":
        return Combine(nl.bitwise_and, nl.uint32, -1)
    if op == "or":
        return Combine(nl.bitwise_or, nl.uint32, 0)
    if op == "xor":
        return Combine(nl.bitwise_xor, nl.uint32, 0)
    assert op == "add" or op == "sub" or op == "inc" or op == "dec", op
    return Combine(nl.add, nl.int32, 0)


def masked(items, predicate, identity):
    """A fresh int32 tile: the items, or the identity where the predicate is 0; None: 1 everywhere."""
    result = like(items, nl.int32)
    if predicate == None:  # noqa: E711
        nisa.tensor_copy(dst=result, src=bits(items, nl.int32))
        return result
    nisa.memset(dst=result, value=identity)
    nisa.tensor_copy_predicated(
        dst=result, src=bits(items, nl.int32), predicate=predicate
    )
    return result


def combine_groups(combine, items, groups, count):
    """Combines each `count` consecutive elements of a row: int32 {N, groups} from
    {N, groups * count}, which is overwritten."""
    tile = bits(items, combine.dtype).reshape((items.shape[0], groups, count))
    left = count
    while left > 1:
        # Halves onto each other; the middle of an odd number waits for the next round.
        kept = (left + 1) // 2
        moved = left // 2
        nisa.tensor_tensor(
            dst=tile[:, :, 0:moved],
            data1=tile[:, :, 0:moved],
            data2=tile[:, :, kept : kept + moved],
            op=combine.op,
        )
        left = kept
    result = nl.ndarray((items.shape[0], groups), dtype=nl.int32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=bits(result, combine.dtype), src=tile[:, :, 0])
    return result


def combine_before(combine, items):
    """The combination of the elements before each: int32 {N, K}."""
    count = items.shape[1]
    source = bits(items, combine.dtype)
    # One to the right, and then twice as far in every round.
    words = like(items, nl.int32)
    nisa.memset(dst=words, value=combine.identity)
    now = bits(words, combine.dtype)
    if count > 1:
        nisa.tensor_copy(dst=now[:, 1:count], src=source[:, 0 : count - 1])
    step = 1
    while step < count:
        after = like(items, combine.dtype)
        nisa.tensor_copy(dst=after[:, 0:step], src=now[:, 0:step])
        nisa.tensor_tensor(
            dst=after[:, step:count],
            data1=now[:, step:count],
            data2=now[:, 0 : count - step],
            op=combine.op,
        )
        now = after
        step = step * 2
    return bits(now, nl.int32)
