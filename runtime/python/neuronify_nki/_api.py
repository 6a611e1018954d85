"""Signatures of NKI's public functions, from api.json, which the tests hold against the stubs."""

import ast
import inspect
import json
import pathlib

TABLE = json.loads((pathlib.Path(__file__).parent / "api.json").read_text())

#: Arguments of earlier releases that published kernels still pass: accepted with a warning.
TOLERATED = {
    "tensor_copy": ("dtype",),
    "scalar_tensor_tensor": ("dtype",),
    "tensor_scalar": ("dtype",),
    "tensor_tensor": ("dtype",),
    "activation": ("dtype",),
    "nc_transpose": ("dtype",),
    "tensor_reduce": ("dtype",),
}


def signature(text, names):
    """An inspect.Signature of "x, axis=0, *more"; defaults are evaluated in `names`."""
    arguments = ast.parse(f"def f({text}): pass").body[0].args
    required = len(arguments.args) - len(arguments.defaults)
    parameters = []
    for i, argument in enumerate(arguments.args):
        default = inspect.Parameter.empty
        if i >= required:
            expression = ast.Expression(arguments.defaults[i - required])
            default = eval(compile(expression, "<api.json>", "eval"), dict(names))
        parameters.append(inspect.Parameter(argument.arg, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                            default=default))
    if arguments.vararg:
        parameters.append(inspect.Parameter(arguments.vararg.arg, inspect.Parameter.VAR_POSITIONAL))
    if arguments.kwarg:
        parameters.append(inspect.Parameter(arguments.kwarg.arg, inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(parameters)
