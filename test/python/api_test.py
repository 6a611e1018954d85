"""The package has every public function of NKI, with its parameters (runtime/python/neuronify_nki/api.json)."""

import ast
import inspect
import json
import os
import pathlib
import subprocess
import sys

import support  # noqa: F401
import nki
import nki.collectives
import nki.isa
import nki.language
from support import unittest

TABLE = json.loads((pathlib.Path(nki.__file__).parent / "api.json").read_text())

def owner(module):
    result = nki
    for part in module.split(".")[1:]:
        result = getattr(result, part)
    return result


def parameters(text):
    """[(name, default as text or None)] of a signature in the table."""
    arguments = ast.parse(f"def f({text}): pass").body[0].args
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults
    result = [(a.arg, default) for a, default in zip(arguments.args, defaults)]
    for rest in (arguments.vararg, arguments.kwarg):
        if rest:
            result.append((rest.arg, None))
    return result


class Api(unittest.TestCase):
    def functions(self):
        for module, functions in TABLE.items():
            for name, text in functions.items():
                yield module, name, text

    def test_every_function_is_there(self):
        missing = [f"{module}.{name}" for module, name, _ in self.functions()
                   if not hasattr(owner(module), name)]
        self.assertEqual(missing, [])

    def test_parameters_and_defaults(self):
        names = {**vars(nki.isa), **vars(nki.language)}
        for module, name, text in self.functions():
            if module == "nki.language.NkiTensor" or not hasattr(owner(module), name):
                continue
            with self.subTest(f"{module}.{name}"):
                actual = inspect.signature(getattr(owner(module), name)).parameters
                expected = parameters(text)
                self.assertEqual(list(actual), [p for p, _ in expected])
                for parameter, default in expected:
                    if default is None:
                        continue
                    value = eval(compile(ast.Expression(default), "table", "eval"), dict(names))
                    self.assertEqual(actual[parameter].default, value, parameter)

    def test_methods_of_tensors_take_their_parameters_by_name(self):
        for name, text in TABLE["nki.language.NkiTensor"].items():
            method = getattr(nki.language.NkiTensor, name)
            for parameter, _ in parameters(text)[1:]:
                with self.subTest(f"NkiTensor.{name}"):
                    self.assertIn(f"{parameter}: ", method.__doc__)

    def test_the_table_is_that_of_the_stubs(self):
        folder = os.environ.get("NKI_STUBS")
        if not folder:
            self.skipTest("NKI_STUBS names no folder with the annotated stubs")
        tool = pathlib.Path(__file__).with_name("api_table.py")
        self.assertEqual(subprocess.run([sys.executable, tool, folder], stdout=subprocess.PIPE).stdout, b"")


class Names(unittest.TestCase):
    def run_python(self, code, **environment):
        return subprocess.run([sys.executable, "-c", code], env={**os.environ, **environment}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def test_modules_exist_once_under_both_names(self):
        code = ("import neuronify_nki, nki.language._types, nki.isa.constants, nki.typing, nki.dtype, nki.collectives\n"
                "import neuronify_nki.language._types as own\n"
                "print(nki is neuronify_nki, nki.language._types is own, nki.isa is neuronify_nki.isa)")
        self.assertEqual(self.run_python(code), "True True True\n")

    def test_an_installed_sdk_keeps_its_name(self):
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder) / "nki"
            package.mkdir()
            (package / "__init__.py").write_text("real = True\n")
            (package / "language.py").write_text("real = True\n")
            path = os.pathsep.join([os.environ["PYTHONPATH"], folder])
            code = "import neuronify_nki, nki, nki.language; print(nki.real, nki.language.real, neuronify_nki.isa.engine)"
            self.assertEqual(self.run_python(code, PYTHONPATH=path), "True True <enum 'engine'>\n")


if __name__ == "__main__":
    unittest.main()
