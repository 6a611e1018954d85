// SBUF and PSUM of one core: how much is in use, and host memory for it.
//
// Every allocation gets a host block of its own, so that a whole tile is one contiguous run; what
// is modelled of the address space is its capacity. Freed blocks are reused last in, first out,
// which keeps them in the host's cache. The time at which freed capacity can be used again is kept
// for the timeline: a tile that takes over memory cannot be written before its last reader has
// ended.
#pragma once

#include "nki/tensor.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace nki::chip {

class Storage;

class CoreMemory {
public:
  CoreMemory(int64_t sbuf_bytes, int64_t psum_bytes);
  ~CoreMemory();

  struct Block {
    uint8_t *base;
    double available_at;
  };
  /// Takes `row_bytes` per partition; null base where that exceeds the capacity. `host_bytes` is
  /// what the host block must hold, `name` what people call it.
  Block take(Buffer buffer, int64_t row_bytes, int64_t host_bytes, const std::string &name);
  void put(Buffer buffer, uint8_t *base, int64_t row_bytes, int64_t host_bytes,
           const std::string &name, double free_at);
  /// The bytes of placed tiles: 128 rows of the capacity, NaN at first.
  uint8_t *arena(Buffer buffer);
  /// Notes a placed tile whose first partition is `partition`; returns when the memory is free.
  double place(Storage &tile, int64_t partition);
  void lift(Storage &tile);
  /// Calls f(other) for all other placed tiles of the same memory.
  void over_placed(const Storage &tile, const std::function<void(Storage &)> &f);
  /// The largest allocations in use, for people: "'rows' 4096, 4 tiles of 1024".
  std::string largest(Buffer buffer) const;

  struct Space {
    int64_t capacity = 0, used = 0, peak = 0;
    int64_t fresh = 0; ///< bytes per partition that nobody has used yet
    struct Freed {
      int64_t bytes;
      double at;
    };
    std::deque<Freed> freed;                             ///< in order of release
    std::map<std::pair<std::string, int64_t>, int> live; ///< allocations by name and size
  };
  Space space(Buffer buffer) const;

private:
  uint8_t *host_block(int64_t bytes);
  uint8_t *carve(int64_t bytes);

  mutable std::mutex mutex_;
  std::vector<Storage *> placed_;
  std::unique_ptr<uint8_t[]> sbuf_arena_, psum_arena_;
  Space sbuf_, psum_;
  std::map<int64_t, std::vector<uint8_t *>> idle_; // host blocks by size
  std::vector<void *> slabs_;                      // what to free
  uint8_t *slab_ = nullptr;                        // the rest of the last one
  int64_t slab_left_ = 0;
  int next_colour_ = 0;
};

} // namespace nki::chip
