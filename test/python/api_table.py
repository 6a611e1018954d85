#!/usr/bin/env python3
"""The table of NKI's public functions (runtime/python/neuronify_nki/api.json) from the annotated stubs.

    api_table.py FOLDER          prints what differs between the table and the stubs in FOLDER
    api_table.py FOLDER --write  writes the table

FOLDER is nki/api/nki of a checkout of the public Neuron documentation. Only names, parameters and
defaults are taken.
"""

import ast
import json
import pathlib
import sys

TABLE = pathlib.Path(__file__).parents[2] / "runtime/python/neuronify_nki/api.json"
MODULES = {
    "nki": "__init__.py",
    "nki.isa": "isa/__init__.py",
    "nki.language": "language/__init__.py",
    "nki.collectives": "collectives/__init__.py",
}


def signature(function):
    """'x, axis=0, *more' without annotations."""
    arguments = function.args
    for argument in arguments.posonlyargs + arguments.args + arguments.kwonlyargs:
        argument.annotation = None
    for argument in (arguments.vararg, arguments.kwarg):
        if argument:
            argument.annotation = None
    return ast.unparse(arguments)


def read_stubs(folder):
    table = {}
    for module, path in MODULES.items():
        tree = ast.parse((pathlib.Path(folder) / path).read_text())
        functions = table.setdefault(module, {})
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                functions[node.name] = signature(node)
            elif isinstance(node, ast.ClassDef) and node.name == "NkiTensor":
                methods = table.setdefault("nki.language.NkiTensor", {})
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and not method.name.startswith("__"):
                        methods[method.name] = signature(method)
    return table


def main():
    stubs = read_stubs(sys.argv[1])
    if "--write" in sys.argv:
        TABLE.write_text(json.dumps(stubs, indent=1) + "\n")
        return 0
    table = json.loads(TABLE.read_text())
    different = 0
    for module in sorted(stubs.keys() | table.keys()):
        ours, theirs = table.get(module, {}), stubs.get(module, {})
        for name in sorted(ours.keys() | theirs.keys()):
            if ours.get(name) != theirs.get(name):
                print(f"{module}.{name}: table ({ours.get(name)}), stubs ({theirs.get(name)})")
                different += 1
    return min(different, 1)


if __name__ == "__main__":
    sys.exit(main())
