"""neuronify_lanes: integers, bits, division and comparisons, bit for bit as in C++."""

from lanes_support import BitForBit, Form, Int, nl, tiles_of_bits, unittest

from neuronify_lanes import floats, integer_bits, integer_division, integers

NUMBERS = (0, 1, -1, 2, 3, 5, 7, 10, 31, 32, 33, 64, 100, 255, 641, 65535, 65536, 1000003, 2**30, 2**31 - 1, -(2**31),
           -(2**31) + 1, -2, -3, -7, -1000)
BOTH = (Form.PLAIN, Form.IN_PLACE)


def cases_of(name, function):
    """Tile and tile, tile and number, number and tile, the same tile twice."""
    cases = [(name, function, (0, 1), nl.int32, BOTH), (name, function, (1, 2), nl.int32, (Form.PLAIN,)),
             (name, function, (2, 2), nl.int32, BOTH)]
    for number in NUMBERS:
        cases.append((name, function, (0, Int(number)), nl.int32, BOTH))
    for number in NUMBERS[::3]:
        cases.append((name, function, (Int(number), 0), nl.int32, BOTH))
    return cases


class Integers(BitForBit):
    def setUp(self):
        self.tiles = tiles_of_bits(3, 1)

    def run_cases(self, cases):
        self.check(cases, self.tiles, lambda name: False)

    def test_arithmetic_and_bit_operators(self):
        for name in ("iadd", "isub", "imul", "iand", "ior", "ixor", "smin", "smax", "umin", "umax", "smulhi", "umulhi"):
            self.run_cases(cases_of(name, getattr(integers, name)))

    def test_shifts(self):
        for name in ("shl", "lshr", "ashr"):
            self.run_cases(cases_of(name, getattr(integers, name)))

    def test_division(self):
        small = tiles_of_bits(3, 2)
        small[1] &= 0xFF
        small[2] %= 100003
        for tiles in (self.tiles, small):
            for name in ("sdiv", "udiv", "srem", "urem"):
                self.check([case for case in cases_of(name, getattr(integer_division, name)) if 0 not in case[2][1:]],
                           tiles | (tiles == 0), lambda name: False)

    def test_numbers_only(self):
        cases = []
        for name in ("iadd", "isub", "imul", "iand", "ior", "ixor", "shl", "lshr", "ashr", "smulhi", "umulhi", "smin",
                     "umax"):
            for a, b in ((2**31 - 1, 5), (-7, 3), (12345, -1), (-(2**31), 2)):
                cases.append((name, getattr(integers, name), (Int(a), Int(b)), nl.int32, (Form.PLAIN,)))
        for name in ("sdiv", "udiv", "srem", "urem"):
            for a, b in ((2**31 - 1, 5), (-7, 3), (12345, -17), (-(2**31), 2)):
                cases.append((name, getattr(integer_division, name), (Int(a), Int(b)), nl.int32, (Form.PLAIN,)))
        self.run_cases(cases)

    def test_counting_and_reversing_bits(self):
        self.run_cases([("iabs", integers.iabs, (a,), nl.int32, BOTH) for a in range(3)])
        for name in ("popc", "clz", "brev", "ffs", "ctz"):
            self.run_cases([(name, getattr(integer_bits, name), (a,), nl.int32, BOTH) for a in range(3)])

    def test_funnel_shifts(self):
        for name in ("fshl", "fshr"):
            for operands in ((0, 1, 2), (0, 0, Int(5)), (0, 1, Int(0)), (0, Int(-5), 2), (Int(7), 1, Int(31)), (0, 1, 0)):
                self.run_cases([(name, getattr(integer_bits, name), operands, nl.int32, BOTH)])

    def test_narrow_integers(self):
        for name in ("sext", "zext"):
            for width in (1, 2, 8, 16, 24, 25, 31, 32):
                self.run_cases([(name, getattr(integer_bits, name), (0, Int(width)), nl.int32, BOTH)])

    def test_comparisons(self):
        for name in ("eq", "ne", "slt", "sle", "ult", "ule"):
            self.run_cases(cases_of(name, lambda dst, a, b, name=name: floats.compare_integers(dst.view(nl.uint32), name, a, b)))
        for name, mirror in (("sgt", "slt"), ("sge", "sle"), ("ugt", "ult"), ("uge", "ule")):
            self.run_cases([(mirror, lambda dst, a, b, name=name: floats.compare_integers(dst.view(nl.uint32), name, b, a),
                             (0, 1), nl.int32, (Form.PLAIN,))])
        self.run_cases([("test_bit", lambda dst, a, bit: floats.test_bit(dst.view(nl.uint32), a, bit), (0, Int(bit)),
                         nl.int32, (Form.PLAIN,)) for bit in (0, 7, 31)])


if __name__ == "__main__":
    unittest.main()
