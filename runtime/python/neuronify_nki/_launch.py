"""Running kernels: nki.jit, nki.simulate, nki.profile."""

import copy
import dataclasses
import functools
import json
import os
import warnings

import numpy as np

from . import _chip, _dtypes
from ._objects import NKIObject
from .isa import NkiValidationError
from .language._types import MemoryRegion

_TARGETS = {"trn1": "trn1", "inf2": "trn1", "gen2": "trn1", "trn2": "trn2", "gen3": "trn2",
            "trn3": "trn3", "gen4": "trn3"}


def target():
    """The generation that kernels run on: NEURON_PLATFORM_TARGET_OVERRIDE, or trn3."""
    name = os.environ.get("NEURON_PLATFORM_TARGET_OVERRIDE", "trn3")
    return _TARGETS.get(name, name)


def target_facts():
    """Sizes of the generation."""
    return _facts(target())


@functools.lru_cache
def _facts(name):
    return _chip.generation_facts(name)


# ---- arguments and results ----------------------------------------------------------------------


def _is_torch(value):
    return type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "detach")


_TORCH_BITS = {"torch.bfloat16": "int16", "torch.float8_e4m3fn": "uint8", "torch.float8_e5m2": "uint8"}


def _from_torch(value):
    """An array over a torch tensor's memory."""
    value = value.detach().cpu().contiguous()
    kind = str(value.dtype)
    if kind not in _TORCH_BITS:
        return value.numpy()
    import torch
    bits = value.view(getattr(torch, _TORCH_BITS[kind])).numpy()
    return bits.view(_dtypes.NUMPY[kind.removeprefix("torch.")])


def _to_torch(array):
    import torch
    kind = f"torch.{array.dtype.name}"
    if kind in _TORCH_BITS:
        bits = torch.from_numpy(np.ascontiguousarray(array).view(_TORCH_BITS[kind]))
        return bits.view(getattr(torch, array.dtype.name))
    return torch.from_numpy(np.ascontiguousarray(array))


class _Arguments:
    """The arrays among a kernel's arguments as HBM tensors, wherever they are nested."""

    def __init__(self, region):
        self.region = region
        self.torch = False
        self._tensors = {}
        self._copied = []

    def convert(self, value):
        if isinstance(value, np.ndarray):
            return self._tensor(value, value)
        if _is_torch(value):
            self.torch = True
            return self._tensor(value, _from_torch(value))
        if type(value) in (list, tuple):
            return type(value)(self.convert(item) for item in value)
        if isinstance(value, dict):
            return {key: self.convert(item) for key, item in value.items()}
        if isinstance(value, NKIObject) and hasattr(value, "__dict__"):
            return self._object(value)
        if type(value).__module__.startswith("jax"):
            return self.convert(np.asarray(value))
        return value

    def _object(self, value):
        converted = {name: self.convert(item) for name, item in vars(value).items()}
        if all(converted[name] is item for name, item in vars(value).items()):
            return value
        made = copy.copy(value)
        for name, item in converted.items():
            object.__setattr__(made, name, item)
        return made

    def _tensor(self, key, array):
        if id(key) in self._tensors:
            return self._tensors[id(key)][0]
        used = array
        if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
            used = np.array(array, order="C")
            if array.flags.writeable:
                self._copied.append((array, used))
        tensor = _chip.from_array(used, used.dtype, self.region)
        self._tensors[id(key)] = (tensor, key)
        return tensor

    def finish(self):
        """What the kernel wrote into copies goes back to the originals."""
        for original, used in self._copied:
            original[...] = used

    def result(self, value):
        if isinstance(value, _chip.NkiTensor):
            if value.is_indirect():
                raise NkiValidationError(f"a kernel returned {value!r}, whose place is known only on the chip: copy it")
            array = _chip.to_array(value)
            return _to_torch(array) if self.torch else array
        if type(value) in (list, tuple):
            return type(value)(self.result(item) for item in value)
        if isinstance(value, dict):
            return {key: self.result(item) for key, item in value.items()}
        return value


# ---- running ------------------------------------------------------------------------------------


def _grid_size(grid):
    size = 1
    for extent in grid if isinstance(grid, (tuple, list)) else (grid,):
        size *= int(extent)
    return size


def _check_capacity():
    return os.environ.get("NEURONIFY_CHECK_CAPACITY", "1") != "0"


def _run(function, grid, args, kwargs, trace=False):
    """The result and the launch of one run; every core calls the function with the same arguments."""
    cores = _grid_size(grid) if grid is not None else 1
    launch = _chip.Launch(target(), cores, 1, trace, _check_capacity())
    arguments = _Arguments(MemoryRegion.shared_hbm if cores > 1 else MemoryRegion.private_hbm)
    args = arguments.convert(tuple(args))
    kwargs = arguments.convert(kwargs)
    results = _on_all_cores(launch, 0 if grid is None else cores, lambda core: function(*args, **kwargs))
    arguments.finish()
    return arguments.result(results[0]), launch


def _on_all_cores(launch, grid, call):
    """call(core) on every core; the first error of any is raised."""
    results, errors = [None] * launch.cores, []

    def body(core):
        try:
            results[core] = call(core)
        except BaseException as error:  # noqa: BLE001  (raised again below)
            errors.append(error)

    launch.run(body, grid)
    if errors:
        raise errors[0]
    return results


class Kernel:
    """A function that runs on the chip model. `kernel[n]` runs it on n cores."""

    def __init__(self, function, grid=None):
        self.func = function
        self.grid = grid
        functools.update_wrapper(self, function)

    def __getitem__(self, grid):
        return Kernel(self.func, grid)

    def __call__(self, *args, **kwargs):
        if _chip.is_running():  # a kernel that another one calls becomes part of it
            return self.func(*args, **kwargs)
        return _run(self.func, self.grid, args, kwargs)[0]

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)


_IGNORED = {"mode", "debug_kernel", "experimental_flags", "show_compiler_tb", "platform_target", "grid"}


def jit(fn=None, **kwargs):
    """Makes a kernel of a function, bare or with keywords."""
    unknown = kwargs.keys() - _IGNORED
    if unknown:
        warnings.warn(f"nki.jit: unknown keywords {sorted(unknown)} are ignored", stacklevel=2)
    if fn is None:
        return functools.partial(jit, **kwargs)
    return fn if isinstance(fn, Kernel) else Kernel(fn)


def simulate(kernel):
    """The kernel as a function of arrays that runs on the chip model."""
    made = jit(kernel)

    @functools.wraps(made.func)
    def run(*args, **kwargs):
        return _run(made.func, made.grid, args, kwargs)[0]

    return run


def run_ranks(kernel, arguments):
    """Runs the kernel on as many ranks (logical cores) as there are tuples of arguments; the results of all ranks.

    For kernels with nki.collectives; `kernel[2]` gives each rank two cores.
    """
    made = jit(kernel)
    cores = _grid_size(made.grid) if made.grid is not None else 1
    launch = _chip.Launch(target(), cores, len(arguments), False, _check_capacity())
    converters = [_Arguments(MemoryRegion.shared_hbm) for _ in arguments]
    tensors = [converter.convert(tuple(args)) for converter, args in zip(converters, arguments)]
    grid = 0 if made.grid is None else cores
    results = _on_all_cores(launch, grid, lambda core: made.func(*tensors[core // cores]))
    for converter in converters:
        converter.finish()
    return [converter.result(results[rank * cores]) for rank, converter in enumerate(converters)]


# ---- profiling ----------------------------------------------------------------------------------


@dataclasses.dataclass
class Profile:
    """What a run of a kernel would take on the chip, as the model predicts it."""

    result: object
    cores: list
    _launch: object = dataclasses.field(repr=False, default=None)

    @property
    def seconds(self):
        """From the first start to the last end, on the slowest core."""
        return max(core["seconds"] for core in self.cores)

    @property
    def instructions(self):
        return sum(core["instructions"] for core in self.cores)

    def save_trace(self, path):
        """Writes a trace for ui.perfetto.dev: a process per core, a track per engine."""
        events = ",\n".join(self._launch.events(i).rstrip().rstrip(",") for i in range(len(self.cores)))
        with open(path, "w") as file:
            file.write("{\"traceEvents\": [\n" + events + "\n]}\n")

    def events(self):
        """The trace's events as dictionaries."""
        texts = [self._launch.events(i).rstrip().rstrip(",") for i in range(len(self.cores))]
        return json.loads("[" + ",".join(text for text in texts if text) + "]")

    def __str__(self):
        """Time, engines, traffic, place in the roofline and critical path of each core, in words."""
        return "\n".join(f"core {index}: {core['report']}" for index, core in enumerate(self.cores)).rstrip()


def profile(kernel):
    """The kernel as a function of arrays that returns a Profile."""
    made = jit(kernel)

    @functools.wraps(made.func)
    def run(*args, **kwargs):
        result, launch = _run(made.func, made.grid, args, kwargs, trace=True)
        cores = _grid_size(made.grid) if made.grid is not None else 1
        return Profile(result, [launch.summary(i) for i in range(cores)], launch)

    return run
