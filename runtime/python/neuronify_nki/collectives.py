"""nki.collectives: what the ranks (logical cores) of a launch do together. See nki.run_ranks."""

from dataclasses import dataclass

from . import _chip
from ._objects import NKIObject

_calls = _chip.collectives


@dataclass
class ReplicaGroup(NKIObject):
    """Lists of ranks that work together. No rank is in two."""

    groups: list = None


def _groups(replica_group):
    return [list(group) for group in getattr(replica_group, "groups", replica_group)]


def _flat(by_channel):
    """The one tensor of each channel."""
    for tensors in by_channel:
        if len(tensors) != 1:
            raise ValueError(f"each channel has one tensor, not {len(tensors)}")
    return [tensors[0] for tensors in by_channel]


def all_reduce(srcs, dsts, replica_group, op, priority=None, name=None):
    """dsts = op over the ranks of srcs."""
    _calls.all_reduce(srcs, dsts, _groups(replica_group), op, priority)


def all_gather(srcs, dsts, replica_group, collective_dim, priority=None, name=None):
    """dsts = srcs of all ranks, one after the other along `collective_dim`."""
    _calls.all_gather(srcs, dsts, _groups(replica_group), collective_dim, priority)


def all_gather_v(srcs, dsts, replica_group, metadata_tensor, recv_counts_known=False, has_rdispls=False,
                 priority=None, name=None):
    """Every rank gets a chunk of each rank's src, as the metadata says."""
    _calls.all_gather_v(srcs, dsts, _groups(replica_group), metadata_tensor, recv_counts_known, has_rdispls, priority)


def reduce_scatter(srcs, dsts, replica_group, collective_dim, op, priority=None, name=None):
    """dsts = this rank's part of op over the ranks of srcs."""
    _calls.reduce_scatter(srcs, dsts, _groups(replica_group), collective_dim, op, priority)


def all_to_all(srcs, dsts, replica_group, collective_dim, priority=None, name=None):
    """Part s of dsts = this rank's part of srcs of rank s."""
    _calls.all_to_all(srcs, dsts, _groups(replica_group), collective_dim, priority)


def all_to_all_v(srcs, dsts, replica_group, metadata_tensor, recv_counts_known=False, has_rdispls=False,
                 priority=None, name=None):
    """Each rank sends chunks of different lengths to the others, as the metadata says."""
    _calls.all_to_all_v(srcs, dsts, _groups(replica_group), metadata_tensor, recv_counts_known, has_rdispls, priority)


def collective_permute(srcs, dsts, source_target_pairs, priority=None, name=None):
    """dst of each pair's target = src of its source."""
    _calls.collective_permute(srcs, dsts, [tuple(pair) for pair in source_target_pairs], priority)


def collective_permute_implicit(srcs_by_channel, dsts_by_channel, replica_group, channel_ids=[0], priority=None,
                                name=None):
    """Each rank sends to the next one of its ring."""
    _calls.collective_permute_implicit(_flat(srcs_by_channel), _flat(dsts_by_channel), _groups(replica_group),
                                       list(channel_ids), priority)


def collective_permute_implicit_reduce(srcs0_by_channel, srcs1_by_channel, dsts_by_channel, replica_group, op,
                                       channel_ids=[0], priority=None, name=None):
    """Each rank sends op(srcs0, srcs1) to the next one of its ring."""
    _calls.collective_permute_implicit_reduce(_flat(srcs0_by_channel), _flat(srcs1_by_channel),
                                              _flat(dsts_by_channel), _groups(replica_group), op, list(channel_ids),
                                              priority)


def collective_permute_implicit_current_processing_rank_id(iteration_id, replica_group, channel_id=0, name=None):
    """A register with the rank whose data a ring has brought here after `iteration_id` steps."""
    return _calls.current_processing_rank_id(iteration_id, _groups(replica_group), channel_id)


def rank_id(name=None):
    """The rank that this core belongs to."""
    return _calls.rank_id()
