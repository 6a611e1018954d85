// Looks at every access of a checked kernel before it happens.
#pragma once

#include "findings.h"
#include "shared_shadow.h"

namespace neuronify::reference {

/// Where memory is that a kernel may touch although no allocation holds it.
struct Range {
  const std::byte *begin = nullptr, *end = nullptr;
  bool contains(const std::byte *address, size_t size) const {
    return address >= begin && address <= end && size <= size_t(end - address);
  }
};

class Checker {
public:
  Checker(const Checks &checks, const Memory &memory, Findings &findings, Range shared,
          uint32_t threads);

  /// More memory that is always in bounds: stacks, constants, device variables.
  void allow(Range range) { always_.push_back(range); }
  void startBlock() { shadow_.startBlock(); }
  SharedShadow &shadow() { return shadow_; }

  /// False where the access must not happen. Parameters as neuronify_check_access.
  bool access(uint32_t thread, uint32_t site, const std::byte *address, size_t size, uint32_t flags,
              const void *value);
  /// Who wrote to Checks::watched last.
  const std::optional<Writer> &writer() const { return writer_; }
  /// What other checkers have seen so far.
  void setWriter(const std::optional<Writer> &writer) { writer_ = writer; }

private:
  void watch(uint32_t thread, uint32_t site, const std::byte *address, size_t size);
  bool inBounds(const std::byte *address, size_t size);
  std::string describeOutside(uint32_t thread, const std::byte *address, size_t size, bool writes);

  const Checks &checks_;
  const Memory &memory_;
  Findings &findings_;
  Range shared_;
  std::vector<Range> always_;
  Range recent_[4]; ///< allocations hit last, newest first
  SharedShadow shadow_;
  std::optional<Writer> writer_;
};

} // namespace neuronify::reference
