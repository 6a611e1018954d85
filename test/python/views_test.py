"""Views of tensors: which elements they hold, and the rules that they keep."""

from support import np, nki, nisa, nl, floats, unittest


def hbm_view(array, make):
    """The elements of make(tensor), over the array's own memory."""

    @nki.jit
    def kernel(x):
        return make(x)

    return kernel(array)


def tile_view(array, make):
    """The elements of make(tile), copied through a tile of that shape."""

    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        view = make(tile)
        out = nl.ndarray(view.shape, view.dtype, nl.shared_hbm)
        nisa.dma_copy(out, view)
        return out

    return kernel(array)


class Views(unittest.TestCase):
    def setUp(self):
        self.x = floats(8, 24)
        self.y = floats(4, 6, 10)

    def check(self, array, make, expected):
        np.testing.assert_array_equal(hbm_view(array, make), expected)

    def check_both(self, array, make, expected):
        self.check(array, make, expected)
        np.testing.assert_array_equal(tile_view(array, make), expected)

    def test_subscripts_are_those_of_numpy(self):
        y = self.y
        self.check_both(y, lambda t: t[1:3, :, 2:9:3], y[1:3, :, 2:9:3])
        self.check_both(y, lambda t: t[..., 1:2], y[..., 1:2])
        self.check_both(y, lambda t: t[:, 2], y[:, 2])
        self.check_both(y, lambda t: t[:, -1, -3:], y[:, -1, -3:])
        self.check(y, lambda t: t[3], y[3])
        self.check_both(y, lambda t: t[1:3, nl.ds(2, 3), :], y[1:3, 2:5, :])

    def test_an_integer_keeps_the_partition_dimension(self):
        np.testing.assert_array_equal(tile_view(self.x, lambda t: t[3]), self.x[3:4])

    def test_results_keep_one_dimension_in_hbm_and_two_on_chip(self):
        self.check(self.x, lambda t: t[3, 4], self.x[3, 4:5])
        np.testing.assert_array_equal(tile_view(self.x, lambda t: t[:, 4]), self.x[:, 4:5])

    def test_subscripts_outside_are_errors(self):
        for key in ((slice(None), slice(0, 25)), (slice(None), 24), (8, 0), (0, 0, 0),
                    (slice(None), slice(5, 5))):
            with self.assertRaises(nisa.NkiValidationError):
                hbm_view(self.x, lambda t: t[key])

    def test_slice_and_select(self):
        self.check_both(self.y, lambda t: t.slice(2, 1, 10, 4), self.y[:, :, 1:10:4])
        self.check_both(self.y, lambda t: t.select(1, 5), self.y[:, 5])

    def test_select_by_a_register_and_by_a_tile(self):
        def by_register(t):
            return t.select(0, nisa.register_alloc(2))

        def by_tile(t):
            index = nl.full((1, 1), 3, nl.int32)
            return t.select(0, index)

        np.testing.assert_array_equal(tile_like(self.y, by_register), self.y[2])
        np.testing.assert_array_equal(tile_like(self.y, by_tile), self.y[3])
        with self.assertRaisesRegex(nisa.NkiValidationError, "copy it"):
            hbm_view(self.y, by_register)

    def test_permute_broadcast_expand_squeeze(self):
        y = self.y
        self.check_both(y, lambda t: t.permute((0, 2, 1)), y.transpose(0, 2, 1))
        self.check(y, lambda t: t.permute((2, 0, 1)), y.transpose(2, 0, 1))
        self.check_both(y, lambda t: t[:, 1:2].broadcast(1, 5), np.repeat(y[:, 1:2], 5, 1))
        self.check_both(y, lambda t: t.expand_dim(1), y[:, None])
        self.check_both(y, lambda t: t.expand_dim(1).squeeze_dim(1), y)

    def test_the_partition_dimension_stays_first(self):
        for make in (lambda t: t.permute((1, 0)), lambda t: t.expand_dim(0), lambda t: t.broadcast(0, 8),
                     lambda t: t.reshape((4, 48)), lambda t: t.reshape_dim(0, (2, 4)),
                     lambda t: t.flatten_dims(0, 1)):
            with self.assertRaises(nisa.NkiValidationError):
                tile_view(self.x, make)

    def test_reshape_split_and_merge(self):
        y = self.y
        self.check_both(y, lambda t: t.reshape((4, 60)), y.reshape(4, 60))
        self.check_both(y, lambda t: t.reshape((4, 3, 20)), y.reshape(4, 3, 20))
        self.check_both(self.x, lambda t: t.reshape_dim(1, (4, -1)), self.x.reshape(8, 4, 6))
        self.check_both(y, lambda t: t.flatten_dims(1, 2), y.reshape(4, 60))
        self.check(y, lambda t: t.reshape((24, 10)), y.reshape(24, 10))

    def test_reshape_that_the_layout_forbids(self):
        for make in (lambda t: t.reshape((4, 61)), lambda t: t[:, :, 0:5].flatten_dims(1, 2),
                     lambda t: t.permute((0, 2, 1)).reshape((4, 60)), lambda t: t.reshape_dim(1, (4, 2))):
            with self.assertRaises(nisa.NkiValidationError):
                tile_view(self.y, make)

    def test_rearrange(self):
        x = self.x
        self.check_both(x, lambda t: t.rearrange(("b", ("h", "w")), ("b", "w", "h"), {"h": 4}),
                        x.reshape(8, 4, 6).transpose(0, 2, 1))
        self.check(self.y, lambda t: t.rearrange(("a", "b", "c"), (("a", "b"), "c")), self.y.reshape(24, 10))

    def test_access_patterns(self):
        x = self.x
        self.check(x, lambda t: t.ap([[1, 4], [24, 8]], offset=3), x[:, 3:7].T)
        np.testing.assert_array_equal(tile_view(x, lambda t: t.ap([[24, 8], [2, 12]], offset=1)), x[:, 1::2])
        np.testing.assert_array_equal(tile_view(x, lambda t: t[2:6].ap([[24, 2], [1, 24]], offset=24)), x[3:5])

    def test_a_pattern_outside_of_the_tensor_is_an_error_once_it_is_used(self):
        @nki.jit
        def kernel(x, use):
            tile = nl.load(x)
            part = tile.ap([[24, 8], [1, 24]], offset=1)
            if use:
                nisa.memset(part, 0.0)

        kernel(self.x, False)
        with self.assertRaisesRegex(nisa.NkiValidationError, "views_test.py:.*reaches"):
            kernel(self.x, True)

    def test_access_pattern_from_a_register(self):
        x = self.x

        def view(t):
            row = nisa.register_alloc(5)
            return t.ap([[24, 2], [1, 24]], scalar_offset=row, indirect_dim=0)

        np.testing.assert_array_equal(tile_like(x, view), x[5:7])

    def test_vector_select_gathers_rows(self):
        @nki.jit
        def kernel(x, rows):
            index = nl.load(rows)
            out = nl.ndarray((5, 24), nl.float32, nl.shared_hbm)
            tile = nl.ndarray((5, 24), nl.float32)
            nisa.dma_copy(tile, x.vector_select(0, index))
            nisa.dma_copy(out, tile)
            return out

        rows = np.array([[7], [0], [3], [3], [1]], np.int32)
        np.testing.assert_array_equal(kernel(self.x, rows), self.x[rows[:, 0]])

    def test_views_of_gathered_rows(self):
        @nki.jit
        def kernel(x, rows):
            view = x.vector_select(0, nl.load(rows))
            assert view.is_indirect()
            tile = nl.ndarray((5, 8), nl.float32)
            nisa.dma_copy(tile, view[:, 4:12])
            out = nl.ndarray((5, 8), nl.float32, nl.shared_hbm)
            nisa.dma_copy(out, tile)
            return out

        rows = np.array([[7], [0], [3], [3], [1]], np.int32)
        np.testing.assert_array_equal(kernel(self.x, rows), self.x[rows[:, 0], 4:12])

    def test_tensor_indirection(self):
        @nki.jit
        def kernel(x, index):
            out = nl.ndarray((16, 20), nl.float32)
            nisa.tensor_copy(out, nl.load(x).indirect(nl.load(index), 20))
            hbm = nl.ndarray(out.shape, out.dtype, nl.shared_hbm)
            nl.store(hbm, out)
            return hbm

        x = floats(16, 24)
        offsets = np.arange(32) * 7 % 24
        index = offsets.reshape(2, 16).T.astype(np.uint16).copy()
        np.testing.assert_array_equal(kernel(x, index), x[:, offsets[:20]])

    def test_a_dynamic_start_is_read_when_the_instruction_runs(self):
        @nki.jit
        def kernel(x):
            row = nisa.register_alloc(0)
            view = x.ap([[24, 1], [1, 24]], scalar_offset=row, indirect_dim=0)
            nisa.register_move(row, 6)
            tile = nl.ndarray((1, 24), nl.float32)
            nisa.dma_copy(tile, view)
            out = nl.ndarray((1, 24), nl.float32, nl.shared_hbm)
            nisa.dma_copy(out, tile)
            return out

        np.testing.assert_array_equal(kernel(self.x), self.x[6:7])

    def test_view_as_another_type(self):
        x = self.x
        self.check_both(x, lambda t: t.view(nl.uint8), x.view(np.uint8))
        self.check_both(x, lambda t: t.view(nl.uint8).view(nl.float32), x)
        self.check_both(x, lambda t: t.reinterpret_cast(nl.int32), x.view(np.int32))
        with self.assertRaises(nisa.NkiValidationError):
            hbm_view(x, lambda t: t[:, ::2].view(nl.uint8))

    def test_properties(self):
        @nki.jit
        def kernel(x):
            tile = nl.ndarray((16, 4, 6), nl.bfloat16, name="rows")
            part = tile[2:10, 1]
            assert (part.shape, part.strides, part.offset) == ((8, 6), (24, 1), 2 * 24 + 6)
            assert (part.dtype, part.buffer, part.name, part.ndim, part.size) == (
                nl.bfloat16, nl.sbuf, "rows", 2, 48)
            assert part.get_pattern() == [[24, 8], [1, 6]]
            assert part.is_contiguous() and not tile[:, :, 0:3].is_contiguous()
            assert not part.is_indirect()
            assert isinstance(part, nl.NkiTensor) and isinstance(part, nl.NKIObject)
            assert x.buffer == nl.hbm and nl.is_hbm(x.buffer) and x.dtype == "float32"

        kernel(self.x)


def tile_like(array, make):
    """make(HBM tensor) copied to a tile and back."""

    @nki.jit
    def kernel(x):
        view = make(x)
        tile = nl.ndarray(view.shape, view.dtype)
        nisa.dma_copy(tile, view)
        out = nl.ndarray(view.shape, view.dtype, nl.shared_hbm)
        nisa.dma_copy(out, tile)
        return out

    return kernel(array)


if __name__ == "__main__":
    unittest.main()
