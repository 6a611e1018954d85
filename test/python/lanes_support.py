"""Functions of the package neuronify_lanes against those of the library runtime/lanes, bit for bit."""

import os
import subprocess
import tempfile

from support import nl, nki, nisa, np, unittest  # noqa: F401

from neuronify_lanes.tiles import Scalar

P = 128


def _patterns():
    """Bit patterns that matter: all exponents with a few mantissas, and integers near powers of two."""
    words = []
    for exponent in range(256):
        for mantissa in (0, 1, 0x400000, 0x7FFFFF):
            words.append(exponent << 23 | mantissa)
    for value in range(64):
        words += [value, 0x7FFFFFFF - value, (1 << 16) + value - 32]
    for shift in range(32):
        words += [1 << shift, (1 << shift) - 1]
    for value in (0.5, 1.5, 2.5, 8388607.5, 8388609.0, 2147483648.0, 4294967296.0, 0.1, 3.14159265):
        words.append(int(np.float32(value).view(np.uint32)))
    words = np.array(words, np.uint64)
    return np.concatenate([words, words ^ 0x80000000, -words.astype(np.int64) & 0xFFFFFFFF]).astype(np.uint32)


PATTERNS = _patterns()


def tiles_of_bits(count, seed, lanes=64):
    """`count` tiles: patterns against patterns at first, then pairs of near magnitude, then any bits."""
    random = np.random.default_rng(seed)
    tiles = random.integers(0, 1 << 32, (count, P, lanes), dtype=np.uint32)
    tiles[:, :80] = random.choice(PATTERNS, (count, 80, lanes))
    near = random.normal(0, 1, (count, 32, lanes)) * np.exp2(random.integers(-12, 13, (1, 32, lanes)))
    tiles[:, 80:112] = near.astype(np.float32).view(np.uint32)
    return tiles


class Int(int):
    """An integer for all lanes."""


class Pair(int):
    """The tiles of this number and the next one, as a 64-bit integer."""


class Float(float):
    """A float for all lanes, of 32 bits."""

    def __new__(cls, value):
        return float.__new__(cls, np.float32(value))


def bits_of(value):
    return int(np.float32(value).view(np.int32))


def reference(calls, tiles):
    """The results of calls (name, operands), where an operand is the index of a tile, a Pair, an Int or a Float."""
    lanes = tiles.shape[2]
    lines = []
    for name, operands in calls:
        words = [name, str(lanes)]
        for a in operands:
            if isinstance(a, Float):
                words.append(f"f{bits_of(a)}")
            else:
                words.append(("i" if isinstance(a, Int) else "w" if isinstance(a, Pair) else "t") + str(int(a)))
        lines.append(" ".join(words) + "\n")
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("commands", "tiles", "results")]
        with open(paths[0], "w") as file:
            file.writelines(lines)
        tiles.tofile(paths[1])
        subprocess.run([os.environ["LANES_REFERENCE"], *paths], check=True)
        return np.fromfile(paths[2], np.uint32).reshape(-1, P, lanes)


class Form:
    """How the Python function gets its operands."""

    PLAIN = "plain"
    IN_PLACE = "in place"  # dst is the first tile
    COLUMNS = "columns"  # floats for all lanes are data scalars
    SCALARS = "scalars"  # the same where columns alone do not say so


def computed(function, operands, tiles, dtype, form=Form.PLAIN):
    """The bits that function(dst, operands...) writes."""
    arrays = {f"t{a}": tiles[a].view(dtype) for a in operands if not isinstance(a, (Int, Float))}
    out = np.zeros(tiles.shape[1:], np.int32)

    @nki.jit
    def kernel(arrays, out):
        loaded = {}
        for name, array in arrays.items():
            loaded[name] = nl.ndarray(array.shape, array.dtype, nl.sbuf)
            nisa.dma_copy(loaded[name], array)
        given = []
        for a in operands:
            if isinstance(a, Int):
                given.append(int(a))
            elif isinstance(a, Float) and form in (Form.COLUMNS, Form.SCALARS):
                column = nl.ndarray((P, 1), nl.int32, nl.sbuf)
                nisa.memset(column, bits_of(a))
                column = column.view(nl.float32)
                given.append(column if form == Form.COLUMNS else Scalar(column))
            elif isinstance(a, Float):
                given.append(float(a))
            else:
                given.append(loaded[f"t{a}"])
        if form == Form.IN_PLACE:
            dst = [a for a in given if isinstance(a, nl.NkiTensor)][0]
        else:
            dst = nl.ndarray(out.shape, dtype, nl.sbuf)
        function(dst, *given)
        nisa.dma_copy(out, dst.view(nl.int32))

    nki.simulate(kernel)(arrays, out)
    return out.view(np.uint32)


class BitForBit(unittest.TestCase):
    def check(self, cases, tiles, floats):
        """Cases (reference's name, Python function, operands, type of the tiles, forms)."""
        expected = reference([(name, operands) for name, _, operands, _, _ in cases], tiles)
        for (name, function, operands, dtype, forms), want in zip(cases, expected):
            for form in forms:
                with self.subTest(name, operands=operands, form=form):
                    self.compare(want, computed(function, operands, tiles, dtype, form), operands, tiles, floats(name))

    def compare(self, want, have, operands, tiles, is_float):
        different = want != have
        if is_float:  # which NaN comes out is not promised
            nan = lambda x: np.isnan(x.view(np.float32))  # noqa: E731
            different &= ~(nan(want) & nan(have))
        if different.any():
            where = tuple(np.argwhere(different)[0])
            at = [tiles[a][where] if not isinstance(a, (Int, Float)) else a for a in operands]
            self.fail(f"{different.sum()} lanes differ, first {where}: operands "
                      f"{[hex(x) if isinstance(x, np.uint32) else x for x in at]}, "
                      f"{want[where]:#x} expected, {have[where]:#x} computed")
