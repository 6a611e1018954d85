"""What the package neuronify_lanes knows when a kernel is traced, against brute force: launch-known integers,
masks, progressions, waves; then loads, stores and shuffles against NumPy."""

import itertools

from support import nisa, nki, nl, np, unittest

import neuronify_lanes as lanes
import neuronify_lanes.index as ix
from neuronify_lanes import lanes_order, masks
from neuronify_lanes.progressions import runs_of
from neuronify_lanes.waves import Launch, Wave

random = np.random.default_rng(11)
P, F = 5, 12


def wave(grid=(3, 4, 1), block=(6, 2, 1), first=4):
    """Blocks 4 to 8 of a grid of 3 x 4: they cross rows."""
    return Wave(Launch(grid, block), first, P, 0, F)


def table(value):
    """Every lane's value, as Python integers."""
    return [[ix.at(value, p, f) for f in range(F)] for p in range(P)]


def bitmap(mask):
    return np.array([[masks.at(mask, p, f) for f in range(F)] for p in range(P)])


def known_values():
    """Launch-known integers of every kind."""
    w = wave()
    linear = ix.add(ix.mul(w.blockIdx_x, 6), w.threadIdx_x)
    return [
        0, 7, -3, 2147483647, -2147483648, w.blockIdx_x, w.blockIdx_y, w.threadIdx_x, w.threadIdx_y, linear,
        ix.sub(3, linear), ix.mul(linear, 715827883), ix.srem(linear, 5), ix.xor(w.threadIdx_x, w.blockIdx_y),
        ix.mul(w.threadIdx_x, w.blockIdx_x), ix.add(w.threadIdx_y, 2147483640),
    ]


def wrap(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def reference(op, x, y, bits):
    unsigned = lambda v: v & ((1 << bits) - 1)
    quotient = lambda a, b: 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    shift = y & (bits - 1)
    return wrap({
        "add": lambda: x + y, "sub": lambda: x - y, "mul": lambda: x * y, "and": lambda: x & y, "or": lambda: x | y,
        "xor": lambda: x ^ y, "shl": lambda: x << shift, "lshr": lambda: unsigned(x) >> shift,
        "ashr": lambda: x >> shift, "sdiv": lambda: quotient(x, y), "srem": lambda: 0 + x - y * quotient(x, y),
        "udiv": lambda: unsigned(x) // unsigned(y) if y else 0, "urem": lambda: unsigned(x) % unsigned(y) if y else 0,
        "smin": lambda: min(x, y), "smax": lambda: max(x, y), "umin": lambda: min(x, y, key=unsigned),
        "umax": lambda: max(x, y, key=unsigned),
    }[op](), bits)


OPERATIONS = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "sdiv", "srem", "udiv", "urem", "smin",
              "smax", "umin", "umax")


class KnownIntegers(unittest.TestCase):
    def test_every_operation_is_that_of_c_in_every_lane(self):
        values = known_values()
        for (a, b), op, bits in itertools.product(itertools.product(values, values), OPERATIONS, (32, 64)):
            if op in ("srem", "urem") and 0 in np.array(table(b)):
                continue  # any value will do
            got = table(ix.binary(op, a, b, bits))
            x, y = table(a), table(b)
            expected = [[reference(op, x[p][f], y[p][f], bits) for f in range(F)] for p in range(P)]
            self.assertEqual(got, expected, (op, bits))

    def test_bounds_are_those_of_the_lanes(self):
        for value in known_values():
            lanes_ = sum(table(value), [])
            self.assertEqual((ix.lowest(value), ix.highest(value)), (min(lanes_), max(lanes_)))

    def test_extensions(self):
        for value in known_values():
            self.assertEqual(table(ix.zext(value, 32, 64)), [[v & 0xFFFFFFFF for v in row] for row in table(value)])
            self.assertEqual(table(ix.trunc(value, 8)), [[wrap(v, 8) for v in row] for row in table(value)])

    def test_sums_stay_sums(self):
        w = wave()
        linear = ix.add(ix.mul(w.blockIdx_x, 6), w.threadIdx_x)
        self.assertIsNone(ix.add(linear, 5).table)
        self.assertIsNone(ix.from_table(table(linear)).table)


class KnownMasks(unittest.TestCase):
    def test_comparisons(self):
        compare = {
            "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "slt": lambda x, y: x < y,
            "sle": lambda x, y: x <= y, "sgt": lambda x, y: x > y, "sge": lambda x, y: x >= y,
        }
        low = lambda v: v & 0xFFFFFFFF
        compare.update({
            "ult": lambda x, y: low(x) < low(y), "ule": lambda x, y: low(x) <= low(y),
            "ugt": lambda x, y: low(x) > low(y), "uge": lambda x, y: low(x) >= low(y),
        })
        for a, b in itertools.product(known_values(), known_values()):
            x, y = table(a), table(b)
            for predicate, holds in compare.items():
                expected = [[holds(x[p][f], y[p][f]) for f in range(F)] for p in range(P)]
                np.testing.assert_array_equal(bitmap(masks.compare(predicate, a, b)), expected, predicate)

    def test_algebra(self):
        w = wave()
        some = [True, False, lanes.slt(w.threadIdx_x, 3), lanes.eq(w.blockIdx_x, 1),
                lanes.slt(ix.add(ix.mul(w.blockIdx_x, 6), w.threadIdx_x), 10), lanes.ne(w.threadIdx_y, w.blockIdx_y)]
        for a, b in itertools.product(some, some):
            x, y = bitmap(a), bitmap(b)
            for got, expected in ((lanes.both(a, b), x & y), (lanes.either(a, b), x | y),
                                  (lanes.differ(a, b), x ^ y), (lanes.andnot(a, b), x & ~y)):
                np.testing.assert_array_equal(bitmap(got), expected)
                if expected.all() or not expected.any():
                    self.assertIsInstance(got, bool)  # full and empty masks are never objects
            np.testing.assert_array_equal(bitmap(lanes.choose(a, b, some[2])), np.where(x, y, bitmap(some[2])))
        np.testing.assert_array_equal(bitmap(lanes.invert(some[4])), ~bitmap(some[4]))

    def test_choices_of_integers(self):
        w = wave()
        ragged = lanes.slt(ix.add(ix.mul(w.blockIdx_x, 6), w.threadIdx_x), 10)  # whole rows and parts of rows
        some = (True, lanes.slt(w.threadIdx_x, 3), ragged)
        for mask, a, b in itertools.product(some, known_values(), known_values()):
            expected = np.where(bitmap(mask), table(a), table(b))
            np.testing.assert_array_equal(table(lanes.choose_known(mask, a, b)), expected)


class Progressions(unittest.TestCase):
    def expand(self, run):
        ranges = [range(step[2]) for step in run.steps]
        return {
            run.first + sum(i * s[1] for i, s in zip(at, run.steps)):
            run.value + sum(i * s[0] for i, s in zip(at, run.steps)) for at in itertools.product(*ranges)
        }

    def test_runs_are_the_active_positions_each_once(self):
        for _ in range(300):
            base = random.integers(0, 4, 24).cumsum() if random.random() < 0.5 else np.arange(24) % 6 * 3
            active = list(map(bool, random.random(24) < random.choice([0.3, 0.9, 1.0])))
            runs = runs_of(base.tolist(), active)
            found = {}
            for run in runs:
                part = self.expand(run)
                self.assertFalse(found.keys() & part.keys())
                found.update(part)
            self.assertEqual(found, {i: int(base[i]) for i in range(24) if active[i]})

    def test_rows_of_a_matrix_are_one_run(self):
        values = [row * 100 + column for row in range(4) for column in range(8)]
        self.assertEqual(len(runs_of(values, True)), 1)


def waves_of(cores, *arguments, **words):
    """What lanes.waves() gives each of so many cores."""
    found = [[] for _ in range(cores)]

    @nki.jit
    def kernel(x):
        found[nl.program_id(0)] += lanes.waves(*arguments, **words)
        return x

    (kernel if cores == 1 else kernel[cores])(np.zeros(1, np.float32))
    return found


class Waves(unittest.TestCase):
    def test_cores_share_waves_unless_one_has_to_run_them_all(self):
        launch = Launch((700, 1, 1), (3, 1, 1))
        first = lambda waves: [w.first_block for w in waves]  # noqa: E731
        all_waves = [0, 128, 256, 384, 512, 640]
        self.assertEqual([first(w) for w in waves_of(1, launch, "flat")], [all_waves])
        self.assertEqual([first(w) for w in waves_of(2, launch, "flat")], [all_waves[::2], all_waves[1::2]])
        self.assertEqual([first(w) for w in waves_of(2, launch, "flat", one_core=True)], [all_waves, []])

    def test_every_thread_is_in_one_wave_in_order(self):
        for grid, block, mapping in itertools.product(((1, 1, 1), (3, 50, 2), (257, 1, 1)), ((1, 1, 1), (33, 3, 2)),
                                                      ("flat", "warps", "block_per_partition")):
            seen = []
            for w in waves_of(1, Launch(grid, block), mapping, 3000)[0]:
                for p, f in itertools.product(range(w.P), range(w.F)):
                    at = lambda v: ix.at(v, p, f)
                    seen.append((at(w.blockIdx_z), at(w.blockIdx_y), at(w.blockIdx_x), at(w.threadIdx_z),
                                 at(w.threadIdx_y), at(w.threadIdx_x)))
            expected = itertools.product(*map(range, (*grid[::-1], *block[::-1])))
            self.assertEqual(sorted(seen), sorted(expected))


def some_masks(w):
    """Masks of every kind, as functions of a wave (predicates have to be made in the kernel)."""
    ragged = lanes.slt(ix.add(ix.mul(w.blockIdx_x, 6), w.threadIdx_x), 11)
    some = random.integers(0, 2, (P, F)).astype(np.uint32)
    return [
        (True, np.ones((P, F), bool)), (lanes.slt(w.threadIdx_x, 4), None), (ragged, None),
        (False, np.zeros((P, F), bool)), (some, some != 0), (np.zeros((P, F), np.uint32), np.zeros((P, F), bool)),
    ]


def as_mask(mask, predicate):
    """The mask inside of a kernel; an array of ones and zeros becomes a predicate tile."""
    if not isinstance(mask, np.ndarray):
        return mask
    tile = nl.ndarray((P, F), nl.uint32, nl.sbuf)
    nisa.dma_copy(dst=tile, src=predicate)
    return masks.Predicate(tile)


class Memory(unittest.TestCase):
    def places(self, w):
        linear = ix.add(ix.mul(w.blockIdx_x, 6), w.threadIdx_x)
        return [
            (linear, 1), (ix.mul(linear, 3), 1), (w.threadIdx_x, 1), (w.blockIdx_y, 1), (5, 1), (linear, 2),
            (ix.sub(59, linear), 1), (ix.srem(ix.mul(linear, 7), 31), 1), (ix.mul(w.threadIdx_y, 6), 1),
            (ix.udiv(linear, 3), 1),
        ]

    def check_store(self, dtype, size):
        w = wave()
        values = random.integers(0, 250, (P, F)).astype(np.int32)
        for (index, unit), (mask, chosen) in itertools.product(self.places(w), some_masks(w)):
            chosen = bitmap(mask) if chosen is None else chosen
            memory = random.integers(0, 250, 128).astype(dtype)
            expected = memory.copy()
            for p, f in itertools.product(range(P), range(F)):
                if chosen[p, f]:
                    expected[ix.at(index, p, f) * unit] = values[p, f]

            @nki.jit
            def kernel(memory, values, predicate):
                tile = nl.ndarray((P, F), nl.int32, nl.sbuf)
                nisa.dma_copy(dst=tile, src=values)
                lanes.store(lanes.element(memory, index, unit * size), tile, size, as_mask(mask, predicate))
                return memory

            kernel(memory, values, mask if isinstance(mask, np.ndarray) else np.zeros((P, F), np.uint32))
            np.testing.assert_array_equal(memory, expected, str((index, unit, mask)))

    def test_the_last_lane_of_a_place_stays(self):
        self.check_store(np.int32, 4)

    def test_narrow_elements(self):
        self.check_store(np.uint8, 1)
        self.check_store(np.uint16, 2)

    def test_loads(self):
        w = wave()
        for (index, unit), (mask, chosen) in itertools.product(self.places(w), some_masks(w)):
            chosen = bitmap(mask) if chosen is None else chosen
            memory = random.integers(-1000, 1000, 128).astype(np.int32)
            where = np.array(table(index)) * unit

            @nki.jit
            def kernel(memory, predicate):
                tile = nl.ndarray((P, F), nl.int32, nl.sbuf)
                lanes.load(tile, lanes.element(memory, index, unit * 4), 4, as_mask(mask, predicate))
                out = nl.ndarray((P, F), nl.int32, nl.shared_hbm)
                nisa.dma_copy(dst=out, src=tile)
                return out

            got = kernel(memory, mask if isinstance(mask, np.ndarray) else np.zeros((P, F), np.uint32))
            np.testing.assert_array_equal(got[chosen], memory[where][chosen])

    def test_a_lane_outside_of_memory_is_an_error(self):
        @nki.jit
        def kernel(memory):
            w = wave()
            tile = nl.ndarray((P, F), nl.int32, nl.sbuf)
            lanes.load(tile, lanes.element(memory, ix.add(w.threadIdx_x, 3), 4), 4, True)

        with self.assertRaisesRegex(Exception, "load outside of memory"):
            kernel(np.zeros(8, np.int32))

    def check_array(self, make, elements, by_lane):
        """Stores to, then loads from, an array of each block or each lane."""
        w = wave()
        inside = [(ix.srem(index, elements), unit) for index, unit in self.places(w) if unit == 1]
        for (index, _), (mask, chosen), computed in itertools.product(inside, some_masks(w), (False, True)):
            chosen = bitmap(mask) if chosen is None else chosen
            values = random.integers(-1000, 1000, (P, F)).astype(np.int32)
            where = np.array(table(index))
            arrays = np.zeros((P, F if by_lane else 1, elements), np.int32)
            for p, f in itertools.product(range(P), range(F)):
                if chosen[p, f]:
                    arrays[p, f if by_lane else 0, where[p, f]] = values[p, f]
            expected = np.array([[arrays[p, f if by_lane else 0, where[p, f]] for f in range(F)] for p in range(P)])

            @nki.jit
            def kernel(values, predicate, where):
                array = make(w, elements * 4)
                tile = nl.ndarray((P, F), nl.int32, nl.sbuf)
                nisa.dma_copy(dst=tile, src=values)
                by = index
                if computed:
                    by = nl.ndarray((P, F), nl.int32, nl.sbuf)
                    nisa.dma_copy(dst=by, src=where)
                lanes.store(lanes.element(array, by, 4), tile, 4, as_mask(mask, predicate))
                lanes.load(tile, lanes.element(array, by, 4), 4, True)
                out = nl.ndarray((P, F), nl.int32, nl.shared_hbm)
                nisa.dma_copy(dst=out, src=tile)
                return out

            predicate = mask if isinstance(mask, np.ndarray) else np.zeros((P, F), np.uint32)
            got = kernel(values, predicate, where.astype(np.int32))
            np.testing.assert_array_equal(got, expected, str((table(index), mask, computed)))

    def test_shared_arrays(self):
        self.check_array(lanes.shared_array, 31, by_lane=False)

    def test_local_arrays(self):
        self.check_array(lanes.local_array, 5, by_lane=True)


class Shuffles(unittest.TestCase):
    def test_as_ptx_defines_them(self):
        threads = 75
        w = Wave(Launch((2, 1, 1), (threads, 1, 1)), 0, 2, 0, threads)
        values = random.integers(-1000, 1000, (2, threads)).astype(np.int32)

        def source(kind, thread, by, width):
            lane = thread % 32
            first = lane // width * width
            last = first + width - 1
            at = {"up": lane - by, "down": lane + by, "xor": lane ^ by, "idx": first + by % width}[kind]
            legal = {"up": at >= first, "down": at <= last, "xor": at <= last, "idx": True}[kind]
            return thread - lane + at if legal and thread - lane + at < threads else thread

        functions = {"up": lanes.shfl_up, "down": lanes.shfl_down, "xor": lanes.shfl_xor, "idx": lanes.shfl}
        for (kind, function), by, width in itertools.product(functions.items(), (0, 1, 5, 16, 31), (32, 8, 1)):
            @nki.jit
            def kernel(values):
                tile = nl.ndarray((2, threads), nl.int32, nl.sbuf)
                nisa.dma_copy(dst=tile, src=values)
                result = nl.ndarray((2, threads), nl.int32, nl.sbuf)
                function(w, result, tile, by, width)
                out = nl.ndarray((2, threads), nl.int32, nl.shared_hbm)
                nisa.dma_copy(dst=out, src=result)
                return out

            expected = values[:, [source(kind, t, by, width) for t in range(threads)]]
            np.testing.assert_array_equal(kernel(values), expected, str((kind, by, width)))


class HostNumbers(unittest.TestCase):
    def test_single_precision(self):
        bits = random.integers(0, 1 << 64, 4000, dtype=np.uint64).view(np.float64)
        near = random.standard_normal(4000) * np.exp2(random.integers(-150, 129, 4000))
        with np.errstate(over="ignore"):
            for value in np.concatenate([bits[np.isfinite(bits)], near]):
                self.assertEqual(lanes.f32(float(value)), float(np.float32(value)), value)

    def test_division(self):
        for a, b in itertools.product((7, -7, 0, 2147483647, -2147483648), (2, -2, 3, 0)):
            if b:
                self.assertEqual(lanes.c_quotient(a, b), int(a / b))
                self.assertEqual(lanes.c_remainder(a, b), a - b * int(a / b))
        self.assertEqual(lanes.divide_numbers(1.0, 0.0), float("inf"))
        self.assertEqual(lanes.divide_numbers(1.0, -0.0), float("-inf"))


class Rounds(unittest.TestCase):
    """Rounds of a loop that lanes count by themselves: those with the same lanes run on the chip."""

    def traced(self, n, step, lanes_of=lambda i: True, grid=(1, 1, 1), block=(8, 1, 1)):
        """What each lane's memory holds after y[i] += 1, and how many rounds were traced."""
        traced = []

        @nki.jit
        def kernel(y):
            w = Wave(Launch(grid, block), 0, grid[0], 0, block[0])
            i = ix.add(ix.mul(w.blockIdx_x, block[0]), w.threadIdx_x)
            active = lanes_of(i)

            def body(i, m):
                traced.append(not ix.is_dynamic(i))
                t = lanes.tile(w, nl.float32)
                lanes.load(t, lanes.element(y, i, 4), 4, m)
                nisa.tensor_scalar(dst=t, data=t, op0=nl.add, operand0=1.0)
                lanes.store(lanes.element(y, i, 4), t, 4, m)

            while True:
                m = lanes.both(active, lanes.slt(i, n))
                if not lanes.any_known(m):
                    break
                i = lanes.rounds(i, step, n, m, body)
                active = m
                i = ix.add(i, step)
            return y

        y = np.zeros(max(n, 1) + 3, np.float32)
        kernel(y)
        return y, sum(traced)

    def test_each_element_has_its_round(self):
        for n in (0, 1, 7, 8, 9, 17 * 8, 18 * 8, 18 * 8 + 1, 19 * 8 - 1, 19 * 8, 500, 1000):
            for step in (8, 16, 24):
                with self.subTest(n=n, step=step):
                    expected = np.zeros(max(n, 1) + 3, np.float32)
                    for i in range(8):
                        expected[i:n:step] += 1
                    y, _ = self.traced(n, step)
                    np.testing.assert_array_equal(y, expected)

    def test_few_rounds_are_traced_however_many_there_are(self):
        for n in (1000, 10000, 10003):
            _, traced = self.traced(n, 8)
            self.assertLessEqual(traced, 3)
        self.assertEqual(self.traced(128, 8)[1], 16)

    def test_lanes_that_never_came_do_not_count(self):
        odd = lambda i: lanes.eq(lanes_and_one(i), 1)  # noqa: E731
        y, traced = self.traced(801, 8, odd)
        np.testing.assert_array_equal(y[:801], np.arange(801) % 2)
        self.assertLessEqual(traced, 3)

    def test_partitions_leave_one_after_the_other(self):
        y, traced = self.traced(1003, 40, grid=(5, 1, 1))
        np.testing.assert_array_equal(y[:1003], 1)
        self.assertLessEqual(traced, 3)


def lanes_and_one(i):
    return ix.bit_and(i, 1)


class Order(unittest.TestCase):
    def test_places_meant_twice_are_found(self):
        w = wave()
        self.assertFalse(lanes_order.are_distinct(w.threadIdx_x, True, (P, F)))
        self.assertFalse(lanes_order.are_distinct(3, True, (P, F)))
        linear = ix.add(ix.mul(ix.add(w.blockIdx_x, ix.mul(w.blockIdx_y, 3)), 12),
                        ix.add(w.threadIdx_x, ix.mul(w.threadIdx_y, 6)))
        self.assertTrue(lanes_order.are_distinct(linear, True, (P, F)))


if __name__ == "__main__":
    unittest.main()
