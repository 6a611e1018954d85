"""Every documented constraint of nki.language: what keeps it runs, what breaks it is an error that names it."""

from support import np, nki, nisa, nl, unittest

VIEWS = {  # name: (what keeps the rule, what breaks it, part of the message)
    "permute takes a permutation": (
        lambda t: t.tile.permute((0, 2, 1)),
        lambda t: t.tile.permute((0, 1, 1)),
        "permut"),
    "permute names every dimension": (
        lambda t: t.tile.permute((0, 1, 2)),
        lambda t: t.tile.permute((0, 1)),
        "permut"),
    "permute keeps partitions first": (
        lambda t: t.hbm.permute((1, 0, 2)),
        lambda t: t.tile.permute((1, 0, 2)),
        "first|stays|outermost"),
    "permute keeps indices first": (
        lambda t: t.rows.permute((0, 2, 1)),
        lambda t: t.rows.permute((1, 0, 2)),
        "first|stays|outermost"),
    "broadcast repeats one element": (
        lambda t: t.tile[:, 0:1].broadcast(1, 5),
        lambda t: t.tile.broadcast(1, 5),
        "size 1"),
    "broadcast leaves partitions": (
        lambda t: t.hbm[0:1].broadcast(0, 5),
        lambda t: t.tile[0:1].broadcast(0, 5),
        "partition|index per step"),
    "expand_dim leaves partitions": (
        lambda t: t.hbm.expand_dim(0),
        lambda t: t.tile.expand_dim(0),
        "partition|index per step"),
    "expand_dim leaves indices": (
        lambda t: t.rows.expand_dim(1),
        lambda t: t.rows.expand_dim(0),
        "partition|index per step"),
    "squeeze_dim removes size 1": (
        lambda t: t.tile[:, 0:1].squeeze_dim(1),
        lambda t: t.tile.squeeze_dim(1),
        "size 1"),
    "squeeze_dim leaves partitions": (
        lambda t: t.hbm[0:1].squeeze_dim(0),
        lambda t: t.tile[0:1].squeeze_dim(0),
        "stays as it is|cannot be"),
    "squeeze_dim leaves indices": (
        lambda t: t.rows[:, 0:1].squeeze_dim(1),
        lambda t: t.row.squeeze_dim(0),
        "stays as it is|cannot be"),
    "reshape_dim keeps the product": (
        lambda t: t.tile.reshape_dim(2, (2, 4)),
        lambda t: t.tile.reshape_dim(2, (2, 3)),
        "has 8 elements"),
    "reshape_dim infers one size": (
        lambda t: t.tile.reshape_dim(2, (2, -1)),
        lambda t: t.tile.reshape_dim(2, (-1, -1)),
        "only one size"),
    "reshape_dim leaves partitions": (
        lambda t: t.tile.reshape_dim(0, (128,)),
        lambda t: t.tile.reshape_dim(0, (2, 64)),
        "stays as it is|cannot be"),
    "reshape_dim leaves indices": (
        lambda t: t.rows.reshape_dim(2, (2, 4)),
        lambda t: t.rows.reshape_dim(0, (4, 4)),
        "stays as it is|cannot be"),
    "flatten_dims follow in memory": (
        lambda t: t.tile.flatten_dims(1, 2),
        lambda t: t.tile.permute((0, 2, 1)).flatten_dims(1, 2),
        "not contiguous"),
    "flatten_dims leaves partitions": (
        lambda t: t.hbm.flatten_dims(0, 1),
        lambda t: t.tile.flatten_dims(0, 1),
        "stays as it is|cannot be"),
    "flatten_dims leaves indices": (
        lambda t: t.rows.flatten_dims(1, 2),
        lambda t: t.rows.flatten_dims(0, 1),
        "stays as it is|cannot be"),
    "reshape keeps the number of elements": (
        lambda t: t.tile.reshape((128, 2, 16)),
        lambda t: t.tile.reshape((128, 2, 15)),
        "elements"),
    "reshape keeps partitions": (
        lambda t: t.tile.reshape((128, 32)),
        lambda t: t.tile.reshape((64, 64)),
        "first dimension"),
    "reshape keeps indices": (
        lambda t: t.rows.reshape((16, 128)),
        lambda t: t.rows.reshape((32, 64)),
        "first dimension"),
    "reshape needs a layout": (
        lambda t: t.tile.reshape((128, 32)),
        lambda t: t.tile.permute((0, 2, 1)).reshape((128, 32)),
        "memory|contiguous|layout|follow"),
    "slice begins inside": (
        lambda t: t.tile.slice(1, 0, 4),
        lambda t: t.tile.slice(1, -1, 4),
        "0 <= start"),
    "slice is not empty": (
        lambda t: t.tile.slice(1, 2, 3),
        lambda t: t.tile.slice(1, 2, 2),
        "start < end"),
    "slice ends inside": (
        lambda t: t.tile.slice(1, 3, 4),
        lambda t: t.tile.slice(1, 3, 5),
        "end <= size"),
    "slice steps forwards": (
        lambda t: t.tile.slice(1, 0, 4, 2),
        lambda t: t.tile.slice(1, 0, 4, 0),
        "step >= 1"),
    "slice has no stride over partitions": (
        lambda t: t.hbm.slice(0, 0, 4, 2),
        lambda t: t.tile.slice(0, 0, 64, 2),
        "no stride"),
    "slice leaves indices": (
        lambda t: t.rows.slice(1, 0, 2),
        lambda t: t.rows.slice(0, 0, 2),
        "stays as it is|cannot be"),
    "select is inside": (lambda t: t.tile.select(1, 3), lambda t: t.tile.select(1, 4), "outside"),
    "select is not negative": (
        lambda t: t.hbm.select(0, 0),
        lambda t: t.hbm.select(0, -17),
        "outside"),
    "select leaves indices": (
        lambda t: t.rows.select(1, 0),
        lambda t: t.rows.select(0, 0),
        "stays as it is|cannot be"),
    "dynamic select is the only one": (
        lambda t: t.hbm.select(0, t.index),
        lambda t: t.hbm.select(0, t.index).select(0, t.index),
        "indexed again|already"),
    "dynamic select leaves partitions": (
        lambda t: t.tile.select(1, t.index),
        lambda t: t.tile.select(0, t.index),
        "partition"),
    "dynamic select takes one 32-bit integer": (
        lambda t: t.hbm.select(0, t.index),
        lambda t: t.hbm.select(0, t.half),
        "int32 or uint32"),
    "vector_select is of dimension 0": (
        lambda t: t.hbm.vector_select(0, t.indices),
        lambda t: t.hbm.vector_select(1, t.indices),
        "must be 0"),
    "vector_select is of device memory": (
        lambda t: t.hbm.vector_select(0, t.indices),
        lambda t: t.tile.vector_select(0, t.indices),
        "HBM"),
    "vector_select is the only one": (
        lambda t: t.hbm.vector_select(0, t.indices),
        lambda t: t.rows.vector_select(0, t.indices),
        "indexed again"),
    "vector_select takes one index per partition": (
        lambda t: t.hbm.vector_select(0, t.indices),
        lambda t: t.hbm.vector_select(0, t.pairs),
        "one element per partition"),
    "ap has one dynamic offset": (
        lambda t: t.hbm.ap([[8, 4], [1, 8]], scalar_offset=t.index),
        lambda t: nisa.dma_copy(t.bytes, t.hbm.ap([[8, 4], [1, 8]], scalar_offset=t.index, vector_offset=t.indices)),
        "exclude each other"),
    "view needs a contiguous last dimension": (
        lambda t: t.tile.view(nl.uint8),
        lambda t: t.tile[:, :, 0:8:2].view(nl.uint8),
        "contiguous"),
    "view needs whole elements": (
        lambda t: t.bytes.view(nl.float32),
        lambda t: t.bytes[:, 0:6].view(nl.float32),
        "whole number"),
    "view is not of indirect views": (
        lambda t: t.hbm.view(nl.int32),
        lambda t: t.rows.view(nl.int32),
        "indexed again|indirect"),
    "indirect takes an index per partition": (
        lambda t: t.flat.indirect(t.places, 4),
        lambda t: t.flat[0:64].indirect(t.places, 4),
        "as many partitions"),
    "indirect is of tiles": (
        lambda t: t.flat.indirect(t.places, 4),
        lambda t: t.hbm.indirect(t.places, 4),
        "SBUF or PSUM"),
    "indirect uses its indices": (
        lambda t: t.flat.indirect(t.places, 128),
        lambda t: t.flat.indirect(t.places, 129),
        "num_elem"),
    "rearrange keeps the names": (
        lambda t: t.tile.rearrange(("p", "a", "b"), ("p", "b", "a")),
        lambda t: t.tile.rearrange(("p", "a", "b"), ("p", "b", "c")),
        "has no c"),
    "rearrange names every dimension": (
        lambda t: t.tile.rearrange(("p", "a", "b"), ("p", ("a", "b"))),
        lambda t: t.tile.rearrange(("p", "a"), ("p", "a")),
        "has 2 dimensions"),
    "rearrange keeps partitions first": (
        lambda t: t.hbm.rearrange(("p", "a", "b"), ("a", "p", "b")),
        lambda t: t.tile.rearrange(("p", "a", "b"), ("a", "p", "b")),
        "first"),
}

FUNCTIONS = {
    "ndarray has 128 partitions": (
        lambda t: nl.ndarray((128, 1), nl.uint8),
        lambda t: nl.ndarray((129, 1), nl.uint8),
        "at most 128"),
    "ndarray fits SBUF": (
        lambda t: nl.ndarray((1, 1000), nl.uint8),
        lambda t: nl.ndarray((1, 262145), nl.uint8),
        "SBUF is full"),
    "ndarray fits PSUM": (
        lambda t: nl.ndarray((1, 16384), nl.uint8, nl.psum),
        lambda t: nl.ndarray((1, 16385), nl.uint8, nl.psum),
        "PSUM is full"),
    "ndarray is not empty": (
        lambda t: nl.ndarray((1, 1), nl.uint8),
        lambda t: nl.ndarray((1, 0), nl.uint8),
        "at least one element"),
    "bitwise_and takes integers": (
        lambda t: nl.bitwise_and(t.places, t.places),
        lambda t: nl.bitwise_and(t.flat, t.flat),
        "integer"),
    "bitwise_or takes integers": (
        lambda t: nl.bitwise_or(t.places, t.places),
        lambda t: nl.bitwise_or(t.flat, t.flat),
        "integer"),
    "bitwise_xor takes integers": (
        lambda t: nl.bitwise_xor(t.places, t.places),
        lambda t: nl.bitwise_xor(t.flat, t.flat),
        "integer"),
    "invert takes integers": (
        lambda t: nl.invert(t.places),
        lambda t: nl.invert(t.flat),
        "integer"),
    "left_shift takes integers": (
        lambda t: nl.left_shift(t.places, 1),
        lambda t: nl.left_shift(t.flat, 1),
        "integer"),
    "right_shift takes integers": (
        lambda t: nl.right_shift(t.places, 1),
        lambda t: nl.right_shift(t.flat, 1),
        "integer"),
    "sum leaves partitions": (
        lambda t: nl.sum(t.flat, 1),
        lambda t: nl.sum(t.flat, 0),
        "partition|axis 0"),
    "max leaves partitions": (
        lambda t: nl.max(t.flat, 1),
        lambda t: nl.max(t.flat, 0),
        "partition|axis 0"),
    "min leaves partitions": (
        lambda t: nl.min(t.flat, 1),
        lambda t: nl.min(t.flat, 0),
        "partition|axis 0"),
    "mean leaves partitions": (
        lambda t: nl.mean(t.flat, 1),
        lambda t: nl.mean(t.flat, 0),
        "partition|axis 0"),
    "prod leaves partitions": (
        lambda t: nl.prod(t.flat, 1),
        lambda t: nl.prod(t.flat, 0),
        "partition|axis 0"),
    "var leaves partitions": (
        lambda t: nl.var(t.flat, 1),
        lambda t: nl.var(t.flat, 0),
        "partition|axis 0"),
    "broadcast_to keeps the rank": (
        lambda t: nl.broadcast_to(t.tile[:, 0:1], (128, 3, 8)),
        lambda t: nl.broadcast_to(t.flat, (128, 3, 16)),
        "rank|dimensions"),
    "broadcast_to repeats one element": (
        lambda t: nl.broadcast_to(t.flat[:, 0:1], (128, 3)),
        lambda t: nl.broadcast_to(t.flat, (128, 3)),
        "size 1|broadcast"),
    "matmul fits": (
        lambda t: nl.matmul(t.flat, t.square),
        lambda t: nl.matmul(t.flat, t.flat),
        "match|partitions|\\[M, N\\]"),
    "fori_loop steps forwards": (
        lambda t: nl.fori_loop(0, 2, lambda i: None, 1),
        lambda t: nl.fori_loop(0, 2, lambda i: None, 0),
        "at least 1|positive"),
    "dynamic_range steps forwards": (
        lambda t: list(nl.dynamic_range(0, 2, 1)),
        lambda t: list(nl.dynamic_range(0, 2, 0)),
        "at least 1|positive|zero"),
}


class Tensors:
    """What the rules are tried on."""

    def __init__(self):
        def filled(shape, dtype, value=0):
            tensor = nl.ndarray(shape, dtype, nl.sbuf)
            nisa.memset(tensor, value)
            return tensor

        self.tile, self.flat = filled((128, 4, 8), nl.float32), filled((128, 16), nl.float32)
        self.square, self.bytes = filled((16, 16), nl.float32), filled((4, 8), nl.uint8)
        self.places, self.half = filled((128, 1), nl.uint32), filled((1, 1), nl.float16)
        self.index, self.indices, self.pairs = (filled(shape, nl.int32) for shape in ((1, 1), (16, 1), (16, 2)))
        self.hbm = nl.ndarray((16, 16, 8), nl.float32, nl.hbm)
        self.rows = self.hbm.vector_select(0, self.indices)
        self.row = self.hbm.vector_select(0, self.indices[0:1])


class Rules(unittest.TestCase):
    def run_in_kernel(self, function):
        nki.jit(lambda: (function(Tensors()), None)[1])()

    def try_table(self, table):
        for name, (keeps, breaks, text) in table.items():
            with self.subTest(rule=name):
                self.run_in_kernel(keeps)
                with self.assertRaisesRegex((nisa.NkiValidationError, ValueError), text):
                    self.run_in_kernel(breaks)

    def test_views(self):
        self.try_table(VIEWS)

    def test_functions(self):
        self.try_table(FUNCTIONS)

    def test_results_of_views_lie_over_the_tensor(self):
        @nki.jit
        def kernel():
            t = Tensors()
            nisa.memset(t.tile.rearrange(("p", "a", "b"), ("p", "b", "a"))[:, 1:2, 2:3], 5.0)
            out = nl.ndarray((128, 4, 8), nl.float32, nl.shared_hbm)
            nisa.dma_copy(out, t.tile)
            return out

        expected = np.zeros((128, 4, 8), np.float32)
        expected[:, 2, 1] = 5
        np.testing.assert_array_equal(kernel(), expected)


if __name__ == "__main__":
    unittest.main()
