"""Angles less multiples of pi, for trigonometric functions.

A period is "pi", for x = turns * pi + rest, "pi from half", for x = (turns + 1/2) * pi
+ rest, or "half pi", for x = turns * pi / 2 + rest; rest is at most half a period from
0.
"""

import nki.isa as nisa
import nki.language as nl

from .formulas import (
    MANTISSA_BITS,
    NARROW,
    SIGN_BIT,
    TWO_TO_24,
    bitwise,
    combine,
    copy_where,
    float_of,
    int_of,
    pair,
    predicate,
    scalar,
    trip_count,
)
from .quotients import TWO_TO_MINUS_24
from .tiles import like

MOST_TURNS = 4095.0
INVERSE_PI = 0.31830987334251404
# pi in four parts, three of them of 8 to 11 bits (Cody and Waite).
PI_IN_PARTS = (
    3.140625,
    0.0009675025939941406,
    1.5099067240953445e-07,
    5.126688136514179e-12,
)


def _reduce_near(x, period):
    """The parts' products with turns of up to 13 bits, counting the half, are exact,
    and so are the first three differences as long as they matter."""
    per_turn = 0.5 if period == "half pi" else 1.0
    if period == "pi from half":
        turns = scalar(x, nl.multiply, INVERSE_PI, nl.subtract, 0.5, nl.int32)
        periods = scalar(turns, nl.add, 0.5)
    else:
        turns = scalar(x, nl.multiply, INVERSE_PI / per_turn, dtype=nl.int32)
        periods = turns
    rest = x
    for part in PI_IN_PARTS:
        rest = combine(periods, nl.multiply, -part * per_turn, nl.add, rest)
    return turns, rest


LIMB_BITS = 12
LIMB_MASK = 4095
COLUMNS = 7  # limbs of x / pi that count: one of integer, six of fraction

# 1 / pi in limbs of 12 bits from the highest one on, after two limbs of zeros.
INVERSE_PI_LIMBS = (
    0,
    0,
    1303,
    3265,
    2930,
    1826,
    169,
    1278,
    314,
    3048,
    4009,
    2670,
    3590,
    3505,
    1196,
    3230,
    540,
    2080,
)


def _integers(a, op, b):
    """a op b with int32 tiles throughout, which GpSimdE computes exactly."""
    return pair(a, op, b, nl.int32)


ONE_TWELFTH = 0.0833333358168602
HALF_LIMB = 0.4583333432674408  # 5.5 / 12


def _limbs_of(x, period):
    """|x| = (l[0] + l[1] 2^12 + l[2] 2^24) * 2^(12 (first - 1)), or half of that for
    "half pi", where |x| >= 2^11. Returns the limbs and first, an int32 tile in [0, 9].
    """
    # With |x| = M * 2^(E - 150), shifting M left by (E - 138) modulo 12 leaves a
    # multiple of 12.
    bias = 137.0 if period == "half pi" else 138.0
    exponent = bitwise(x, nl.right_shift, 23, nl.bitwise_and, 255)
    exponent = scalar(exponent, nl.subtract, bias, dtype=nl.int32)
    first = scalar(exponent, nl.multiply, ONE_TWELFTH, nl.subtract, HALF_LIMB, nl.int32)
    shift = combine(first, nl.multiply, -12.0, nl.add, exponent, nl.int32)
    first = scalar(first, nl.maximum, 0.0, nl.minimum, 9.0, nl.int32)
    low = bitwise(x, nl.bitwise_and, LIMB_MASK)
    high = bitwise(x, nl.bitwise_and, MANTISSA_BITS, nl.bitwise_or, 8388608)
    high = bitwise(high, nl.right_shift, LIMB_BITS)
    low = _integers(low, nl.left_shift, shift)
    high = _integers(high, nl.left_shift, shift)
    high = _integers(high, nl.add, bitwise(low, nl.right_shift, LIMB_BITS))
    limbs = (
        bitwise(low, nl.bitwise_and, LIMB_MASK),
        bitwise(high, nl.bitwise_and, LIMB_MASK),
        bitwise(high, nl.right_shift, LIMB_BITS),
    )
    return limbs, first


def _inverse_pi_from(first):
    """The limbs of 1 / pi from entry `first` of the table on, as many as the columns
    need."""
    count = len(INVERSE_PI_LIMBS)
    table = nl.ndarray((first.shape[0], count), dtype=nl.int32, buffer=nl.sbuf)
    for i in range(count):
        nisa.memset(dst=table[:, i : i + 1], value=INVERSE_PI_LIMBS[i])
    limbs = []
    for v in range(COLUMNS + 2):
        place = scalar(first, nl.add, 1.0 * v, dtype=nl.uint32)
        limb = like(first, nl.int32)
        nisa.nc_n_gather(dst=limb, data=table, indices=place)
        limbs.append(limb)
    return limbs


def _turns_in_limbs(x, period):
    """|x| / pi, or 2 |x| / pi, modulo 4096 in limbs of 12 bits: the integer part first,
    and each one after it counts 2^-12 of the one before."""
    factor = _limbs_of(x, period)
    inverse = _inverse_pi_from(factor[1])
    columns = []
    for u in range(COLUMNS):
        column = _integers(factor[0][0], nl.multiply, inverse[u])
        for a in (1, 2):
            product = _integers(factor[0][a], nl.multiply, inverse[a + u])
            column = _integers(column, nl.add, product)
        columns.append(column)
    # Carries, from the last column to the first.
    limbs = []
    column = columns[COLUMNS - 1]
    for u in range(COLUMNS - 1):
        limbs.append(bitwise(column, nl.bitwise_and, LIMB_MASK))
        carry = bitwise(column, nl.right_shift, LIMB_BITS)
        column = _integers(columns[COLUMNS - 2 - u], nl.add, carry)
    limbs.append(column)
    limbs.reverse()
    return limbs


TWO_TO_MINUS_48 = 3.552713678800501e-15
PI = 3.1415927410125732
EXCESS_OF_PI = -2.7827534054836178e-08  # (the exact pi less PI) / PI


def _reduce_far(x, period):
    """x times those bits of 1 / pi that matter for its exponent (Payne and Hanek)."""
    turns = _turns_in_limbs(x, period)
    whole = turns[0]
    leading = turns[1]
    if period == "pi from half":
        leading = scalar(leading, nl.subtract, 2048.0)
    else:
        round_up = scalar(leading, nl.greater_equal, 2048.0, dtype=nl.int32)
        whole = _integers(whole, nl.add, round_up)
        leading = combine(round_up, nl.multiply, -4096.0, nl.add, leading)
    # The fraction in three numbers of 24 bits. The first two cancel exactly where they
    # do; what their sum and pi lose else goes to the last one.
    high = combine(leading, nl.multiply, 4096.0, nl.add, turns[2])
    middle = combine(turns[3], nl.multiply, 4096.0, nl.add, turns[4])
    low = combine(turns[5], nl.multiply, 4096.0, nl.add, turns[6])
    high = scalar(high, nl.multiply, TWO_TO_24)
    fraction = pair(high, nl.add, middle)
    lost = pair(pair(high, nl.subtract, fraction), nl.add, middle)
    low = combine(low, nl.multiply, TWO_TO_MINUS_24, nl.add, lost)
    low = combine(fraction, nl.multiply, EXCESS_OF_PI, nl.add, low)
    length = PI * 0.5 if period == "half pi" else PI
    total = pair(fraction, nl.add, low)
    rest = scalar(total, nl.multiply, length * TWO_TO_MINUS_48)
    rest = combine(x, nl.multiply, 0.0, nl.add, rest)  # NaN for infinities
    if period == "pi from half":
        return whole, rest  # of |x|: the cosine is even
    sign = bitwise(x, nl.bitwise_and, SIGN_BIT)
    return whole, float_of(pair(int_of(rest), nl.bitwise_xor, sign, nl.int32))


def reduce(x, period):
    """(turns, rest) for all floats: turns is an int32 tile, of which the lowest bit is
    right, and for |x| < 6000 all; rest is right to about a unit in its last place, NaN
    for infinities and NaN.

    Angles up to 12,864 (6,432 for "half pi") take nine instructions. The long sequence
    for larger ones is a loop of one round if there are any, else of none.
    """
    near = _reduce_near(x, period)
    far_lanes = predicate(near[0], nl.abs, 0.0, nl.greater, MOST_TURNS)
    rounds = trip_count(far_lanes)
    lanes = x.shape[1]
    for _ in nl.dynamic_range(rounds):
        for first in range(0, lanes, NARROW):
            end = min(first + NARROW, lanes)
            far = _reduce_far(x[:, first:end], period)
            where = far_lanes[:, first:end]
            copy_where(near[0][:, first:end], far[0], where)
            copy_where(near[1][:, first:end], far[1], where)
    return near
