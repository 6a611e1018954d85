// What is wrong with the original program, as far as one launch shows it.
#pragma once

#include "compiler.h"
#include "reference.h"

#include <set>
#include <tuple>

namespace neuronify::reference {

/// "(1,0,0)".
std::string text(Dim3 place);
/// Coordinates of a linear number in a box of `size`, x fastest.
Dim3 unflattened(uint64_t linear, Dim3 size);

/// Collects findings, each place and kind once.
class Findings {
public:
  Findings(const std::vector<Site> &sites, Dim3 block_size)
      : sites_(sites), block_size_(block_size) {}

  void setBlock(Dim3 block) { block_ = block; }
  static constexpr uint32_t nowhere = ~0u;
  /// Adds a finding of `thread` at `site` unless the same was found before. `other` is the second
  /// place of those that have two; which of them comes first in a run makes no difference.
  void add(const char *kind, uint32_t thread, uint32_t site, std::string message,
           uint32_t other = nowhere);
  /// Whether `add` would still add it: building a message takes time.
  bool isNew(const char *kind, uint32_t site, uint32_t other = nowhere) const;

  Dim3 threadAt(uint32_t thread) const { return unflattened(thread, block_size_); }
  /// "thread (1,0,0)".
  std::string thread(uint32_t thread) const { return "thread " + text(threadAt(thread)); }
  /// "FILE:LINE", or "an unknown line" where the bitcode has no line numbers.
  std::string place(uint32_t site) const;
  Site site(uint32_t number) const { return number < sites_.size() ? sites_[number] : Site(); }
  Dim3 block() const { return block_; }
  std::vector<Finding> take() { return std::move(found_); }

private:
  const std::vector<Site> &sites_;
  Dim3 block_size_, block_;
  std::vector<Finding> found_;
  std::set<std::tuple<std::string, uint32_t, uint32_t>> known_;
};

} // namespace neuronify::reference
