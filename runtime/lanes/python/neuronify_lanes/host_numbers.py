"""Numbers that the original's host code or launch decides, with the arithmetic of C.

Integers keep the range of their C type. Floats are Python's where that has double precision, rounded
to single after each operation, which for + - * / is what single precision gives; a language that has
single precision only rounds by itself.
"""

from . import index

INFINITY = float("inf")
NAN = float("nan")

_LARGEST = 3.4028234663852886e38
_SMALLEST_NORMAL = 1.1754943508222875e-38


def i8(value):
    return index.wrap(value, 8)


def u8(value):
    return value & 255


def i16(value):
    return index.wrap(value, 16)


def u16(value):
    return value & 65535


def i32(value):
    return index.wrap(value, 32)


def u32(value):
    return value & 4294967295


def i64(value):
    return index.wrap(value, 64)


def u64(value):
    return value & 18446744073709551615


def c_quotient(a, b):
    """C's a / b, rounded toward zero; 0 where b is 0."""
    return index.divide(a, b)


def c_remainder(a, b):
    """C's a % b, with the sign of a."""
    return 0 if b == 0 else a - b * index.divide(a, b)


def f32(value):
    """The nearest number of single precision, to even."""
    value = value * 1.0
    one = 1.0
    if one + 0.00000001 == one:
        return value  # the language's floats are single already
    size = abs(value)
    if value == 0.0 or value != value:
        return value
    if size > 1e290:
        return INFINITY if value > 0 else -INFINITY
    if size < _SMALLEST_NORMAL:
        # Multiples of 2^-149: adding 1.5 * 2^(52 - 149) rounds to them.
        shift = 1.5 * 2.0**-97
        size = size + shift - shift
        return size if value > 0.0 else -size
    # Dekker's splitting of 53 bits into 24 and the rest.
    large = value * 536870913.0
    rounded = large - (large - value)
    if abs(rounded) > _LARGEST:
        return INFINITY if value > 0 else -INFINITY
    return rounded


def divide_numbers(a, b):
    """a / b in single precision, also by zero."""
    if b == 0.0:
        if a == 0.0 or a != a:
            return NAN
        negative = (a < 0.0) != (1.0 * b < 0.0 or str(b) == "-0.0")
        return -INFINITY if negative else INFINITY
    return f32(a / b)


def double_of(value):
    """The double nearest to an integer."""
    return value * 1.0


def divide_doubles(a, b):
    """a / b in double precision, also by zero."""
    if b == 0.0:
        return divide_numbers(a, b)
    return a / b


def square_root(value):
    """The square root in single precision."""
    if value != value or value < 0.0:
        return NAN
    if value == 0.0 or value > _LARGEST:
        return value
    return f32(value**0.5)


# ---- bits ---------------------------------------------------------------------------------------


def float_of_bits(word):
    """The float of single precision with these 32 bits; NaN has no payload."""
    word = word & 4294967295
    exponent = (word >> 23) & 255
    fraction = word & 8388607
    if exponent == 255:
        if fraction != 0:
            return NAN
        size = INFINITY
    elif exponent == 0:
        size = fraction * 2.0**-149
    else:
        size = (fraction + 8388608) * 2.0 ** (exponent - 150)
    return -size if word >> 31 == 1 else size


def bits_of_float(value):
    """The 32 bits of a float of single precision, unsigned."""
    value = value * 1.0
    if value != value:
        return 2143289344
    sign = 2147483648 if value < 0.0 or str(value) == "-0.0" else 0
    size = abs(value)
    if size > _LARGEST:
        return sign + 2139095040
    if size < _SMALLEST_NORMAL:
        return sign + int(size * 2.0**75 * 2.0**74)
    exponent = 127
    while size >= 2.0:
        size = size * 0.5
        exponent += 1
    while size < 1.0:
        size = size * 2.0
        exponent -= 1
    return sign + (exponent << 23) + int(size * 8388608.0) - 8388608


def bfloat_number(word):
    """The number of a bf16 by its bits."""
    return float_of_bits((word & 65535) << 16)


def half_number(word):
    """The number of an fp16 by its bits."""
    exponent = (word >> 10) & 31
    fraction = word & 1023
    if exponent == 31:
        if fraction != 0:
            return NAN
        size = INFINITY
    elif exponent == 0:
        size = fraction * 2.0**-24
    else:
        size = (fraction + 1024) * 2.0 ** (exponent - 25)
    return -size if word & 32768 else size


def half_bits(value):
    """The 16 bits of the fp16 nearest to a float, signed."""
    word = bits_of_float(value)
    size = word & 2147483647
    sign = (word >> 16) & 32768
    if size > 2139095040:
        half = 32256
    elif size >= 1199570944:  # 2^16
        half = 31744
    elif (
        size < 947912704
    ):  # below 2^-14: a multiple of 2^-24, the last place of a half and more
        half = bits_of_float(f32(float_of_bits(size) + 0.5)) - 1056964608
    else:
        half = ((size + 4095 + ((size >> 13) & 1)) >> 13) - 114688
    return index.wrap(sign | half, 16)


def bfloat_bits(value):
    """The 16 bits of the bf16 nearest to a float, signed."""
    word = bits_of_float(value)
    if (word & 2147483647) > 2139095040:
        return index.wrap((word >> 16) | 64, 16)
    return index.wrap((word + 32767 + ((word >> 16) & 1)) >> 16, 16)


def float_to_odd(value):
    """An integer as a float rounded to odd, so that 16 bits of it are rounded once."""
    nearest = f32(value)
    whole = int(nearest)
    if whole == value:
        return nearest
    word = bits_of_float(nearest)
    return float_of_bits((word - 1 if abs(whole) > abs(value) else word) | 1)


def _fma(a, b, c, digits, smallest, largest):
    """a * b + c rounded once to a format of so many binary digits, multiples of `smallest`.

    In double precision the product is exact, and of the sum at most what decides a tie is lost.
    """
    product = a * b
    total = product + c
    if total != total or total == 0.0 or abs(total) == INFINITY:
        return NAN if total != total else total
    behind = total - product
    lost = (product - (total - behind)) + (c - behind)
    size = abs(total)
    lost = lost if total > 0.0 else -lost
    unit = smallest
    while unit * 2.0**digits <= size:
        unit = unit * 2.0
    rounded = size + unit * 6755399441055744.0 - unit * 6755399441055744.0
    if size - rounded == unit * 0.5 and lost > 0.0:
        rounded = rounded + unit
    elif rounded - size == unit * 0.5 and lost < 0.0:
        rounded = rounded - unit
    if rounded > largest:
        rounded = INFINITY
    return rounded if total > 0.0 else -rounded


def fma_of_halves(a, b, c):
    """a * b + c of fp16 numbers, rounded once."""
    return _fma(a, b, c, 11, 2.0**-24, 65504.0)


def fma_of_bfloats(a, b, c):
    """a * b + c of bf16 numbers, rounded once."""
    return _fma(a, b, c, 8, 2.0**-133, 3.3895313892515355e38)


def truncated(value, signed):
    """A float as a 64-bit integer, rounded toward zero; the nearest one where it has none, the one
    with the highest bit alone for NaN."""
    highest = 1 << 63
    if value != value:
        return -highest if signed else highest
    if signed:
        if value >= 9223372036854775808.0:
            return highest - 1
        return -highest if value < -9223372036854775808.0 else int(value)
    if value <= 0.0:
        return 0
    return 2 * highest - 1 if value >= 18446744073709551616.0 else int(value)


def field(words, element, offset):
    """A number in a struct that is an argument, a list of 32-bit words, `offset` bytes from its
    start."""
    word = words[offset // 4]
    if element == "float32":
        return float_of_bits(word)
    if element == "int32":
        return i32(word)
    if element == "uint32":
        return word
    if element == "int64" or element == "uint64":
        word = word + (words[offset // 4 + 1] << 32)
        return i64(word) if element == "int64" else word
    word = word >> (offset % 4 * 8)
    if element == "int16" or element == "uint16":
        return i16(word) if element == "int16" else u16(word)
    return i8(word) if element == "int8" else u8(word)


def field_of_lanes(words, element, bytes, offset):
    """The same of `bytes` bytes at places that the launch knows; 0 outside of the struct, where no
    lane of the original looks."""
    table = []
    for p in range(index.row_count(offset)):
        row = []
        for f in range(index.col_count(offset)):
            at = index.at(offset, p, f)
            legal = at >= 0 and at + bytes <= 4 * len(words)
            row.append(field(words, element, at) if legal else 0)
        table.append(row)
    return index.from_table(table)
