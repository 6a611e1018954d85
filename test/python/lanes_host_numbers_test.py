"""neuronify_lanes: floats and halves that the host knows, by their bits, against NumPy's."""

from lanes_support import PATTERNS, np, unittest

from neuronify_lanes import host_numbers


def floats():
    random = np.random.default_rng(1).integers(0, 1 << 32, 5000, dtype=np.uint32)
    return np.concatenate([PATTERNS, random])


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
