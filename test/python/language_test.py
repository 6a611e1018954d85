"""nki.language: functions of tiles, against NumPy."""

import contextlib
import io
import os
import tempfile

import ml_dtypes

from support import np, nki, nisa, nl, floats, random, run, to_hbm, unittest


class ElementWise(unittest.TestCase):
    def setUp(self):
        self.x, self.y = floats(16, 24), floats(16, 24)
        self.column = floats(16, 1)

    def test_two_tiles_a_constant_or_a_column(self):
        x, y, c = self.x, self.y, self.column
        for function, expected in ((nl.add, np.add), (nl.subtract, np.subtract), (nl.multiply, np.multiply),
                                   (nl.maximum, np.maximum), (nl.minimum, np.minimum)):
            np.testing.assert_array_equal(run(function, x, y), expected(x, y))
            np.testing.assert_array_equal(run(lambda a: function(a, 0.5), x), expected(x, np.float32(0.5)))
            np.testing.assert_array_equal(run(lambda a: function(0.5, a), x), expected(np.float32(0.5), x))
            np.testing.assert_array_equal(run(function, x, c), expected(x, c))

    def test_comparisons_and_logic(self):
        x, y = np.round(self.x), np.round(self.y)
        for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and",
                     "logical_or", "logical_xor"):
            result = run(lambda a, b: getattr(nl, name)(a, b, dtype=nl.uint8), x, y)
            np.testing.assert_array_equal(result, getattr(np, name)(x, y))
        np.testing.assert_array_equal(run(nl.logical_not, x), np.logical_not(x))

    def test_bits(self):
        a, b = (random.integers(0, 2**31, (8, 8)).astype(np.int32) for _ in range(2))
        for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
            np.testing.assert_array_equal(run(getattr(nl, name), a, b), getattr(np, name)(a, b))
        np.testing.assert_array_equal(run(nl.invert, a), ~a)
        np.testing.assert_array_equal(run(lambda t: nl.left_shift(t, 3), a), a << 3)
        np.testing.assert_array_equal(run(lambda t: nl.right_shift(t, 3), a), a >> 3)

    def test_functions_of_one_tile(self):
        x = self.x
        cases = {"exp": np.exp, "tanh": np.tanh, "square": np.square, "abs": np.abs, "sign": np.sign,
                 "sin": np.sin, "negative": np.negative, "relu": lambda v: np.maximum(v, 0),
                 "sigmoid": lambda v: 1 / (1 + np.exp(-v)), "silu": lambda v: v / (1 + np.exp(-v)),
                 "arctan": np.arctan, "softplus": lambda v: np.log1p(np.exp(v))}
        for name, expected in cases.items():
            x = np.clip(x, -1.5, 1.5)
            np.testing.assert_allclose(run(getattr(nl, name), x), expected(x), rtol=2e-5, atol=2e-6, err_msg=name)
        positive = np.abs(x) + np.float32(0.1)
        for name, expected in {"sqrt": np.sqrt, "log": np.log, "reciprocal": np.reciprocal,
                               "rsqrt": lambda v: 1 / np.sqrt(v)}.items():
            np.testing.assert_allclose(run(getattr(nl, name), positive), expected(positive), rtol=2e-5, atol=1e-6,
                                       err_msg=name)
        small = np.clip(x, -1.2, 1.2)
        np.testing.assert_allclose(run(nl.cos, small), np.cos(small), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(run(nl.tan, small), np.tan(small), rtol=1e-5, atol=1e-6)

    def test_rounding_is_exact(self):
        edges = np.array([[0.0, -0.5, 0.5, 1.5, -1.5, 2.5, 3.0, -3.0, 8388607.5, -8388607.5, 1e10, -1e20, 0.999, -0.999]],
                         np.float32)
        x = np.concatenate([edges, floats(1, 14) * 100])
        for name in ("floor", "ceil", "trunc"):
            np.testing.assert_array_equal(run(getattr(nl, name), x), getattr(np, name)(x), err_msg=name)

    def test_quotients_and_remainders(self):
        x, y = self.x * 10, np.abs(self.y) + 1
        np.testing.assert_allclose(run(nl.divide, x, y), x / y, rtol=1e-6)
        np.testing.assert_allclose(run(lambda a: nl.divide(a, 4.0), x), x / 4)
        np.testing.assert_allclose(run(nl.mod, x, y), np.mod(x, y), rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(run(nl.fmod, x, y), np.fmod(x, y), rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(run(lambda a: nl.power(a, 3.0), y), y**3, rtol=1e-5)

    def test_results_take_another_type(self):
        result = run(lambda a, b: nl.add(a, b, dtype=nl.bfloat16), self.x, self.y)
        np.testing.assert_array_equal(result, (self.x + self.y).astype(ml_dtypes.bfloat16))

    def test_where(self):
        condition = (self.x > 0).astype(np.float32)
        np.testing.assert_array_equal(run(nl.where, condition, self.x, self.y), np.where(condition, self.x, self.y))
        np.testing.assert_array_equal(run(lambda c, a: nl.where(c, a, 0.0), condition, self.x),
                                      np.where(condition, self.x, 0))


class Reductions(unittest.TestCase):
    def test_over_free_dimensions(self):
        x = floats(8, 5, 7)
        for name in ("max", "min"):
            np.testing.assert_array_equal(run(lambda t: getattr(nl, name)(t, 2), x), getattr(np, name)(x, 2))
            np.testing.assert_array_equal(run(lambda t: getattr(nl, name)(t, axis=[1, 2], keepdims=True), x),
                                          getattr(np, name)(x, (1, 2), keepdims=True))
            np.testing.assert_array_equal(run(lambda t: getattr(nl, name)(t, 1), x), getattr(np, name)(x, 1))
        for name in ("sum", "mean", "var", "prod"):
            np.testing.assert_allclose(run(lambda t: getattr(nl, name)(t, -1), x), getattr(np, name)(x, -1), rtol=1e-4,
                                       atol=1e-5, err_msg=name)
        np.testing.assert_array_equal(run(lambda t: nl.all(t, 2), np.round(x)), np.all(np.round(x), 2))

    def test_softmax_and_rms_norm(self):
        x, w = floats(8, 20), floats(8, 20)
        powers = np.exp(x - x.max(1, keepdims=True))
        np.testing.assert_allclose(run(nl.softmax, x), powers / powers.sum(1, keepdims=True), rtol=1e-5)
        expected = x / np.sqrt((x**2).mean(1, keepdims=True) + 1e-6) * w
        np.testing.assert_allclose(run(lambda a, b: nl.rms_norm(a, b, 1, 20), x, w), expected, rtol=1e-4, atol=1e-6)


class Shapes(unittest.TestCase):
    def test_making_tiles(self):
        @nki.jit
        def kernel():
            tiles = (nl.zeros((4, 3), nl.int32), nl.ones((4, 3), nl.float16), nl.full((4, 3), 2.5, nl.float32),
                     nl.zeros_like(nl.ones((2, 2), nl.uint8)), nl.shared_identity_matrix(5, nl.float32))
            assert nl.empty_like(tiles[1]).dtype == nl.float16
            return [to_hbm(tile) for tile in tiles] + [nl.full((70, 50), 3, nl.int32, nl.shared_hbm)]

        expected = [np.zeros((4, 3), np.int32), np.ones((4, 3), np.float16), np.full((4, 3), 2.5, np.float32),
                    np.zeros((2, 2), np.uint8), np.eye(5, dtype=np.float32), np.full((70, 50), 3, np.int32)]
        for made, wanted in zip(kernel(), expected):
            self.assertEqual(made.dtype, wanted.dtype)
            np.testing.assert_array_equal(made, wanted)

    def test_transpose_and_matmul(self):
        x, y = floats(20, 30), floats(30, 40)
        np.testing.assert_array_equal(run(nl.transpose, x), x.T)
        np.testing.assert_allclose(run(lambda a, b: nl.copy(nl.matmul(a, b)), x, y), x @ y, rtol=1e-5, atol=1e-4)
        np.testing.assert_allclose(run(lambda a, b: nl.copy(nl.matmul(a, b, transpose_x=True)), x.T.copy(), y), x @ y,
                                   rtol=1e-5, atol=1e-4)

    def test_load_transposed(self):
        @nki.jit
        def kernel(x):
            return to_hbm(nl.load_transpose2d(x))

        x = floats(200, 30)
        np.testing.assert_array_equal(kernel(x), x.T)

    def test_broadcasts(self):
        x = floats(6, 1, 5)
        np.testing.assert_array_equal(run(lambda t: nl.broadcast_to(t, (6, 4, 5)), x), np.broadcast_to(x, (6, 4, 5)))
        np.testing.assert_array_equal(run(lambda t: nl.broadcast_to(t, (7, 5)), x[:1, 0]), np.broadcast_to(x[:1, 0], (7, 5)))
        np.testing.assert_array_equal(run(lambda t: nl.expand_dims(t, 1), x), x[:, None])

    def test_gather(self):
        x, i = floats(4, 3, 5), random.integers(0, 15, (4, 6)).astype(np.uint32)
        expected = np.take_along_axis(x.reshape(4, 15), i.astype(int), 1)
        np.testing.assert_array_equal(run(nl.gather_flattened, x, i), expected)

    def test_constants(self):
        x = floats(3, 4)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.npy")
            np.save(path, x)

            @nki.jit
            def kernel(constant):
                return to_hbm(nl.load(nl.shared_constant(constant)))

            np.testing.assert_array_equal(kernel(path), x)

    def test_printing(self):
        @nki.jit
        def kernel():
            nl.device_print("tile:", nl.full((1, 2), 4.0, nl.float32))

        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            kernel()
        self.assertEqual(out.getvalue(), "tile: [[4. 4.]]\n")

    def test_tile_sizes(self):
        self.assertEqual((nl.tile_size.pmax, nl.tile_size.psum_bank_fmax, nl.tile_size.psum_num_banks), (128, 512, 8))
        self.assertEqual(nl.tile_size.sbuf_size_bytes, 128 * nl.tile_size.sbuf_fmax_bytes)


class RandomNumbers(unittest.TestCase):
    def test_uniform_numbers_and_dropout(self):
        @nki.jit
        def kernel():
            nl.random_seed(3)
            return to_hbm(nl.rand((16, 64), nl.float32)), to_hbm(nl.dropout(nl.ones((16, 64), nl.float32), 0.5))

        numbers, dropped = kernel()
        self.assertTrue(((numbers >= 0) & (numbers < 1)).all())
        self.assertGreater(len(np.unique(numbers)), 900)
        self.assertTrue(0.3 < (dropped == 0).mean() < 0.7)


if __name__ == "__main__":
    unittest.main()
