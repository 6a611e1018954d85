#include "host/side_by_side.h"

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

/// A copy of every live allocation, variables too. Uninitialised until it is copied to.
class Snapshot {
public:
  explicit Snapshot(const DeviceMemory &memory) {
    for (const DeviceAllocation *allocation : memory.all()) {
      copies_.push_back({allocation, std::make_unique_for_overwrite<char[]>(allocation->size)});
      std::memcpy(copies_.back().bytes.get(), allocation->start, allocation->size);
    }
  }

  void restore() const {
    for (const Copy &copy : copies_)
      std::memcpy(copy.allocation->start, copy.bytes.get(), copy.allocation->size);
  }

  /// The same, writing only what is not equal already.
  void restore_different() const {
    for_each_different([](const DeviceAllocation &allocation, const char *bytes) {
      std::memcpy(allocation.start, bytes, allocation.size);
    });
  }

  /// Exchanges memory and copy. Allocations that are equal on both sides cost one memcmp.
  void exchange() {
    std::vector<char> piece(kPiece);
    for (Copy &copy : copies_)
      for (size_t from = 0; from < copy.allocation->size; from += kPiece) {
        size_t size = std::min(kPiece, copy.allocation->size - from);
        char *memory = copy.allocation->start + from, *saved = copy.bytes.get() + from;
        if (std::memcmp(memory, saved, size) == 0)
          continue;
        std::memcpy(piece.data(), memory, size);
        std::memcpy(memory, saved, size);
        std::memcpy(saved, piece.data(), size);
      }
  }

  template <class F> void for_each_different(F &&visit) const {
    for (const Copy &copy : copies_)
      if (std::memcmp(copy.allocation->start, copy.bytes.get(), copy.allocation->size) != 0)
        visit(*copy.allocation, copy.bytes.get());
  }
  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const Copy &copy : copies_)
      sum += copy.allocation->size;
    return sum;
  }

private:
  static constexpr size_t kPiece = 64 << 10;
  struct Copy {
    const DeviceAllocation *allocation;
    std::unique_ptr<char[]> bytes;
  };
  std::vector<Copy> copies_;
};

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

/// Memory holds the port's result, `reference` the other.
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
  });
}

/// Runs one side, times it, and returns its error.
std::string timed(const RunSide &side, double &seconds) {
  double start = now();
  std::string error = side();
  seconds = now() - start;
  return error;
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

void BufferTypes::note(const DeviceMemory &memory, std::span<const PointerHint> hints,
                       std::span<void *const> arguments) {
  struct Pointers {
    uint64_t number;
    std::map<size_t, Layout> layouts; // by byte offset; the first parameter that names it decides
  };
  std::map<const char *, Pointers> told;
  for (const PointerHint &hint : hints) {
    if (size_t(hint.parameter) >= arguments.size())
      continue;
    const char *pointer;
    std::memcpy(&pointer, static_cast<const char *>(arguments[hint.parameter]) + hint.offset,
                sizeof pointer);
    if (const DeviceAllocation *allocation = memory.find(pointer)) {
      Pointers &pointers = told[allocation->start];
      pointers.number = allocation->number;
      pointers.layouts.emplace(size_t(pointer - allocation->start), hint.layout);
    }
  }
  for (auto &[start, pointers] : told) {
    Entry &entry = entries_[start] = {pointers.number, {}};
    for (auto &[offset, layout] : pointers.layouts)
      entry.regions.push_back({offset, std::move(layout)});
  }
}

void BufferTypes::note(const DeviceAllocation &allocation, Layout layout) {
  entries_[allocation.start] = {allocation.number, {{0, std::move(layout)}}};
}

std::span<const Region> BufferTypes::of(const DeviceAllocation &allocation) const {
  auto found = entries_.find(allocation.start);
  if (found == entries_.end() || found->second.number != allocation.number)
    return {};
  return found->second.regions;
}

Outcome run_side_by_side(const SideBySide &setup, const RunSide &reference, const RunSide &port) {
  Outcome outcome;
  Snapshot saved(setup.memory); // before; after exchange() the reference's result
  std::string reference_error = timed(reference, outcome.reference_seconds);
  if (!reference_error.empty()) {
    saved.restore();
    outcome.verdict = Verdict::reference_failed;
    outcome.message = std::move(reference_error);
    if (!port)
      return outcome;
    if (std::string error = timed(port, outcome.port_seconds); !error.empty()) {
      outcome.verdict = Verdict::failed;
      outcome.message = error + "; the reference failed too: " + outcome.message;
    }
    return outcome;
  }
  if (!port) {
    outcome.verdict = Verdict::not_ported;
    return outcome;
  }
  saved.exchange();
  if (std::string error = timed(port, outcome.port_seconds); !error.empty()) {
    saved.restore();
    outcome.verdict = Verdict::failed;
    outcome.message = std::move(error);
    return outcome;
  }
  double start = now();
  compare_all(setup, saved, outcome);
  outcome.compared_bytes = saved.bytes();
  if (!setup.continue_from_port)
    saved.restore_different();
  outcome.compare_seconds = now() - start;
  return outcome;
}

} // namespace neuronify
