#include "chip/poison_origin.h"

#include "chip/storage.h"
#include "nki/device.h"

namespace nki::chip {

namespace {

std::string place_of_source_line() {
  const SourceLine::Place place = SourceLine::current();
  return place.file ? std::string(place.file) + ":" + std::to_string(place.line) : "";
}

std::string (*place_of_program)() = place_of_source_line;

/// The instruction that this thread runs, and the first poison that it read.
thread_local const char *instruction = "";
thread_local std::shared_ptr<const PoisonOrigin> read_origin;

/// The box of bytes that `view` lies in.
SpreadPoison box_of(const View &view) {
  SpreadPoison box;
  box.first_partition = view.start_partition;
  box.partitions = view.partitions;
  box.first_byte = view.offset_bytes;
  box.end_byte = view.offset_bytes + view.element_bytes();
  for (int d = 0; d < view.pattern.rank; ++d) {
    const Dim &dim = view.pattern.dims[size_t(d)];
    const int64_t reach = (dim.count - 1) * dim.stride;
    (reach < 0 ? box.first_byte : box.end_byte) += reach;
  }
  return box;
}

int64_t byte_of(const View &view, int64_t index) {
  PatternWalk walk(view.pattern);
  for (int64_t i = 0; i < index % view.elements; ++i)
    walk.advance();
  return view.offset_bytes + walk.offset();
}

constexpr size_t kSpreads = 8; ///< as many as a storage remembers

} // namespace

std::string PoisonOrigin::text() const {
  return std::string("nisa.") + instruction + (place.empty() ? "" : " (" + place + ")") +
         " made it of " + (tile.empty() ? "a tile" : "'" + tile + "'") +
         ", which was never written at partition " + std::to_string(partition) + ", element " +
         std::to_string(element);
}

void begin_instruction(const char *name) {
  instruction = name;
  if (read_origin) [[unlikely]]
    read_origin.reset();
}

void note_poisoned_read(const View &view, int64_t index) {
  if (read_origin)
    return;
  read_origin = origin_of(view, index);
  if (!read_origin)
    read_origin = std::make_shared<PoisonOrigin>(
        PoisonOrigin{instruction, place_of_program(), view.storage->name,
                     view.start_partition + index / view.elements, index % view.elements});
}

void note_poisoned_write(const View &view) {
  if (!read_origin)
    return;
  std::vector<SpreadPoison> &spreads = view.storage->spreads;
  if (spreads.size() == kSpreads)
    spreads.erase(spreads.begin());
  spreads.push_back(box_of(view));
  spreads.back().origin = read_origin;
}

std::shared_ptr<const PoisonOrigin> origin_of(const View &view, int64_t index) {
  const std::vector<SpreadPoison> &spreads = view.storage->spreads;
  if (spreads.empty())
    return nullptr;
  const int64_t partition = view.start_partition + index / view.elements;
  const int64_t byte = byte_of(view, index);
  for (auto spread = spreads.rbegin(); spread != spreads.rend(); ++spread)
    if (spread->first_partition <= partition &&
        partition < spread->first_partition + spread->partitions && spread->first_byte <= byte &&
        byte < spread->end_byte)
      return spread->origin;
  return nullptr;
}

void set_place_of_program(std::string (*place)()) {
  place_of_program = place ? place : place_of_source_line;
}

} // namespace nki::chip
