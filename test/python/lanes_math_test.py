"""neuronify_lanes: mathematical functions, bit for bit as in C++."""

import math as numbers

from lanes_support import BitForBit, Float, Form, nl, tiles_of_bits, unittest

from neuronify_lanes import conversions, floats, math

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

    def test_trigonometric_functions(self):
        self.unary(("sin", "cos", "tan", "asin", "acos", "atan"))
        ordinary = self.tiles.copy()
        ordinary &= 0x80000000
        ordinary |= (self.tiles & 0x7FFFFFFF) % 0x45000000  # up to 2048: no lane needs the long reduction
        for name in ("sin", "cos", "tan"):
            self.run_cases([(name, getattr(math, name), (0,), nl.float32, BOTH)], ordinary)

    def test_hyperbolic_functions_and_roots(self):
        self.unary(("sinh", "cosh", "asinh", "acosh", "atanh", "cbrt", "erfc"))

    def test_functions_of_two_numbers(self):
        for name in ("atan2", "hypot", "fmod"):
            function = getattr(math, name)
            cases = [(name, function, (0, 1), nl.float32, BOTH), (name, function, (1, 1), nl.float32, BOTH)]
            for number in (0.0, -0.0, 1.0, -0.75, 1e-40, 3e38, numbers.inf, numbers.nan):
                cases += [(name, function, (0, Float(number)), nl.float32, ALL),
                          (name, function, (Float(number), 1), nl.float32, ALL)]
            self.run_cases(cases)

    def test_multiply_add(self):
        for name, precise in (("fma", False), ("fma.precise", True)):
            def fma(dst, a, b, c, precise=precise):
                math.fma(dst, a, b, c, precise)

            cases = [(name, fma, (0, 1, 2), nl.float32, BOTH), (name, fma, (1, 1, 0), nl.float32, BOTH)]
            for number in (0.0, -0.0, 1.0, -0.75, 3.0, 1e-40, 2.0**-126, 3e38, 2.0**100, 1e31, numbers.inf, numbers.nan):
                for operands in ((0, Float(number), 2), (Float(number), 1, 2), (0, 1, Float(number)),
                                 (0, Float(number), Float(-1.5)), (Float(1.25), 1, Float(number))):
                    cases.append((name, fma, operands, nl.float32, ALL))
            self.run_cases(cases)

    def test_one_lane_per_partition(self):
        tiles = tiles_of_bits(2, 6, lanes=1)
        forms = (Form.PLAIN, Form.IN_PLACE, Form.SCALARS)
        for number in (3.0, -0.0, 1e-40, 1.5e38, 2.0):
            cases = []
            for name, function in (("fdiv", lambda dst, a, b: math.fdiv(dst, a, b, False)), ("pow", math.pow),
                                   ("fmod", math.fmod), ("fmin", floats.fmin), ("fsub", floats.fsub)):
                cases += [(name, function, (0, Float(number)), nl.float32, forms),
                          (name, function, (Float(number), 1), nl.float32, forms)]
            cases.append(("fma", lambda dst, a, b, c: math.fma(dst, a, b, c, False), (0, Float(number), 1), nl.float32, forms))
            self.run_cases(cases, tiles)

    def test_long_tiles_are_computed_in_stretches(self):
        tiles = tiles_of_bits(3, 5, lanes=2051)
        for name, operands in (("log", (0,)), ("log1p", (0,)), ("sin", (0,)), ("floor", (0,)), ("fdiv.precise", (0, 1)),
                               ("fma", (0, 1, 2)), ("fma.precise", (0, 1, Float(3.0))), ("hypot", (0, 1))):
            function, _, precise = name.partition(".")

            def call(dst, *operands, function=function, precise=bool(precise)):
                if function in ("fdiv", "fma"):
                    operands += (precise,)
                getattr(conversions if function == "floor" else math, function)(dst, *operands)

            self.run_cases([(name, call, operands, nl.float32, BOTH)], tiles)


if __name__ == "__main__":
    unittest.main()
