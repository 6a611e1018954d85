"""Each instruction with each data type against NumPy and ml_dtypes, bit for bit where the result is defined.

Engines widen to fp32, compute in the order of the elements, and round once to the destination: to nearest even,
integers saturate, NaN becomes 0. Activation functions are compared within two units in the last place.
"""

import math

import ml_dtypes

from support import np, nki, nisa, nl, random, run, to_hbm, unittest

INTEGERS = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32]
FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, ml_dtypes.float8_e4m3, ml_dtypes.float8_e5m2,
          ml_dtypes.float8_e4m3fn]
TYPES = [np.dtype(kind) for kind in INTEGERS + FLOATS]
F32 = np.dtype(np.float32)
HARD = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.5, 3.5, -0.5, 0.5, 255.5, -128.5, 448.0, 464.0, 240.0, 248.0,
        65504.0, 65520.0, 2.0**31, -2.0**31, 2.0**32, 3.4e38, 1e-40, -1e-45, 2.0**-24, 2.0**-25, 2.0**-10, 57344.0,
        61440.0]


def values(dtype, *shape):
    """Numbers of the type that break sloppy code, then ordinary ones."""
    size = math.prod(shape)
    if dtype.kind in "ui":
        limits = np.iinfo(dtype)
        hard = np.array([limits.min, limits.max, 0, 1, limits.max - 1, limits.max // 2 + 1], dtype)
        rest = random.integers(limits.min, limits.max, size, dtype, endpoint=True)
    else:
        hard = narrow(np.array(HARD, np.float32), dtype)
        spread = random.standard_normal(size) * 2.0 ** random.integers(-8, 9, size)
        rest = narrow(spread.astype(np.float32), dtype)
    return np.concatenate([random.permutation(hard), rest])[:size].reshape(shape)


def tame(dtype, *shape):
    """Small whole numbers, which every type holds."""
    low = 0 if dtype.kind == "u" else -3
    return random.integers(low, 4, shape).astype(np.float32).astype(dtype)


def wide(array):
    return array.astype(np.float32)


def narrow(array, dtype):
    """fp32 to the type, as the chip does it."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "ui":
        with np.errstate(over="ignore"):
            return array.astype(dtype)
    limits = np.iinfo(dtype)
    exact = np.nan_to_num(np.rint(array.astype(np.float64)), nan=0.0, posinf=limits.max, neginf=limits.min)
    return np.clip(exact, limits.min, limits.max).astype(dtype)


def bits(array):
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


class Numerics(unittest.TestCase):
    def setUp(self):
        self.errors = np.seterr(all="ignore")
        self.now = ""  # the types being tried, for messages

    def tearDown(self):
        np.seterr(**self.errors)

    def same(self, got, expected):
        """Equal bit for bit, or both NaN."""
        self.assertEqual(got.dtype, expected.dtype)
        self.assertEqual(got.shape, expected.shape)
        equal = bits(got) == bits(expected)
        if got.dtype.kind not in "ui":
            equal |= np.isnan(wide(got)) & np.isnan(wide(expected))
        if not equal.all():
            place = tuple(np.argwhere(~equal)[0])
            self.fail(f"{self.now}, at {place}: {got[place]!r}, expected {expected[place]!r}")

    def check(self, instruction, arrays, expected, dtype, shape=None):
        """instruction(dst, *tiles) makes `expected`, which is fp32 or of the type."""
        def kernel(*tiles):
            out = nl.ndarray(shape or expected.shape, dtype, nl.sbuf)
            instruction(out, *tiles)
            return out

        self.same(run(kernel, *arrays), expected if expected.dtype == dtype else narrow(expected, dtype))

    def pairs(self, sources=TYPES, targets=TYPES):
        for source in sources:
            for target in targets:
                self.now = f"{source} to {target}"
                yield source, target

    def each(self, types=TYPES):
        for dtype in types:
            self.now = str(dtype)
            yield dtype


class Casts(Numerics):
    """Instructions that only cast: any type to any other."""

    def test_copies(self):
        for instruction in (nisa.tensor_copy, nisa.dma_copy,
                            lambda out, x: nisa.tensor_copy(out, x, engine=nisa.engine.gpsimd),
                            lambda out, x: nisa.tensor_copy(out, x, engine=nisa.engine.scalar)):
            for source, target in self.pairs():
                x = values(source, 5, 67)
                self.check(instruction, [x], x if source == target else wide(x), target)

    def test_activation_copy(self):
        for source, target in self.pairs():
            x = values(source, 5, 67)
            self.check(lambda out, x: nisa.activation(out, nl.copy, x), [x], wide(x) + np.float32(0), target)

    def test_dma_compute(self):
        for source, target in self.pairs():
            x, y = values(source, 4, 40), values(target, 4, 40)
            self.check(lambda out, x, y: nisa.dma_compute(out, [x, y], nl.add), [x, y], wide(x) + wide(y), target)

    def test_memset(self):
        for dtype in self.each():
            for value in (0, 1, 3):
                self.check(lambda out: nisa.memset(out, value), [], np.full((3, 5), value, np.float32), dtype)

    def test_iota(self):
        expected = -40 + 7 * np.arange(4)[:, None] + 11 * np.arange(30)[None, :]
        for dtype in self.each():
            if dtype == np.uint32:
                continue  # patterns of int32, below
            self.check(lambda out: nisa.iota(out, [[11, 30]], offset=-40, channel_multiplier=7), [],
                       expected.astype(np.float32), dtype)
        self.check(lambda out: nisa.iota(out, [[11, 30]], offset=-40, channel_multiplier=7), [],
                   expected.astype(np.int32).view(np.uint32), np.dtype(np.uint32))


class Bits(Numerics):
    """Instructions that move patterns: NaN payloads and all."""

    def patterns(self, dtype, *shape):
        size = math.prod(shape) * dtype.itemsize
        return random.integers(0, 256, size).astype(np.uint8).view(dtype).reshape(shape)

    def same(self, got, expected):
        np.testing.assert_array_equal(bits(got), bits(expected), self.now)

    def test_moves(self):
        mask = [(7 * i + 3) % 32 for i in range(32)]
        for dtype in self.each():
            x = self.patterns(dtype, 32, 24)
            self.check(nisa.tensor_copy, [x], x, dtype)
            self.check(nisa.dma_copy, [x], x, dtype)
            self.check(lambda out, x: nisa.nc_stream_shuffle(out, x, mask), [x], x[mask], dtype)
            self.check(lambda out, x: nisa.nc_transpose(out, x, engine=nisa.engine.vector), [x],
                       np.ascontiguousarray(x.T), dtype)
            self.check(lambda out, x: nisa.dma_transpose(out, x), [x], np.ascontiguousarray(x.T), dtype)

    def test_choices(self):
        for dtype in self.each():
            for kind in (np.uint8, np.uint16, np.uint32):
                x, old = self.patterns(dtype, 8, 33), self.patterns(dtype, 8, 33)
                p = (random.integers(0, 3, (8, 33)) * 100).astype(kind)

                def kernel(x, old, p, reverse=False):
                    nisa.tensor_copy_predicated(old, x, p, reverse_pred=reverse)
                    return old

                self.same(run(kernel, x, old, p), np.where(p != 0, x, old))
                self.same(run(lambda *tiles: kernel(*tiles, True), x, old, p), np.where(p == 0, x, old))

    def test_gathers(self):
        for dtype in self.each():
            x = self.patterns(dtype, 16, 40)
            i = random.integers(0, 40, (16, 9)).astype(np.uint32)
            self.check(nisa.nc_n_gather, [x, i], np.take_along_axis(x, i.astype(int), 1), dtype)
            lists = random.integers(0, 39, (16, 2)).astype(np.uint16)
            order = lists.T.reshape(-1).astype(int)
            self.check(lambda out, x, i: nisa.local_gather(out, x, i, num_elem_per_idx=2), [x, lists],
                       x[:, np.stack([order, order + 1], 1).reshape(-1)], dtype)


class Arithmetic(Numerics):
    BINARY = [(nl.add, np.add), (nl.subtract, np.subtract), (nl.multiply, np.multiply), (nl.maximum, np.maximum),
              (nl.minimum, np.minimum), (nl.equal, np.equal), (nl.not_equal, np.not_equal),
              (nl.greater, np.greater), (nl.greater_equal, np.greater_equal), (nl.less, np.less),
              (nl.less_equal, np.less_equal), (nl.logical_and, np.logical_and), (nl.logical_or, np.logical_or),
              (nl.logical_xor, np.logical_xor)]

    def test_tensor_tensor(self):
        for source, target in self.pairs():
            if {source, target} <= {np.dtype(np.int32), np.dtype(np.uint32)}:
                continue  # exact on GpSimdE, below
            x, y = values(source, 4, 66), values(source, 4, 66)
            for op, function in self.BINARY:
                expected = function(wide(x), wide(y)).astype(np.float32)
                if op in (nl.maximum, nl.minimum):  # which of two zeros is left open
                    expected += np.float32(0)
                    self.check(lambda out, x, y: (nisa.tensor_tensor(x32 := nl.ndarray(x.shape, nl.float32), x, y, op),
                                                  nisa.tensor_scalar(out, x32, nl.add, 0.0)), [x, y], expected, target)
                else:
                    self.check(lambda out, x, y: nisa.tensor_tensor(out, x, y, op), [x, y], expected, target)

    def test_exact_integers(self):
        for dtype in self.each([np.dtype(np.int32), np.dtype(np.uint32)]):
            x, y = values(dtype, 4, 66), values(dtype, 4, 66)
            for op, function in self.BINARY:
                self.check(lambda out, x, y: nisa.tensor_tensor(out, x, y, op), [x, y],
                           function(x, y).astype(dtype), dtype)

    def test_integers_on_vector_engine_go_through_float32(self):
        x, y = values(np.dtype(np.int32), 4, 66), values(np.dtype(np.int32), 4, 66)
        self.check(lambda out, x, y: nisa.tensor_tensor(out, x, y, nl.add, engine=nisa.engine.vector), [x, y],
                   wide(x) + wide(y), np.dtype(np.int32))

    def test_bit_operators(self):
        for dtype in self.each(TYPES[:6]):
            x, y = values(dtype, 4, 66), values(dtype, 4, 66)
            shift = random.integers(0, dtype.itemsize * 8, (4, 66)).astype(dtype)
            for op, function in ((nl.bitwise_and, np.bitwise_and), (nl.bitwise_or, np.bitwise_or),
                                 (nl.bitwise_xor, np.bitwise_xor)):
                self.check(lambda out, x, y: nisa.tensor_tensor(out, x, y, op), [x, y], function(x, y), dtype)
                self.check(lambda out, x: nisa.tensor_scalar(out, x, op, 5), [x], function(x, dtype.type(5)), dtype)
            self.check(lambda out, x, y: nisa.tensor_tensor(out, x, y, nl.left_shift), [x, shift],
                       np.left_shift(bits(x), bits(shift)).view(dtype), dtype)
            self.check(lambda out, x, y: nisa.tensor_tensor(out, x, y, nl.right_shift), [x, shift],
                       np.right_shift(bits(x), bits(shift)).view(dtype), dtype)
            self.check(lambda out, x: nisa.tensor_scalar(out, x, nl.invert, None), [x], ~x, dtype)

    def test_tensor_scalar_and_scalar_tensor_tensor(self):
        for source, target in self.pairs():
            x, y, column = values(source, 6, 35), values(target, 6, 35), values(F32, 6, 1)
            self.check(lambda out, x, c: nisa.tensor_scalar(out, x, nl.multiply, c, op1=nl.subtract, operand1=1.5,
                                                            reverse1=True),
                       [x, column], np.float32(1.5) - wide(x) * column, target)
            self.check(lambda out, x, y, c: nisa.scalar_tensor_tensor(out, x, nl.subtract, c, nl.multiply, y),
                       [x, y, column], (wide(x) - column) * wide(y), target)
            self.check(lambda out, x, c: nisa.scalar_tensor_tensor(out, x, nl.add, c, nl.add, x),
                       [x, y[:, :1]], (wide(x) + wide(y[:, :1])) + wide(x), target)

    def test_unary_operators(self):
        for source, target in self.pairs():
            x = values(source, 6, 35)
            self.check(nisa.reciprocal, [x], np.float32(1) / wide(x), target)
            for op, function in ((nl.abs, np.abs), (nl.square, np.square), (nl.reciprocal, np.reciprocal),
                                 (nl.rsqrt, lambda v: np.float32(1) / np.sqrt(v))):
                self.check(lambda out, x: nisa.tensor_scalar(out, x, op, None), [x], function(wide(x)), target)


class InOrder(Numerics):
    """Reductions and scans add in the order of the elements."""

    def test_reductions(self):
        for source, target in self.pairs():
            x = values(source, 6, 3, 21)
            for op, function in ((nl.add, np.add), (nl.subtract, np.subtract), (nl.multiply, np.multiply)):
                expected = function.accumulate(wide(x), 2)[:, :, -1]
                self.check(lambda out, x: nisa.tensor_reduce(out, op, x, 2), [x], expected, target)
                self.check(lambda out, x: nisa.tensor_reduce(out, op, x, 2, negate=True), [x], -expected, target)
            flat = wide(x).reshape(6, -1)
            self.check(lambda out, x: nisa.tensor_reduce(out, nl.add, x, (1, 2)), [x],
                       np.add.accumulate(flat, 1)[:, -1:], target)
            finite = tame(source, 6, 21)
            for op, function in ((nl.maximum, np.max), (nl.minimum, np.min)):
                self.check(lambda out, x: nisa.tensor_reduce(out, op, x, 1), [finite],
                           function(wide(finite), 1, keepdims=True) + np.float32(0), target)

    def test_bit_reductions(self):
        for dtype in self.each(TYPES[:6]):
            x = values(dtype, 6, 21)
            for op, function in ((nl.bitwise_and, np.bitwise_and), (nl.bitwise_or, np.bitwise_or),
                                 (nl.bitwise_xor, np.bitwise_xor)):
                self.check(lambda out, x: nisa.tensor_reduce(out, op, x, 1), [x],
                           function.reduce(x, 1, keepdims=True), dtype)
            for op, function in ((nl.bitwise_and, np.bitwise_and), (nl.bitwise_or, np.bitwise_or)):
                self.check(lambda out, x: nisa.tensor_partition_reduce(out, op, x), [x],
                           function.reduce(x, 0, keepdims=True), dtype)

    def test_partition_reductions(self):
        for source, target in self.pairs():
            x = values(source, 20, 33)
            total = np.add.accumulate(wide(x), 0)[-1:]
            self.check(lambda out, x: nisa.tensor_partition_reduce(out, nl.add, x), [x], total, target)
            self.check(lambda out, x: nisa.tensor_partition_reduce(out, nl.average, x), [x], total / np.float32(20),
                       target)

    def test_tensor_scalar_reduce(self):
        for source, target in self.pairs():
            x = values(source, 6, 35)
            product = wide(x) * np.float32(0.75)
            self.check(lambda out, x: nisa.tensor_scalar_reduce(out, x, nl.multiply, 0.75, nl.add), [x], product,
                       target)

            def total(out, x):
                waste = nl.ndarray(x.shape, target, nl.sbuf)
                nisa.tensor_scalar_reduce(waste, x, nl.multiply, 0.75, nl.add, out)

            self.check(total, [x], np.add.accumulate(product, 1)[:, -1:] + np.float32(0), target)

    def test_scans(self):
        for source, target in self.pairs():
            x, y, start = values(source, 6, 35), values(target, 6, 35), values(F32, 6, 1)
            expected, state = np.empty((6, 35), np.float32), start[:, 0]
            for i in range(35):
                state = wide(x)[:, i] * state - wide(y)[:, i]
                expected[:, i] = state
            self.check(lambda out, x, y, s: nisa.tensor_tensor_scan(out, x, y, s, nl.multiply, nl.subtract),
                       [x, y, start], expected, target)

    def test_cumulation(self):
        narrow_types = [t for t in TYPES if t not in (np.uint32, np.int32)]
        for source, target in self.pairs(narrow_types, narrow_types):
            x = values(source, 6, 35)
            expected = np.add.accumulate(np.concatenate([np.zeros((6, 1), np.float32), wide(x) * np.float32(0.5)], 1),
                                         1)[:, 1:]
            self.check(lambda out, x: nisa.tensor_scalar_cumulative(out, x, nl.multiply, nl.add, 0.5), [x], expected,
                       target)

    def test_statistics(self):
        for source, target in self.pairs():
            x = tame(source, 6, 35)
            expected = []
            for row in wide(x):
                for part in (row[0::2], row[1::2]):
                    mean = np.add.accumulate(part)[-1] / np.float32(part.size)
                    expected += [np.float32(part.size), mean, np.add.accumulate((part - mean) ** 2)[-1]]
            stats = np.array(expected, np.float32).reshape(6, 6)
            self.check(nisa.bn_stats, [x], stats, target)

            def aggregate(out, x):
                parts = nl.ndarray((6, 6), nl.float32, nl.sbuf)
                nisa.bn_stats(parts, x)
                nisa.bn_aggr(out, parts)

            if target == F32:
                got = run(lambda x: (out := nl.ndarray((6, 2), nl.float32), aggregate(out, x))[0], x)
                np.testing.assert_allclose(got, np.stack([wide(x).mean(1), wide(x).var(1)], 1), rtol=1e-5, atol=1e-6)


class Selections(Numerics):
    def test_select_reduce(self):
        sources = [t for t in TYPES if t not in (np.uint32, np.int32)]
        for source, target in self.pairs(sources):
            x, other = values(source, 6, 35), values(F32, 6, 1)
            for kind in (np.int8, np.uint8, np.int16, np.uint16):
                p = random.integers(0, 2, (6, 35)).astype(kind)
                self.check(lambda out, x, p, o: nisa.select_reduce(out, p, x, o), [x, p, other],
                           np.where(p != 0, wide(x), other), target)

    def test_range_select(self):
        low, high = np.arange(6, dtype=np.float32).reshape(6, 1), np.full((6, 1), 20, np.float32)
        index = np.arange(35) + 2
        lowest = np.finfo(np.float32).min
        for source, target in self.pairs([np.dtype(t) for t in FLOATS]):
            x = values(source, 6, 35)
            self.check(lambda out, x, a, b: nisa.range_select(out, x, nl.greater, nl.less_equal, a, b, range_start=2),
                       [x, low, high], np.where((index > low) & (index <= high), wide(x), lowest), target)

    def test_affine_select(self):
        for source, target in self.pairs():
            x = values(source, 6, 35)
            keep = 3 - np.arange(6)[:, None] * 2 + np.arange(35) >= 0
            self.check(lambda out, x: nisa.affine_select(out, [[1, 35]], -2, x, -7.5, cmp_op=nl.greater_equal,
                                                         offset=3),
                       [x], np.where(keep, wide(x), np.float32(-7.5)) if source != target
                       else np.where(keep, x, narrow(np.float32([-7.5]), target)), target)

    def test_dropout(self):
        for dtype in self.each():
            x = values(dtype, 6, 35)
            self.check(lambda out, x: nisa.dropout(out, x, 0.0), [x], x, dtype)
            self.check(lambda out, x: nisa.dropout(out, x, 1.0), [x], np.zeros_like(x), dtype)
            ones = np.ones((128, 512), dtype)
            kept = run(lambda x: (nisa.dropout(x, x, 0.25), x)[1], ones)
            self.assertAlmostEqual(float(wide(kept).mean()), 0.75, delta=0.01)


class Search(Numerics):
    def test_largest_eight(self):
        for source, target in self.pairs():
            x = tame(source, 6, 35)
            x[:, 3:20] = random.permuted(np.tile(np.arange(2, 19), (6, 1)), axis=1).astype(np.float32).astype(source)
            best = -np.sort(-wide(x), 1)[:, :8]
            self.check(nisa.max8, [x], best, target)

    def test_places_and_replacements(self):
        for source, index_type in self.pairs(TYPES, [np.dtype(np.uint16), np.dtype(np.uint32)]):
            x = np.tile(np.arange(40, dtype=np.float32), (6, 1))
            x = random.permuted(x, axis=1).astype(source)
            wanted = x[:, [5, 7, 11, 0, 39, 22, 1, 30]].copy()
            if source.kind in "ui" or source.itemsize > 1:
                order = np.argsort(wide(x), 1)
                expected = np.take_along_axis(order, wide(wanted).astype(int), 1).astype(index_type)
                self.check(nisa.nc_find_index8, [x, wanted], expected, index_type)
                replaced = wide(x)
                np.put_along_axis(replaced, expected.astype(int), -1.0, 1)
                self.check(lambda out, x, v: nisa.nc_match_replace8(out, x, v, -1.0), [x, wanted], replaced, source)

    def test_nonzero(self):
        for dtype in self.each([F32, np.dtype(np.int32)]):
            x = random.integers(-1, 2, (32, 20)).astype(dtype)

            def kernel(x):
                out = nl.zeros((32, 21), nl.int32)
                nisa.nonzero_with_count(out, x, index_offset=100, padding_val=-7)
                return out

            expected = np.zeros((32, 21), np.int32)
            for p in (0, 16):
                found = np.flatnonzero(x[p])
                expected[p] = np.concatenate([found + 100, np.full(20 - found.size, -7), [found.size]])
            self.same(run(kernel, x), expected)

    def test_topk(self):
        x = random.permuted(np.arange(16 * 9, dtype=np.float32)).reshape(16, 9).astype(ml_dtypes.bfloat16)
        snake = wide(x).T.reshape(-1)[:130]
        order = np.argsort(snake)[-5:]

        def kernel(x):
            best, places = nl.ndarray((16, 5), nl.bfloat16), nl.ndarray((16, 5), nl.uint32)
            nisa.topk(best, places, x, 130)
            return places

        self.same(run(kernel, x), np.tile(order.astype(np.uint32), (16, 1)))

    def test_sequence_bounds(self):
        for dtype in self.each([F32, np.dtype(np.int32)]):
            ids = np.array([[1, 1, 2, 2, 2, 0, 0, 5]], dtype)
            expected = np.array([[[0, 0, 2, 2, 2, 8, 8, 7], [2, 2, 5, 5, 5, -1, -1, 8]]], dtype)
            self.check(nisa.sequence_bounds, [ids], expected, dtype)


class Products(Numerics):
    def test_products_of_all_types(self):
        narrow_types = [np.dtype(t) for t in FLOATS if t != np.float32]
        mixed = {np.dtype(ml_dtypes.float8_e4m3), np.dtype(ml_dtypes.float8_e4m3fn)}
        pairs = [(s, m) for s in narrow_types for m in narrow_types if {s, m} != mixed] + [(F32, F32)]
        for stationary, moving in pairs:
            with self.subTest(stationary=stationary.name, moving=moving.name):
                a, b = tame(stationary, 33, 17), tame(moving, 33, 40)
                for dtype in (nl.float32, nl.bfloat16):
                    def kernel(a, b):
                        out = nl.ndarray((17, 40), dtype, nl.psum)
                        nisa.nc_matmul(out, a, b)
                        return nl.copy(out)

                    got = run(kernel, a, b)  # small whole numbers: exact in any order
                    self.same(got, narrow(wide(a).T @ wide(b), got.dtype))

    def test_quantisation_and_its_product(self):
        for source in self.each([np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)]):
            for name, element, largest in (("float8_e4m3fn_x4", ml_dtypes.float8_e4m3fn, 8),
                                           ("float8_e5m2_x4", ml_dtypes.float8_e5m2, 15)):
                x = narrow((random.standard_normal((32, 24)) * 2.0 ** random.integers(-3, 4, (32, 24)))
                           .astype(np.float32), source)
                groups = wide(x).reshape(4, 8, 6, 4)
                peak = np.abs(groups).max((1, 3))
                scale = np.floor(np.log2(peak)).astype(int) - (largest - 1)
                quantised = (groups / 2.0 ** scale[:, None, :, None]).astype(np.float32).astype(element)

                @nki.jit
                def kernel(x):
                    packed = nl.ndarray((32, 6), getattr(nl, name), nl.sbuf)
                    scales = nl.zeros((32, 6), nl.uint8)
                    tile = nl.ndarray(x.shape, x.dtype, nl.sbuf)
                    nisa.dma_copy(tile, x)
                    nisa.quantize_mx(packed, tile, scales)
                    out = nl.ndarray((6, 6), nl.float32, nl.psum)
                    nisa.nc_matmul_mx(out, packed, packed, scales, scales)
                    return to_hbm(scales), to_hbm(nl.copy(out)), to_hbm(packed)

                scales, product, packed = kernel(x)
                np.testing.assert_array_equal(scales[:4], scale + 127)
                np.testing.assert_array_equal(packed.view(np.uint8).reshape(32, 24),
                                              quantised.reshape(32, 24).view(np.uint8))
                exact = (quantised.astype(np.float64) * 2.0 ** scale[:, None, :, None]).transpose(0, 1, 3, 2)
                exact = exact.reshape(128, 6)
                np.testing.assert_allclose(product, exact.T @ exact, rtol=1e-5)


class Random(Numerics):
    def test_bits_are_those_of_32_bit_numbers(self):
        for dtype in self.each(TYPES[:6]):
            def kernel(dtype):
                seed = nl.ndarray((1, 1), nl.uint32)
                nisa.memset(seed, 5)
                nisa.set_rng_seed(seed)
                out = nl.ndarray((8, 37), dtype)
                nisa.rng(out)
                return out

            whole = run(lambda: kernel(np.dtype(np.uint32)))
            self.same(run(lambda: kernel(dtype)), whole.astype(f"u{dtype.itemsize}").view(dtype))
            self.assertGreater(len(np.unique(whole)), 290)

    def test_uniform_numbers(self):
        for dtype in self.each([t for t in TYPES if t != np.dtype(ml_dtypes.float8_e4m3fn)]):
            got = wide(run(lambda: (out := nl.ndarray((128, 512), dtype), nisa.rand2(out, 0.0, 100.0))[0]))
            self.assertTrue((got >= 0).all() and (got <= 100).all())
            self.assertAlmostEqual(float(got.mean()), 50, delta=1)


class Functions(Numerics):
    FUNCTIONS = [(nl.exp, np.exp, -8, 8), (nl.log, np.log, 0.01, 100), (nl.sin, np.sin, -3.1, 3.1),
                 (nl.tanh, np.tanh, -8, 8), (nl.sqrt, np.sqrt, 0.01, 100), (nl.rsqrt, lambda x: 1 / np.sqrt(x), 0.01, 100),
                 (nl.reciprocal, lambda x: 1 / x, 0.01, 100), (nl.arctan, np.arctan, -1.5, 1.5),
                 (nl.sigmoid, lambda x: 1 / (1 + np.exp(-x)), -8, 8), (nl.silu, lambda x: x / (1 + np.exp(-x)), -8, 8),
                 (nl.softplus, lambda x: np.logaddexp(x, 0), -8, 8), (nl.square, np.square, -8, 8),
                 (nl.relu, lambda x: np.maximum(x, 0), -8, 8), (nl.abs, np.abs, -8, 8), (nl.sign, np.sign, -8, 8),
                 (nl.erf, np.vectorize(math.erf), -3, 3),
                 (nl.gelu, lambda x: x * 0.5 * np.vectorize(math.erfc)(-x / math.sqrt(2)), -4, 4),
                 (nl.mish, lambda x: x * np.tanh(np.logaddexp(x, 0)), -8, 8)]

    def within(self, got, exact, dtype, ulps=2):
        """Within so many units of fp32 before the last rounding."""
        near = exact.astype(np.float32)
        reach = ulps * np.spacing(np.maximum(np.abs(near), np.finfo(np.float32).tiny))
        low, high = wide(narrow(near - reach, dtype)), wide(narrow(near + reach, dtype))
        bad = ~((wide(got) >= low) & (wide(got) <= high))
        bad &= ~(np.isnan(wide(got)) & (np.isnan(low) | np.isnan(high)))  # overflow of types without infinity
        if bad.any():
            place = tuple(np.argwhere(bad)[0])
            self.fail(f"{self.now}, at {place}: {got[place]!r}, exactly {exact[place]!r}")

    def test_activations(self):
        for source, target in self.pairs():
            for op, function, low, high in self.FUNCTIONS:
                if source.kind in "ui" and low > 0:
                    low = 1
                x = narrow(random.uniform(low, high, (4, 50)).astype(np.float32), source)
                # Rounding may have left the range.
                x = np.where((wide(x) >= low) & (wide(x) <= high), x, np.ones_like(x)).astype(source)
                exact = function(wide(x).astype(np.float64))
                got = run(lambda x: (out := nl.ndarray(x.shape, target), nisa.activation(out, op, x))[0], x)
                self.within(got, exact, target)

    def test_exponential_and_activate2(self):
        listed = [t for t in TYPES if t != np.dtype(ml_dtypes.float8_e4m3fn)]
        for source, target in self.pairs(listed, [t for t in listed if t != np.uint32]):
            x = tame(source, 4, 50)
            got = run(lambda x: (out := nl.ndarray(x.shape, target), nisa.exponential(out, x, 1.0))[0], x)
            self.within(got, np.exp(wide(x).astype(np.float64) - 1), target)
            got = run(lambda x: (out := nl.ndarray(x.shape, target),
                                 nisa.activate2(out, nl.tanh, x, 0.5, 0.25, nl.multiply, nl.subtract))[0], x)
            self.within(got, np.tanh(wide(x).astype(np.float64) * 0.5 - 0.25), target)


if __name__ == "__main__":
    unittest.main()
