"""neuronify_lanes: float arithmetic, comparisons and conversions, bit for bit as in C++."""

import math

from lanes_support import BitForBit, Float, Form, nl, np, tiles_of_bits, unittest

from neuronify_lanes import conversions, floats, halves

NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -2.5, math.inf, -math.inf, math.nan, 1e-45, -1e-40, 3.4028234663852886e38,
           0.10000000149011612)
ALL = (Form.PLAIN, Form.IN_PLACE, Form.COLUMNS)
BOTH = (Form.PLAIN, Form.IN_PLACE)


def binary_cases(name, function, forms=ALL):
    in_place = [form for form in BOTH if form in forms]
    cases = [(name, function, (0, 1), nl.float32, in_place), (name, function, (2, 2), nl.float32, in_place)]
    for number in NUMBERS:
        cases.append((name, function, (0, Float(number)), nl.float32, forms))
        cases.append((name, function, (Float(number), 1), nl.float32, forms))
    return cases


class Floats(BitForBit):
    def setUp(self):
        self.tiles = tiles_of_bits(3, 3)
        self.tiles[1, 100:] = self.tiles[0, 100:]  # equal operands too

    def run_cases(self, cases, is_float=True):
        self.check(cases, self.tiles, lambda name: is_float)

    def test_arithmetic(self):
        for name in ("fadd", "fsub", "fmul", "fmax", "fmin"):
            self.run_cases(binary_cases(name, getattr(floats, name)))

    def test_signs(self):
        self.run_cases(binary_cases("copysign", floats.copysign), is_float=False)
        for name in ("fneg", "fabs"):
            self.run_cases([(name, getattr(floats, name), (a,), nl.float32, BOTH) for a in range(3)], is_float=False)
        self.run_cases([("saturate", floats.saturate, (a,), nl.float32, BOTH) for a in range(3)])

    def test_comparisons(self):
        for name in ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"):
            def function(dst, a, b, name=name):
                floats.compare(dst.view(nl.uint32), name, a, b)

            self.run_cases(binary_cases("f" + name, function, (Form.PLAIN, Form.COLUMNS)), is_float=False)

    def test_conversions(self):
        for name in ("float_to_int", "float_to_uint", "float_to_int_rn", "float_to_uint_rn", "float_to_int_rd",
                     "float_to_int_ru"):
            self.run_cases([(name, getattr(conversions, name), (a,), nl.float32, BOTH) for a in range(3)], is_float=False)
        for name in ("int_to_float", "uint_to_float"):
            self.run_cases([(name, getattr(conversions, name), (a,), nl.int32, BOTH) for a in range(3)])

    def test_rounding_to_integral_values(self):
        for name in ("floor", "ceil", "trunc", "rint", "round"):
            self.run_cases([(name, getattr(conversions, name), (a,), nl.float32, BOTH) for a in range(3)])

    def test_sixteen_bit_floats(self):
        for name in ("half_to_float", "bfloat_to_float", "int_to_float_odd", "uint_to_float_odd"):
            self.run_cases([(name, getattr(halves, name), (a,), nl.int32, BOTH) for a in range(3)])
        for name in ("float_to_half", "float_to_bfloat"):
            self.run_cases([(name, getattr(halves, name), (a,), nl.float32, BOTH) for a in range(3)], is_float=False)
        for name in ("round_half", "round_bfloat"):
            self.run_cases([(name, getattr(halves, name), (a,), nl.float32, BOTH) for a in range(3)])

    def test_multiply_add_of_sixteen_bit_floats(self):
        for kind, dtype in (("half", np.float16), ("bfloat", None)):
            tiles = self.tiles.copy()
            if dtype:
                with np.errstate(over="ignore"):
                    tiles = tiles.view(np.float32).astype(dtype).astype(np.float32).view(np.uint32)
            else:
                tiles &= 0xFFFF0000
            name = "fma_" + kind
            for operands in ((0, 1, 2), (0, 0, 1), (0, Float(-1.5), 2), (0, 1, Float(0.25)), (Float(3.0), 1, Float(-0.0))):
                self.check([(name, getattr(halves, name), operands, nl.float32, ALL)], tiles, lambda name: True)


if __name__ == "__main__":
    unittest.main()
