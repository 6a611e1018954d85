"""The command line of runners. Host code: ordinary Python, no part of any kernel."""

import argparse
import ast
import pathlib
import sys

import numpy as np

KINDS = {
    "array": "NAME.npy with {0} elements, or None",
    "symbol": "NAME.npy with {0} elements, a variable of the device",
    "number": "{0} number",
    "scalar": "{0} number",
    "copied": "NAME.npy with the {1} bytes of a struct",
    "words": "NAME.npy with the {1} bytes of a struct",
    "texture": "None; a texture from Python only",
    "memory": "from Python only",
    "address": "None, or an address",
}


def parameter_text(parameter):
    """What a parameter is, in a line of the help text."""
    kind = KINDS[parameter.form].format(parameter.type, parameter.size)
    return f"    {parameter.name}=  {kind}"


def _epilog(kernels):
    """The parameters of all kernels, or of those that the command line names."""
    named = [name for name in sys.argv[1:] if name in kernels]
    lines = ["kernels and what they take:"]
    for name in named or kernels:
        lines.append(f"  {name}  ({kernels[name].source})")
        lines += [parameter_text(p) for p in kernels[name].parameters]
    return "\n".join(lines)


def _value(name, text):
    """x.npy is an array; everything else a Python literal: 5, 2.5, None."""
    if text.endswith(".npy"):
        try:
            return np.load(text)
        except (OSError, ValueError) as error:
            raise ValueError(f"{name}: cannot read {text}: {error}") from None
    if text.lower() in ("nan", "inf", "-inf"):
        return float(text)
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise ValueError(
            f"{name}: '{text}' is neither a number, None, nor a file NAME.npy"
        ) from None


def _extents(text):
    try:
        extents = tuple(int(part) for part in text.replace("x", ",").split(","))
    except ValueError:
        extents = ()
    if not 1 <= len(extents) <= 3 or min(extents) < 1:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not one to three positive numbers, as in 4 or 4x2x1"
        )
    return extents


def _parser(kernels):
    parser = argparse.ArgumentParser(
        description="Runs one launch of a ported kernel.",
        epilog=_epilog(kernels),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kernel", choices=sorted(kernels), metavar="KERNEL")
    parser.add_argument(
        "--grid", type=_extents, required=True, help="blocks: 4 or 4x2x1"
    )
    parser.add_argument(
        "--block", type=_extents, required=True, help="threads of a block"
    )
    parser.add_argument(
        "--shared", type=int, default=0, help="dynamic shared memory, bytes"
    )
    parser.add_argument("--precise-math", action="store_true")
    parser.add_argument(
        "--cores", type=int, default=1, choices=(1, 2), help="of the logical core"
    )
    parser.add_argument(
        "--profile", action="store_true", help="print the predicted timeline"
    )
    parser.add_argument(
        "--out", default="results", help="folder for NAME.npy of each array"
    )
    parser.add_argument(
        "--force", action="store_true", help="overwrite files in that folder"
    )
    parser.add_argument(
        "values", nargs="*", metavar="name=value", help="n=1000 x=x.npy"
    )
    return parser


def _values(items):
    values = {}
    for item in items:
        name, equals, text = item.partition("=")
        if not equals:
            raise ValueError(f"'{item}' is not name=value")
        if name in values:
            raise ValueError(f"{name} is given twice")
        values[name] = _value(name, text)
    return values


def main(kernels):
    """Runs what the command line says; `kernels` by name."""
    parser = _parser(kernels)
    line = parser.parse_intermixed_args()
    kernel = kernels[line.kernel]
    folder = pathlib.Path(line.out)
    try:
        values = _values(line.values)
        results = {
            folder / f"{name}.npy": value
            for name, value in values.items()
            if isinstance(value, np.ndarray)
        }
        for path in results:
            if path.exists() and not line.force:
                raise ValueError(
                    f"{path} exists; name another folder with --out, or use --force"
                )
        run = kernel.profile if line.profile else kernel
        result = run(
            line.grid,
            line.block,
            line.shared,
            line.precise_math or None,
            line.cores,
            **values,
        )
    except Exception as error:  # noqa: BLE001  (a kernel may stop for any reason)
        parser.error(str(error) or type(error).__name__)
    if line.profile:
        print(result)
    folder.mkdir(parents=True, exist_ok=True)
    for path, value in results.items():
        np.save(path, value)
