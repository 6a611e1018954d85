"""neuronify_lanes: mathematical functions, bit for bit as in C++."""

import math as numbers

from lanes_support import BitForBit, Float, Form, nl, tiles_of_bits, unittest

from neuronify_lanes import math

ALL = (Form.PLAIN, Form.IN_PLACE, Form.COLUMNS)
BOTH = (Form.PLAIN, Form.IN_PLACE)
DIVISORS = (1.0, -2.0, 3.0, 0.10000000149011612, 1e-45, 1e-40, 2.0**-126, 2.0**-149, 3e-38, 2.0**126, 2.0**127, -1.5e38,
            0.0, -0.0, numbers.inf, 2.0**-100, 2.0**-101, 2.0**100, 1.5 * 2.0**100)


class Math(BitForBit):
    def setUp(self):
        self.tiles = tiles_of_bits(3, 4)

    def run_cases(self, cases, tiles=None):
        self.check(cases, self.tiles if tiles is None else tiles, lambda name: True)

    def unary(self, names):
        for name in names:
            self.run_cases([(name, getattr(math, name), (a,), nl.float32, BOTH) for a in range(3)])

    def test_exponentials_and_logarithms(self):
        self.unary(("exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "tanh", "erf"))

    def test_quotients(self):
        for name, precise in (("fdiv", False), ("fdiv.precise", True)):
            def divide(dst, a, b, precise=precise):
                math.fdiv(dst, a, b, precise)

            cases = [(name, divide, (0, 1), nl.float32, BOTH), (name, divide, (1, 1), nl.float32, BOTH),
                     (name, divide, (Float(3.0), 1), nl.float32, ALL), (name, divide, (Float(-0.0), 1), nl.float32, ALL)]
            cases += [(name, divide, (0, Float(b)), nl.float32, ALL) for b in DIVISORS]
            self.run_cases(cases)

    def test_roots_and_reciprocals(self):
        self.unary(("rsqrt",))
        for function in ("sqrt", "reciprocal"):
            for name, precise in ((function, False), (function + ".precise", True)):
                def call(dst, a, function=function, precise=precise):
                    getattr(math, function)(dst, a, precise)

                self.run_cases([(name, call, (a,), nl.float32, BOTH) for a in range(3)])

    def test_powers(self):
        cases = [("pow", math.pow, (0, 1), nl.float32, BOTH)]
        for number in (2.0, 3.0, -1.0, 0.5, 0.0):
            cases += [("pow", math.pow, (0, Float(number)), nl.float32, ALL),
                      ("pow", math.pow, (Float(number), 1), nl.float32, ALL)]
        self.run_cases(cases)


if __name__ == "__main__":
    unittest.main()
