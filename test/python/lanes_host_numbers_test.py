"""neuronify_lanes: floats and halves that the host knows, by their bits, against NumPy's."""

from lanes_support import PATTERNS, np, unittest

import ml_dtypes
from fractions import Fraction

from neuronify_lanes import host_numbers


def floats():
    random = np.random.default_rng(1).integers(0, 1 << 32, 5000, dtype=np.uint32)
    return np.concatenate([PATTERNS, random])


def nearest(exact, dtype):
    """The number of a 16-bit format next to a fraction, ties to even."""
    size, info = abs(exact), ml_dtypes.finfo(dtype)
    unit = Fraction(float(info.smallest_subnormal))
    while unit * 2 ** (info.nmant + 1) <= size:
        unit *= 2
    rounded = round(size / unit) * unit  # of fractions to even
    value = float("inf") if rounded > Fraction(float(info.max)) else float(rounded)
    return value if exact > 0 else -value


class HostNumbers(unittest.TestCase):
    def test_bits_of_floats_and_back(self):
        for word in floats():
            value = host_numbers.float_of_bits(int(word))
            if np.isnan(word.view(np.float32)):
                self.assertNotEqual(value, value)
                continue
            self.assertEqual(np.float32(value).view(np.uint32), word)
            self.assertEqual(host_numbers.bits_of_float(value), word)

    def test_halves_of_all_bits(self):
        for word in range(1 << 16):
            want, value = float(np.uint16(word).view(np.float16)), host_numbers.half_number(word)
            if want != want:
                self.assertNotEqual(value, value)
            else:
                self.assertEqual((value, str(value)), (want, str(want)))

    def test_nearest_halves_and_bfloats(self):
        for value in floats().view(np.float32):
            if np.isnan(value):
                continue
            with np.errstate(over="ignore"):
                self.assertEqual(host_numbers.half_bits(float(value)), value.astype(np.float16).view(np.int16))
            word = host_numbers.bfloat_bits(float(value))
            nearest = host_numbers.bfloat_number(word)
            for other in (host_numbers.bfloat_number(word + 1), host_numbers.bfloat_number(word - 1)):
                if np.isfinite([nearest, other]).all():
                    self.assertLessEqual(abs(nearest - float(value)), abs(other - float(value)))

    def test_doubles_become_the_nearest_float(self):
        random = np.random.default_rng(5)
        single = random.integers(0, 1 << 32, 5000, dtype=np.uint32).view(np.float32)
        single = single[np.isfinite(single)].astype(np.float64)
        with np.errstate(all="ignore"):
            middle = (single + np.nextafter(single.astype(np.float32), np.float32(np.inf)).astype(np.float64)) / 2
        middle = middle[np.isfinite(middle)]
        wide = random.integers(0, 1 << 64, 5000, dtype=np.uint64).view(np.float64)
        values = np.concatenate([single, middle, np.nextafter(middle, np.inf), np.nextafter(middle, -np.inf),
                                 wide[~np.isnan(wide)], [0.0, -0.0, 1e-60, -1e-60]])
        with np.errstate(all="ignore"):
            wants = values.astype(np.float32).astype(np.float64)
        for value, want in zip(values, wants):
            self.assertEqual(np.float64(host_numbers.f32(float(value))).view(np.uint64), want.view(np.uint64), value)

    def test_fused_products_of_halves_round_once(self):
        random = np.random.default_rng(6)
        for name, fused, dtype in (("half", host_numbers.fma_of_halves, np.float16),
                                   ("bfloat", host_numbers.fma_of_bfloats, ml_dtypes.bfloat16)):
            words = random.integers(0, 1 << 16, (4000, 3), dtype=np.uint16)
            words[:1000] = words[:1000] & 0x83FF | 0x3C00  # near each other
            words[1000:2000, :2] = words[1000:2000, :2] & 0x807F | 0x3F80  # factors near 1, any addend
            for row in words.view(dtype):
                a, b, c = (float(x) for x in row)
                got = fused(a, b, c)
                if not np.isfinite([a, b, c]).all():
                    self.assertEqual(np.isnan(got), np.isnan(a * b + c))
                    continue
                exact = Fraction(a) * Fraction(b) + Fraction(c)
                if exact == 0:
                    self.assertEqual(got, 0)
                    continue
                with self.subTest(name, a=a, b=b, c=c):
                    self.assertEqual(got, nearest(exact, dtype))

    def test_integers_rounded_to_odd_round_once_to_16_bits(self):
        random = np.random.default_rng(7)
        values = [int(v) >> int(s) for v, s in zip(random.integers(-(1 << 63), 1 << 63, 2000), random.integers(0, 63, 2000))]
        for value in values + [0, 1, -1, (1 << 24) + 1, (1 << 25) + 2, -(1 << 31), (1 << 32) - 1]:
            odd = host_numbers.float_to_odd(value)
            self.assertEqual(np.float32(odd), odd)
            self.assertTrue(int(odd) == value or np.float32(odd).view(np.uint32) & 1)
            for dtype in (np.float16, ml_dtypes.bfloat16):
                with np.errstate(over="ignore"):
                    got = float(np.float32(odd).astype(dtype))
                self.assertEqual(got, nearest(Fraction(value), dtype) if value else 0)

    def test_square_roots(self):
        for value in floats().view(np.float32):
            if value >= 0:
                root = np.float32(host_numbers.square_root(float(value)))
                self.assertEqual(root.view(np.uint32), np.sqrt(value).view(np.uint32))

    def test_truncation_stops_at_the_ends(self):
        for value, signed, unsigned in ((-0.75, 0, 0), (2.9, 2, 2), (-2.9, -2, 0), (3e19, 2**63 - 1, 2**64 - 1),
                                        (-3e19, -(2**63), 0), (float("nan"), -(2**63), 2**63)):
            self.assertEqual(host_numbers.truncated(value, True), signed)
            self.assertEqual(host_numbers.truncated(value, False), unsigned)

    def test_fields_of_structs(self):
        raw = np.arange(1, 17, dtype=np.uint8) * 17
        words = [int(word) for word in raw.view(np.uint32)]
        for type in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
            size = np.dtype(type).itemsize
            for offset in range(0, 16, size):
                want = raw[offset : offset + size].view(type)[0]
                self.assertEqual(host_numbers.field(words, type, offset), want)


if __name__ == "__main__":
    unittest.main()
