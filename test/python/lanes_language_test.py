"""neuronify_lanes is written in the language of NKI kernels, which is less than Python."""

import ast
import os
import unittest

import numpy as np

import support  # noqa: F401  (makes `nki` importable)
import neuronify_lanes.tiles

PACKAGE = os.path.dirname(neuronify_lanes.tiles.__file__)
#: What runs where kernels are called from is all of Python.
HOST = ("host_numbers.py", "run.py", "run_memory.py", "run_textures.py")

#: What the guide and the migration notes of NKI do not have, or say is not there.
FORBIDDEN = (
    ast.AsyncFor, ast.AsyncFunctionDef, ast.AsyncWith, ast.Await, ast.Delete, ast.DictComp, ast.GeneratorExp, ast.Global,
    ast.Is, ast.IsNot, ast.Lambda, ast.ListComp, ast.NamedExpr, ast.Nonlocal, ast.Raise, ast.Set, ast.SetComp,
    ast.Starred, ast.Try, ast.With, ast.Yield, ast.YieldFrom,
)
MODULES = ("nki", "nki.isa", "nki.language")


def problems_of(tree):
    """(line, what) of everything in a module that the language has not."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, FORBIDDEN):
            yield line, type(node).__name__
        elif isinstance(node, ast.Import):
            for name in node.names:
                if name.name not in MODULES:
                    yield line, f"import of {name.name}"
        elif isinstance(node, ast.ImportFrom):
            if node.level == 0 and node.module not in MODULES:
                yield line, f"import from {node.module}"
        elif isinstance(node, ast.arguments):
            if node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs:
                yield 0, "star or slash in a signature"
        elif isinstance(node, ast.ClassDef):
            if [base.id for base in node.bases] != ["NKIObject"] or node.decorator_list:
                yield line, f"class {node.name} is not an NKIObject"
        elif isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if ast.unparse(decorator) != "nki.jit":
                    yield line, f"decorator of {node.name}"
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                    yield line, "assignment to a slice"


def modules():
    """(name, syntax tree) of every module that kernels use."""
    for name in sorted(os.listdir(PACKAGE)):
        if name.endswith(".py") and name not in HOST:
            with open(os.path.join(PACKAGE, name)) as file:
                yield name, ast.parse(file.read())


class Language(unittest.TestCase):
    def test_the_package_stays_inside_the_language(self):
        for name, tree in modules():
            with self.subTest(name):
                self.assertEqual(list(problems_of(tree)), [])

    def test_what_is_not_in_the_language_is_found(self):
        for text in ("x = [a for a in b]", "f = lambda: 1", "x is None", "def f(*a): pass", "def f(a, *, b): pass",
                     "import numpy", "class A: pass", "f(*a)", "x[1:2] = y", "try:\n  f()\nfinally:\n  g()",
                     "with f(): pass", "@g\ndef f(): pass"):
            with self.subTest(text):
                self.assertNotEqual(list(problems_of(ast.parse(text))), [])

    def test_float_constants_are_numbers_of_32_bits(self):
        for name, tree in modules():
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, float):
                    with self.subTest(name, line=node.lineno):
                        self.assertEqual(float(np.float32(node.value)), node.value)


if __name__ == "__main__":
    unittest.main()
