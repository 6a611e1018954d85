"""Integers per lane that are known when the kernel is traced: coordinates and what follows.

A launch-known integer is a Python int where it is the same for all lanes, an Index otherwise. The
arithmetic is that of C on `bits` bits, two's complement. The guide calls the language's integers
32 bits wide; products are formed before they are wrapped, so more than that is needed where the
original's arithmetic wraps.
"""

from nki.language import NKIObject


class Index(NKIObject):
    """Lane (p, f) has `rows[p] + cols[f]`, or `table[p][f]` where that does not do.

    `rows` and `cols` have one entry where nothing varies along that axis; one of them is [0] then.
    """

    def __init__(self, rows, cols, table=None):
        self.rows = rows
        self.cols = cols
        self.table = table


class Dynamic(NKIObject):
    """`base + factor * register`, where a loop on the chip counts in `register` from `first` to
    `last`. For addresses only."""

    def __init__(self, base, register, factor, first, last):
        self.base = base
        self.register = register
        self.factor = factor
        self.first = first
        self.last = last


def is_dynamic(a):
    return isinstance(a, Dynamic)


def in_round(a, value):
    """What `base + factor * register` is in the round in which the register has a value."""
    return binary("add", a.base, a.factor * value, 64)


def wrap(value, bits):
    """The signed integer of `bits` bits with the same low bits."""
    limit = 1 << (bits - 1)
    if value >= -limit and value < limit:
        return value
    value = value & ((limit << 1) - 1)
    return value - (limit << 1) if value >= limit else value


def unsigned(value, bits):
    """The same bits, read as an unsigned integer."""
    return value if value >= 0 else value + (1 << bits)


def is_uniform(a):
    return isinstance(a, int)


def _all_same(values):
    for value in values:
        if value != values[0]:
            return False
    return True


def make(rows, cols):
    """The sum of a value per partition and one per free position, in its simplest form."""
    if len(rows) > 1 and _all_same(rows):
        rows = [rows[0]]
    if len(cols) > 1 and _all_same(cols):
        cols = [cols[0]]
    if len(rows) == 1 and len(cols) == 1:
        return rows[0] + cols[0]
    if len(rows) == 1 and rows[0] != 0:
        moved = []
        for value in cols:
            moved.append(value + rows[0])
        return Index([0], moved)
    if len(cols) == 1 and cols[0] != 0:
        moved = []
        for value in rows:
            moved.append(value + cols[0])
        return Index(moved, [0])
    return Index(rows, cols)


def _is_sum(table, rows, cols):
    for p in range(len(rows)):
        base = rows[p]
        row = table[p]
        for f in range(len(cols)):
            if row[f] != base + cols[f]:
                return False
    return True


def from_table(table):
    """The same from a list of rows."""
    rows = []
    for row in table:
        rows.append(row[0])
    cols = []
    for value in table[0]:
        cols.append(value - table[0][0])
    if _is_sum(table, rows, cols):
        return make(rows, cols)
    return Index([0], [0], table)


def lowest(a):
    """The least value of any lane."""
    if is_dynamic(a):
        return min(lowest(in_round(a, a.first)), lowest(in_round(a, a.last)))
    if is_uniform(a):
        return a
    if a.table == None:  # noqa: E711
        return min(a.rows) + min(a.cols)
    low = min(a.table[0])
    for row in a.table:
        low = min(low, min(row))
    return low


def highest(a):
    """The greatest value of any lane."""
    if is_dynamic(a):
        return max(highest(in_round(a, a.first)), highest(in_round(a, a.last)))
    if is_uniform(a):
        return a
    if a.table == None:  # noqa: E711
        return max(a.rows) + max(a.cols)
    high = max(a.table[0])
    for row in a.table:
        high = max(high, max(row))
    return high


def at(a, p, f):
    """The value of lane (p, f)."""
    if is_uniform(a):
        return a
    if a.table != None:  # noqa: E711
        return a.table[p][f]
    row = a.rows[p] if len(a.rows) > 1 else a.rows[0]
    return row + (a.cols[f] if len(a.cols) > 1 else a.cols[0])


def row_count(a):
    """1, or the number of partitions where values differ between them."""
    if is_uniform(a):
        return 1
    return len(a.rows) if a.table == None else len(a.table)  # noqa: E711


def col_count(a):
    """1, or the number of free positions where values differ between them."""
    if is_uniform(a):
        return 1
    return len(a.cols) if a.table == None else len(a.table[0])  # noqa: E711


def _wrapped(a, bits):
    """Every lane reduced to `bits` bits."""
    limit = 1 << (bits - 1)
    if lowest(a) >= -limit and highest(a) < limit:
        return a
    if is_uniform(a):
        return wrap(a, bits)
    table = []
    for p in range(row_count(a)):
        row = []
        for f in range(col_count(a)):
            row.append(wrap(at(a, p, f), bits))
        table.append(row)
    return from_table(table)


def _plus(a, b):
    """Separable a + b, not wrapped."""
    if is_uniform(a):
        a = Index([a], [0])
    if is_uniform(b):
        b = Index([b], [0])
    rows = []
    for p in range(max(len(a.rows), len(b.rows))):
        left = a.rows[p] if len(a.rows) > 1 else a.rows[0]
        rows.append(left + (b.rows[p] if len(b.rows) > 1 else b.rows[0]))
    cols = []
    for f in range(max(len(a.cols), len(b.cols))):
        left = a.cols[f] if len(a.cols) > 1 else a.cols[0]
        cols.append(left + (b.cols[f] if len(b.cols) > 1 else b.cols[0]))
    return make(rows, cols)


def _times(a, factor):
    """Separable a * factor, not wrapped."""
    rows = []
    for value in a.rows:
        rows.append(value * factor)
    cols = []
    for value in a.cols:
        cols.append(value * factor)
    return make(rows, cols)


def divide(x, y):
    """C's quotient, rounded toward zero; any value where y is 0."""
    if y == 0:
        return 0
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _number(op, x, y, bits):
    """One lane's result, not wrapped."""
    if op == "add":
        return x + y
    if op == "sub":
        return x - y
    if op == "mul":
        return x * y
    if op == "and":
        return x & y
    if op == "or":
        return x | y
    if op == "xor":
        return x ^ y
    if op == "shl":
        return x << (y & (bits - 1))
    if op == "lshr":
        return unsigned(x, bits) >> (y & (bits - 1))
    if op == "ashr":
        return x >> (y & (bits - 1))
    if op == "sdiv":
        return divide(x, y)
    if op == "srem":
        return x - y * divide(x, y)
    if op == "udiv":
        return 0 if y == 0 else unsigned(x, bits) // unsigned(y, bits)
    if op == "urem":
        return 0 if y == 0 else unsigned(x, bits) % unsigned(y, bits)
    if op == "smin":
        return min(x, y)
    if op == "smax":
        return max(x, y)
    if op == "umin":
        return x if unsigned(x, bits) < unsigned(y, bits) else y
    if op == "umax":
        return x if unsigned(x, bits) > unsigned(y, bits) else y
    assert False, f"launch-known integers have no operation {op}"
    return 0


def is_separable(a):
    assert is_uniform(a) or isinstance(a, Index), (
        f"a size, stride or the like is an int of Python's, nothing else: {a}"
    )
    return is_uniform(a) or a.table == None  # noqa: E711


def _dynamic(op, a, b, bits):
    """Sums and products with what a loop on the chip counts; nothing may wrap."""
    if op == "add" and is_dynamic(b) and not is_dynamic(a):
        return _dynamic(op, b, a, bits)
    if op == "mul" and is_dynamic(b):
        return _dynamic(op, b, a, bits)
    assert is_dynamic(a), f"the chip counts what is subtracted in '{op}'"
    base = a.base
    factor = a.factor
    if is_dynamic(b):
        assert op == "add", f"the chip counts both sides of '{op}'"
        base = binary("add", base, b.base, 64)
        factor += b.factor
    elif op == "add" or op == "sub":
        base = binary(op, base, b, 64)
    else:
        by = 1 << b if op == "shl" else b
        assert op == "mul" or op == "shl", f"the chip counts in '{op}'"
        assert is_uniform(by), "what the chip counts has a factor for each lane"
        base = binary("mul", base, by, 64)
        factor *= by
    result = Dynamic(base, a.register, factor, a.first, a.last)
    limit = 1 << (bits - 1)
    assert lowest(result) >= -limit and highest(result) < limit, (
        "an address that a loop on the chip computes wraps"
    )
    return result


def binary(op, a, b, bits=32):
    """a op b in every lane; `op` is LLVM's name without its type."""
    if is_dynamic(a) or is_dynamic(b):
        return _dynamic(op, a, b, bits)
    if is_uniform(a) and is_uniform(b):
        return wrap(_number(op, a, b, bits), bits)
    if is_separable(a) and is_separable(b):
        if op == "add":
            return _wrapped(_plus(a, b), bits)
        if op == "sub":
            minus = -b if is_uniform(b) else _times(b, -1)
            return _wrapped(_plus(a, minus), bits)
        if op == "mul" and is_uniform(b):
            return _wrapped(_times(a, b), bits)
        if op == "mul" and is_uniform(a):
            return _wrapped(_times(b, a), bits)
        if op == "shl" and is_uniform(b):
            return _wrapped(_times(a, 1 << (b & (bits - 1))), bits)
    table = []
    for p in range(max(row_count(a), row_count(b))):
        row = []
        for f in range(max(col_count(a), col_count(b))):
            row.append(wrap(_number(op, at(a, p, f), at(b, p, f), bits), bits))
        table.append(row)
    return from_table(table)


def add(a, b, bits=32):
    return binary("add", a, b, bits)


def sub(a, b, bits=32):
    return binary("sub", a, b, bits)


def mul(a, b, bits=32):
    return binary("mul", a, b, bits)


def bit_and(a, b, bits=32):
    return binary("and", a, b, bits)


def bit_or(a, b, bits=32):
    return binary("or", a, b, bits)


def xor(a, b, bits=32):
    return binary("xor", a, b, bits)


def shl(a, b, bits=32):
    return binary("shl", a, b, bits)


def lshr(a, b, bits=32):
    return binary("lshr", a, b, bits)


def ashr(a, b, bits=32):
    return binary("ashr", a, b, bits)


def sdiv(a, b, bits=32):
    return binary("sdiv", a, b, bits)


def udiv(a, b, bits=32):
    return binary("udiv", a, b, bits)


def srem(a, b, bits=32):
    return binary("srem", a, b, bits)


def urem(a, b, bits=32):
    return binary("urem", a, b, bits)


def smin(a, b, bits=32):
    return binary("smin", a, b, bits)


def smax(a, b, bits=32):
    return binary("smax", a, b, bits)


def umin(a, b, bits=32):
    return binary("umin", a, b, bits)


def umax(a, b, bits=32):
    return binary("umax", a, b, bits)


def _extended(a, mask, sign):
    """Each lane's bits under `mask`, less twice its `sign` bit."""
    if is_uniform(a):
        a = Index([a], [0])
    table = []
    for p in range(row_count(a)):
        row = []
        for f in range(col_count(a)):
            value = at(a, p, f) & mask
            row.append(value - 2 * sign if value & sign else value)
        table.append(row)
    return from_table(table)


def zext(a, from_bits, bits):
    """The low `from_bits` bits as an unsigned integer of `bits`."""
    if lowest(a) >= 0:
        return a
    assert not is_dynamic(a), "the chip counts in a number that wraps"
    return _wrapped(_extended(a, (1 << from_bits) - 1, 0), bits)


def trunc(a, bits):
    """The low `bits` bits."""
    return _wrapped(a, bits)


def iabs(a, bits=32):
    return binary("smax", a, binary("sub", 0, a, bits), bits)
