"""Data types and memory regions of nki.language."""

import enum

from .. import _chip, _dtypes

_dtypes.register()

__all__ = [*_dtypes.NUMPY, "bool"]

for _name in _dtypes.NUMPY:
    globals()[_name] = _chip.type_name(_name)
bool = bool_  # noqa: A001,F821


class MemoryRegion(enum.Enum):
    """Where tensors live."""

    sbuf = "sbuf"
    psum = "psum"
    private_hbm = "private_hbm"
    shared_hbm = "shared_hbm"


for _index, _region in enumerate(MemoryRegion):
    _chip.register_region(_index, _region)
