// A copy of every live allocation of the program, variables too.
#pragma once

#include "host/device_memory.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace neuronify {

class Snapshot {
public:
  /// Copies memory as it is now. Buffers of the snapshot before are used again where an allocation
  /// is still there: fresh ones cost more than the copy.
  void take(const DeviceMemory &memory);
  void restore() const;
  /// Exchanges memory and copy. What memory becomes can be had again by restore_exchanged().
  void exchange();
  /// Memory as exchange() left it.
  void restore_exchanged() const;
  /// Calls visit(allocation, copy) for every allocation that no longer equals its copy.
  template <class F> void for_each_different(F &&visit) const {
    for (const auto &[start, copy] : copies_)
      if (differs(copy))
        visit(*copy.allocation, static_cast<const char *>(copy.bytes.get()));
  }
  uint64_t bytes() const; ///< of all copies

private:
  struct Copy {
    const DeviceAllocation *allocation = nullptr;
    size_t size = 0;
    std::unique_ptr<char[]> bytes;
  };
  static bool differs(const Copy &copy);
  /// A piece of memory that exchange() changed, with what it became at `offset` of `exchanged_`.
  struct Piece {
    char *memory;
    size_t size, offset;
  };

  std::map<const char *, Copy> copies_; // by start
  std::vector<Piece> pieces_;
  std::vector<char> exchanged_;
};

} // namespace neuronify
