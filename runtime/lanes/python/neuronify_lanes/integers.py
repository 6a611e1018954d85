"""Arithmetic on 32-bit integers, exact and wrapping, one integer per lane.

An operand is an int32 tile or one number for all lanes, a Python int in [-2^31, 2^31).
GpSimdE adds, subtracts and multiplies int32 and uint32 tiles exactly; VectorE's bit
operators are exact on any integer tile. All of this is made of these two. `dst` may be
the tile of an operand.
"""

import nki.isa as nisa
import nki.language as nl

from .tiles import bits, is_number, like, number

__all__ = [
    "ashr",
    "iabs",
    "iadd",
    "iand",
    "imul",
    "ior",
    "isub",
    "ixor",
    "lshr",
    "shl",
    "smax",
    "smin",
    "smulhi",
    "umax",
    "umin",
    "umulhi",
]

# The two numbers of the bit patterns 0x80000000 and 0x7fffffff.
LARGEST = 2147483647
SMALLEST = -2147483647 - 1


def _uint(tile):
    return bits(tile, nl.uint32)


def int_tile(a, dst):
    """The operand as an int32 tile of dst's shape."""
    if is_number(a):
        return number(dst, a, nl.int32)
    return bits(a, nl.int32)


def uint_tile(a, dst):
    """The operand as a uint32 tile of dst's shape."""
    if is_number(a):
        column = nl.ndarray((dst.shape[0], 1), dtype=nl.int32, buffer=nl.sbuf)
        nisa.memset(dst=column, value=a)
        return column.view(nl.uint32).broadcast(1, dst.shape[1])
    return _uint(a)


def _own_tile(a, dst):
    """The operand as an int32 tile that views with another type can be made of."""
    if not is_number(a):
        return bits(a, nl.int32)
    tile = like(dst, nl.int32)
    nisa.memset(dst=tile, value=a)
    return tile


def put_int(dst, a):
    """dst = a."""
    if is_number(a):
        nisa.memset(dst=bits(dst, nl.int32), value=a)
    else:
        nisa.tensor_copy(dst=bits(dst, nl.int32), src=bits(a, nl.int32))


def _arithmetic(dst, a, b, op):
    nisa.tensor_tensor(
        dst=bits(dst, nl.int32), data1=int_tile(a, dst), data2=int_tile(b, dst), op=op
    )


def _is(a, value):
    return is_number(a) and a == value


def iadd(dst, a, b):
    if _is(a, 0) or _is(b, 0):
        put_int(dst, b if _is(a, 0) else a)
    else:
        _arithmetic(dst, a, b, nl.add)


def isub(dst, a, b):
    if _is(b, 0):
        put_int(dst, a)
    else:
        _arithmetic(dst, a, b, nl.subtract)


def trailing_zeros(value):
    """n for the number 2^n modulo 2^32; -1 for any other number."""
    if value == SMALLEST:
        return 31
    if value <= 0:
        return -1
    count = 0
    while value % 2 == 0:
        value = value // 2
        count += 1
    return count if value == 1 else -1


def imul(dst, a, b):
    if is_number(a) and not is_number(b):
        imul(dst, b, a)
    elif not is_number(b):
        _arithmetic(dst, a, b, nl.multiply)
    elif b == 0:
        put_int(dst, 0)
    elif trailing_zeros(b) >= 0:
        shl(dst, a, trailing_zeros(b))
    else:
        _arithmetic(dst, a, b, nl.multiply)


def _bitwise(dst, a, b, op):
    """A commutative bit operator."""
    if is_number(a) and not is_number(b):
        _bitwise(dst, b, a, op)
    elif is_number(b):
        nisa.tensor_scalar(
            dst=bits(dst, nl.int32), data=int_tile(a, dst), op0=op, operand0=b
        )
    else:
        nisa.tensor_tensor(
            dst=bits(dst, nl.int32),
            data1=bits(a, nl.int32),
            data2=bits(b, nl.int32),
            op=op,
        )


def iand(dst, a, b):
    _bitwise(dst, a, b, nl.bitwise_and)


def ior(dst, a, b):
    _bitwise(dst, a, b, nl.bitwise_or)


def ixor(dst, a, b):
    _bitwise(dst, a, b, nl.bitwise_xor)


def _shift(dst, a, count, op):
    """Logical shifts, by counts modulo 32. A shift moves bit patterns, so tiles are
    unsigned."""
    if is_number(count):
        if count % 32 == 0:
            put_int(dst, a)
            return
        nisa.tensor_scalar(
            dst=_uint(dst), data=uint_tile(a, dst), op0=op, operand0=count % 32
        )
        return
    counts = like(dst, nl.uint32)
    nisa.tensor_scalar(dst=counts, data=_uint(count), op0=nl.bitwise_and, operand0=31)
    nisa.tensor_tensor(dst=_uint(dst), data1=uint_tile(a, dst), data2=counts, op=op)


def shl(dst, a, b):
    _shift(dst, a, b, nl.left_shift)


def lshr(dst, a, b):
    _shift(dst, a, b, nl.right_shift)


def sign_of(dst, a):
    """dst = all ones where the int32 tile a is negative, else 0."""
    nisa.tensor_scalar(dst=_uint(dst), data=_uint(a), op0=nl.right_shift, operand0=31)
    isub(dst, 0, dst)


def ashr(dst, a, b):
    if is_number(a) and a >= 0:
        lshr(dst, a, b)
        return
    # With s all ones for negative a and 0 else, a >> n is ((a ^ s) >>> n) ^ s.
    tile = _own_tile(a, dst)
    signs = like(dst, nl.int32)
    result = like(dst, nl.int32)
    sign_of(signs, tile)
    ixor(result, tile, signs)
    lshr(result, result, b)
    ixor(dst, result, signs)


def umulhi(dst, a, b):
    """The high words of unsigned products: products of halves, and the carries between
    them."""
    x = _own_tile(a, dst)
    y = _own_tile(b, dst)
    x0 = like(dst, nl.int32)
    x1 = like(dst, nl.int32)
    y0 = like(dst, nl.int32)
    y1 = like(dst, nl.int32)
    low = like(dst, nl.int32)
    middle = like(dst, nl.int32)
    iand(x0, x, 65535)
    lshr(x1, x, 16)
    iand(y0, y, 65535)
    lshr(y1, y, 16)
    imul(low, x0, y0)
    lshr(low, low, 16)
    imul(middle, x1, y0)  # at most (2^16 - 1)^2, so 16 more bits fit
    iadd(middle, middle, low)
    imul(x0, x0, y1)
    iand(low, middle, 65535)
    iadd(x0, x0, low)
    imul(x1, x1, y1)
    lshr(middle, middle, 16)
    lshr(x0, x0, 16)
    iadd(x1, x1, middle)
    iadd(dst, x1, x0)


def smulhi(dst, a, b):
    """The high words of signed products: the unsigned one, less b for a < 0, less a for
    b < 0."""
    x = _own_tile(a, dst)
    y = _own_tile(b, dst)
    result = like(dst, nl.int32)
    sign = like(dst, nl.int32)
    umulhi(result, x, y)
    sign_of(sign, x)
    iand(sign, sign, y)
    isub(result, result, sign)
    sign_of(sign, y)
    iand(sign, sign, x)
    isub(result, result, sign)
    put_int(dst, result)


def smin(dst, a, b):
    _arithmetic(dst, a, b, nl.minimum)


def smax(dst, a, b):
    _arithmetic(dst, a, b, nl.maximum)


def umin(dst, a, b):
    nisa.tensor_tensor(
        dst=_uint(dst), data1=uint_tile(a, dst), data2=uint_tile(b, dst), op=nl.minimum
    )


def umax(dst, a, b):
    nisa.tensor_tensor(
        dst=_uint(dst), data1=uint_tile(a, dst), data2=uint_tile(b, dst), op=nl.maximum
    )


def iabs(dst, a):
    """(a ^ s) - s with s all ones for negative a: -2^31 keeps its value."""
    signs = like(dst, nl.int32)
    result = like(dst, nl.int32)
    sign_of(signs, a)
    ixor(result, a, signs)
    isub(dst, result, signs)
