#include "chip/timeline.h"

#include "chip/costs.h"
#include "chip/storage.h"
#include "nki/device.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace nki {

namespace {
thread_local SourceLine::Place current_line; // see SourceLine
}

SourceLine::SourceLine(const char *file, int line) : outer_(current_line) {
  current_line = {file, line};
}
SourceLine::~SourceLine() { current_line = outer_; }
SourceLine::Place SourceLine::current() { return current_line; }

namespace chip {

std::string_view name_of(Unit unit) {
  static constexpr std::string_view names[kUnits] = {"TensorE", "VectorE", "ScalarE",
                                                     "GpSimdE", "SyncE",   "DMA"};
  return names[size_t(unit)];
}

// ---- resources
// ------------------------------------------------------------------------------------

double Timeline::HbmLog::until(const TransferShape::Range &range) const {
  double latest = 0;
  for (const HbmUse &use : uses_)
    if (use.begin < range.end && range.begin < use.end)
      latest = std::max(latest, use.until);
  return latest;
}

void Timeline::HbmLog::add(const TransferShape::Range &range, double until) {
  uses_[size_t(next_)] = {range.begin, range.end, until};
  next_ = (next_ + 1) % int(uses_.size());
}

void Timeline::DmaServer::reset(double now) {
  gaps_.clear();
  free_at_ = now;
}

std::pair<double, double> Timeline::DmaServer::take(double ready, double duration) {
  constexpr size_t kMostGaps = 32;
  double start = -1, end = ready;
  auto use = [&](double from, double seconds) {
    start = start < 0 ? from : start;
    end = from + seconds;
    duration -= seconds;
  };
  // The engines interleave transfers, so one may be spread over several gaps.
  for (size_t i = 0; i < gaps_.size() && duration > 0;) {
    Gap &gap = gaps_[i];
    double from = std::max(gap.start, ready);
    if (from >= gap.end) {
      ++i;
      continue;
    }
    double seconds = std::min(duration, gap.end - from);
    use(from, seconds);
    Gap rest{from + seconds, gap.end};
    if (from > gap.start) {
      gap.end = from;
      ++i;
      if (rest.start < rest.end)
        gaps_.insert(gaps_.begin() + long(i++), rest);
    } else if (rest.start < rest.end) {
      gap = rest;
      ++i;
    } else {
      gaps_.erase(gaps_.begin() + long(i));
    }
  }
  if (duration > 0) {
    double from = std::max(free_at_, ready);
    if (from > free_at_)
      gaps_.push_back({free_at_, from});
    use(from, duration);
    free_at_ = end;
  }
  if (gaps_.size() > kMostGaps)
    gaps_.erase(gaps_.begin());
  return {start < 0 ? ready : start, end};
}

// ---- recording
// ------------------------------------------------------------------------------------

void Timeline::reset() {
  begin_ = control_ = end_;
  free_at_.fill(end_);
  generators_.reset(end_);
  dma_tracks_.fill(end_);
  dma_.reset(end_);
  summary_ = {};
  events_.clear();
}

double Timeline::clock(Unit engine) const {
  switch (engine) {
  case Unit::tensor:
    return generation_.tensor_hz;
  case Unit::vector:
    return generation_.vector_hz;
  case Unit::scalar:
    return generation_.scalar_hz;
  default:
    return generation_.gpsimd_hz;
  }
}

double Timeline::ready(std::span<Storage *const> reads, std::span<Storage *const> writes) const {
  double time = std::max(control_, held_until_);
  for (const Storage *storage : reads)
    time = std::max(time, storage->written_at);
  for (const Storage *storage : writes)
    time = std::max({time, storage->written_at, storage->read_until, storage->available_at});
  return time;
}

void Timeline::done(double reads_until, double written_at, std::span<Storage *const> reads,
                    std::span<Storage *const> writes) {
  for (Storage *storage : reads)
    storage->read_until = std::max(storage->read_until, reads_until);
  for (Storage *storage : writes) {
    storage->written_at = storage->settled_at = written_at;
    storage->landings.clear();
  }
  held_until_ = 0;
  end_ = std::max(end_, written_at);
  summary_.seconds = end_ - begin_;
  ++summary_.instructions;
}

void Timeline::record(const char *name, int track, double start, double end, double ready,
                      double visible) {
  if (events_.size() < trace_limit_)
    events_.push_back(
        {name, current_line.file, current_line.line, track, start, end, ready, visible});
}

void Timeline::instruction(Unit engine, const char *name, double cycles,
                           std::span<Storage *const> reads, std::span<Storage *const> writes) {
  if (!enabled_)
    return;
  double hz = clock(engine), seconds = std::max(cycles, costs::kMinimum) / hz;
  double &free_at = free_at_[size_t(engine)];
  double start = std::max(free_at, ready(reads, writes));
  free_at = start + seconds;
  summary_.busy[size_t(engine)] += seconds;
  done(free_at, free_at + costs::kResultLatency / hz, reads, writes);
  if (trace_limit_)
    record(name, int(engine), start, free_at, start, free_at + costs::kResultLatency / hz);
}

double Timeline::descriptors(const TransferShape &shape, double at) {
  if (shape.software_descriptors) {
    double seconds = std::max(double(shape.indices) * costs::kCyclesPerIndex, costs::kMinimum) /
                     generation_.gpsimd_hz;
    double &free_at = free_at_[size_t(Unit::gpsimd)];
    double start = std::max(free_at, at);
    free_at = start + seconds;
    summary_.busy[size_t(Unit::gpsimd)] += seconds;
    if (trace_limit_)
      record("descriptors", int(Unit::gpsimd), start, free_at, start, free_at);
    return free_at;
  }
  if (!generation_.has(Feature::hardware_descriptors))
    return at; // descriptors were made before the kernel started
  // The generators together are a server of their joint speed.
  auto [start, end] = generators_.take(at, costs::kHardwareDescriptors / costs::kGenerators);
  return std::max(end, start + costs::kHardwareDescriptors);
}

int Timeline::dma_track(double start, double end) {
  for (size_t i = 0; i < dma_tracks_.size(); ++i)
    if (dma_tracks_[i] <= start || i + 1 == dma_tracks_.size()) {
      dma_tracks_[i] = end;
      return int(Unit::dma) + int(i);
    }
  return int(Unit::dma);
}

/// When a transfer into a storage may start: not before what it overwrites is there.
static double may_land(const Storage &storage, const Storage::Landing &box) {
  double time = std::max({storage.settled_at, storage.read_until, storage.available_at});
  for (const Storage::Landing &landing : storage.landings)
    if (landing.overlaps(box))
      time = std::max(time, landing.at);
  return time;
}

/// Notes a transfer; the longest list keeps what most pieces of a statement need.
static void land(Storage &storage, const Storage::Landing &box) {
  constexpr size_t kMost = 64;
  if (storage.landings.size() == kMost) {
    storage.settled_at = std::max(storage.settled_at, storage.written_at);
    storage.landings.clear();
  }
  storage.landings.push_back(box);
  storage.written_at = std::max(storage.written_at, box.at);
}

void Timeline::transfer(const char *name, const TransferShape &shape,
                        std::span<Storage *const> reads, std::span<Storage *const> writes) {
  if (!enabled_)
    return;
  const bool has_box = shape.written_partitions > 0;
  Storage::Landing box{shape.first_partition, shape.written_partitions, shape.first_byte,
                       shape.written_bytes};
  double trigger = ready(reads, has_box ? std::span<Storage *const>() : writes);
  for (const Storage *storage : writes)
    if (has_box)
      trigger = std::max(trigger, may_land(*storage, box));
  trigger = std::max({trigger, hbm_writes_.until(shape.reads), hbm_writes_.until(shape.writes),
                      hbm_reads_.until(shape.writes)});
  const double ready_at = trigger;
  trigger = descriptors(shape, trigger);

  double runs = double(shape.bytes) / double(std::max<int64_t>(shape.run_bytes, 1));
  double engines = generation_.dma_engines;
  double used = shape.partitions ? std::min(engines, double(shape.partitions)) : engines;
  double per_run = (double(shape.run_bytes) + costs::kRunOverheadBytes) /
                   generation_.dma_engine_bytes_per_second;
  int64_t hbm_bytes =
      (shape.reads.begin ? shape.bytes : 0) + (shape.writes.begin ? shape.bytes : 0);
  double hbm = double(hbm_bytes) / (generation_.hbm_bytes_per_second / generation_.cores);
  double server = std::max(runs / engines * per_run, hbm);
  auto [start, end] = dma_.take(trigger + costs::kTransferLatency, server);
  end = std::max(end, start + std::max(runs / used, 1.0) * per_run);

  summary_.busy[size_t(Unit::dma)] += runs / engines * per_run;
  summary_.hbm_bytes += hbm_bytes;
  summary_.dma_bytes += shape.bytes;
  if (shape.reads.begin)
    hbm_reads_.add(shape.reads, end);
  if (shape.writes.begin)
    hbm_writes_.add(shape.writes, end);
  done(end, end, reads, has_box ? std::span<Storage *const>() : writes);
  box.at = end;
  for (Storage *storage : writes)
    if (has_box)
      land(*storage, box);
  if (trace_limit_)
    record(name, dma_track(start, end), start, end, shape.software_descriptors ? trigger : ready_at,
           end);
}

void Timeline::wait_for(Storage &source, const char *name) {
  if (!enabled_)
    return;
  Storage *const reads[] = {&source};
  instruction(Unit::sync, name, costs::kMinimum, reads, {});
  control_ = std::max(control_, free_at_[size_t(Unit::sync)]);
}

double Timeline::free_since(Unit engine, std::span<Storage *const> reads,
                            std::span<Storage *const> writes,
                            std::span<const TransferShape::Range> hbm) const {
  double time = std::max(ready(reads, writes), engine == Unit::dma ? 0 : free_at_[size_t(engine)]);
  for (const TransferShape::Range &range : hbm)
    time = std::max({time, hbm_writes_.until(range), hbm_reads_.until(range)});
  return std::max(time - begin_, 0.0);
}

void Timeline::together(const Joint &joint, std::span<Storage *const> reads,
                        std::span<Storage *const> writes,
                        std::span<const TransferShape::Range> hbm) {
  if (!enabled_)
    return;
  const double start = begin_ + joint.start, end = begin_ + joint.end;
  if (joint.engine != Unit::dma)
    free_at_[size_t(joint.engine)] = end;
  summary_.busy[size_t(joint.engine)] += joint.busy;
  summary_.hbm_bytes += joint.hbm_bytes;
  for (const TransferShape::Range &range : hbm)
    hbm_writes_.add(range, end);
  done(end, end, reads, writes);
  if (trace_limit_)
    record(joint.name, joint.engine == Unit::dma ? dma_track(start, end) : int(joint.engine), start,
           end, start, end);
}

// ---- reading
// --------------------------------------------------------------------------------------

std::string Summary::bound(double hbm_bytes_per_second) const {
  if (instructions == 0)
    return "";
  auto busiest = std::max_element(busy.begin(), busy.end());
  const double memory = double(hbm_bytes) / hbm_bytes_per_second;
  if (std::max(memory, *busiest) < 0.5 * seconds)
    return "latency";
  if (memory >= 0.85 * *busiest)
    return "HBM";
  return std::string(name_of(Unit(busiest - busy.begin())));
}

/// The event that `event` waited for: one whose end is its start, or whose results it needed. The
/// times are the same numbers, since the one was made from the other.
size_t Timeline::predecessor(const Event &event, const std::map<double, size_t> &ended) const {
  for (double time : {event.start, event.ready})
    if (auto found = ended.find(time); found != ended.end())
      if (events_[found->second].end < event.end)
        return found->second;
  return events_.size();
}

std::string Timeline::critical_path() const {
  if (events_.empty())
    return "";
  std::map<double, size_t> ended; // by the end, and by when results are there
  size_t last = 0;
  for (size_t i = 0; i < events_.size(); ++i) {
    ended.try_emplace(events_[i].end, i);
    ended.try_emplace(events_[i].visible, i);
    last = events_[i].end > events_[last].end ? i : last;
  }
  std::array<double, kUnits> on_unit{};
  std::array<std::map<std::string, double>, kUnits> by_name;
  double waiting = 0;
  for (size_t i = last; i < events_.size();) {
    const Event &event = events_[i];
    const size_t unit = size_t(std::min(event.track, int(Unit::dma)));
    on_unit[unit] += event.end - event.start;
    by_name[unit][event.name] += event.end - event.start;
    i = predecessor(event, ended);
    waiting += event.start - (i < events_.size() ? std::min(events_[i].end, event.start) : begin_);
  }
  const double total = std::max(events_[last].end - begin_, 1e-30);
  auto share = [&](double seconds) {
    return std::to_string(int(std::lround(100 * seconds / total))) + " %";
  };
  std::string text;
  for (size_t unit = 0; unit < on_unit.size(); ++unit) {
    if (on_unit[unit] < 0.005 * total)
      continue;
    text += (text.empty() ? "" : ", ") + std::string(name_of(Unit(unit))) + " " +
            share(on_unit[unit]) + " (";
    std::vector<std::pair<double, std::string>> names;
    for (const auto &[name, seconds] : by_name[unit])
      names.push_back({-seconds, name});
    std::sort(names.begin(), names.end());
    for (size_t i = 0; i < std::min<size_t>(names.size(), 3); ++i)
      text += (i ? ", " : "") + names[i].second + " " + share(-names[i].first);
    text += ")";
  }
  return text + (text.empty() ? "" : ", ") + "waiting for results and transfers to start " +
         share(waiting);
}

void Timeline::write_events(std::ostream &out, int process, double offset) const {
  char text[256];
  int last_track = int(Unit::dma);
  for (const Event &event : events_) {
    std::snprintf(
        text, sizeof text,
        "{\"name\":\"%s\",\"cat\":\"nki\",\"ph\":\"X\",\"ts\":%.6f,\"dur\":%.6f,\"pid\":%d,"
        "\"tid\":%d",
        event.name, (offset + event.start - begin_) * 1e6, (event.end - event.start) * 1e6, process,
        event.track);
    out << text;
    if (event.file) {
      out << ",\"args\":{\"line\":\"";
      for (const char *c = event.file; *c; ++c)
        out << (*c == '"' || *c == '\\' ? "\\" : "") << *c;
      out << ":" << event.line << "\"}";
    }
    out << "},\n";
    last_track = std::max(last_track, event.track);
  }
  for (int track = int(Unit::dma) + 1; track <= last_track; ++track)
    out << "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":" << process << ",\"tid\":" << track
        << ",\"args\":{\"name\":\"DMA\"}},\n";
}

} // namespace chip
} // namespace nki
