"""Comparisons per lane, as masks: of launch-known integers, and on the chip."""

import nki.language as nl

from . import floats, masks, wide


def eq(a, b, bits=32):
    return masks.compare("eq", a, b, bits)


def ne(a, b, bits=32):
    return masks.compare("ne", a, b, bits)


def slt(a, b, bits=32):
    return masks.compare("slt", a, b, bits)


def sle(a, b, bits=32):
    return masks.compare("sle", a, b, bits)


def sgt(a, b, bits=32):
    return masks.compare("sgt", a, b, bits)


def sge(a, b, bits=32):
    return masks.compare("sge", a, b, bits)


def ult(a, b, bits=32):
    return masks.compare("ult", a, b, bits)


def ule(a, b, bits=32):
    return masks.compare("ule", a, b, bits)


def ugt(a, b, bits=32):
    return masks.compare("ugt", a, b, bits)


def uge(a, b, bits=32):
    return masks.compare("uge", a, b, bits)


def compare(w, predicate, a, b):
    """Lanes where a predicate of LLVM's fcmp holds, for float tiles, numbers and data scalars."""
    result = nl.ndarray((w.P, w.F), dtype=nl.uint32, buffer=nl.sbuf)
    floats.compare(result, predicate, a, b)
    return masks.Predicate(result)


def compare_integers(w, predicate, a, b):
    """Lanes where a predicate of LLVM's icmp holds, for int32 tiles and numbers."""
    result = nl.ndarray((w.P, w.F), dtype=nl.uint32, buffer=nl.sbuf)
    floats.compare_integers(result, predicate, a, b)
    return masks.Predicate(result)


def compare_wide(w, predicate, a, b):
    """Lanes where a predicate of LLVM's icmp holds, for 64-bit integers."""
    result = nl.ndarray((w.P, w.F), dtype=nl.uint32, buffer=nl.sbuf)
    wide.compare(result, predicate, a, b)
    return masks.Predicate(result)


def test_bit(w, a, bit):
    """Lanes in which bit `bit` of an int32 tile is set."""
    result = nl.ndarray((w.P, w.F), dtype=nl.uint32, buffer=nl.sbuf)
    floats.test_bit(result, a, bit)
    return masks.Predicate(result)
