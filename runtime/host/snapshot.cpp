#include "host/snapshot.h"

#include <algorithm>
#include <cstring>

namespace neuronify {

void Snapshot::take(const DeviceMemory &memory) {
  std::map<const char *, Copy> old = std::move(copies_);
  copies_.clear();
  for (const DeviceAllocation *allocation : memory.all()) {
    Copy copy{allocation, allocation->size, nullptr};
    auto before = old.find(allocation->start);
    if (before != old.end() && before->second.size == copy.size)
      copy.bytes = std::move(before->second.bytes);
    else
      copy.bytes = std::make_unique_for_overwrite<char[]>(copy.size);
    std::memcpy(copy.bytes.get(), allocation->start, copy.size);
    copies_.emplace(allocation->start, std::move(copy));
  }
}

void Snapshot::restore() const {
  for (const auto &[start, copy] : copies_)
    std::memcpy(copy.allocation->start, copy.bytes.get(), copy.size);
}

void Snapshot::exchange() {
  constexpr size_t kPiece = 64 << 10; // equal pieces are not written
  pieces_.clear();
  exchanged_.clear();
  for (auto &[start, copy] : copies_)
    for (size_t from = 0; from < copy.size; from += kPiece) {
      size_t size = std::min(kPiece, copy.size - from);
      char *memory = copy.allocation->start + from, *saved = copy.bytes.get() + from;
      if (std::memcmp(memory, saved, size) == 0)
        continue;
      pieces_.push_back({memory, size, exchanged_.size()});
      exchanged_.insert(exchanged_.end(), saved, saved + size);
      std::memcpy(saved, memory, size);
      std::memcpy(memory, exchanged_.data() + pieces_.back().offset, size);
    }
}

void Snapshot::restore_exchanged() const {
  restore();
  for (const Piece &piece : pieces_)
    std::memcpy(piece.memory, exchanged_.data() + piece.offset, piece.size);
}

uint64_t Snapshot::bytes() const {
  uint64_t sum = 0;
  for (const auto &[start, copy] : copies_)
    sum += copy.size;
  return sum;
}

bool Snapshot::differs(const Copy &copy) {
  return std::memcmp(copy.allocation->start, copy.bytes.get(), copy.size) != 0;
}

} // namespace neuronify
