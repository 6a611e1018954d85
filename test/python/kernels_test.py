"""Running kernels: calling styles, arguments, results, errors, cores, loops."""

import dataclasses
import inspect
import json
import os
import tempfile

import ml_dtypes

from support import np, nki, nisa, nl, floats, on_chip, to_hbm, unittest


@nki.jit
def double(x, factor=2.0):
    """Doubles."""
    tile = on_chip(x)
    nisa.tensor_scalar(tile, tile, nl.multiply, factor)
    return to_hbm(tile)


class Capacity(unittest.TestCase):
    @staticmethod
    def too_much():
        first = nl.ndarray((128, 60000), nl.float32, buffer=nl.sbuf, name="first")
        second = nl.ndarray((128, 60000), nl.float32, buffer=nl.sbuf, name="second")
        return first.shape[0] + second.shape[0]

    def test_tiles_that_do_not_fit_together_are_an_error(self):
        with self.assertRaisesRegex(nisa.NkiValidationError, "SBUF is full.*second.*first"):
            nki.jit(self.too_much)()

    def test_nothing_ends_where_the_capacity_is_not_checked(self):
        os.environ["NEURONIFY_CHECK_CAPACITY"] = "0"
        try:
            self.assertEqual(nki.jit(self.too_much)(), 256)
        finally:
            del os.environ["NEURONIFY_CHECK_CAPACITY"]

    def test_memory_is_free_again_with_the_last_variable(self):
        @nki.jit
        def kernel():
            for _ in range(9):
                tile = nl.ndarray((128, 60000), nl.float32, buffer=nl.sbuf)
                nisa.memset(tile, 0.0)
                del tile

        kernel()


class PlacedTiles(unittest.TestCase):
    def test_tiles_at_one_address_share_their_bytes(self):
        @nki.jit
        def kernel(x, read_lost):
            one = nl.ndarray((4, 8), nl.float32, buffer=nl.sbuf, address=(0, 64))
            nisa.dma_copy(dst=one, src=x)
            other = nl.ndarray((4, 4), nl.float32, buffer=nl.sbuf, address=(0, 80))
            nisa.memset(other, 5.0)
            out = nl.ndarray((4, 4), nl.float32, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=out, src=one[:, 2:6] if read_lost else other)
            return out

        x = floats(4, 8)
        np.testing.assert_array_equal(kernel(x, False), np.full((4, 4), 5, np.float32))
        with self.assertRaisesRegex(nisa.NkiValidationError, "never written"):
            kernel(x, True)

    def test_addresses_are_inside_of_the_memory(self):
        def kernel(address):
            return nl.ndarray((64, 8), nl.float32, buffer=nl.psum, address=address).shape[0]

        self.assertEqual(nki.jit(kernel)((64, 0)), 64)
        for address in ((65, 0), (0, 16384 - 31), (0, -4), (-1, 0)):
            with self.assertRaisesRegex(nisa.NkiValidationError, "leaves no room"):
                nki.jit(kernel)(address)
        with self.assertRaisesRegex(nisa.NkiValidationError, "partition, byte"):
            nki.jit(kernel)((0, 0, 0))


class CallingStyles(unittest.TestCase):
    def setUp(self):
        self.x = floats(16, 32)

    def test_direct_simulated_and_with_keywords(self):
        for kernel in (double, nki.simulate(double), double[1], nki.jit(double.func), nki.jit(mode="trace")(double.func),
                       nki.simulate(double.func)):
            np.testing.assert_array_equal(kernel(self.x, factor=3.0), self.x * 3)

    def test_a_kernel_keeps_its_signature(self):
        self.assertEqual(list(inspect.signature(double).parameters), ["x", "factor"])
        self.assertEqual(double.__doc__, "Doubles.")

    def test_a_kernel_called_by_a_kernel_becomes_part_of_it(self):
        @nki.jit(debug_kernel=False)
        def outer(x):
            return double(double(x))

        np.testing.assert_array_equal(outer(self.x), self.x * 4)

    def test_instructions_outside_of_kernels_are_errors(self):
        with self.assertRaises(nisa.NkiValidationError):
            nl.ndarray((4, 4), nl.float32)

    def test_unknown_generation(self):
        os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"] = "trn9"
        try:
            with self.assertRaisesRegex(nisa.NkiValidationError, "trn9"):
                double(self.x)
        finally:
            del os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"]

    def test_the_generation_comes_from_the_environment(self):
        @nki.jit
        def version():
            return nisa.get_nc_version()

        self.assertEqual(version(), nisa.nc_version.gen4)
        os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"] = "trn2"
        try:
            self.assertEqual(version(), nisa.nc_version.gen3)
            self.assertLess(version(), nisa.nc_version.gen4)
        finally:
            del os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"]


class Arguments(unittest.TestCase):
    def test_arrays_are_changed_in_place_without_copies(self):
        @nki.jit
        def clear(x):
            nisa.dma_copy(x[1:3], nl.zeros((2, 8), nl.float32))

        x = floats(4, 8)
        expected = x.copy()
        expected[1:3] = 0
        clear(x)
        np.testing.assert_array_equal(x, expected)
        y = floats(8, 4).T
        clear(y)
        self.assertTrue((y[1:3] == 0).all() and (y[0] != 0).all())

    def test_arrays_in_containers_and_objects(self):
        class Config(nl.NKIObject):
            weights: object
            scale = 2.0

        @nki.jit
        def kernel(pair, table, config):
            assert isinstance(config, Config) and config.scale == 3.0
            for x in (*pair, table["x"], config.weights):
                assert isinstance(x, nl.NkiTensor)
            return {"a": pair[1], "b": [table["x"], None]}

        x, y = floats(2, 3), floats(3, 4)
        result = kernel((x, x), {"x": y}, Config(weights=x, scale=3.0))
        np.testing.assert_array_equal(result["a"], x)
        np.testing.assert_array_equal(result["b"][0], y)

    def test_all_types_pass_through(self):
        names = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float16", "bfloat16", "float32",
                 "float8_e4m3", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float8_e5m2_x4",
                 "float8_e4m3fn_x4", "float4_e2m1fn_x4", "bool"]

        @nki.jit
        def same(x, name):
            assert x.dtype == getattr(nl, "bool_" if name == "bool" else name), x.dtype
            out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
            nisa.dma_copy(out, nl.load(x))
            return out

        for name in names:
            dtype = np.dtype(name)
            bits = np.arange(64 * dtype.itemsize, dtype=np.uint8)
            if name == "bool":
                bits &= 1
            x = bits.view(dtype).reshape(4, 16)
            result = same(x, name)
            self.assertEqual(result.dtype, dtype)
            self.assertEqual(result.tobytes(), x.tobytes(), name)

    def test_types_that_the_chip_has_not(self):
        with self.assertRaisesRegex(TypeError, "float64"):
            double(np.zeros((2, 2)))

    def test_types_are_strings(self):
        self.assertEqual(nl.bfloat16, "bfloat16")
        self.assertEqual(np.dtype(nl.bfloat16), np.dtype(ml_dtypes.bfloat16))
        self.assertIs(nl.bool, nl.bool_)

        @nki.jit
        def made():
            return [nl.ndarray((1, 1), t).dtype for t in (np.float32, "float32", np.dtype("float32"), nl.float32)]

        self.assertEqual(set(made()), {"float32"})


class Errors(unittest.TestCase):
    def test_a_broken_rule_tells_the_line_of_the_kernel(self):
        @nki.jit
        def kernel():
            a = nl.ndarray((4, 8), nl.float32, name="left")
            b = nl.ndarray((4, 9), nl.float32)
            nisa.tensor_copy(a, b)  # the line

        with self.assertRaises(nisa.NkiValidationError) as raised:
            kernel()
        line = inspect.getsourcelines(kernel.func)[1] + 4
        self.assertRegex(str(raised.exception), rf"kernels_test.py:{line}: nisa.tensor_copy: .*left")

    def test_a_value_that_was_never_written_tells_the_line_that_read_it(self):
        @nki.jit
        def kernel(x):
            out = nl.ndarray((4, 8), nl.float32, buffer=nl.shared_hbm)
            part = nl.ndarray((4, 8), nl.float32, name="part")
            nisa.dma_copy(part[:, 0:7], x)
            twice = nl.ndarray((4, 8), nl.float32)
            nisa.tensor_tensor(twice, part, part, op=nl.add)  # the line
            nisa.dma_copy(out, twice)
            return out

        line = inspect.getsourcelines(kernel.func)[1] + 6
        with self.assertRaises(nisa.NkiValidationError) as raised:
            kernel(floats(4, 7))
        self.assertRegex(str(raised.exception), rf"kernels_test.py:{line + 1}: nisa.dma_copy: src")
        self.assertRegex(
            str(raised.exception),
            rf"nisa.tensor_tensor \(.*kernels_test.py:{line}\) made it of 'part', which was never "
            "written at partition 0, element 7",
        )

    def test_the_line_is_the_kernels_even_below_functions_of_nki(self):
        @nki.jit
        def kernel(x):
            return nl.add(nl.load(x), nl.zeros((3, 5), nl.float32))

        line = inspect.getsourcelines(kernel.func)[1] + 2
        with self.assertRaisesRegex(nisa.NkiValidationError, f"kernels_test.py:{line}: "):
            kernel(floats(4, 5))

    def test_wrong_arguments_are_named(self):
        @nki.jit
        def kernel(call):
            tile = nl.zeros((2, 2), nl.float32)
            call(tile)

        for call, text in (
                (lambda t: nisa.tensor_copy(t), "argument src is missing"),
                (lambda t: nisa.tensor_copy(t, t, colour=1), "no argument colour"),
                (lambda t: nisa.tensor_copy(t, src=t, dst=t), "dst is given twice"),
                (lambda t: nisa.tensor_copy(t, 1.0), "src must be a tensor"),
                (lambda t: nisa.tensor_tensor(t, t, t, "add"), "'add' is no operator"),
                (lambda t: nisa.tensor_copy(t, t, "fast"), "'fast' is no member of nki.isa.engine"),
                (lambda t: nisa.iota(t, [[1]]), "pattern must be"),
                (lambda t: nisa.tensor_copy(*[t] * 9), "takes 4 arguments")):
            with self.assertRaisesRegex(TypeError, text):
                kernel(call)

    def test_arguments_of_earlier_releases_are_accepted_with_a_warning(self):
        @nki.jit
        def kernel(x):
            tile = nl.ndarray(x.shape, x.dtype)
            nisa.tensor_copy(tile, nl.load(x), dtype=nl.float32)
            return to_hbm(tile)

        x = floats(2, 2)
        with self.assertWarnsRegex(DeprecationWarning, "dtype"):
            np.testing.assert_array_equal(kernel(x), x)


class Objects(unittest.TestCase):
    def test_fields_without_a_default_are_none(self):
        class Config(nl.NKIObject):
            a: int
            b: float = 1.5
            c = 3

        self.assertEqual((Config().a, Config().b, Config(c=4).c), (None, 1.5, 4))
        with self.assertRaises(TypeError):
            Config(d=1)

    def test_dataclasses_know_attributes_without_annotations(self):
        @dataclasses.dataclass
        class Config(nl.NKIObject):
            a: int = 1
            b = 2
            c: list
            d = []

            def method(self):
                return self.a

        made = Config(a=5, b=6)
        self.assertEqual((made.a, made.b, made.c, made.method()), (5, 6, None, 5))
        made.d.append(1)
        self.assertEqual(Config().d, [])

    def test_frozen_dataclasses(self):
        @dataclasses.dataclass(frozen=True)
        class Config(nl.NKIObject):
            a: int
            b: int = 2

        self.assertEqual(hash(Config(1)), hash(Config(1)))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            Config(1).a = 2

    def test_classes_with_a_constructor_of_their_own(self):
        class Base(nl.NKIObject):
            a: int

            def __init__(self, a):
                self.a = a

        class Derived(Base):
            b = 1

        self.assertEqual((Derived(3).a, Derived(3).b), (3, 1))


class Cores(unittest.TestCase):
    def test_two_cores_share_device_memory(self):
        @nki.jit
        def halves(x):
            core, cores = nl.program_id(0), nl.num_programs()
            out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
            half = x.shape[0] // cores
            rows = nl.ds(core * half, half)
            tile = nl.load(x[rows])
            nisa.tensor_scalar(tile, tile, nl.add, float(core))
            nl.store(out[rows], tile)
            return out

        x = floats(16, 8)
        expected = x.copy()
        expected[8:] += 1
        np.testing.assert_array_equal(halves[2](x), expected)
        np.testing.assert_array_equal(nki.simulate(halves[2])(x), expected)
        np.testing.assert_array_equal(halves(x), x)

    def test_the_grid(self):
        @nki.jit
        def grid():
            return nl.program_ndim(), nl.num_programs(0), nl.program_id(0)

        self.assertEqual(grid(), (0, 1, 0))
        self.assertEqual(grid[2](), (1, 2, 0))
        self.assertEqual(grid[(2,)](), (1, 2, 0))

    def test_an_error_on_one_core_is_raised(self):
        @nki.jit
        def kernel():
            if nl.program_id(0) == 1:
                raise KeyError("second")

        with self.assertRaises(KeyError):
            kernel[2]()

    def test_more_cores_than_the_chip_has(self):
        with self.assertRaises(nisa.NkiValidationError):
            double[99](floats(2, 2))


    def test_barrier_and_exchange(self):
        @nki.jit
        def exchange(x):
            core = nl.program_id(0)
            total = nl.ndarray((2, x.shape[1], x.shape[2]), x.dtype, nl.shared_hbm)
            mine = nl.load(x[core])
            other = nl.ndarray(mine.shape, mine.dtype)
            nisa.sendrecv(src=mine, dst=other, send_to_rank=1 - core, recv_from_rank=1 - core, pipe_id=0)
            nisa.tensor_tensor(mine, mine, other, nl.subtract)
            nl.store(total[core], mine)
            nisa.core_barrier(total, (0, 1))
            both = nl.load(total[1 - core])
            out = nl.ndarray(both.shape, both.dtype, nl.shared_hbm)
            if core == 0:
                nl.store(out, both)
            return out

        x = floats(2, 8, 16)
        np.testing.assert_array_equal(exchange[2](x), x[1] - x[0])

    def test_a_barrier_that_the_other_core_never_reaches(self):
        @nki.jit
        def kernel():
            data = nl.ndarray((1, 1), nl.float32, nl.shared_hbm)
            if nl.program_id(0) == 0:
                nisa.core_barrier(data, (0, 1))

        with self.assertRaisesRegex(nisa.NkiValidationError, "kernels_test.py:.*in vain"):
            kernel[2]()

    def test_the_first_error_is_raised_while_the_other_core_waits(self):
        @nki.jit
        def kernel():
            data = nl.ndarray((1, 1), nl.float32, nl.shared_hbm)
            if nl.program_id(0) == 1:
                raise KeyError("second")
            nisa.core_barrier(data, (0, 1))

        with self.assertRaises(KeyError):
            kernel[2]()

    def test_both_cores_allocate_the_same_tensors_in_shared_memory(self):
        @nki.jit
        def kernel(only_one):
            if only_one and nl.program_id(0) == 0:
                nl.ndarray((4, 4), nl.int32, nl.shared_hbm)
            out = nl.ndarray((2, 4), nl.int32, nl.shared_hbm)
            nisa.dma_copy(out[nl.program_id(0)], nl.full((1, 4), nl.program_id(0) + 5, nl.int32))
            return out

        np.testing.assert_array_equal(kernel[2](False), [[5] * 4, [6] * 4])
        with self.assertRaisesRegex(nisa.NkiValidationError, "must allocate the same tensors in shared HBM"):
            kernel[2](True)


class Ranks(unittest.TestCase):
    def test_collectives(self):
        group = nki.collectives.ReplicaGroup([[0, 1, 2, 3]])

        @nki.jit
        def kernel(x):
            total = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
            gathered = nl.ndarray((4 * x.shape[0], x.shape[1]), x.dtype, nl.shared_hbm)
            nki.collectives.all_reduce([x], [total], group, nl.add)
            nki.collectives.all_gather([x], [gathered], group, 0)
            return total, gathered, int(nki.collectives.rank_id())

        xs = [floats(8, 4) for _ in range(4)]
        results = nki.run_ranks(kernel, [(x,) for x in xs])
        for rank, (total, gathered, number) in enumerate(results):
            self.assertEqual(number, rank)
            np.testing.assert_allclose(total, sum(xs), rtol=1e-6, atol=1e-6)
            np.testing.assert_array_equal(gathered, np.concatenate(xs))


class Loops(unittest.TestCase):
    def test_fori_loop_with_a_bound_in_a_register(self):
        @nki.jit
        def kernel(x, count):
            bound = nisa.register_alloc()
            nisa.register_load(bound, nl.load(count))
            out = nl.ndarray(x.shape, x.dtype, nl.shared_hbm)
            nisa.dma_copy(out, nl.zeros(x.shape, x.dtype))

            def body(i):
                row = nl.ndarray((1, x.shape[1]), x.dtype)
                pattern = [[x.shape[1], 1], [1, x.shape[1]]]
                nisa.dma_copy(row, x.ap(pattern, scalar_offset=i, indirect_dim=0))
                nisa.dma_copy(out.ap(pattern, scalar_offset=i, indirect_dim=0), row)

            nl.fori_loop(1, bound, body, step=2)
            return out

        x = floats(8, 4)
        expected = np.zeros_like(x)
        expected[1:6:2] = x[1:6:2]
        np.testing.assert_array_equal(kernel(x, np.array([[6]], np.int32)), expected)

    def test_while_loop(self):
        @nki.jit
        def kernel(count):
            left = nl.load(count)
            total = nl.zeros((1, 1), nl.int32)
            condition = nisa.register_alloc()
            nisa.register_load(condition, left)
            one = nl.ones((1, 1), nl.int32)

            def body(r):
                nisa.tensor_tensor(total, total, left, nl.add)
                nisa.tensor_tensor(left, left, one, nl.subtract)
                nisa.register_load(r, left)
                return r

            nl.while_loop(condition, body)
            return to_hbm(total)

        self.assertEqual(kernel(np.array([[5]], np.int32))[0, 0], 15)
        self.assertEqual(kernel(np.array([[0]], np.int32))[0, 0], 0)

    def test_old_loops(self):
        @nki.jit
        def kernel():
            count = nisa.register_alloc(4)
            seen = [int(i) for i in nl.dynamic_range(1, count)]
            while count:
                nisa.register_move(count, int(count) - 1)
            return (seen, list(nl.affine_range(3)), list(nl.static_range(1, 7, 3)),
                    list(nl.sequential_range(2)), list(nl.range(2)))

        self.assertEqual(kernel(), ([1, 2, 3], [0, 1, 2], [1, 4], [0, 1], [0, 1]))

    def test_a_register_without_a_value(self):
        @nki.jit
        def kernel():
            return int(nisa.register_alloc())

        with self.assertRaises(nisa.NkiValidationError):
            kernel()


class Profiles(unittest.TestCase):
    def test_a_profile_has_times_traffic_and_source_lines(self):
        x = floats(128, 512)
        profile = nki.profile(double)(x)
        np.testing.assert_array_equal(profile.result, x * 2)
        self.assertEqual(profile.instructions, 3)
        self.assertEqual(profile.cores[0]["hbm_bytes"], 2 * x.nbytes)
        self.assertGreater(profile.seconds, 1e-6)
        self.assertIn("VectorE", str(profile))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace.json")
            profile.save_trace(path)
            with open(path) as file:
                text = file.read()
        self.assertTrue(json.loads(text)["traceEvents"])
        self.assertIn("kernels_test.py", text)

    def test_each_core_has_a_profile(self):
        @nki.jit
        def kernel(x):
            nl.load(x)

        profile = nki.profile(kernel[2])(floats(4, 4))
        self.assertEqual([core["instructions"] for core in profile.cores], [1, 1])


if __name__ == "__main__":
    unittest.main()
