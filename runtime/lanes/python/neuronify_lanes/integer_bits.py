"""Counting, reversing and funnelling the bits of 32-bit integers, and narrower
integers."""

import nki.isa as nisa
import nki.language as nl

from .integers import iadd, iand, imul, ior, isub, ixor, lshr, put_int, shl
from .tiles import bits, like

__all__ = [
    "brev",
    "clz",
    "ctz",
    "ffs",
    "fshl",
    "fshr",
    "popc",
    "sext",
    "zext",
]


def _shifted_part(dst, a, shift, mask):
    """dst = (a >> shift) & mask"""
    nisa.tensor_scalar(
        dst=bits(dst, nl.uint32),
        data=bits(a, nl.uint32),
        op0=nl.right_shift,
        operand0=shift,
        op1=nl.bitwise_and,
        operand1=mask,
    )


def popc(dst, a):
    """Sums of fields of one, two and four bits side by side; one product adds up the
    bytes."""
    x = like(dst, nl.int32)
    part = like(dst, nl.int32)
    _shifted_part(part, a, 1, 0x55555555)
    isub(x, a, part)
    _shifted_part(part, x, 2, 0x33333333)
    iand(x, x, 0x33333333)
    iadd(x, x, part)
    _shifted_part(part, x, 4, 0x0F0F0F0F)
    iand(x, x, 0x0F0F0F0F)
    iadd(x, x, part)
    imul(x, x, 0x01010101)
    lshr(dst, x, 24)


def clz(dst, a):
    """Sets all bits below the highest one and counts the zeros that stay."""
    x = like(dst, nl.int32)
    part = like(dst, nl.int32)
    put_int(x, a)
    for distance in (1, 2, 4, 8, 16):
        lshr(part, x, distance)
        ior(x, x, part)
    ixor(x, x, -1)
    popc(dst, x)


def brev(dst, a):
    """Swaps fields side by side of 1, 2, 4, 8 and 16 bits."""
    x = like(dst, nl.uint32)
    part = like(dst, nl.uint32)
    put_int(x, a)
    for step in (
        (1, 0x55555555),
        (2, 0x33333333),
        (4, 0x0F0F0F0F),
        (8, 0x00FF00FF),
        (16, 0x0000FFFF),
    ):
        _shifted_part(part, x, step[0], step[1])
        nisa.tensor_scalar(
            dst=x,
            data=x,
            op0=nl.bitwise_and,
            operand0=step[1],
            op1=nl.left_shift,
            operand1=step[0],
        )
        nisa.tensor_tensor(dst=x, data1=x, data2=part, op=nl.bitwise_or)
    put_int(dst, x)


def ffs(dst, a):
    """The place of the lowest set bit, from 1; 0 where there is none."""
    bit = like(a, nl.int32)
    isub(bit, 0, a)
    iand(bit, bit, a)  # that bit alone
    clz(bit, bit)
    isub(dst, 32, bit)


def ctz(dst, a):
    """How many zeros are below the lowest set bit; 32 for 0."""
    bit = like(a, nl.int32)
    isub(bit, 0, a)
    iand(bit, bit, a)
    iadd(bit, bit, -1)
    popc(dst, bit)


def fshl(dst, a, b, count):
    """The high word of a:b shifted left by count modulo 32."""
    low = like(dst, nl.int32)
    back = like(dst, nl.int32)
    high = like(dst, nl.int32)
    iand(back, count, 31)
    isub(back, 31, back)
    lshr(low, b, 1)  # in two steps, none of them by 32
    lshr(low, low, back)
    shl(high, a, count)
    ior(dst, high, low)


def fshr(dst, a, b, count):
    """The low word of a:b shifted right by count modulo 32."""
    low = like(dst, nl.int32)
    back = like(dst, nl.int32)
    high = like(dst, nl.int32)
    iand(back, count, 31)
    isub(back, 31, back)
    shl(high, a, 1)
    shl(high, high, back)
    lshr(low, b, count)
    ior(dst, high, low)


def zext(dst, a, width):
    """The low `width` bits of each lane, zeros above them."""
    if width >= 32:
        iand(dst, a, -1)
    else:
        half = 1 << (width - 1)
        iand(dst, a, half - 1 + half)


def sext(dst, a, width):
    """The low `width` bits of each lane, the highest of them repeated above."""
    if width >= 32:
        iand(dst, a, -1)
        return
    # ((a & mask) ^ sign) - sign
    sign = 1 << (width - 1)
    x = like(dst, nl.int32)
    nisa.tensor_scalar(
        dst=bits(x, nl.uint32),
        data=bits(a, nl.uint32),
        op0=nl.bitwise_and,
        operand0=sign - 1 + sign,
        op1=nl.bitwise_xor,
        operand1=sign,
    )
    if width <= 24:  # fp32 has these numbers
        nisa.tensor_scalar(
            dst=bits(dst, nl.int32), data=x, op0=nl.subtract, operand0=1.0 * sign
        )
    else:
        isub(dst, x, sign)
