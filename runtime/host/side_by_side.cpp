#include "host/side_by_side.h"

#include "host/compare_output.h"
#include "host/snapshot.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

namespace neuronify {

namespace {

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string describe_first(const DeviceAllocation &allocation, const Comparison &comparison) {
  const Difference &first = *comparison.first;
  std::string place = allocation.describe() + ", ";
  if (first.type == ElementType::bytes)
    place += "byte " + std::to_string(first.offset);
  else
    place += std::string(name_of(first.type)) + " " + std::to_string(first.index);
  if (first.field >= 0)
    place += " field " + std::to_string(first.field);
  return place + ": reference " + first.reference + ", port " + first.port + " (" +
         std::to_string(comparison.mismatches) + " of " + std::to_string(comparison.elements) +
         " elements differ)";
}

/// Memory holds the port's result, `reference` the other; memory gets it where the setup says so.
void compare_all(const SideBySide &setup, const Snapshot &reference, Outcome &outcome) {
  reference.for_each_different([&](const DeviceAllocation &allocation, const char *expected) {
    Comparison one = compare(expected, allocation.start, allocation.size,
                             setup.types.of(allocation), setup.tolerances);
    if (one.first && !outcome.buffer) {
      outcome.buffer = allocation;
      outcome.verdict = Verdict::mismatch;
      outcome.message = describe_first(allocation, one);
    }
    outcome.comparison.merge(one);
    if (!setup.continue_from_port)
      std::memcpy(allocation.start, expected, allocation.size);
  });
}

std::string text(reference::Dim3 d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

std::string describe(const std::optional<reference::Writer> &writer) {
  if (!writer)
    return "no thread of the original writes there";
  std::string out =
      "written by thread " + text(writer->thread) + " of block " + text(writer->block);
  if (writer->line)
    out += " at " + writer->file + ":" + std::to_string(writer->line);
  if (writer->writes > 1)
    out += ", the last of " + std::to_string(writer->writes) + " writes";
  return out;
}

/// Lets the reference run again to see who writes the first value that differs. Memory stays.
void name_writer(const SideBySide &setup, Outcome &outcome) {
  const Difference &first = *outcome.comparison.first;
  Snapshot port;
  if (setup.continue_from_port)
    port.take(setup.memory);
  setup.snapshot.restore_exchanged();
  outcome.writer = setup.find_writer(outcome.buffer->start + first.offset, size_of(first.type));
  outcome.writer_known = true;
  setup.continue_from_port ? port.restore() : setup.snapshot.restore();
  outcome.message += "; " + describe(outcome.writer);
}

/// Runs one side and times it.
SideResult timed(const RunSide &side, double &seconds) {
  double start = now();
  SideResult result = side();
  seconds = now() - start;
  return result;
}

std::string_view how(const SideResult &side) {
  return side.asserted  ? "an assertion fails"
         : side.trapped ? "a thread executes a trap"
                        : "it runs to its end";
}

/// A thread ended one of the launches or both.
void compare_stops(const SideResult &reference, const SideResult &port, Outcome &outcome) {
  if (reference.asserted == port.asserted && reference.trapped == port.trapped)
    return;
  outcome.verdict = Verdict::mismatch;
  outcome.message = "reference: " + std::string(how(reference)) +
                    ", port: " + std::string(how(port)) +
                    (port.stopped() ? " (" + port.error + ")" : " (" + reference.error + ")");
}

/// Memory holds the port's result, before and after. `before`: what the launch started from.
void run_nki_form(const SideBySide &setup, const Snapshot &before, Outcome &outcome) {
  Snapshot port;
  port.take(setup.memory);
  before.restore();
  const double start = now();
  std::string problem = setup.run_nki();
  outcome.nki_seconds = now() - start;
  outcome.nki = problem.empty() ? "match" : "failed";
  if (problem.empty())
    port.for_each_different([&](const DeviceAllocation &allocation, const char *expected) {
      size_t byte = 0;
      while (allocation.start[byte] == expected[byte])
        ++byte;
      if (outcome.nki == "match")
        problem = allocation.describe() + ", byte " + std::to_string(byte) +
                  " is not what the C++ port left there";
      outcome.nki = "mismatch";
    });
  port.restore();
  if (problem.empty())
    return;
  outcome.verdict = Verdict::mismatch;
  outcome.message = "NKI form: " + problem;
}

} // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::ran:
    return "ran";
  case Verdict::match:
    return "match";
  case Verdict::mismatch:
    return "mismatch";
  case Verdict::failed:
    return "failed";
  case Verdict::not_ported:
    return "not ported";
  case Verdict::reference_failed:
    return "reference failed";
  }
  return "";
}

namespace {

/// What pointers tell of the allocations they point into, and those of what pointers there tell.
class Told {
public:
  explicit Told(const DeviceMemory &memory) : memory_(memory) {}

  void add(const char *pointer, const Layout &layout) {
    const DeviceAllocation *allocation = layout.elements.empty() ? nullptr : memory_.find(pointer);
    if (!allocation)
      return;
    Pointers &pointers = told_[allocation->start];
    pointers.number = allocation->number;
    if (pointers.layouts.emplace(size_t(pointer - allocation->start), layout).second &&
        !layout.pointees.empty())
      tables_.push_back({pointer, size_t(allocation->start + allocation->size - pointer), layout});
  }

  /// All of it, with what pointers in memory tell.
  std::map<const char *, BufferTypes::Entry> take() {
    follow();
    std::map<const char *, BufferTypes::Entry> result;
    for (auto &[start, pointers] : told_) {
      BufferTypes::Entry &entry = result[start] = {pointers.number, {}};
      for (auto &[offset, layout] : pointers.layouts)
        entry.regions.push_back({offset, std::move(layout)});
    }
    return result;
  }

private:
  struct Pointers {
    uint64_t number;
    std::map<size_t, Layout> layouts; // by byte offset; the first pointer that names it decides
  };
  struct Table {
    const char *start;
    size_t size;
    Layout layout;
  };
  /// Goes on with the pointers in memory.
  void follow() {
    size_t left = 1 << 16; // of a large table the rest is compared as bytes, which is stricter
    for (size_t i = 0; i < tables_.size(); ++i) {
      const Table table = tables_[i]; // may move
      const size_t size = table.layout.size();
      for (size_t at = 0; at + size <= table.size && left; at += size) {
        const char *element = table.start + at;
        for (size_t k = 0; k < table.layout.elements.size(); ++k) {
          const Layout &pointee = table.layout.pointees[k];
          const char *pointer = nullptr;
          if (!pointee.elements.empty())
            std::memcpy(&pointer, element, sizeof pointer);
          if (pointer && left && left--)
            add(pointer, pointee);
          element += size_of(table.layout.elements[k]);
        }
      }
    }
  }

  const DeviceMemory &memory_;
  std::map<const char *, Pointers> told_;
  std::vector<Table> tables_;
};

} // namespace

void BufferTypes::note(const DeviceMemory &memory, std::span<const PointerHint> hints,
                       std::span<void *const> arguments) {
  Told told(memory);
  for (const PointerHint &hint : hints) {
    if (size_t(hint.parameter) >= arguments.size())
      continue;
    const char *pointer;
    std::memcpy(&pointer, static_cast<const char *>(arguments[hint.parameter]) + hint.offset,
                sizeof pointer);
    told.add(pointer, hint.layout);
  }
  keep(told.take());
}

void BufferTypes::note(const DeviceMemory &memory, const DeviceAllocation &variable,
                       const Layout &layout) {
  Told told(memory);
  told.add(variable.start, layout);
  keep(told.take());
}

void BufferTypes::keep(std::map<const char *, Entry> told) {
  for (auto &[start, entry] : told)
    entries_[start] = std::move(entry);
}

std::span<const Region> BufferTypes::of(const DeviceAllocation &allocation) const {
  auto found = entries_.find(allocation.start);
  if (found == entries_.end() || found->second.number != allocation.number)
    return {};
  return found->second.regions;
}

Outcome run_side_by_side(const SideBySide &setup, const RunSide &reference, const RunSide &port) {
  Outcome outcome;
  Snapshot &saved = setup.snapshot; // first what was before, then the reference's result
  saved.take(setup.memory);
  Snapshot before;
  if (setup.run_nki)
    before.take(setup.memory);
  SideResult original = timed(reference, outcome.reference_seconds);
  if (!original.error.empty() && !original.stopped()) {
    saved.restore();
    outcome.verdict = Verdict::reference_failed;
    outcome.message = std::move(original.error);
    if (!port)
      return outcome;
    outcome.side = timed(port, outcome.port_seconds);
    if (!outcome.side.error.empty()) {
      outcome.verdict = Verdict::failed;
      outcome.message = outcome.side.error + "; the reference failed too: " + outcome.message;
    }
    return outcome;
  }
  if (!port) {
    outcome.verdict = Verdict::not_ported;
    outcome.side = std::move(original);
    return outcome;
  }
  saved.exchange();
  SideResult ported = timed(port, outcome.port_seconds);
  if (!ported.error.empty() && !ported.stopped()) {
    saved.restore();
    outcome.verdict = Verdict::failed;
    outcome.message = std::move(ported.error);
    outcome.side = std::move(original);
    return outcome;
  }
  double start = now();
  if (original.stopped() || ported.stopped()) { // memory is in the middle of something
    compare_stops(original, ported, outcome);
    if (!setup.continue_from_port)
      saved.restore();
  } else {
    if (setup.run_nki)
      run_nki_form(setup, before, outcome);
    compare_all(setup, saved, outcome);
    if (std::string difference = compare_output(original.output, ported.output, setup.tolerances);
        !difference.empty() && outcome.verdict == Verdict::match) {
      outcome.verdict = Verdict::mismatch;
      outcome.message = "printed " + difference;
    }
  }
  outcome.compared_bytes = saved.bytes();
  outcome.compare_seconds = now() - start;
  if (outcome.verdict == Verdict::mismatch && outcome.comparison.first && setup.find_writer)
    name_writer(setup, outcome);
  outcome.side = setup.continue_from_port ? std::move(ported) : std::move(original);
  return outcome;
}

} // namespace neuronify
