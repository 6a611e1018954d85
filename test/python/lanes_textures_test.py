"""Textures of NumPy arrays as arguments of ported kernels: what is read where, and what is refused."""

from support import nl, nki, nisa, np, unittest  # noqa: F401

import neuronify_lanes as lanes
from neuronify_lanes import run

THREADS = 64


@nki.jit
def read_2d(picture, picture_modes, x, y, out, grid_dim=(1, 1, 1), block_dim=(1, 1, 1), dynamic_shared_bytes=0,
            precise_math=False):
    launch = lanes.Launch(grid_dim, block_dim, dynamic_shared_bytes, precise_math)
    picture = lanes.texture(picture, picture_modes)
    for w in lanes.waves(launch, "flat"):
        a = lanes.tile(w, nl.float32)
        b = lanes.tile(w, nl.float32)
        value = lanes.tile(w, nl.float32)
        lanes.load(a, lanes.element(x, w.threadIdx_x, 4), 4, True)
        lanes.load(b, lanes.element(y, w.threadIdx_x, 4), 4, True)
        lanes.texture_2d(w, value, picture, 0, a, b, True)
        lanes.store(lanes.element(out, w.threadIdx_x, 4), value, 4, True)
    return out


KERNEL = run.Kernel(read_2d, "read_2d", "", [
    run.texture("picture", 0), run.array("x", "float32", 1), run.array("y", "float32", 2), run.array("out", "float32", 3)])


def read(texture, x, y):
    out = np.zeros(THREADS, np.float32)
    KERNEL(1, THREADS, picture=texture, x=np.resize(x, THREADS).astype(np.float32),
           y=np.resize(y, THREADS).astype(np.float32), out=out)
    return out[:len(x)]


class Textures(unittest.TestCase):
    def setUp(self):
        self.pixels = np.arange(5 * 7, dtype=np.float32).reshape(5, 7)
        self.x = np.linspace(-3, 9, 40, dtype=np.float32)
        self.y = np.linspace(7, -2, 40, dtype=np.float32)

    def test_the_nearest_texel_and_the_edge_outside(self):
        column = np.clip(np.floor(self.x), 0, 6).astype(int)
        row = np.clip(np.floor(self.y), 0, 4).astype(int)
        self.assertEqual(list(read(self.pixels, self.x, self.y)), list(self.pixels[row, column]))

    def test_the_border_outside(self):
        texture = run.Texture(self.pixels, address="border", border=(-5, 0, 0, 0))
        self.assertEqual(list(read(texture, [-0.5, 0.5, 6.5, 7.5, 3, float("nan")], [0.5] * 4 + [5.5, 1])),
                         [-5, 0, 6, -5, -5, -5])

    def test_a_linear_filter_between_texels(self):
        x, y = np.linspace(0.5, 6.5, 33, dtype=np.float32), np.full(33, 2.25, np.float32)
        want = x - 0.5 + 7 * (y - 0.5)  # the picture is a plane
        self.assertTrue(np.allclose(read(run.Texture(self.pixels, linear=True), x, y), want, atol=1 / 256))

    def test_bytes_read_as_numbers_between_0_and_1_and_wrapped_coordinates(self):
        texture = run.Texture(np.array([[0, 51, 255]], np.uint8), to_float=True, normalized=True, address="wrap")
        one = np.float32(1 / 255)
        self.assertEqual(list(read(texture, [0.1, 0.5, 0.9, 1.5, -0.1], [0.0] * 5)),
                         [0, np.float32(51) * one, np.float32(255) * one, np.float32(51) * one, np.float32(255) * one])

    def test_the_first_of_two_components(self):
        texture = run.Texture(np.dstack([self.pixels, -self.pixels]).copy(), components=2)
        self.assertEqual(list(read(texture, [2.5, 6.5], [0.5, 4.5])), [2, 34])

    def test_what_is_no_texture_is_an_error(self):
        for texels, options in ((self.pixels.astype(np.float64), {}), (self.pixels.T, {}),
                                (self.pixels.astype(np.int16), {"linear": True}), (self.pixels, {"components": 3}),
                                (np.zeros((2, 2, 2, 2), np.float32), {}), (np.zeros((0, 2), np.float32), {})):
            with self.assertRaises((TypeError, ValueError)):
                run.Texture(texels, **options)
        with self.assertRaises(TypeError):
            read([[1.0]], [0], [0])
        with self.assertRaises(Exception):
            read(None, [0], [0])


if __name__ == "__main__":
    unittest.main()
