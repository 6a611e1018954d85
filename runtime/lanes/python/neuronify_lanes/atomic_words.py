"""What an atomic operation does to a word, and what many lanes make of one word together.

Operations have the names of the functions in atomics.py. Words are int32 tiles, floats by their bits.
"""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from . import floats, halves, integers
from .combine import SMALLEST, combine_before, combine_groups, combine_of, masked
from .formulas import trip_count
from .integer_division import urem
from .tiles import bits, like, number, spread

NEGATIVE_ZERO = SMALLEST
"""Adds nothing to any float, by its bits."""


class Request(NKIObject):
    """One statement: `values` and, for cas, `compares` are int32 {P, K}; `number` is the value where
    Python knows one for all lanes."""

    def __init__(self, op, values, compares=None, number=None):
        self.op = op
        self.values = values
        self.compares = compares
        self.number = number


def is_half(op):
    return op == "fadd_half" or op == "fadd_bfloat"


def is_narrow(op):
    """Is the word of 16 bits?"""
    return is_half(op) or op == "cas16"


def item_size(op):
    """Bytes of what the operation is on; 16-bit words have zeros above."""
    return 2 if is_half(op) or op == "cas16" else 4


def is_float_sum(op):
    """Sums of floats depend on the order: they are scans."""
    return op == "fadd" or op == "fsub"


def combines(request):
    """Do the operations of many lanes on one word combine to one?"""
    if request.op == "inc" or request.op == "dec":
        return request.number != None  # noqa: E711
    return request.op != "cas" and not is_narrow(request.op)


def is_counted(request):
    """Is how many lanes there are for a word all that matters?"""
    op = request.op
    countable = op == "add" or op == "sub" or op == "inc" or op == "dec"
    return countable and request.number != None  # noqa: E711


def _where(a, op, b, dtype):
    """1 where a op b, as a fresh uint32 tile."""
    result = like(a, nl.uint32)
    nisa.tensor_tensor(dst=result, data1=bits(a, dtype), data2=bits(b, dtype), op=op)
    return result


def _words(tile, value):
    return number(tile, value, nl.int32)


# ---- one lane -----------------------------------------------------------------------------------


def _swap_where_equal(dst, old, value, compare):
    equal = _where(old, nl.equal, compare, nl.int32)
    nisa.tensor_copy(dst=dst, src=old)
    nisa.tensor_copy_predicated(dst=dst, src=value, predicate=equal)


def _increment(dst, old, limit):
    """0 from the limit on."""
    wraps = like(old, nl.uint32)
    floats.compare_integers(wraps, "uge", old, limit)
    integers.iadd(dst, old, 1)
    nisa.tensor_copy_predicated(dst=dst, src=_words(dst, 0), predicate=wraps)


def _decrement(dst, old, limit):
    """The limit from 0 and from above it."""
    wraps = like(old, nl.uint32)
    is_zero = like(old, nl.uint32)
    floats.compare_integers(wraps, "ugt", old, limit)
    floats.compare_integers(is_zero, "eq", old, 0)
    nisa.tensor_tensor(dst=wraps, data1=wraps, data2=is_zero, op=nl.bitwise_or)
    integers.isub(dst, old, 1)
    nisa.tensor_copy_predicated(dst=dst, src=limit, predicate=wraps)


def widen(op, dst, old):
    """dst = the 16-bit float of an operation on halves as a float."""
    if op == "fadd_half":
        halves.half_to_float(dst, old)
    else:
        halves.bfloat_to_float(dst, old)


def _add_half(op, dst, old, value):
    total = like(old, nl.float32)
    widen(op, total, old)
    floats.fadd(total, total, bits(value, nl.float32))
    if op == "fadd_half":
        halves.float_to_half(dst, total)
    else:
        halves.float_to_bfloat(dst, total)


def _apply_float(op, dst, old, value):
    a = bits(old, nl.float32)
    b = bits(value, nl.float32)
    if op == "fadd":
        floats.fadd(dst, a, b)
    elif op == "fsub":
        floats.fsub(dst, a, b)
    elif op == "fmin":
        floats.fmin(dst, a, b)
    else:
        assert op == "fmax", op
        floats.fmax(dst, a, b)


def apply(op, dst, old, value, compare=None):
    """dst = what becomes of the words `old`, lane by lane; all tiles have one shape. Only for
    operations that combine, dst may be `old`."""
    if op == "add":
        integers.iadd(dst, old, value)
    elif op == "sub":
        integers.isub(dst, old, value)
    elif op == "exch":
        nisa.tensor_copy(dst=dst, src=value)
    elif op == "min":
        integers.smin(dst, old, value)
    elif op == "max":
        integers.smax(dst, old, value)
    elif op == "umin":
        integers.umin(dst, old, value)
    elif op == "umax":
        integers.umax(dst, old, value)
    elif op == "and":
        integers.iand(dst, old, value)
    elif op == "or":
        integers.ior(dst, old, value)
    elif op == "xor":
        integers.ixor(dst, old, value)
    elif op == "inc":
        _increment(dst, old, value)
    elif op == "dec":
        _decrement(dst, old, value)
    elif op == "cas" or op == "cas16":
        _swap_where_equal(dst, old, value, compare)
    elif op == "cas16":
        low = like(old, nl.int32)
        wanted = like(old, nl.int32)
        integers.iand(low, old, 65535)
        integers.iand(wanted, compare, 65535)
        _swap_where_equal(dst, low, value, wanted)
        integers.iand(dst, dst, 65535)  # copies to 16 bits saturate
    elif is_half(op):
        _add_half(op, dst, old, value)
    else:
        _apply_float(op, dst, old, value)


# ---- many lanes, one word -----------------------------------------------------------------------


def _order(dst, word):
    """The involution between the bits of a float and an integer of the same order, -0 below +0."""
    flip = like(word, nl.int32)
    integers.ashr(flip, word, 31)
    integers.iand(flip, flip, 2147483647)
    integers.ixor(dst, word, flip)


def _keys_of(word, smallest):
    """Integers whose maximum belongs to the wanted float; NaN loses against all others."""
    keys = like(word, nl.int32)
    size = like(word, nl.int32)
    is_nan = like(word, nl.uint32)
    _order(keys, word)
    if smallest:
        integers.ixor(keys, keys, -1)
    integers.iand(size, word, 2147483647)
    floats.compare_integers(is_nan, "sgt", size, 2139095040)
    nisa.tensor_copy_predicated(dst=keys, src=_words(keys, SMALLEST), predicate=is_nan)
    return keys


def _float_of_keys(keys, smallest):
    """The float of a key by its bits; NaN for the identity."""
    word = like(keys, nl.int32)
    integers.ixor(word, keys, -1 if smallest else 0)
    _order(word, word)
    return word


def _after_steps(plain, start, count, limit):
    """Which lanes of `count` steps stay before the first wrap, after `start` steps, and how far the
    others are in the cycle."""
    stays = _where(count, nl.less_equal, start, nl.uint32)
    cycle = like(plain, nl.int32)
    integers.isub(cycle, count, start)
    integers.isub(cycle, cycle, 1)
    urem(cycle, cycle, limit + 1 if limit != 2147483647 else SMALLEST)
    return stays, cycle


def _steps_before(old, steps, limit):
    """`steps` for words up to the limit, 0 for those above it."""
    inside = like(old, nl.uint32)
    floats.compare_integers(inside, "ule", old, limit)
    start = like(old, nl.int32)
    nisa.memset(dst=start, value=0)
    nisa.tensor_copy_predicated(dst=start, src=steps, predicate=inside)
    return start


def _count_up(dst, old, count, limit):
    """The word after `count` increments with one limit."""
    plain = like(old, nl.int32)
    integers.iadd(plain, old, count)
    if limit != -1:  # else the word's own wrap-around
        room = like(old, nl.int32)
        integers.isub(room, limit, old)
        start = _steps_before(old, room, limit)
        stays, cycle = _after_steps(plain, start, count, limit)
        nisa.tensor_copy_predicated(dst=cycle, src=plain, predicate=stays)
        plain = cycle
    nisa.tensor_copy(dst=dst, src=plain)


def _count_down(dst, old, count, limit):
    """The word after `count` decrements with one limit."""
    plain = like(old, nl.int32)
    integers.isub(plain, old, count)
    if limit != -1:
        start = _steps_before(old, old, limit)
        stays, cycle = _after_steps(plain, start, count, limit)
        integers.isub(cycle, limit, cycle)
        nisa.tensor_copy_predicated(dst=cycle, src=plain, predicate=stays)
        plain = cycle
    nisa.tensor_copy(dst=dst, src=plain)


def contributions(request, values):
    """What each lane contributes, a fresh tile or `values`; for exch its position, from 1."""
    if request.op == "inc" or request.op == "dec":
        ones = like(values, nl.int32)
        nisa.memset(dst=ones, value=1)
        return ones
    if request.op == "exch":
        position = like(values, nl.int32)
        nisa.iota(dst=position, pattern=[[1, values.shape[1]]], offset=1)
        return position
    if request.op == "sub":
        negative = like(values, nl.int32)
        integers.isub(negative, 0, values)
        return negative
    if request.op == "fmin" or request.op == "fmax":
        return _keys_of(values, request.op == "fmin")
    return values


def finish(request, dst, old, total, values):
    """dst = `old` after the contributions that were combined to `total`. For exch, rows of `values`
    have what the positions in `total` stand for."""
    op = request.op
    if op == "inc":
        _count_up(dst, old, total, request.number)
    elif op == "dec":
        _count_down(dst, old, total, request.number)
    elif op == "fmin" or op == "fmax":
        apply(op, dst, old, _float_of_keys(total, op == "fmin"))
    elif op == "sub":
        integers.iadd(dst, old, total)
    elif op == "exch":
        position = like(total, nl.uint32)
        value = like(total, nl.int32)
        nisa.tensor_scalar(
            dst=position,
            data=bits(total, nl.uint32),
            op0=nl.maximum,
            operand0=1.0,
            op1=nl.subtract,
            operand1=1.0,
        )
        nisa.nc_n_gather(dst=value, data=values, indices=position)
        nisa.tensor_copy(dst=dst, src=old)
        nisa.tensor_copy_predicated(
            dst=dst, src=value, predicate=bits(total, nl.uint32)
        )
    else:
        apply(op, dst, old, total)


def addends(request, values):
    """The floats to add, by their bits."""
    if request.op == "fadd":
        return values
    negative = like(values, nl.int32)
    integers.ixor(negative, values, NEGATIVE_ZERO)
    return negative


def float_sums(sums, items, start):
    """sums[i] = ((start + items[0]) + items[1]) + ... + items[i] in fp32; start {N, 1}."""
    nisa.tensor_tensor_scan(
        dst=bits(sums, nl.float32),
        data0=bits(items, nl.float32),
        data1=_words(items, NEGATIVE_ZERO).view(nl.float32),
        initial=bits(start, nl.float32),
        op0=nl.add,
        op1=nl.add,
    )


# ---- rows ---------------------------------------------------------------------------------------


def _behind(positions, last):
    result = like(positions, nl.uint32)
    nisa.tensor_scalar(dst=result, data=positions, op0=nl.greater, operand0=last)
    return result


def _swap_rows(cell, found, request, predicate):
    """As many steps as swaps succeed one after the other, since nothing happens between those."""
    lanes = request.values.shape[1]
    # Positions count from 1; ranks fall from K to 1, so that the largest belongs to the first lane.
    position = like(request.values, nl.float32)
    rank = like(request.values, nl.float32)
    last = like(cell, nl.float32)
    nisa.iota(dst=position, pattern=[[1, lanes]], offset=1)
    nisa.iota(dst=rank, pattern=[[-1, lanes]], offset=lanes)
    nisa.memset(dst=last, value=0.0)
    if found != None:  # noqa: E711
        nisa.tensor_copy(dst=found, src=spread(cell, lanes))

    def next_swap(going):
        swaps = _where(request.compares, nl.equal, spread(cell, lanes), nl.int32)
        later = _behind(position, last)
        nisa.tensor_tensor(dst=swaps, data1=swaps, data2=later, op=nl.bitwise_and)
        if predicate != None:  # noqa: E711
            nisa.tensor_tensor(
                dst=swaps, data1=swaps, data2=predicate, op=nl.bitwise_and
            )
        ranks = like(rank, nl.float32)
        hit = like(cell, nl.float32)
        hits = like(cell, nl.uint32)
        nisa.tensor_tensor(dst=ranks, data1=rank, data2=swaps, op=nl.multiply)
        nisa.tensor_reduce(dst=hit, op=nl.maximum, data=ranks, axis=1)
        nisa.tensor_copy(dst=hits, src=hit)
        # last = K + 1 - hit; a row without a hit is done for ever, and its last lane is as good.
        nisa.tensor_scalar(
            dst=last,
            data=hit,
            op0=nl.maximum,
            operand0=1.0,
            op1=nl.subtract,
            operand1=lanes + 1.0,
            reverse1=True,
        )
        source = like(cell, nl.uint32)
        value = like(cell, nl.int32)
        nisa.tensor_scalar(dst=source, data=last, op0=nl.subtract, operand0=1.0)
        nisa.nc_n_gather(dst=value, data=request.values, indices=source)
        nisa.tensor_copy_predicated(dst=cell, src=value, predicate=hits)
        if found != None:  # noqa: E711
            nisa.tensor_copy_predicated(
                dst=found, src=spread(cell, lanes), predicate=_behind(position, last)
            )
        return trip_count(hit)

    nl.while_loop(nisa.register_alloc(1), next_swap)


def _one_by_one(cell, found, request, predicate):
    """Lane after lane, for operations that do not combine."""
    after = like(cell, nl.int32)
    for f in range(request.values.shape[1]):
        if found != None:  # noqa: E711
            nisa.tensor_copy(dst=found[:, f : f + 1], src=cell)
        apply(request.op, after, cell, request.values[:, f : f + 1])
        if predicate == None:  # noqa: E711
            nisa.tensor_copy(dst=cell, src=after)
        else:
            nisa.tensor_copy_predicated(
                dst=cell, src=after, predicate=predicate[:, f : f + 1]
            )


def _sum_floats(cell, found, request, predicate):
    lanes = request.values.shape[1]
    sums = like(request.values, nl.int32)
    items = masked(addends(request, request.values), predicate, NEGATIVE_ZERO)
    float_sums(sums, items, cell)
    if found != None:  # noqa: E711
        nisa.tensor_copy(dst=found[:, 0:1], src=cell)
        if lanes > 1:
            nisa.tensor_copy(dst=found[:, 1:lanes], src=sums[:, 0 : lanes - 1])
    nisa.tensor_copy(dst=cell, src=sums[:, lanes - 1 : lanes])


def update_rows(cell, found, request, predicate):
    """Every lane of row r works on the word cell[r], {R, 1}. `found`, {R, K} or None, gets what each
    lane finds; `predicate` None: all lanes."""
    if request.op == "cas":
        _swap_rows(cell, found, request, predicate)
        return
    if not combines(request):
        _one_by_one(cell, found, request, predicate)
        return
    if is_float_sum(request.op):
        _sum_floats(cell, found, request, predicate)
        return
    lanes = request.values.shape[1]
    combine = combine_of(request.op)
    parts = contributions(request, request.values)
    items = masked(parts, predicate, combine.identity)
    if found != None:  # noqa: E711
        before = like(found, nl.int32)
        nisa.tensor_copy(dst=before, src=spread(cell, lanes))
        sums = combine_before(combine, items)
        finish(request, found, before, sums, request.values)
    total = combine_groups(combine, items, 1, lanes)
    finish(request, cell, cell, total, request.values)
