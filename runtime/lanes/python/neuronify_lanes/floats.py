"""Float arithmetic of one instruction each, minima and maxima, and comparisons.

A float operand is a number, a Scalar or column {P, 1} (a number for all lanes that the
chip knows), or a tile. `dst` may be the tile of an operand.
"""

import nki.isa as nisa
import nki.language as nl

from .integers import SMALLEST, iand, int_tile, ior, uint_tile
from .tiles import bits, column_of, is_number, is_tile, like, spread

__all__ = [
    "compare",
    "compare_integers",
    "copysign",
    "fabs",
    "fadd",
    "fmax",
    "fmin",
    "fmul",
    "fneg",
    "fsub",
    "saturate",
    "test_bit",
]


def own_tile(a, dst):
    """The operand as a float32 tile of dst's shape whose bits can be looked at."""
    if is_tile(a, dst):
        return bits(a, nl.float32)
    tile = like(dst, nl.float32)
    if is_number(a):
        nisa.memset(dst=tile, value=a)
    else:
        nisa.tensor_copy(dst=tile, src=spread(column_of(a), dst.shape[1]))
    return tile


def scalar_of(a):
    """The operand, no tile, as an instruction takes it: a number or a column {P, 1}."""
    return a if is_number(a) else column_of(a)


def _arithmetic(dst, a, b, op):
    out = bits(dst, nl.float32)
    if is_tile(a, dst) and is_tile(b, dst):
        nisa.tensor_tensor(
            dst=out, data1=bits(a, nl.float32), data2=bits(b, nl.float32), op=op
        )
    elif is_tile(b, dst):
        nisa.tensor_scalar(
            dst=out,
            data=bits(b, nl.float32),
            op0=op,
            operand0=scalar_of(a),
            reverse0=True,
        )
    else:
        nisa.tensor_scalar(
            dst=out, data=own_tile(a, dst), op0=op, operand0=scalar_of(b)
        )


def fadd(dst, a, b):
    _arithmetic(dst, a, b, nl.add)


def fsub(dst, a, b):
    _arithmetic(dst, a, b, nl.subtract)


def fmul(dst, a, b):
    _arithmetic(dst, a, b, nl.multiply)


def fneg(dst, a):
    """Flips the sign bit, also that of a NaN or a zero."""
    nisa.tensor_scalar(
        dst=bits(dst, nl.int32),
        data=bits(own_tile(a, dst), nl.int32),
        op0=nl.bitwise_xor,
        operand0=SMALLEST,
    )


def fabs(dst, a):
    """Clears the sign bit."""
    nisa.tensor_scalar(
        dst=bits(dst, nl.int32),
        data=bits(own_tile(a, dst), nl.int32),
        op0=nl.bitwise_and,
        operand0=2147483647,
    )


def _is_nan(tile):
    result = like(tile, nl.uint32)
    nisa.tensor_tensor(dst=result, data1=tile, data2=tile, op=nl.not_equal)
    return result


def _extremum_with_number(dst, a, b, op):
    """With a number that is neither NaN nor zero, only NaN lanes need care."""
    is_nan = _is_nan(a)
    nisa.tensor_scalar(dst=dst, data=a, op0=op, operand0=b)
    nisa.tensor_copy_predicated(dst=dst, src=b, predicate=is_nan)


def _extremum(dst, a, b, op, of_zeros):
    """PTX's max.f32 and min.f32: the other operand where one is NaN, and -0 less than
    +0. What an engine makes of those is not documented, so they are put right."""
    out = bits(dst, nl.float32)
    if is_number(a) and not is_number(b):
        _extremum(dst, b, a, op, of_zeros)
        return
    if is_number(b):
        if b != b:  # NaN
            nisa.tensor_copy(dst=out, src=own_tile(a, dst))
            return
        if b != 0:
            _extremum_with_number(out, own_tile(a, dst), 1.0 * b, op)
            return
    x = own_tile(a, dst)
    y = own_tile(b, dst)
    result = like(dst, nl.float32)
    zeros = like(dst, nl.uint32)
    where = like(dst, nl.uint32)
    nisa.tensor_tensor(dst=result, data1=x, data2=y, op=op)
    # Equal operands differ in the sign of zero at most.
    nisa.tensor_tensor(dst=where, data1=x, data2=y, op=nl.equal)
    nisa.tensor_tensor(
        dst=zeros, data1=bits(x, nl.uint32), data2=bits(y, nl.uint32), op=of_zeros
    )
    nisa.tensor_copy_predicated(dst=bits(result, nl.uint32), src=zeros, predicate=where)
    nisa.tensor_copy_predicated(dst=result, src=y, predicate=_is_nan(x))
    nisa.tensor_copy_predicated(dst=result, src=x, predicate=_is_nan(y))
    nisa.tensor_copy(dst=out, src=result)


def fmax(dst, a, b):
    _extremum(dst, a, b, nl.maximum, nl.bitwise_and)


def fmin(dst, a, b):
    _extremum(dst, a, b, nl.minimum, nl.bitwise_or)


def copysign(dst, magnitude, sign):
    size = like(dst, nl.int32)
    mark = like(dst, nl.int32)
    iand(size, own_tile(magnitude, dst), 2147483647)
    iand(mark, own_tile(sign, dst), SMALLEST)
    ior(dst, size, mark)


def saturate(dst, a):
    """Clamps to [0, 1]; NaN gives 0."""
    fmax(dst, a, 0.0)
    fmin(dst, dst, 1.0)


def _test(dst, a, b, op, negated):
    """dst = a op b, or its negation. Engines compare NaN as unordered, so but for
    not_equal a comparison with one is false."""
    if is_tile(a, dst) and is_tile(b, dst):
        nisa.tensor_tensor(
            dst=dst, data1=bits(a, nl.float32), data2=bits(b, nl.float32), op=op
        )
        if negated:
            nisa.tensor_scalar(dst=dst, data=dst, op0=nl.bitwise_xor, operand0=1)
        return
    reverse = is_tile(b, dst)
    tile = bits(b, nl.float32) if reverse else own_tile(a, dst)
    other = scalar_of(a if reverse else b)
    if negated:  # by a comparison with 0 in the same instruction
        nisa.tensor_scalar(
            dst=dst,
            data=tile,
            op0=op,
            operand0=other,
            reverse0=reverse,
            op1=nl.equal,
            operand1=0.0,
        )
    else:
        nisa.tensor_scalar(dst=dst, data=tile, op0=op, operand0=other, reverse0=reverse)


def _two_tests(dst, first, second, op, negated, join):
    """dst = (a op b) joined with (c op d), for pairs of operands."""
    other = like(dst, nl.uint32)
    _test(dst, first[0], first[1], op[0], negated)
    _test(other, second[0], second[1], op[1], negated)
    nisa.tensor_tensor(dst=dst, data1=dst, data2=other, op=join)


def compare(dst, predicate, a, b):
    """dst, a uint32 tile, = 1 where `a predicate b`, else 0. Predicates are named as
    LLVM's fcmp: o.. is false and u.. true where an operand is NaN."""
    if predicate == "oeq":
        _test(dst, a, b, nl.equal, False)
    elif predicate == "ogt":
        _test(dst, a, b, nl.greater, False)
    elif predicate == "oge":
        _test(dst, a, b, nl.greater_equal, False)
    elif predicate == "olt":
        _test(dst, a, b, nl.less, False)
    elif predicate == "ole":
        _test(dst, a, b, nl.less_equal, False)
    elif predicate == "une":
        _test(dst, a, b, nl.not_equal, False)
    elif predicate == "ugt":
        _test(dst, a, b, nl.less_equal, True)
    elif predicate == "uge":
        _test(dst, a, b, nl.less, True)
    elif predicate == "ult":
        _test(dst, a, b, nl.greater_equal, True)
    elif predicate == "ule":
        _test(dst, a, b, nl.greater, True)
    elif predicate == "one":
        ops = (nl.less, nl.greater)
        _two_tests(dst, (a, b), (a, b), ops, False, nl.bitwise_or)
    elif predicate == "ueq":
        ops = (nl.less, nl.greater)
        _two_tests(dst, (a, b), (a, b), ops, True, nl.bitwise_and)
    else:
        x = own_tile(a, dst)
        y = own_tile(b, dst)
        if predicate == "ord":
            ops = (nl.equal, nl.equal)
            _two_tests(dst, (x, x), (y, y), ops, False, nl.bitwise_and)
        else:
            assert predicate == "uno"
            ops = (nl.not_equal, nl.not_equal)
            _two_tests(dst, (x, x), (y, y), ops, False, nl.bitwise_or)


def compare_integers(dst, predicate, a, b):
    """dst, a uint32 tile, = 1 where `a predicate b` holds for 32-bit integers, else 0."""
    if predicate == "sgt" or predicate == "sge":
        compare_integers(dst, "slt" if predicate == "sgt" else "sle", b, a)
        return
    if predicate == "ugt" or predicate == "uge":
        compare_integers(dst, "ult" if predicate == "ugt" else "ule", b, a)
        return
    x = int_tile(a, dst)
    y = int_tile(b, dst)
    op = nl.equal
    if predicate == "ne":
        op = nl.not_equal
    elif predicate == "slt":
        op = nl.less
    elif predicate == "sle":
        op = nl.less_equal
    elif predicate != "eq":
        assert predicate == "ult" or predicate == "ule"
        x = uint_tile(a, dst)
        y = uint_tile(b, dst)
        op = nl.less if predicate == "ult" else nl.less_equal
    nisa.tensor_tensor(dst=dst, data1=x, data2=y, op=op)


def test_bit(dst, a, bit):
    """dst, a uint32 tile, = bit `bit` of each lane."""
    nisa.tensor_scalar(
        dst=dst,
        data=bits(a, nl.uint32),
        op0=nl.right_shift,
        operand0=bit,
        op1=nl.bitwise_and,
        operand1=1,
    )
