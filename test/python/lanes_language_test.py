"""neuronify_lanes is written in the language of NKI kernels, which is less than Python."""

import ast
import os
import unittest

import numpy as np

import support  # noqa: F401  (makes `nki` importable)
import neuronify_lanes.tiles
from neuronify_nki import lint

PACKAGE = os.path.dirname(neuronify_lanes.tiles.__file__)
#: What runs where kernels are called from is all of Python.
HOST = ("host_numbers.py", "run.py", "run_command.py", "run_memory.py", "run_textures.py")

MODULES = ("nki", "nki.isa", "nki.language")


def modules():
    """(name, text) of every module that kernels use."""
    for name in sorted(os.listdir(PACKAGE)):
        if name.endswith(".py") and name not in HOST:
            with open(os.path.join(PACKAGE, name)) as file:
                yield name, file.read()


class Language(unittest.TestCase):
    def test_the_package_stays_inside_the_language(self):
        for name, text in modules():
            with self.subTest(name):
                self.assertEqual(lint.check(text, name, MODULES), [])

    def test_float_constants_are_numbers_of_32_bits(self):
        for name, text in modules():
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Constant) and isinstance(node.value, float):
                    with self.subTest(name, line=node.lineno):
                        self.assertEqual(float(np.float32(node.value)), node.value)


if __name__ == "__main__":
    unittest.main()
