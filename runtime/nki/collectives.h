// nki.collectives: what the logical cores (ranks) of a chip do together.
//
// Every rank of a replica group calls, with lists of equal length, and all of its cores do. Tensors
// are in HBM, or one of each list in SBUF where it is said. Sums are made in fp32 in the order of
// ranks in their list, with one rounding at the end. `priority` is 0 to 3, from NeuronCore-v4 on.
// Errors are nki::Error; ranks that wait for different things are one.
//
// Source: the annotated stub nki/api/nki/collectives/__init__.py of the public Neuron
// documentation.
#pragma once

#include "nki/isa.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace nki::collectives {

using Op = language::Op;
using Tensors = std::span<const Tensor>;

/// Lists of ranks that work together. No rank is in two.
struct ReplicaGroup {
  std::vector<std::vector<int>> groups;
};

/// dsts = op over the ranks of srcs; op is add, minimum or maximum. HBM or SBUF.
void all_reduce(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group, Op op,
                std::optional<int> priority = {});
/// dsts = srcs of all ranks one after the other along `collective_dim`: 0, in SBUF also 1.
void all_gather(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group, int collective_dim,
                std::optional<int> priority = {});
/// dsts = this rank's part along `collective_dim` (0) of op over the ranks of srcs. HBM or SBUF.
void reduce_scatter(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group,
                    int collective_dim, Op op, std::optional<int> priority = {});
/// Part s of dsts = this rank's part of srcs of rank s, parts along `collective_dim` (0). HBM.
void all_to_all(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group, int collective_dim,
                std::optional<int> priority = {});

/// Each rank sends elements [displacement, displacement + count) of src to all. `metadata` is
/// uint32 {3, ranks} in HBM or {1, 3, ranks} in SBUF: count and displacement first in rows 0 and 1;
/// row 2 gets what was received from each rank, unless `recv_counts_known`. The chunk of rank s
/// goes to element s * (elements of dst / ranks). Lists have one HBM tensor; LNC 2 and four ranks.
void all_gather_v(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group,
                  const Tensor &metadata, bool recv_counts_known = false, bool has_rdispls = false,
                  std::optional<int> priority = {});
/// The same with a chunk for each rank: rows 0 and 1 have a column per receiver. With
/// `has_rdispls`, row 3 says where the chunk of each rank goes.
void all_to_all_v(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group,
                  const Tensor &metadata, bool recv_counts_known = false, bool has_rdispls = false,
                  std::optional<int> priority = {});

/// dst of each pair's target = src of its source, one HBM tensor per list. Who is no target keeps
/// its dst.
void collective_permute(Tensors srcs, Tensors dsts,
                        std::span<const std::pair<int, int>> source_target_pairs,
                        std::optional<int> priority = {});
/// Each rank sends to the one after it in its list, the last to the first: one tensor per channel.
void collective_permute_implicit(Tensors srcs_by_channel, Tensors dsts_by_channel,
                                 const ReplicaGroup &replica_group,
                                 std::span<const int> channel_ids = {},
                                 std::optional<int> priority = {});
/// The same with op(srcs0, srcs1) of each rank.
void collective_permute_implicit_reduce(Tensors srcs0_by_channel, Tensors srcs1_by_channel,
                                        Tensors dsts_by_channel, const ReplicaGroup &replica_group,
                                        Op op, std::span<const int> channel_ids = {},
                                        std::optional<int> priority = {});
/// The rank whose data a ring has brought here after `iteration_id` steps.
isa::Register collective_permute_implicit_current_processing_rank_id(
    int iteration_id, const ReplicaGroup &replica_group, int channel_id = 0);
/// The rank of the current core.
int rank_id();

} // namespace nki::collectives
