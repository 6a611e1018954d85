"""Cases of public_kernels.py: registering, loading code of a checkout, comparing."""

import dataclasses
import importlib
import importlib.util
import re
import runpy
import sys
import types
from typing import Callable

import ml_dtypes  # noqa: F401  (registers types by name)
import numpy as np

import neuronify_nki  # noqa: F401  (makes `nki` importable)

from . import neuron_dtypes


@dataclasses.dataclass
class Case:
    number: int
    name: str
    source: str
    run: Callable  # of the checkout's folder; gives (actual, expected[, rtol[, atol]])


_cases = []


def case(number, name, source):
    """Registers a generator of pairs as the case of a kernel."""

    def register(function):
        _cases.append(Case(number, name, source, function))
        return function

    return register


def cases():
    from . import documentation, library_cases  # noqa: F401
    return sorted(_cases, key=lambda c: c.number)


def as_array(value):
    if hasattr(value, "detach"):
        value = value.detach().float().numpy() if value.is_floating_point() else value.detach().numpy()
    return np.asarray(value)


def error_of(actual, expected, rtol=2e-2, atol=1e-5):
    """The largest difference in units of what is tolerated: atol + rtol * max|expected|."""
    actual, expected = as_array(actual), as_array(expected)
    if actual.shape != expected.shape:
        raise ValueError(f"shape {actual.shape}, expected {expected.shape}")
    if actual.dtype.names:
        actual = actual.view(np.uint8)
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    if not np.array_equal(np.isnan(actual), np.isnan(expected)):
        return np.inf
    both = np.isfinite(expected) & np.isfinite(actual)
    if not np.array_equal(actual[~both], expected[~both], equal_nan=True):
        return np.inf
    if not both.any():
        return 0.0
    largest = np.abs(expected[both]).max()
    return float(np.abs(actual[both] - expected[both]).max() / (atol + rtol * largest + 1e-300))


# ---- loading ------------------------------------------------------------------------------------


def script(path, **stubs):
    """The names that a file defines; modules of `stubs` stand for ones that it imports."""
    with stubbed(stubs):
        return runpy.run_path(str(path), run_name="public_kernel")


class stubbed:
    """While it is open, the given modules are importable."""

    def __init__(self, modules):
        self.modules = modules

    def __enter__(self):
        self.saved = {name: sys.modules.get(name) for name in self.modules}
        for name, module in self.modules.items():
            sys.modules[name] = module or anything(name)

    def __exit__(self, *error):
        for name, module in self.saved.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


class anything(types.ModuleType):
    """A module that has every name."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return anything(name)

    def __call__(self, *args, **kwargs):
        return self

    def __getitem__(self, key):
        return self


class _Missing:
    """Modules of the given packages, which are not installed, as `anything`."""

    def __init__(self, *packages):
        self.packages = packages

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in self.packages:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return anything(spec.name)

    def exec_module(self, module):
        pass


def code_blocks(path):
    """The Python code blocks of a reStructuredText file."""
    blocks, lines = [], path.read_text().split("\n")
    at = 0
    while at < len(lines):
        start = re.match(r"(\s*)\.\. code-block:: python", lines[at])
        at += 1
        if not start:
            continue
        block = []
        while at < len(lines) and (not lines[at].strip() or
                                   len(lines[at]) - len(lines[at].lstrip()) > len(start[1])):
            block.append(lines[at])
            at += 1
        indent = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
        blocks.append("\n".join(line[indent:] for line in block))
    return blocks


def run_text(text, folder, name):
    """Defines what `text` holds, as a file, since errors and inspection read it."""
    path = folder / f"{name}.py"
    path.write_text(text)
    return runpy.run_path(str(path), run_name="public_kernel")


class _Library:
    """nki-library without its own __init__, which imports everything, and with the module repaired that has a
    syntax error: the end of a docstring stands there twice."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        if name == "nkilib_src.nkilib":
            spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(self.folder)]
            return spec
        if name == "nkilib_src.nkilib.core.mlp.mlp":
            path = str(self.folder / "core/mlp/mlp.py")
            return importlib.util.spec_from_file_location(name, path, loader=_Repaired(name, path))
        return None


class _Repaired(importlib.machinery.SourceFileLoader):
    def source_to_code(self, data, path, *, _optimize=-1):
        try:
            return super().source_to_code(data, path, _optimize=_optimize)
        except IndentationError as error:
            lines = data.decode().split("\n")
            end = lines.index('    """', error.lineno - 1)
            for at in range(error.lineno - 1, end + 1):
                lines[at] = ""
            return super().source_to_code("\n".join(lines).encode(), path, _optimize=_optimize)


def library(checkout):
    """nki-library's modules by name: library(checkout)("core.cumsum.cumsum")."""
    folder = checkout / "src/nkilib_src/nkilib"
    if not any(isinstance(f, _Library) for f in sys.meta_path):
        sys.meta_path.insert(0, _Library(folder))
        # What its tests import beside it and does not come with it.
        sys.meta_path.append(_Missing("aws_embedded_metrics", "boto3", "botocore", "fabric", "fabric2", "neuronxcc",
                                      "plotext"))
        sys.modules["neuron_dtypes"] = neuron_dtypes
        for name in ("metrics_collector", "output_validator", "test_orchestrator"):
            sys.modules[f"test.utils.{name}"] = anything(f"test.utils.{name}")
        sys.path[:0] = [str(checkout), str(checkout / "src")]
    return lambda name: importlib.import_module(f"nkilib_src.nkilib.{name}")
