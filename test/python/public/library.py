"""nki-library's own tests, as cases: their inputs, their references and their tolerances."""

import builtins
import importlib
import inspect
import os
import types

import numpy as np

from .harness import as_array, case, library


class Manager:
    """Runs what a test hands over on the chip model, and keeps the pairs to compare."""

    def __init__(self, cores=None, platform=None):
        self.cores, self.platform = cores, platform
        self.trace_mode = None
        self.pairs = []

    def execute(self, args):
        compiler = args.compiler_input
        os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"] = self.platform or compiler.platform_target.get_compile_target()
        inputs = {}
        for name, value in args.kernel_input.items():
            name = name.removesuffix(".must_alias_input")
            inputs[name] = value.copy() if isinstance(value, np.ndarray) else value
        cores = self.cores or compiler.logical_nc_config
        kernel = args.kernel_func
        if not hasattr(kernel, "func"):
            import nki
            kernel = nki.jit(kernel)
        result = kernel[cores](**inputs)
        golden = args.validation_args.golden_output
        golden = golden if isinstance(golden, dict) else golden.golden
        self.compare(result, golden, inputs, args.validation_args)

    def compare(self, result, golden, inputs, validation):
        results = list(result.values()) if isinstance(result, dict) else result
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        results = [r for r in results if r is not None]
        if len(results) < len(golden) and all(isinstance(inputs.get(name), np.ndarray) for name in golden):
            results = [inputs[name] for name in golden]
        if len(results) < len(golden):
            raise ValueError(f"{len(results)} results, {len(golden)} expected")
        for actual, (name, expected) in zip(results, golden.items()):
            if hasattr(expected, "validator"):
                shape = expected.output_ndarray.shape
                passed = expected.validator(logfile=None).validate(np.asarray(actual).reshape(shape))
                self.pairs.append((np.float32(passed), np.float32(1), 0, 0))
            else:
                self.pairs.append((actual, as_array(expected), validation.relative_accuracy,
                                   validation.absolute_accuracy))


def find(checkout, module, name):
    """A test function or method, "Class.method"."""
    library(checkout)
    if not hasattr(builtins, "Platforms"):  # one of the test modules uses the name without importing it
        builtins.Platforms = importlib.import_module("test.utils.common_dataclasses").Platforms
    found = importlib.import_module(f"test.integration.nkilib.{module}")
    owner, _, method = name.rpartition(".")
    return getattr(getattr(found, owner)(), method) if owner else getattr(found, name)


def run_test(function, cores=None, platform=None, **arguments):
    """The pairs that one run of a test compares."""
    manager = Manager(cores, platform)
    platforms = builtins.Platforms
    compiler = importlib.import_module("test.utils.common_dataclasses").CompilerArgs
    known = {"compiler_args": compiler(logical_nc_config=cores, platform_target=platforms(platform or "trn2")),
             "test_manager": manager, "collector": None, "request": None, "is_negative_test_case": False,
             "is_negative_test": False, "platform_target": platforms(platform or "trn2")}
    wanted = inspect.signature(function).parameters
    known = {name: value for name, value in known.items() if name in wanted}
    function(**{**known, **arguments})
    return manager.pairs


def dimensions(**tensors):
    """What the library's tests of ranges call a test case, with these sizes."""
    return types.SimpleNamespace(test_type="manual", tensors=tensors, is_negative_test_case=False, additional_params={})


def named(module, name):
    """A name of nki-library, once its cases run."""
    return getattr(importlib.import_module(f"nkilib_src.nkilib.{module}"), name)


def named_test(module, name):
    """The same of its tests."""
    return getattr(importlib.import_module(f"test.integration.nkilib.{module}"), name)


def parametrized(function, choice):
    """Arguments of one of the parameter sets that the test itself lists: of each list its element number `choice`,
    or its last one where it has fewer."""
    arguments = {}
    for mark in getattr(function, "pytestmark", []):
        if mark.name != "parametrize":
            continue
        names = mark.args[0]
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
        values = list(mark.args[1])
        chosen = values[min(choice, len(values) - 1)]
        chosen = getattr(chosen, "values", chosen) if not isinstance(chosen, dict) else chosen
        arguments.update(zip(names, chosen if len(names) > 1 or isinstance(chosen, (tuple, list)) else [chosen]))
    return arguments


def library_case(number, label, module, name, *choices, **fixed):
    """A case of one test of nki-library with each of `choices`: the number of a parameter set that the test lists, or
    a predicate that finds one, or a dictionary of arguments; alone, or with a dictionary of what is changed."""

    @case(number, label, "library")
    def run(checkout):
        for choice in choices or ({},):
            function = find(checkout, module, name)
            number, changed = choice if isinstance(choice, tuple) else (choice, {})
            if callable(number) and not inspect.signature(number).parameters:
                number = number()
            elif callable(number):
                number = next(i for i in range(1000) if number(parametrized(function, i)))
            chosen = parametrized(function, number) if isinstance(number, int) else number
            yield from run_test(function, **{**chosen, **fixed, **changed})
