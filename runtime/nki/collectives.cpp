#include "nki/collectives.h"

#include "nki/collective.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace nki::collectives {

namespace {

using Parts = std::span<const Part *const>;
using Writes = std::vector<Call::Write>;

std::string number(int value) { return std::to_string(value); }
std::string op_text(Op op) { return std::string(language::name_of(op)); }
bool in_sbuf(const Tensor &tensor) { return tensor.buffer() == Buffer::sbuf; }

/// Source `i` of all ranks.
std::vector<Bytes> read_all(const Call &call, Parts parts, size_t i) {
  std::vector<Bytes> values;
  for (const Part *part : parts) {
    call.require(part->srcs.size() == parts[0]->srcs.size() &&
                     part->srcs[i].dtype() == parts[0]->srcs[i].dtype() &&
                     part->srcs[i].size() == parts[0]->srcs[i].size(),
                 "all ranks must bring tensors of the same size and type");
    values.push_back(call.read(part->srcs[i]));
  }
  return values;
}

Bytes slice(const Bytes &bytes, size_t part, size_t parts) {
  const size_t size = bytes.size() / parts;
  return {bytes.begin() + long(part * size), bytes.begin() + long((part + 1) * size)};
}

/// Rows of several arrays side by side.
Bytes side_by_side(const std::vector<Bytes> &values, size_t rows) {
  Bytes result;
  for (size_t row = 0; row < rows; ++row)
    for (const Bytes &value : values) {
      const Bytes part = slice(value, row, rows);
      result.insert(result.end(), part.begin(), part.end());
    }
  return result;
}

} // namespace

void all_reduce(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group, Op op,
                std::optional<int> priority) {
  Call call("all_reduce", srcs, dsts);
  call.priority(priority);
  call.lists(true);
  call.reduction(op);
  call.sizes(1, 1);
  std::vector<int> ranks = call.ranks(replica_group);
  const double n = double(ranks.size());
  call.run(ranks, op_text(op), 2 * (n - 1) / n, 2 * int(n - 1), [&](Parts parts, Writes &writes) {
    for (size_t i = 0; i < srcs.size(); ++i) {
      const Bytes total = call.reduce(read_all(call, parts, i), srcs[i].dtype(), op);
      for (const Part *part : parts)
        writes.push_back({&part->dsts[i], total});
    }
  });
}

void all_gather(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group, int collective_dim,
                std::optional<int> priority) {
  Call call("all_gather", srcs, dsts);
  call.priority(priority);
  call.lists(true);
  call.require(collective_dim == 0 || (collective_dim == 1 && in_sbuf(srcs[0])),
               "collective_dim must be 0, in SBUF 0 or 1");
  std::vector<int> ranks = call.ranks(replica_group);
  const int n = int(ranks.size());
  call.sizes(n, 1);
  if (in_sbuf(srcs[0]))
    call.require(dsts[0].shape(1 - collective_dim) == srcs[0].shape(1 - collective_dim),
                 "dst must be as large as src but for collective_dim");
  call.run(ranks, number(collective_dim), n - 1, n - 1, [&](Parts parts, Writes &writes) {
    for (size_t i = 0; i < srcs.size(); ++i) {
      const Bytes all = side_by_side(read_all(call, parts, i),
                                     collective_dim == 1 ? size_t(srcs[i].shape(0)) : 1);
      for (const Part *part : parts)
        writes.push_back({&part->dsts[i], all});
    }
  });
}

void reduce_scatter(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group,
                    int collective_dim, Op op, std::optional<int> priority) {
  Call call("reduce_scatter", srcs, dsts);
  call.priority(priority);
  call.lists(true);
  call.reduction(op);
  call.require(collective_dim == 0, "collective_dim must be 0");
  std::vector<int> ranks = call.ranks(replica_group);
  const int n = int(ranks.size());
  call.sizes(1, n);
  for (const Tensor &src : srcs)
    call.require(src.shape(0) % n == 0, "dimension 0 of src must be a multiple of the ranks");
  call.run(ranks, op_text(op), double(n - 1) / n, n - 1, [&](Parts parts, Writes &writes) {
    for (size_t i = 0; i < srcs.size(); ++i) {
      const Bytes total = call.reduce(read_all(call, parts, i), srcs[i].dtype(), op);
      for (size_t r = 0; r < parts.size(); ++r)
        writes.push_back({&parts[r]->dsts[i], slice(total, r, parts.size())});
    }
  });
}

void all_to_all(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group, int collective_dim,
                std::optional<int> priority) {
  Call call("all_to_all", srcs, dsts);
  call.priority(priority);
  call.lists(false);
  call.require(collective_dim == 0, "collective_dim must be 0");
  call.sizes(1, 1);
  std::vector<int> ranks = call.ranks(replica_group);
  const int n = int(ranks.size());
  for (const Tensor &src : srcs)
    call.require(src.shape(0) % n == 0, "dimension 0 of src must be a multiple of the ranks");
  call.run(ranks, "", double(n - 1) / n, n - 1, [&](Parts parts, Writes &writes) {
    for (size_t i = 0; i < srcs.size(); ++i) {
      const std::vector<Bytes> values = read_all(call, parts, i);
      for (size_t r = 0; r < parts.size(); ++r) {
        Bytes mine;
        for (const Bytes &value : values) {
          const Bytes part = slice(value, r, parts.size());
          mine.insert(mine.end(), part.begin(), part.end());
        }
        writes.push_back({&parts[r]->dsts[i], mine});
      }
    }
  });
}

// ---- variable lengths ---------------------------------------------------------------------------

namespace {

/// The rows of a rank's metadata.
class Metadata {
public:
  Metadata(const Call &call, const Part &part, int64_t ranks)
      : values_(size_t(part.metadata->size())), ranks_(ranks) {
    const Bytes bytes = call.read(*part.metadata);
    std::memcpy(values_.data(), bytes.data(), bytes.size());
  }
  int64_t at(int row, size_t column) const { return values_[size_t(row * ranks_) + column]; }
  std::vector<uint32_t> &values() { return values_; }

private:
  std::vector<uint32_t> values_;
  int64_t ranks_;
};

void require_metadata(const Call &call, const Tensor &tensor, int64_t rows, int64_t ranks) {
  call.require(bool(tensor) && tensor.dtype() == DType::uint32 && tensor.is_contiguous() &&
                   !tensor.is_indirect(),
               "metadata_tensor is uint32 and contiguous");
  const bool on_chip = tensor.buffer() == Buffer::sbuf;
  call.require(on_chip || tensor.buffer() == Buffer::hbm, "metadata_tensor is in HBM or SBUF");
  const int first = on_chip ? 1 : 0;
  call.require(
      tensor.ndim() == first + 2 && (!on_chip || tensor.shape(0) == 1) &&
          tensor.shape(first) == rows && tensor.shape(first + 1) == ranks,
      "metadata_tensor is (rows, ranks) in HBM or (1, rows, ranks) in SBUF, with 3 rows or "
      "4 with has_rdispls");
}

/// Moves chunks: rank s sends [displacement, displacement + count) of its row pair's `column(r)` to
/// rank r.
void exchange_chunks(const Call &call, Parts parts, Writes &writes, bool per_receiver,
                     bool recv_counts_known, bool has_rdispls) {
  const size_t n = parts.size();
  std::vector<Metadata> metadata;
  std::vector<Bytes> values;
  for (const Part *part : parts) {
    metadata.emplace_back(call, *part, int64_t(n));
    values.push_back(call.read(part->srcs[0]));
  }
  const int64_t bytes = int64_t(size_of(parts[0]->srcs[0].dtype()));
  for (size_t r = 0; r < n; ++r) {
    const Tensor &dst = parts[r]->dsts[0];
    for (size_t s = 0; s < n; ++s) {
      const size_t column = per_receiver ? r : 0;
      const int64_t count = metadata[s].at(0, column), from = metadata[s].at(1, column);
      const int64_t slot = dst.size() / int64_t(n);
      const int64_t to = has_rdispls ? metadata[r].at(3, s) : slot * int64_t(s);
      if (from + count > parts[s]->srcs[0].size())
        call.fail("rank " + std::to_string(s) + " of the list sends elements " +
                  std::to_string(from) + " to " + std::to_string(from + count) +
                  ", which its src does not have");
      if (to + count > dst.size() || (!has_rdispls && count > slot))
        call.fail("the chunk of " + std::to_string(count) + " elements from rank " +
                  std::to_string(s) + " of the list does not fit its place in dst");
      const Bytes &all = values[s];
      writes.push_back(
          {&dst, {all.begin() + from * bytes, all.begin() + (from + count) * bytes}, to});
      metadata[r].values()[2 * n + s] = uint32_t(count);
    }
  }
  for (size_t r = 0; !recv_counts_known && r < n; ++r) {
    const std::vector<uint32_t> &all = metadata[r].values();
    Bytes bytes_of(all.size() * 4);
    std::memcpy(bytes_of.data(), all.data(), bytes_of.size());
    writes.push_back({parts[r]->metadata, bytes_of});
  }
}

void gather_chunks(Call &call, const ReplicaGroup &replica_group, const Tensor &metadata,
                   bool per_receiver, bool recv_counts_known, bool has_rdispls,
                   std::optional<int> priority) {
  call.priority(priority);
  call.lists(false);
  call.one_tensor_each();
  call.require(call.core().place.programs == 2, "needs LNC 2");
  std::vector<int> ranks = call.ranks(replica_group);
  require_metadata(call, metadata, has_rdispls ? 4 : 3, int64_t(ranks.size()));
  call.metadata(metadata);
  const int n = int(ranks.size());
  const std::string flags = number(recv_counts_known) + number(has_rdispls);
  call.run(ranks, flags, n - 1, n - 1, [&](Parts parts, Writes &writes) {
    exchange_chunks(call, parts, writes, per_receiver, recv_counts_known, has_rdispls);
  });
}

} // namespace

void all_gather_v(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group,
                  const Tensor &metadata, bool recv_counts_known, bool has_rdispls,
                  std::optional<int> priority) {
  Call call("all_gather_v", srcs, dsts);
  call.require(!has_rdispls, "has_rdispls is not supported");
  for (const std::vector<int> &list : replica_group.groups)
    call.require(list.size() == 4, "each list of ranks has exactly 4");
  gather_chunks(call, replica_group, metadata, false, recv_counts_known, false, priority);
}

void all_to_all_v(Tensors srcs, Tensors dsts, const ReplicaGroup &replica_group,
                  const Tensor &metadata, bool recv_counts_known, bool has_rdispls,
                  std::optional<int> priority) {
  Call call("all_to_all_v", srcs, dsts);
  call.require(!has_rdispls || call.core().generation().has(chip::Feature::received_displacements),
               "has_rdispls exists from NeuronCore-v4 on");
  gather_chunks(call, replica_group, metadata, true, recv_counts_known, has_rdispls, priority);
}

// ---- permutations -------------------------------------------------------------------------------

void collective_permute(Tensors srcs, Tensors dsts,
                        std::span<const std::pair<int, int>> source_target_pairs,
                        std::optional<int> priority) {
  Call call("collective_permute", srcs, dsts);
  call.priority(priority);
  call.lists(false);
  call.one_tensor_each();
  call.sizes(1, 1);
  std::vector<int> ranks, sources, targets;
  std::string text;
  for (auto [source, target] : source_target_pairs) {
    for (int rank : {source, target}) {
      call.require(rank >= 0 && rank < call.core().place.ranks, "a pair names a rank that is not");
      if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end())
        ranks.push_back(rank);
    }
    call.require(std::find(targets.begin(), targets.end(), target) == targets.end(),
                 "a rank is the target of two pairs");
    call.require(std::find(sources.begin(), sources.end(), source) == sources.end(),
                 "a rank is the source of two pairs");
    sources.push_back(source);
    targets.push_back(target);
    text += number(source) + ">" + number(target) + " ";
  }
  if (std::find(ranks.begin(), ranks.end(), call.core().place.rank) == ranks.end())
    return; // neither sends nor receives
  call.run(ranks, text, 1, 1, [&](Parts parts, Writes &writes) {
    const std::vector<Bytes> values = read_all(call, parts, 0);
    auto place = [&](int rank) {
      return size_t(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
    };
    for (size_t i = 0; i < sources.size(); ++i)
      writes.push_back({&parts[place(targets[i])]->dsts[0], values[place(sources[i])]});
  });
}

namespace {

void require_channels(const Call &call, std::span<const int> channel_ids) {
  const size_t channels = channel_ids.empty() ? 1 : channel_ids.size();
  call.require(call.part().dsts.size() == channels, "there is one list of one tensor per channel");
  call.require(channels <= 4, "there are at most 4 channels");
  for (size_t i = 0; i < channel_ids.size(); ++i)
    call.require(channel_ids[i] == int(i), "channel_ids count from 0");
}

} // namespace

void collective_permute_implicit(Tensors srcs_by_channel, Tensors dsts_by_channel,
                                 const ReplicaGroup &replica_group,
                                 std::span<const int> channel_ids, std::optional<int> priority) {
  Call call("collective_permute_implicit", srcs_by_channel, dsts_by_channel);
  call.priority(priority);
  call.lists(false);
  require_channels(call, channel_ids);
  call.sizes(1, 1);
  call.run(call.ranks(replica_group), number(int(srcs_by_channel.size())), 1, 1,
           [&](Parts parts, Writes &writes) {
             for (size_t i = 0; i < srcs_by_channel.size(); ++i) {
               const std::vector<Bytes> values = read_all(call, parts, i);
               for (size_t r = 0; r < parts.size(); ++r)
                 writes.push_back({&parts[(r + 1) % parts.size()]->dsts[i], values[r]});
             }
           });
}

void collective_permute_implicit_reduce(Tensors srcs0_by_channel, Tensors srcs1_by_channel,
                                        Tensors dsts_by_channel, const ReplicaGroup &replica_group,
                                        Op op, std::span<const int> channel_ids,
                                        std::optional<int> priority) {
  std::vector<Tensor> srcs(srcs0_by_channel.begin(), srcs0_by_channel.end());
  srcs.insert(srcs.end(), srcs1_by_channel.begin(), srcs1_by_channel.end());
  const size_t channels = srcs0_by_channel.size();
  {
    Call second("collective_permute_implicit_reduce", srcs1_by_channel, dsts_by_channel);
    second.lists(false);
    second.sizes(1, 1);
    Call first("collective_permute_implicit_reduce", srcs0_by_channel, dsts_by_channel);
    first.lists(false);
    first.sizes(1, 1);
  }
  Call call("collective_permute_implicit_reduce", srcs, dsts_by_channel);
  call.priority(priority);
  call.reduction(op);
  require_channels(call, channel_ids);
  call.run(call.ranks(replica_group), op_text(op), 1, 1, [&](Parts parts, Writes &writes) {
    for (size_t i = 0; i < channels; ++i) {
      const std::vector<Bytes> left = read_all(call, parts, i);
      const std::vector<Bytes> right = read_all(call, parts, channels + i);
      for (size_t r = 0; r < parts.size(); ++r) {
        const Bytes both[] = {left[r], right[r]};
        writes.push_back(
            {&parts[(r + 1) % parts.size()]->dsts[i], call.reduce(both, srcs[i].dtype(), op)});
      }
    }
  });
}

isa::Register collective_permute_implicit_current_processing_rank_id(
    int iteration_id, const ReplicaGroup &replica_group, int channel_id) {
  Call call("collective_permute_implicit_current_processing_rank_id", {}, {});
  call.require(iteration_id >= 0, "iteration_id is negative");
  call.require(channel_id >= 0 && channel_id < 4, "channel_id is 0 to 3");
  const std::vector<int> ranks = call.ranks(replica_group);
  const int n = int(ranks.size());
  const int self =
      int(std::find(ranks.begin(), ranks.end(), call.core().place.rank) - ranks.begin());
  return isa::register_alloc(ranks[size_t((self + n - iteration_id % n) % n)]);
}

int rank_id() { return current_core().place.rank; }

} // namespace nki::collectives
