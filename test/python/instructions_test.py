"""Every instruction from Python, against NumPy: bit for bit where the result is defined."""

import ml_dtypes

from support import np, nki, nisa, nl, floats, on_chip, random, run, to_hbm, unittest


def new(shape, dtype=nl.float32, buffer=nl.sbuf):
    return nl.ndarray(shape, dtype, buffer)


class DataMovement(unittest.TestCase):
    def test_dma_copy_casts_through_float32(self):
        x = floats(16, 32)

        def kernel(t):
            out = new(t.shape, nl.bfloat16)
            nisa.dma_copy(out, t)
            return out

        np.testing.assert_array_equal(run(kernel, x), x.astype(ml_dtypes.bfloat16))

    def test_dma_transpose(self):
        x = floats(16, 32).astype(np.float16)

        def kernel(t):
            out = new((32, 16), nl.float16)
            nisa.dma_transpose(out, t, axes=(1, 0))
            return out

        np.testing.assert_array_equal(run(kernel, x), x.T)

    def test_dma_compute_adds_its_sources(self):
        @nki.jit
        def kernel(x, y):
            out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
            nisa.dma_compute(out, [x, y], nl.add, scales=[1.0, 1.0])
            return out

        x, y = floats(8, 8), floats(8, 8)
        np.testing.assert_array_equal(kernel(x, y), x + y)

    def test_copies_and_memset(self):
        x = floats(8, 16)

        def kernel(t):
            out = new(t.shape)
            nisa.memset(out, -0.5)
            nisa.tensor_copy(out[:, 4:9], t[:, 4:9])
            return out

        expected = np.full_like(x, -0.5)
        expected[:, 4:9] = x[:, 4:9]
        np.testing.assert_array_equal(run(kernel, x), expected)

    def test_setting_elements_issues_the_instruction(self):
        x = floats(8, 16)

        def kernel(t):
            t[:, 0:2] = 7.0
            t[:, 2:4] = t[:, 6:8]
            return t

        expected = x.copy()
        expected[:, 0:2] = 7
        expected[:, 2:4] = x[:, 6:8]
        np.testing.assert_array_equal(run(kernel, x), expected)

    def test_predicated_copy(self):
        x, p = floats(8, 16), random.integers(0, 2, (8, 16)).astype(np.uint8)

        def kernel(t, predicate):
            out = nl.zeros(t.shape, nl.float32)
            nisa.tensor_copy_predicated(out, t, predicate)
            return out

        np.testing.assert_array_equal(run(kernel, x, p), np.where(p, x, 0))

    def test_stream_shuffle(self):
        x = floats(32, 4)
        mask = [(i * 5 + 1) % 32 for i in range(32)]

        def kernel(t):
            out = new(t.shape)
            nisa.nc_stream_shuffle(out, t, mask)
            return out

        np.testing.assert_array_equal(run(kernel, x), x[mask])

    def test_transposes(self):
        x = floats(32, 32)

        def on_tensor_engine(t):
            out = new((32, 32), nl.float32, nl.psum)
            nisa.nc_transpose(out, t, engine=nisa.engine.tensor)
            return nl.copy(out)

        def on_vector_engine(t):
            out = new((32, 32))
            nisa.nc_transpose(out, t, engine=nisa.engine.vector)
            return out

        for kernel in (on_tensor_engine, on_vector_engine):
            np.testing.assert_array_equal(run(kernel, x), x.T)


class Arithmetic(unittest.TestCase):
    def setUp(self):
        self.x, self.y = floats(16, 33), floats(16, 33)

    def test_tensor_tensor(self):
        for op, expected in ((nl.add, self.x + self.y), (nl.subtract, self.x - self.y),
                             (nl.multiply, self.x * self.y), (nl.maximum, np.maximum(self.x, self.y)),
                             (nl.greater, (self.x > self.y).astype(np.float32))):
            def kernel(a, b):
                nisa.tensor_tensor(a, a, b, op)
                return a

            np.testing.assert_array_equal(run(kernel, self.x, self.y), expected)

    def test_integers_are_exact_on_gpsimd(self):
        a = random.integers(-2**31, 2**31, (8, 16)).astype(np.int32)
        b = random.integers(-2**31, 2**31, (8, 16)).astype(np.int32)

        def kernel(x, y):
            nisa.tensor_tensor(x, x, y, nl.multiply)
            return x

        np.testing.assert_array_equal(run(kernel, a, b), a * b)

    def test_tensor_scalar_with_constants_and_columns(self):
        column = floats(16, 1)

        def kernel(a, c):
            nisa.tensor_scalar(a, a, nl.multiply, c, op1=nl.subtract, operand1=2.0, reverse1=True)
            return a

        np.testing.assert_array_equal(run(kernel, self.x, column), 2 - self.x * column)

    def test_scalar_tensor_tensor(self):
        def kernel(a, b):
            nisa.scalar_tensor_tensor(a, a, nl.multiply, 3.0, nl.add, b)
            return a

        np.testing.assert_array_equal(run(kernel, self.x, self.y), self.x * 3 + self.y)

    def test_activation_with_its_sum(self):
        def kernel(a):
            total = new((16, 1))
            nisa.activation(a, nl.relu, a, bias=0.5, scale=2.0, reduce_op=nl.add, reduce_res=total,
                            reduce_cmd=nisa.reduce_cmd.reset_reduce)
            return total

        expected = np.maximum(self.x * 2 + np.float32(0.5), 0).sum(1, keepdims=True)
        np.testing.assert_allclose(run(kernel, self.x), expected, rtol=1e-5)

    def test_a_sum_over_a_destination_that_keeps_one_element(self):
        def kernel(a):
            waste, total = new((16, 1)), new((16, 1))
            nisa.activation_reduce(waste.ap([[1, 16], [0, 33]]), nl.square, a, nl.add, total)
            return total

        np.testing.assert_allclose(run(kernel, self.x), (self.x**2).sum(1, keepdims=True), rtol=1e-5)

    def test_reductions(self):
        x = floats(16, 3, 11)
        for op, axis, expected in ((nl.maximum, 2, x.max(2)), (nl.minimum, (1, 2), x.min((1, 2))[:, None]),
                                   (nl.maximum, -1, x.max(-1))):
            def kernel(a):
                out = new(expected.shape)
                nisa.tensor_reduce(out, op, a, axis)
                return out

            np.testing.assert_array_equal(run(kernel, x), expected)

    def test_scans(self):
        def kernel(a, b):
            nisa.tensor_tensor_scan(a, a, b, 0.0, nl.multiply, nl.add)
            return a

        expected, state = np.empty_like(self.x), np.zeros(16, np.float32)
        for i in range(33):
            state = self.x[:, i] * state + self.y[:, i]
            expected[:, i] = state
        np.testing.assert_array_equal(run(kernel, self.x, self.y), expected)

    def test_batch_statistics(self):
        def kernel(a):
            stats, out = new((16, 6)), new((16, 2))
            nisa.bn_stats(stats, a)
            nisa.bn_aggr(out, stats)
            return out

        expected = np.stack([self.x.mean(1), self.x.var(1)], 1)
        np.testing.assert_allclose(run(kernel, self.x), expected, rtol=1e-4, atol=1e-6)

    def test_partition_reduce(self):
        def kernel(a):
            out = new((1, 33))
            nisa.tensor_partition_reduce(out, nl.add, a)
            return out

        np.testing.assert_allclose(run(kernel, self.x), self.x.sum(0, keepdims=True), rtol=1e-5, atol=1e-5)


class MatrixProducts(unittest.TestCase):
    def test_accumulation_in_psum(self):
        a, b = floats(32, 16).astype(ml_dtypes.bfloat16), floats(32, 40).astype(ml_dtypes.bfloat16)

        def kernel(stationary, moving):
            out = new((16, 40), nl.float32, nl.psum)
            for _ in range(3):
                nisa.nc_matmul(out, stationary, moving)
            return nl.copy(out)

        one = a.astype(np.float32).T @ b.astype(np.float32)
        np.testing.assert_allclose(run(kernel, a, b), 3 * one, rtol=1e-5, atol=1e-4)

    def test_options_by_name(self):
        a, b = floats(32, 16), floats(32, 40)

        def kernel(stationary, moving):
            out = new((16, 40), nl.float32, nl.psum)
            nisa.nc_matmul(out, stationary, moving, accumulate=False, perf_mode="none", tile_position=(0, 0),
                           tile_size=(32, 32))
            return nl.copy(out)

        np.testing.assert_allclose(run(kernel, a, b), a.T @ b, rtol=1e-5, atol=1e-4)


class Search(unittest.TestCase):
    def test_iota_and_affine_select(self):
        x = floats(8, 12)

        def kernel(a):
            nisa.affine_select(a, [[-1, 12]], 1, a, -1.0, cmp_op=nl.greater_equal)
            return a

        np.testing.assert_array_equal(run(kernel, x), np.where(np.tri(8, 12, dtype=bool), x, -1))

        @nki.jit
        def numbers():
            out = new((8, 12), nl.int32)
            nisa.iota(out, [[2, 12]], offset=5, channel_multiplier=100)
            return to_hbm(out)

        np.testing.assert_array_equal(numbers(), 5 + 100 * np.arange(8)[:, None] + 2 * np.arange(12))

    def test_largest_eight_and_where_they_are(self):
        x = floats(8, 40)

        def kernel(a):
            values, places = new((8, 8)), new((8, 8), nl.uint32)
            nisa.max8(values, a)
            nisa.nc_find_index8(places, a, values)
            return places

        np.testing.assert_array_equal(run(kernel, x), np.argsort(-x, 1)[:, :8])

    def test_gather_in_each_partition(self):
        x, i = floats(8, 40), random.integers(0, 40, (8, 9)).astype(np.uint32)

        def kernel(a, indices):
            out = new((8, 9))
            nisa.nc_n_gather(out, a, indices)
            return out

        np.testing.assert_array_equal(run(kernel, x, i), np.take_along_axis(x, i.astype(int), 1))


class Issuing(unittest.TestCase):
    def test_issuing_an_instruction_takes_microseconds(self):
        import time

        @nki.jit
        def kernel(count):
            tile = nl.zeros((1, 1), nl.float32)
            start = time.perf_counter()
            for _ in range(count):
                nisa.tensor_scalar(dst=tile, data=tile[0:1, 0:1], op0=nl.multiply, operand0=1.0, op1=nl.add,
                                   operand1=0.0)
            return (time.perf_counter() - start) / count

        self.assertLess(min(kernel(2000) for _ in range(5)), 20e-6)

    def test_instructions_return_handles(self):
        @nki.jit
        def kernel():
            tile = new((1, 1))
            first = nisa.memset(tile, 0.0, name="first")
            assert nisa.memset(tile, 1.0).depends_on(first).depends_on(first, first) is not None
            with nl.no_reorder():
                pass

        kernel()


if __name__ == "__main__":
    unittest.main()
