"""nki.isa: one function per instruction. Signatures come from api.json, semantics from the model."""

import enum
import inspect
import pathlib

from .. import _api, _chip
from .._objects import NkiInstruction, NKIObject  # noqa: F401
from ..language import _operators

NkiTensor = _chip.NkiTensor
VirtualRegister = _chip.VirtualRegister


class engine(enum.Enum):
    """Engines of a core."""

    unknown = 0
    tensor = 1
    scalar = 2
    gpsimd = 3
    dma = 4
    vector = 5
    sync = 6


class reduce_cmd(enum.Enum):
    """What an instruction does with its engine's accumulator registers."""

    idle = 0
    reset = 1
    reduce = 2
    reset_reduce = 3
    load_reduce = 4


class dge_mode(enum.Enum):
    """Who makes the descriptors of a transfer."""

    unknown = 0
    swdge = 1
    hwdge = 2
    none = 3


class oob_mode(enum.Enum):
    """What happens to a transfer whose dynamic index is out of bounds."""

    error = 0
    skip = 1


class matmul_perf_mode(enum.Enum):
    """Performance modes of the matrix product."""

    none = "none"
    double_row = "double_row"


class nc_version(enum.IntEnum):
    """Versions of the NeuronCore, in their order."""

    gen2 = 2
    gen3 = 3
    gen4 = 4


class dma_engine(enum.Enum):
    """Who exchanges data between cores."""

    dma = 1
    gpsimd_dma = 2


class NkiValidationError(Exception):
    """A rule of the chip or of NKI was broken. The text starts with the kernel's file and line."""


tensor_engine = engine.tensor
vector_engine = engine.vector
scalar_engine = engine.scalar
gpsimd_engine = engine.gpsimd
unknown_engine = engine.unknown


def _register():
    package = str(pathlib.Path(__file__).parents[1]) + "/"
    _chip.register_error(NkiValidationError, package)
    for kind in (engine, reduce_cmd, dge_mode, oob_mode, dma_engine):
        for member in kind:
            _chip.register_member(kind.__name__, member.name, member.value, member)
    for number, member in enumerate(matmul_perf_mode):
        _chip.register_member("matmul_perf_mode", member.name, number, member)


def _make_instructions():
    names = {**globals(), **_operators.OPERATORS, "Ellipsis": ...}
    done = NkiInstruction()
    for name, text in _api.TABLE["nki.isa"].items():
        signature = _api.signature(text, names)
        parameters = tuple(signature.parameters)
        defaults = tuple(_chip.required if p.default is inspect.Parameter.empty else p.default
                         for p in signature.parameters.values())
        made = _chip.make_instruction(name, parameters, defaults, _api.TOLERATED.get(name, ()), done)
        if made is not None:
            made.__signature__ = signature
            made.__module__ = __name__
            globals()[name] = made


_register()
_make_instructions()


def get_nc_version():
    """The version of the core that the kernel runs on."""
    from .._launch import target_facts
    version = _chip.core_version() if _chip.is_running() else target_facts()["core_version"]
    return nc_version(version)


def get_nc_sub_version():
    """The revision of the core: the model has one of each version."""
    return 0


def register_alloc(x=None):
    """A new register, with a value if `x`, an integer, a register or a one-element tensor, is given."""
    return _chip.register_alloc(x)
