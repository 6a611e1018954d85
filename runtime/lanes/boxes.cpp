#include "lanes/boxes.h"

#include <algorithm>
#include <cstring>

namespace nki {

namespace {

/// Adds the next active position to the run being built, or starts another.
void extend(std::vector<Run> &runs, size_t first, int64_t free, int64_t address) {
  if (runs.size() > first) {
    Run &run = runs.back();
    Step &step = run.steps[0];
    if (run.depth == 0) {
      run.depth = 1;
      step = {2, free - run.free, address - run.address};
      return;
    }
    if (free == run.free + step.count * step.free &&
        address == run.address + step.count * step.address) {
      ++step.count;
      return;
    }
  }
  runs.push_back({free, address, 0, {}});
}

/// Joins consecutive runs of one shape whose starts are equally far apart. Returns whether any
/// were.
bool join_runs(std::vector<Run> &runs, size_t first) {
  size_t out = first;
  bool joined = false;
  for (size_t i = first; i < runs.size();) {
    const Run head = runs[i];
    size_t next = i + 1;
    if (head.depth < Run::kDepth && next < runs.size() && runs[next].same_shape(head)) {
      Step step{1, runs[next].free - head.free, runs[next].address - head.address};
      while (next < runs.size() && runs[next].same_shape(head) &&
             runs[next].free == head.free + step.count * step.free &&
             runs[next].address == head.address + step.count * step.address) {
        ++step.count;
        ++next;
      }
      Run whole = head;
      std::copy_backward(whole.steps.begin(), whole.steps.begin() + whole.depth,
                         whole.steps.begin() + whole.depth + 1);
      whole.steps[0] = step;
      ++whole.depth;
      runs[out++] = whole;
      joined = true;
    } else {
      runs[out++] = head;
    }
    i = next;
  }
  runs.resize(out);
  return joined;
}

bool same_shapes(const std::vector<Run> &a, const std::vector<Run> &b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](const Run &x, const Run &y) { return x.free == y.free && x.same_shape(y); });
}

/// Appends `run` repeated over `starts.size()` partitions, run i starting at address starts[i].
void repeat(const Run &run, int64_t partition, std::span<const int64_t> starts,
            std::vector<Piece> &pieces) {
  std::vector<Run> rows;
  for (size_t i = 0; i < starts.size(); ++i)
    extend(rows, 0, int64_t(i), starts[i]);
  while (join_runs(rows, 0))
    if (std::any_of(rows.begin(), rows.end(),
                    [](const Run &row) { return row.depth == kPartitionAxes; }))
      break;
  for (const Run &row : rows) {
    Piece piece{run, partition + row.free, 1, row.depth, {}};
    piece.run.address = row.address;
    for (int d = 0; d < row.depth; ++d) {
      piece.rows[size_t(d)] = {row.steps[size_t(d)].count, row.steps[size_t(d)].address};
      piece.partitions *= row.steps[size_t(d)].count;
    }
    pieces.push_back(piece);
  }
}

/// Appends `run` repeated over partitions [begin, end), whose addresses are a nest of levels.
void repeat_affine(const Run &run, const Level *levels, int depth, int64_t begin, int64_t end,
                   std::vector<Piece> &pieces) {
  std::vector<int64_t> starts(static_cast<size_t>(end - begin));
  for (int64_t p = begin; p < end; ++p) {
    int64_t rest = p, address = run.address;
    for (int d = depth - 1; d >= 0; --d) {
      address += rest % levels[d].count * levels[d].stride;
      rest /= levels[d].count;
    }
    starts[size_t(p - begin)] = address;
  }
  repeat(run, begin, starts, pieces);
}

/// All lanes of an affine address.
Piece whole_wave(const Wave &wave, const LaneForm &form) {
  Piece piece;
  piece.partitions = wave.P();
  piece.row_depth = merge_axes(wave, form.strides, 0, kPartitionAxes, piece.rows.data());
  Level levels[kWaveAxes];
  int depth = merge_axes(wave, form.strides, kPartitionAxes, kWaveAxes, levels);
  piece.run.address = form.first;
  piece.run.depth = depth;
  int64_t free = 1;
  for (int d = depth - 1; d >= 0; --d) {
    piece.run.steps[size_t(d)] = {levels[d].count, free, levels[d].stride};
    free *= levels[d].count;
  }
  return piece;
}

using Pieces = std::optional<std::vector<Piece>>;

/// An affine address: partitions with the same active positions have the same runs.
Pieces affine_pieces(const Wave &wave, const Index &address, const LaneArray<uint8_t> &lanes,
                     int64_t limit) {
  LaneForm form = lane_form(address);
  Level levels[kPartitionAxes];
  int depth = merge_axes(wave, form.strides, 0, kPartitionAxes, levels);
  // The row of partition 0; others are shifted copies.
  std::vector<int64_t> row(static_cast<size_t>(wave.F()));
  fill_row(address, 0, row);
  std::vector<uint8_t> active(static_cast<size_t>(wave.F()));
  auto read = [&](int64_t p, uint8_t *out) {
    const uint8_t *values = lanes.values.data() + p * lanes.partition_stride;
    if (lanes.varies_over_free())
      std::memcpy(out, values, size_t(wave.F()));
    else
      std::memset(out, *values, size_t(wave.F()));
  };
  auto same_row = [&](int64_t p, int64_t q) {
    return std::memcmp(lanes.values.data() + p * lanes.partition_stride,
                       lanes.values.data() + q * lanes.partition_stride,
                       lanes.varies_over_free() ? size_t(wave.F()) : 1) == 0;
  };
  std::vector<Piece> pieces;
  std::vector<Run> runs;
  for (int64_t begin = 0, end; begin < wave.P(); begin = end) {
    for (end = begin + 1; end < wave.P() && same_row(begin, end);)
      ++end;
    read(begin, active.data());
    runs.clear();
    find_runs(row, active.data(), runs);
    for (const Run &run : runs)
      repeat_affine(run, levels, depth, begin, end, pieces);
    if (int64_t(pieces.size()) > limit)
      return {};
  }
  return pieces;
}

/// One row of a table as find_runs takes it.
struct TableRow {
  std::vector<int64_t> addresses;
  std::vector<uint8_t> active; // empty: all

  void read(const Index &address, const LaneArray<uint8_t> *lanes, int64_t partition) {
    fill_row(address, partition, addresses);
    for (size_t f = 0; f < active.size(); ++f)
      active[f] = lanes->at(partition, int64_t(f));
  }
  const uint8_t *active_lanes() const { return active.empty() ? nullptr : active.data(); }
  /// Is this row the other one with every address moved by the same distance?
  bool is_shifted(const TableRow &other) const {
    int64_t distance = addresses[0] - other.addresses[0];
    bool same = active == other.active;
    for (size_t f = 0; same && f < addresses.size(); f += kBlock) {
      size_t end = std::min(addresses.size(), f + kBlock);
      for (size_t i = f; i < end; ++i)
        same &= addresses[i] - other.addresses[i] == distance;
    }
    return same;
  }

private:
  static constexpr size_t kBlock = 64; // looked at as a whole, which vectorises
};

/// Any addresses: consecutive partitions whose runs have the same shapes go together.
Pieces table_pieces(const Wave &wave, const Index &address, const LaneArray<uint8_t> *lanes,
                    int64_t limit) {
  TableRow row{std::vector<int64_t>(size_t(wave.F())),
               std::vector<uint8_t>(lanes ? size_t(wave.F()) : 0)};
  TableRow last = row;
  std::vector<Run> runs, next;
  std::vector<std::vector<int64_t>> starts; // per run, over the partitions of the group
  std::vector<Piece> pieces;
  int64_t begin = 0;
  auto finish = [&] {
    for (size_t i = 0; i < runs.size(); ++i)
      repeat(runs[i], begin, starts[i], pieces);
  };
  for (int64_t p = 0; p < wave.P(); ++p, std::swap(row, last)) {
    row.read(address, lanes, p);
    if (p > 0 && row.is_shifted(last)) {
      int64_t distance = row.addresses[0] - last.addresses[0];
      for (std::vector<int64_t> &addresses : starts)
        addresses.push_back(addresses.back() + distance);
      continue;
    }
    next.clear();
    find_runs(row.addresses, row.active_lanes(), next);
    if (int64_t(next.size() + pieces.size()) > limit)
      return {};
    if (p == 0 || !same_shapes(runs, next)) {
      finish();
      runs = next;
      starts.assign(runs.size(), {});
      begin = p;
    }
    for (size_t i = 0; i < next.size(); ++i)
      starts[i].push_back(next[i].address);
  }
  finish();
  if (int64_t(pieces.size()) > limit)
    return {};
  return pieces;
}

} // namespace

void find_runs(std::span<const int64_t> addresses, const uint8_t *active, std::vector<Run> &runs) {
  size_t first = runs.size();
  for (size_t f = 0; f < addresses.size(); ++f)
    if (!active || active[f])
      extend(runs, first, int64_t(f), addresses[f]);
  while (join_runs(runs, first)) {
  }
}

Pieces find_pieces(const Wave &wave, const Index &address, const LaneArray<uint8_t> *lanes,
                   int64_t limit) {
  if (!address.is_affine())
    return table_pieces(wave, address, lanes, limit);
  if (!lanes)
    return std::vector<Piece>{whole_wave(wave, lane_form(address))};
  return affine_pieces(wave, address, *lanes, limit);
}

} // namespace nki
