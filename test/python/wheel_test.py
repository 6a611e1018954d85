"""The wheel that `pip install` builds from a checkout holds a package that works alone."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]

KERNEL = """
import numpy as np
import neuronify_nki, nki
import nki.isa as nisa
import nki.language as nl

@nki.jit
def double(x):
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out

x = np.arange(128 * 7, dtype=np.float32).reshape(128, 7)
assert np.array_equal(double(x), 2 * x)
assert nki.profile(double)(x).seconds > 0
print(neuronify_nki.__file__)
"""


class Wheel(unittest.TestCase):
    def test_is_built_by_pip_and_runs_a_kernel(self):
        environment = dict(os.environ)
        environment.pop("PYTHONPATH", None)
        if shutil.which("ccache"):
            environment["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
        with tempfile.TemporaryDirectory() as folder:
            # Without isolation: what the build needs is in the environment of the tests.
            pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation"]
            pip += ["--no-deps", "--target", f"{folder}/site", str(SOURCE)]
            built = subprocess.run(pip, cwd=folder, env=environment, capture_output=True, text=True)
            self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
            environment["PYTHONPATH"] = f"{folder}/site"
            ran = subprocess.run(
                [sys.executable, "-c", KERNEL], cwd=folder, env=environment, capture_output=True, text=True
            )
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertTrue(ran.stdout.startswith(f"{folder}/site"), ran.stdout)


if __name__ == "__main__":
    unittest.main()
