"""The lint of kernels: what the language has passes, what it has not is named with its line."""

import contextlib
import io

from support import unittest

from neuronify_nki import lint

GOOD = '''
import nki
import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject


class Shape(NKIObject):
    def __init__(self, rows, columns=1):
        self.rows = rows
        self.columns = columns


def size(shape):
    return shape.rows * shape.columns if shape != None else 0


@nki.jit
def kernel(x, count=4, flags=(1, 2)):
    """Says what it does."""
    sizes = [1, 2]
    sizes.append(3)
    names = {"a": 1}
    total = 0
    for i in range(len(sizes)):
        if sizes[i] % 2 == 0 and i < count:
            continue
        total += sizes[i] << 1
    while total > 100:
        total -= 1
        if total == 50:
            break
    assert total >= 0, f"total {total}"
    tile = nl.ndarray((128, 4), dtype=nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile[0:128, :], src=x)
    with nl.no_reorder():
        nisa.memset(dst=tile, value=0.0)

    def body(i):
        nisa.tensor_copy(dst=tile, src=tile)

    nl.fori_loop(0, 4, body)
    return tile, names["a"], size(Shape(1))
'''

BAD = {
    "f = lambda x: x": "lambda",
    "a = [i for i in range(3)]": "comprehensions",
    "a = (i for i in range(3))": "generator",
    "a = {1, 2}": "sets",
    "a = x is None": "'is'",
    "try:\n    a = 1\nexcept ValueError:\n    pass": "try",
    "with open('f') as f:\n    pass": "with",
    "raise ValueError()": "raise",
    "def f(*a):\n    pass": "starred parameters",
    "def f(a, *, b):\n    pass": "* or /",
    "def f(a, /):\n    pass": "* or /",
    "f(*a)": "starred arguments",
    "f(**a)": "starred arguments",
    "if (n := 3):\n    pass": "assignments inside of expressions",
    "def f():\n    yield 1": "generators",
    "class A:\n    pass": "NKIObject",
    "class A(NKIObject):\n    def __add__(self, o):\n        return o": "__add__",
    "@functools.cache\ndef f():\n    pass": "decorators",
    "import numpy as np\na = np.zeros(3)": "NumPy",
    "a = {1: 2}": "keys of dictionaries",
    "nisa.tensor_magic(a)": "no public tensor_magic",
    "nl._private(a)": "no public _private",
    "a = sorted(b)": "no function sorted",
    "for i in range(3):\n    pass\nelse:\n    pass": "else of loops",
    "a = b @ c": "@",
    "global a": "global",
    "del a": "del",
    "a = b'x'": "bytes",
    "a[1:2] = b": "assignment to a slice",
    "try:\n    a()\nfinally:\n    b()": "try",
    "@g\ndef f():\n    pass": "decorators",
}


class Lint(unittest.TestCase):
    def test_what_the_language_has_passes(self):
        self.assertEqual(lint.check(GOOD), [])

    def test_what_it_has_not_is_named(self):
        for text, word in BAD.items():
            with self.subTest(text):
                found = lint.check("\n\n" + text)
                self.assertTrue(any(word in sentence for _, sentence in found), found)
                self.assertTrue(all(line >= 3 for line, _ in found), found)

    def test_imports_are_held_against_a_list(self):
        self.assertEqual(lint.check("import nki\nfrom . import a\nimport numpy"), [])
        self.assertEqual(lint.check("import nki\nfrom . import a\nimport numpy", imports=("nki",)),
                         [(3, "import of numpy")])
        self.assertEqual(lint.check("from os import path", imports=("nki",)), [(1, "import of os")])

    def test_a_call_without_files_says_what_it_takes(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(lint.main([]), 2)
        self.assertIn("usage: python -m neuronify_nki.lint FILE", said.getvalue())
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(lint.main(["--help"]), 0)
        self.assertIn("usage: python -m neuronify_nki.lint FILE", said.getvalue())

    def test_an_unreadable_file_is_a_problem(self):
        self.assertEqual(lint.main(["/nonexistent.py"]), 1)


if __name__ == "__main__":
    unittest.main()
