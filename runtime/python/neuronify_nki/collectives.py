"""nki.collectives: operations between ranks."""

from dataclasses import dataclass

from . import _api
from ._objects import NKIObject


@dataclass
class ReplicaGroup(NKIObject):
    """Groups of ranks that take part in a collective operation."""

    groups: list = None
