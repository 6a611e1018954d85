#include "chip/storage.h"

#include "chip/core.h"
#include "chip/memory.h"
#include "chip/numbers.h"
#include "nki/error.h"

#include <algorithm>
#include <cstring>

namespace nki::chip {

namespace {

/// Rows start at multiples of four bytes, so that any type can be viewed in any partition.
int64_t row_pitch(int64_t row_bytes) { return (row_bytes + 3) / 4 * 4; }

void fill_fresh(uint8_t *bytes, int64_t count, DType type) {
  uint32_t pattern = 0;
  switch (size_of(type)) {
  case 1:
    pattern = is_integer(type) ? 0x04040404u : 0xffffffffu;
    break;
  case 2:
    pattern = is_integer(type) ? 0x00040004u : 0x7fff7fffu;
    break;
  default:
    pattern = is_integer(type) ? 4u : 0x7fc00000u;
  }
  if (type == DType::bool_)
    pattern = 0x04040404u;
  if (type == DType::float8_e5m2 || type == DType::float8_e4m3 || type == DType::float8_e4m3fn)
    pattern = 0x7f7f7f7fu;
  for (int64_t i = 0; i < count; i += 4)
    std::memcpy(bytes + i, &pattern, size_t(std::min<int64_t>(4, count - i)));
}

} // namespace

std::shared_ptr<Storage> Storage::on_chip(Core &core, Buffer buffer, DType type, int64_t partitions,
                                          int64_t row_bytes, std::string_view name) {
  auto storage = std::make_shared<Storage>();
  storage->pitch = row_pitch(row_bytes);
  storage->name = name;
  CoreMemory::Block block =
      core.memory()->take(buffer, storage->pitch, storage->pitch * partitions, storage->name);
  if (!block.base) {
    const char *where = buffer == Buffer::psum ? "PSUM" : "SBUF";
    const std::string largest = core.memory()->largest(buffer);
    const std::string what = name.empty() ? "a tile" : "'" + std::string(name) + "'";
    throw NoSpace("nl.ndarray", std::string(where) + " is full: " + what + " needs " +
                                    std::to_string(storage->pitch) + " bytes per partition, " +
                                    std::to_string(core.used(buffer)) + " of " +
                                    std::to_string(core.capacity(buffer)) + " are in use on " +
                                    std::string(core.generation().name) +
                                    (largest.empty() ? "" : ": ") + largest);
  }
  storage->base = block.base;
  storage->available_at = block.available_at;
  storage->memory_ = core.memory();
  storage->partitions = partitions;
  storage->row_bytes = row_bytes;
  storage->buffer = buffer;
  storage->type = type;
  storage->contents = Contents::unwritten;
  return storage;
}

std::shared_ptr<Storage> Storage::placed(Core &core, Buffer buffer, DType type, int64_t partitions,
                                         int64_t row_bytes, std::string_view name,
                                         int64_t partition, int64_t byte) {
  const int64_t capacity = core.capacity(buffer);
  if (partition < 0 || partition + partitions > kPartitions || byte < 0 ||
      byte + row_bytes > capacity)
    throw Error("nl.ndarray", "address (" + std::to_string(partition) + ", " +
                                  std::to_string(byte) + ") leaves no room for " +
                                  std::to_string(partitions) + " partitions of " +
                                  std::to_string(row_bytes) + " bytes: there are 128 of " +
                                  std::to_string(capacity));
  auto storage = std::make_shared<Storage>();
  storage->base = core.memory()->arena(buffer) + byte;
  storage->pitch = capacity;
  storage->partitions = partition + partitions;
  storage->row_bytes = row_bytes;
  storage->buffer = buffer;
  storage->type = type;
  storage->contents = Contents::unwritten;
  storage->name = name;
  storage->is_placed = true;
  storage->placed_byte = byte;
  storage->memory_ = core.memory();
  storage->available_at = core.memory()->place(*storage, partition);
  return storage;
}

std::shared_ptr<Storage> Storage::temporary(Buffer buffer, DType type, int64_t partitions,
                                            int64_t row_bytes, std::string_view name) {
  auto storage = std::make_shared<Storage>();
  storage->pitch = row_pitch(row_bytes);
  storage->own_ = std::make_unique<uint8_t[]>(size_t(storage->pitch * partitions));
  storage->base = storage->own_.get();
  storage->partitions = partitions;
  storage->row_bytes = row_bytes;
  storage->buffer = buffer;
  storage->type = type;
  storage->contents = Contents::unwritten;
  storage->name = name;
  return storage;
}

std::shared_ptr<Storage> Storage::in_hbm(void *base, int64_t bytes, DType type) {
  auto storage = std::make_shared<Storage>();
  storage->base = static_cast<uint8_t *>(base);
  storage->row_bytes = bytes;
  storage->type = type;
  return storage;
}

std::shared_ptr<Storage> Storage::scratch_hbm(Hbm &hbm, int64_t bytes, DType type,
                                              std::string_view name) {
  auto storage = in_hbm(hbm.allocate(size_t(bytes)), bytes, type);
  storage->scratch_ = &hbm;
  storage->name = name;
  fill_fresh(storage->base, bytes, type);
  return storage;
}

Storage::~Storage() {
  if (is_placed)
    memory_->lift(*this);
  else if (memory_)
    memory_->put(buffer, base, pitch, pitch * partitions, name, std::max(written_at, read_until));
  if (scratch_)
    scratch_->release(base);
}

void Storage::materialize() {
  if (!is_placed) // other tiles may lie there
    fill_fresh(base, pitch * partitions, type);
  poison_words = (row_bytes + 63) / 64;
  poison.assign(size_t(poison_words * partitions), ~uint64_t(0));
  if (row_bytes % 64 != 0)
    for (int64_t p = 1; p <= partitions; ++p)
      poison[size_t(p * poison_words - 1)] = (uint64_t(1) << (row_bytes % 64)) - 1;
  contents = Contents::partly;
}

} // namespace nki::chip
