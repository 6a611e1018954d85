"""Pointers that kernels load from memory: all memory is one tensor of one or several stretches of addresses."""

from support import nl, nki, nisa, np, unittest  # noqa: F401

import neuronify_lanes as lanes
from neuronify_lanes import run, run_memory

THREADS = 40


@nki.jit
def follow(rows, out, memory, memory_stretches, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False):
    """out[i] = rows[i][1] where rows[i] is no null pointer, else -1."""
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    memory = lanes.whole_memory(memory, memory_stretches)
    rows = lanes.at_address(memory, rows)
    out = lanes.at_address(memory, out)
    for w in lanes.waves(launch, "flat"):
        row = lanes.pair(w)
        lanes.load_pair(row, lanes.element(rows, w.threadIdx_x, 8), True)
        value = lanes.zeros(w, nl.float32)
        there = lanes.compare_wide(w, "ne", row, 0)
        lanes.load(value, lanes.element(lanes.at_address(memory, row), 1, 4), 4, there)
        lanes.assign(value, -1.0, lanes.invert(there))
        lanes.store(lanes.element(out, w.threadIdx_x, 4), value, 4, True)
    return memory.tensor


KERNEL = run.Kernel(follow, "follow", "", [
    run.address("rows", "uint64", 0), run.address("out", "float32", 1), run.memory("memory")])


@nki.jit
def difference(x, out, grid_dim, block_dim, dynamic_shared_bytes=0, precise_math=False):
    """out[i] = x[i] - x[-1 - i]"""
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    for w in lanes.waves(launch, "flat"):
        a = lanes.tile(w, nl.float32)
        b = lanes.tile(w, nl.float32)
        lanes.load(a, lanes.element(x, w.threadIdx_x, 4), 4, True)
        lanes.load(b, lanes.element(x, lanes.index.sub(-1, w.threadIdx_x), 4), 4, True)
        lanes.fsub(a, a, b)
        lanes.store(lanes.element(out, w.threadIdx_x, 4), a, 4, True)
    return out


class PointersIntoTheMiddle(unittest.TestCase):
    KERNEL = run.Kernel(difference, "difference", "", [run.array("x", "float32", 0), run.array("out", "float32", 1)])

    def test_what_lies_before_them_can_be_read(self):
        x, out = np.arange(50, dtype=np.float32), np.zeros(30, np.float32)
        self.KERNEL(1, 20, x=(x, 20), out=(out, 10))
        self.assertEqual(list(out), [0.0] * 10 + [2 * i + 1.0 for i in range(20)])

    def test_what_is_not_there_is_an_error(self):
        x, out = np.arange(50, dtype=np.float32), np.zeros(30, np.float32)
        for pointer in ((x, 19), x, (x, 1.5), (x,), (x, 31)):
            with self.assertRaises(Exception):
                self.KERNEL(1, 20, x=pointer, out=out)


class Addresses(unittest.TestCase):
    def test_rows_are_found_by_their_addresses(self):
        memory = run.Memory(1 << 14)
        table = memory.array((3, 5), np.float32)
        table[:] = np.arange(15).reshape(3, 5)
        rows, out = memory.array(THREADS, np.uint64), memory.array(THREADS, np.float32)
        for i in range(THREADS):
            rows[i] = memory.address(table[i % 3]) if i % 4 else 0
        KERNEL(1, THREADS, rows=rows, out=out, memory=memory)
        self.assertEqual(list(out), [1 + 5 * (i % 3) if i % 4 else -1 for i in range(THREADS)])

    def test_stretches_that_lie_far_apart(self):
        tensor = np.zeros(2048, np.uint8)
        near, far, last = 0x7F0000001004, 0x7FF000000010, 0x7FF7FFFFFFF0
        memory = run_memory.from_stretches(tensor, [near, 4, far, 784, last, 1520])
        tensor[4:4 + 8 * THREADS].view(np.uint64)[:] = [0, near + 360, far + 8, last + 12] * (THREADS // 4)
        for start, value in ((364 + 4, 2.5), (784 + 12, 3.5), (1520 + 16, 4.5)):
            tensor[start:start + 4].view(np.float32)[0] = value
        KERNEL(1, THREADS, rows=near, out=last + 64, memory=memory)
        out = tensor[1520 + 64:1520 + 64 + 4 * THREADS].view(np.float32)
        self.assertEqual(list(out), [-1, 2.5, 3.5, 4.5] * (THREADS // 4))

    def test_addresses_of_arguments_and_of_launch_known_pointers(self):
        for stretches in ([1 << 40, 0], [1 << 40, 0, 1 << 41, 512]):
            memory = lanes.whole_memory(None, stretches)
            self.assertEqual(lanes.address_of(memory, lanes.at_address(memory, (1 << 40) + 24)), (1 << 40) + 24)
            self.assertEqual(lanes.address_of(memory, lanes.at_address(memory, 0)), 0)
            known = lanes.at_address(memory, lanes.index.make([1 << 40, (1 << 40) + 8], [0]))
            self.assertEqual(known.offset.rows, [0, 8])
        self.assertEqual(lanes.address_of(memory, lanes.element(lanes.at_address(memory, 1 << 41), 3, 4)), (1 << 41) + 12)

    def test_what_is_not_in_the_memory_is_an_error(self):
        memory = run.Memory(256)
        inside, outside = memory.array(8, np.uint64), np.zeros(40, np.float32)
        for arguments in ({"rows": inside, "out": outside, "memory": memory}, {"rows": inside, "out": inside, "memory": 5},
                          {"rows": [1], "out": inside, "memory": memory}):
            with self.assertRaises((TypeError, ValueError)):
                KERNEL(1, 1, **arguments)
        with self.assertRaises(MemoryError):
            memory.array(1, np.float32)


if __name__ == "__main__":
    unittest.main()
