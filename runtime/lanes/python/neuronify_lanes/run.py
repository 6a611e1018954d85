"""Runs ported kernels on NumPy arrays. Host code: ordinary Python, no part of any kernel."""

import importlib
import pathlib
import sys

import numpy as np

import nki

from . import run_command, run_memory, run_textures
from .run_memory import Memory  # noqa: F401  (for users of this module)
from .run_textures import Texture  # noqa: F401  (for users of this module)


class Parameter:
    """One argument of an NKI kernel, and where the original's launch has it."""

    def __init__(self, form, name, type, argument=-1, offset=0, symbol="", size=0):
        self.form = form
        self.name = name
        self.type = np.dtype(type)
        self.argument = argument
        self.offset = offset
        self.symbol = symbol
        self.size = size


def array(name, type, argument, offset=0):
    """A pointer: a NumPy array, which the kernel writes in place, or None. (array, 5) points to its
    element 5, so that the kernel may look at those before that."""
    return Parameter("array", name, type, argument, offset)


def number(name, type, argument, offset=0):
    """A structural scalar: a Python number, a new value of which means a new compilation."""
    return Parameter("number", name, type, argument, offset)


def bits(name, type, argument, offset=0):
    """A float of which the kernel uses the bits: a structural integer."""
    return Parameter("bits", name, type, argument, offset)


def scalar(name, type, argument, offset=0):
    """A data scalar: a tensor of one element."""
    return Parameter("scalar", name, type, argument, offset)


def memory(name):
    """All memory that addresses are of: a Memory."""
    return Parameter("memory", name, "uint8")


def address(name, type, argument=-1, offset=0, symbol=""):
    """A pointer of a kernel that has memory: a NumPy array in that, an address, or None."""
    return Parameter("address", name, type, argument, offset, symbol)


def texture(name, argument=-1, offset=0, symbol=""):
    """A texture or surface, or a reference to one: a Texture, or None."""
    return Parameter("texture", name, "uint8", argument, offset, symbol)


def symbol(name, type, mangled):
    """A variable of the device."""
    return Parameter("symbol", name, type, symbol=mangled)


def copied(name, type, argument, size):
    """A struct by value of which lanes read elements of their own."""
    return Parameter("copied", name, type, argument, size=size)


def words(name, argument, size):
    """A struct by value, of which the host knows which numbers are read: its 32-bit words."""
    return Parameter("words", name, "uint32", argument, size=size)


def _words(raw):
    """The bytes of an object as a list of 32-bit words; the last one may be partial."""
    raw = bytes(raw)
    return [int(w) for w in np.frombuffer(raw + bytes(-len(raw) % 4), np.uint32)]


def _dim(value):
    value = (value,) if isinstance(value, int) else tuple(value)
    if len(value) > 3 or not all(
        isinstance(extent, int) and extent > 0 for extent in value
    ):
        raise ValueError(
            f"grids and blocks have one to three positive extents, not {value}"
        )
    return value + (1,) * (3 - len(value))


def _as_memory(name, values, type):
    """The array as a list of elements that the chip has: 64-bit ones are pairs of 32 bits. With a
    number of elements, a pointer so far behind its start."""
    if values is None:
        return None
    if isinstance(values, tuple):
        if len(values) != 2 or not isinstance(values[1], (int, np.integer)):
            raise TypeError(f"{name} is an array, or an array and a number of elements")
        memory = _as_memory(name, values[0], type)
        step = values[0].dtype.itemsize // memory.dtype.itemsize
        return memory, int(values[1]) * step
    if not isinstance(values, np.ndarray) or not values.flags.c_contiguous:
        raise TypeError(f"{name} is a contiguous NumPy array, or None")
    # Elements of structs come as bytes; bits may be any type of their size.
    bits = values.dtype.kind in "iu" and values.dtype.itemsize == type.itemsize
    if not values.dtype.isnative or (
        values.dtype != type and type != np.uint8 and not bits
    ):
        raise TypeError(f"{name} has elements of {type}, not of {values.dtype.str}")
    if values.size == 0:
        raise ValueError(f"{name} has no elements")
    flat = values.reshape(-1)
    return flat.view(np.int32) if type.itemsize == 8 else flat.view(type)


def _number(name, value, type):
    """A number that the type can hold as it is."""
    if not np.isscalar(value) or isinstance(value, str):
        kind = "an array" if isinstance(value, np.ndarray) else repr(value)
        raise TypeError(f"{name} is a number ({type}), not {kind}")
    if type.kind == "b":
        return bool(value)
    if type.kind == "f":
        return float(type.type(value))
    if value != value or abs(value) == float("inf") or int(value) != value:
        raise TypeError(f"{name} is an integer, not {value}")
    limits = np.iinfo(type)
    if not limits.min <= value <= limits.max:
        raise ValueError(f"{name} is from {limits.min} to {limits.max}, not {value}")
    return int(value)


class Kernel:
    """A ported kernel as a function of NumPy arrays and numbers.

    >>> saxpy(n=1000, a=2.0, x=x, y=y, grid_dim=4, block_dim=256)
    """

    def __init__(self, kernel, mangled, source, parameters, precise_math=False):
        self.kernel = kernel
        self.name = kernel.__name__
        self.mangled = mangled
        self.source = source
        self.parameters = parameters
        self.precise_math = precise_math

    def _argument(self, parameter, value):
        if parameter.form in ("array", "symbol", "copied"):
            return _as_memory(parameter.name, value, parameter.type)
        if parameter.form == "words":
            return _words(value)
        if parameter.form == "scalar":
            if parameter.type.kind != "f" or not isinstance(value, np.generic):
                value = _number(parameter.name, value, parameter.type)
            narrow = parameter.type == np.float64  # which the chip does not have
            return np.array([value], np.float32 if narrow else parameter.type)
        if parameter.form == "bits":
            return int(
                np.array(value, parameter.type).view(f"i{parameter.type.itemsize}")
            )
        return _number(parameter.name, value, parameter.type)

    def arguments(self, values):
        """The kernel's arguments by position, from values by name."""
        missing = [p.name for p in self.parameters if p.name not in values]
        unknown = values.keys() - {p.name for p in self.parameters}
        if missing or unknown:
            raise TypeError(
                f"{self.name} takes {', '.join(p.name for p in self.parameters)}; "
                f"missing: {', '.join(missing) or 'none'}, unknown: {', '.join(sorted(unknown)) or 'none'}"
            )
        result = []
        for p in self.parameters:
            if p.form == "texture":
                result += run_textures.arguments_of(p.name, values[p.name])
            elif p.form == "memory":
                result += run_memory.arguments_of(p.name, values[p.name])
            elif p.form == "address":
                memory = next(
                    values[m.name] for m in self.parameters if m.form == "memory"
                )
                result.append(run_memory.address_of(p.name, values[p.name], memory))
            else:
                result.append(self._argument(p, values[p.name]))
        return result

    def _call(
        self, run, grid_dim, block_dim, dynamic_shared_bytes, precise_math, values
    ):
        if precise_math is None:
            precise_math = self.precise_math
        return run(
            *self.arguments(values),
            grid_dim=_dim(grid_dim),
            block_dim=_dim(block_dim),
            dynamic_shared_bytes=dynamic_shared_bytes,
            precise_math=precise_math,
        )

    def _on(self, cores):
        """The kernel on one core or on both of a logical core, which share independent waves."""
        if cores not in (1, 2):
            raise ValueError(f"a logical core has 1 or 2 cores, not {cores}")
        return self.kernel if cores == 1 else self.kernel[2]

    def __call__(
        self,
        /,
        grid_dim,
        block_dim,
        dynamic_shared_bytes=0,
        precise_math=None,
        cores=1,
        **values,
    ):
        """Runs a launch. Arrays are changed in place; results are what the kernel returns."""
        kernel = self._on(cores)
        run = nki.simulate(kernel) if hasattr(nki, "simulate") else kernel
        return self._call(
            run, grid_dim, block_dim, dynamic_shared_bytes, precise_math, values
        )

    def profile(
        self,
        /,
        grid_dim,
        block_dim,
        dynamic_shared_bytes=0,
        precise_math=None,
        cores=1,
        **values,
    ):
        """The predicted timeline of a launch (neuronify's nki only)."""
        run = nki.profile(self._on(cores))
        return self._call(
            run, grid_dim, block_dim, dynamic_shared_bytes, precise_math, values
        )


def main(names):
    """The command line of a runner: names are its globals."""
    run_command.main({k.name: k for k in names.values() if isinstance(k, Kernel)})


# ---- launches of a ported program that runs side by side --------------------------------------------


def find_kernels(folder):
    """All kernels of the runners in a folder, by mangled name and source."""
    sys.path.insert(0, str(folder))
    kernels = {}
    for path in sorted(pathlib.Path(folder).glob("*_nki_run.py")):
        module = importlib.import_module(path.stem)
        for value in vars(module).values():
            if isinstance(value, Kernel):
                kernels[f"{value.mangled} {value.source}"] = value
    return kernels


def _pointer(memory, start, type):
    """A pointer into an allocation, with what lies before it where that has whole elements."""
    size = type.itemsize
    before = 0 if start % size else start
    memory = memory[start - before :]
    array = memory[: len(memory) // size * size].view(type)
    return (array, before // size) if before else array


class _Request:
    """One launch, as lines of text: runtime/host/nki_side.cpp writes them."""

    def __init__(self, kernel, words):
        self.kernel = kernel
        numbers = [int(word) for word in words]
        self.grid, self.block = numbers[0:3], numbers[3:6]
        self.shared, self.precise = numbers[6], numbers[7] != 0
        self.files = {}
        self.memories = {}
        self.values = []

    def memory(self, number, size, path, offset):
        """An allocation: a file, or a part of one that has all allocations."""
        if path not in self.files:
            self.files[path] = np.memmap(path, np.uint8, "r+")
        start = int(offset)
        self.memories[number] = self.files[path][start : start + int(size)]

    def add(self, words):
        parameter = self.kernel.parameters[len(self.values)]
        if words[0] == "null":
            self.values.append(None)
        elif words[0] == "texture":
            memory = self.memories[words[1]][int(words[2]) :]
            self.values.append(
                run_textures.from_description(memory, bytes.fromhex(words[3]))
            )
        elif words[0] == "stretches":
            self.values.append(
                run_memory.from_stretches(
                    self.files[words[1]], [int(number) for number in words[2:]]
                )
            )
        elif words[0] == "address":
            self.values.append(int(words[1]))
        elif words[0] == "at":
            self.values.append(
                _pointer(self.memories[words[1]], int(words[2]), parameter.type)
            )
        else:
            raw = bytes.fromhex(words[1])
            if parameter.form == "words":
                self.values.append(raw)
            elif parameter.form == "copied":
                self.values.append(np.frombuffer(raw, parameter.type).copy())
            else:
                self.values.append(np.frombuffer(raw, parameter.type)[0])

    def run(self):
        names = [parameter.name for parameter in self.kernel.parameters]
        self.kernel(
            self.grid,
            self.block,
            self.shared,
            self.precise or None,
            **dict(zip(names, self.values)),
        )
        for memory in self.files.values():
            memory.flush()


def serve(folder):
    """Answers requests on standard input until it ends. First it tells what each kernel takes."""
    kernels = find_kernels(folder)
    answer = sys.stdout
    sys.stdout = sys.stderr  # what kernels print is no answer
    for kernel in kernels.values():
        print("kernel", kernel.mangled, kernel.source, file=answer)
        for p in kernel.parameters:
            size = p.size or p.type.itemsize
            print(
                "parameter", p.form, p.argument, p.offset, size, p.symbol, file=answer
            )
    print("ready", file=answer, flush=True)
    request = None
    for line in sys.stdin:
        words = line.split()
        try:
            if words[0] == "launch":
                source = line.split(maxsplit=10)[10].strip()
                request = _Request(kernels[f"{words[1]} {source}"], words[2:10])
            elif words[0] == "memory":
                request.memory(*words[1:])
            elif words[0] in ("null", "at", "bytes", "texture", "stretches", "address"):
                request.add(words)
            elif words[0] == "run":
                request.run()
                print("done", file=answer, flush=True)
        except Exception as error:  # noqa: BLE001  (told to the program that asked)
            text = " ".join(f"{type(error).__name__}: {error}".split())
            print("error", text, file=answer, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
