"""neuronify_lanes: 64-bit integers and doubles in memory, bit for bit as in C++."""

from lanes_support import P, Int, Pair, nisa, nki, nl, np, reference, tiles_of_bits, unittest

from neuronify_lanes import wide

NUMBERS = (0, 1, -1, 2, 3, 7, 10, -10, 64, 641, 65536, 2**31, 2**32, 2**32 - 1, -(2**32), 2**40, 2**40 - 1, 10**12,
           -(10**15), 2**62 + 12345, 2**63 - 1, -(2**63), -(2**63) + 1, 2**33 + 5)


def computed(function, operands, tiles, form, word_result):
    """The bits of both words that function(dst, operands...) writes; `form` says which operand dst is."""
    out = np.zeros((2, *tiles.shape[1:]), np.int32)

    @nki.jit
    def kernel(tiles, out):
        def load(a):
            tile = nl.ndarray(tiles.shape[1:], nl.int32, nl.sbuf)
            nisa.dma_copy(tile, tiles[int(a)])
            return tile

        given = []
        for a in operands:
            if isinstance(a, Pair):
                given.append(wide.Wide(load(a), load(a + 1)))
            else:
                given.append(int(a) if isinstance(a, Int) else load(a))
        dst = given[form] if form >= 0 else wide.Wide(*[nl.ndarray(tiles.shape[1:], nl.int32, nl.sbuf) for _ in "ab"])
        function(dst.low if word_result else dst, *given)
        nisa.dma_copy(out[0], dst.low)
        if not word_result:
            nisa.dma_copy(out[1], dst.high)

    nki.simulate(kernel)(tiles.view(np.int32), out)
    return out.view(np.uint32)


class Wide(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(9)
        self.tiles = tiles_of_bits(6, 8, lanes=40)
        # Magnitudes of all sizes, and equal high words.
        shift = random.integers(0, 64, (P // 2, 40)).astype(np.uint64)
        for low in (0, 2):
            value = random.integers(-(2**63), 2**63, (P // 2, 40)) >> shift.astype(np.int64)
            self.tiles[low, ::2] = value & 0xFFFFFFFF
            self.tiles[low + 1, ::2] = (value >> 32) & 0xFFFFFFFF
        self.tiles[3, 120:] = self.tiles[1, 120:]
        self.tiles[2, 124:] = self.tiles[0, 124:]

    def check(self, name, function, cases, word_result=False, tiles=None, is_float=False):
        tiles = self.tiles if tiles is None else tiles
        expected = reference([("wide." + name, operands) for operands in cases], tiles).reshape(-1, 2, *tiles.shape[1:])
        for operands, want in zip(cases, expected):
            pairs = [i for i, a in enumerate(operands) if isinstance(a, Pair)]
            for form in [-1] + ([] if word_result else pairs):
                with self.subTest(name, operands=operands, form=form):
                    have = computed(function, operands, tiles, form, word_result)
                    different = want != have
                    if is_float:
                        different &= ~(np.isnan(want.view(np.float32)) & np.isnan(have.view(np.float32)))
                    if different.any():
                        where = tuple(np.argwhere(different)[0])
                        at = [hex(tiles[int(a)][where[1:]]) for a in operands if not isinstance(a, Int)]
                        self.fail(f"{different.sum()} words differ, first {where}: operands {at}, "
                                  f"{want[where]:#x} expected, {have[where]:#x} computed")

    def binary(self, names, numbers=NUMBERS):
        for name in names:
            cases = [(Pair(0), Pair(2)), (Pair(2), Pair(4)), (Pair(0), Pair(0))]
            cases += [(Pair(0), Int(number)) for number in numbers]
            cases += [(Int(number), Pair(2)) for number in numbers[::4]]
            cases += [(Int(2**40 + 3), Int(-5)), (Int(-7), Int(2**33))]
            self.check(name, getattr(wide, name), cases)

    def test_arithmetic(self):
        self.binary(("iadd", "isub", "imul", "iand", "ior", "ixor"))

    def test_high_products(self):
        self.binary(("smulhi", "umulhi"), NUMBERS[::2])
        for name in ("smul_wide", "umul_wide"):
            cases = [(0, 2), (1, 1), (0, Int(5)), (Int(-5), 1), (0, Int(0)), (0, Int(-(2**31))), (Int(7), Int(-9))]
            self.check(name, getattr(wide, name), cases)

    def test_minima_and_maxima(self):
        self.binary(("smin", "smax", "umin", "umax"), NUMBERS[::3])

    def test_division(self):
        nonzero = self.tiles.copy()
        nonzero[2] |= (nonzero[2] == 0) & (nonzero[3] == 0)
        for name in ("sdiv", "udiv", "srem", "urem"):
            cases = [(Pair(0), Pair(2)), (Int(10**15), Pair(2)), (Int(10**15), Int(7))]
            cases += [(Pair(0), Int(number)) for number in NUMBERS if number]
            self.check(name, getattr(wide, name), cases, tiles=nonzero)

    def test_shifts(self):
        counts = [Int(n) for n in (0, 1, 5, 31, 32, 33, 63, 64, 100, -1)]
        tiles = self.tiles.copy()
        tiles[4] &= 63
        for name in ("shl", "lshr", "ashr"):
            cases = [(Pair(0), n) for n in counts] + [(Pair(0), 4), (Int(-5), 4), (Int(2**40), 4), (Int(-(2**35)), Int(3))]
            self.check(name, getattr(wide, name), cases, tiles=tiles)
        for name in ("fshl", "fshr"):
            cases = [(Pair(0), Pair(2), n) for n in counts]
            cases += [(Pair(0), Pair(2), 4), (Pair(0), Pair(0), 5), (Int(2**40), Pair(2), 4), (Pair(0), Int(-3), Int(7))]
            self.check(name, getattr(wide, name), cases, tiles=tiles)

    def test_comparisons(self):
        for name in ("eq", "ne", "slt", "sle", "ult", "ule"):
            def compare(dst, a, b, name=name):
                wide.compare(dst.view(nl.uint32), name, a, b)

            cases = [(Pair(0), Pair(2)), (Pair(0), Pair(0))] + [(Pair(0), Int(number)) for number in NUMBERS]
            cases += [(Int(number), Pair(2)) for number in NUMBERS]
            self.check(name, compare, cases, word_result=True)
        for name, mirror in (("sgt", "slt"), ("sge", "sle"), ("ugt", "ult"), ("uge", "ule")):
            def mirrored(dst, a, b, name=name):
                wide.compare(dst.view(nl.uint32), name, b, a)

            self.check(mirror, mirrored, [(Pair(0), Pair(2)), (Pair(0), Int(0))], word_result=True)

    def test_counting_reversing_and_extending(self):
        sparse = self.tiles.copy()
        sparse[0, :32] = 0
        sparse[1, 16:48] = 0
        for name in ("popc", "clz", "ctz", "ffs"):
            self.check(name, getattr(wide, name), [(Pair(0),), (Pair(2),)], word_result=True, tiles=sparse)
        for name in ("brev", "iabs"):
            self.check(name, getattr(wide, name), [(Pair(0),), (Pair(4),)])
        for name in ("sext", "zext"):
            self.check(name, getattr(wide, name), [(0, Int(width)) for width in (1, 8, 16, 31, 32)])
            self.check(name + ".pair", getattr(wide, name), [(Pair(0), Int(width)) for width in (33, 40, 63, 64)])

    def test_words_change_places(self):
        def swap(dst, a):
            wide.words(dst, a.high, a.low)

        for form in (-1, 0):
            have = computed(swap, (Pair(0),), self.tiles, form, False)
            np.testing.assert_array_equal(have, self.tiles[[1, 0]])

    def test_conversions(self):
        cases = [(Pair(0),), (Pair(2),), (Pair(4),)]
        for name in ("int_to_float", "uint_to_float"):
            self.check(name, getattr(wide, name), cases, word_result=True)
        floats = self.tiles.copy()
        random = np.random.default_rng(10)
        floats[0] = np.exp2(random.uniform(-3, 66, (P, 40))).astype(np.float32).view(np.uint32) ^ (floats[0] & 0x80000000)
        for name in ("float_to_int", "float_to_uint", "float_to_int_rn", "float_to_int_rd", "float_to_int_ru",
                     "float_to_uint_rn"):
            function = getattr(wide, name)
            self.check(name, lambda dst, a, f=function: f(dst, a.view(nl.float32)), [(0,), (5,)], tiles=floats)

    def test_doubles(self):
        tiles = self.tiles.copy()
        near = (tiles[4].view(np.float32).astype(np.float64)).view(np.uint64)  # floats, and their neighbours
        near += np.random.default_rng(11).integers(-2, 3, near.shape).astype(np.uint64) << np.uint64(28)
        tiles[4], tiles[5] = near & np.uint64(0xFFFFFFFF), near >> np.uint64(32)
        self.check("double_to_float", wide.double_to_float, [(Pair(0),), (Pair(2),), (Pair(4),)], True, tiles, True)
        self.check("float_to_double", lambda dst, a: wide.float_to_double(dst, a.view(nl.float32)), [(0,), (2,)])
        for name in ("int_to_double", "uint_to_double"):
            self.check(name, getattr(wide, name), [(0,), (1,), (5,)])


if __name__ == "__main__":
    unittest.main()
