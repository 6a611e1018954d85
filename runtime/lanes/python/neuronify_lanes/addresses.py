"""Memory by address: pointers that kernels load from memory, store, or compute with.

All memory that a pointer may point to is one tensor then, and pointers are numbers. No instruction
takes a 64-bit address; an indirect transfer takes the number of an element of one tensor, which is
the distance from its start.
"""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from . import index, wide
from .integers import isub
from .places import Place, place_of
from .tiles import is_number, like


class Memory(NKIObject):
    """`tensor` has the bytes of one or several stretches of address space, in order: from address
    starts[k] on they are at bases[k]."""

    def __init__(self, tensor, starts, bases):
        self.tensor = tensor
        self.starts = starts
        self.bases = bases


def whole_memory(tensor, stretches):
    """The memory of a kernel's arguments: uint8 {N}, and for each stretch its first address and where
    that is in the tensor."""
    starts = []
    bases = []
    for k in range(0, len(stretches), 2):
        starts.append(stretches[k])
        bases.append(stretches[k + 1])
    return Memory(tensor, starts, bases)


def _offset(memory, address):
    """Where an address is in the tensor."""
    found = 0
    for k in range(1, len(memory.starts)):
        if address >= memory.starts[k]:
            found = k
    return address - memory.starts[found] + memory.bases[found]


def _offsets(memory, address):
    """The same of addresses that the launch knows per lane."""
    if len(memory.starts) == 1:
        return index.sub(address, memory.starts[0] - memory.bases[0], 64)
    table = []
    for p in range(index.row_count(address)):
        row = []
        for f in range(index.col_count(address)):
            row.append(_offset(memory, index.at(address, p, f)))
        table.append(row)
    return index.from_table(table)


def _shift(memory, k):
    return index.wrap(memory.starts[k] - memory.bases[k], 32)


def _of_lanes(memory, address):
    """Addresses on the chip: the low word of the distance is enough."""
    by = like(address.low, nl.int32)
    isub(by, address.low, _shift(memory, 0))
    for k in range(1, len(memory.starts)):
        beyond = like(address.low, nl.uint32)
        moved = like(address.low, nl.int32)
        wide.compare(beyond, "uge", address, memory.starts[k])
        isub(moved, address.low, _shift(memory, k))
        nisa.tensor_copy_predicated(dst=by, src=moved, predicate=beyond)
    return Place("global", memory.tensor, 0, 1, by, 1)


def at_address(memory, address):
    """The place at an address: a number, launch-known per lane, or a 64-bit integer per lane. None
    for a null pointer that the launch knows."""
    if is_number(address):
        if address == 0:
            return None
        return Place("global", memory.tensor, _offset(memory, address), 1)
    if isinstance(address, index.Index):
        return Place("global", memory.tensor, _offsets(memory, address), 1)
    return _of_lanes(memory, address)


def address_of(memory, pointer):
    """The address of a pointer argument, as a number."""
    if pointer == None:  # noqa: E711
        return 0
    place = place_of(pointer)
    offset = place.offset * place.unit
    found = 0
    for k in range(1, len(memory.starts)):
        if offset >= memory.bases[k]:
            found = k
    return offset - memory.bases[found] + memory.starts[found]
