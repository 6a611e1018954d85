// One rank's call of a collective: rules, and how the ranks meet.
#pragma once

#include "chip/core_group.h"
#include "chip/view.h"
#include "nki/collectives.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nki::collectives {

/// What one core brings.
struct Part {
  chip::Core *core;
  std::vector<Tensor> srcs, dsts;
  const Tensor *metadata = nullptr;
};
using Bytes = std::vector<uint8_t>;

class Call {
public:
  /// Throws nki::Error where the core runs alone.
  Call(const char *name, Tensors srcs, Tensors dsts);

  [[noreturn]] void fail(const std::string &rule) const;
  void require(bool holds, const char *rule) const {
    if (!holds)
      fail(rule);
  }
  const chip::Core &core() const { return core_; }
  const Part &part() const { return part_; }

  void priority(std::optional<int> priority) const;
  /// As many sources as destinations, at least one, of equal types; all in HBM or, where
  /// `sbuf_can`, one of each in SBUF with two dimensions.
  void lists(bool sbuf_can) const;
  void one_tensor_each() const;
  void reduction(Op op) const;
  /// The ranks that work with this one, in their order.
  std::vector<int> ranks(const ReplicaGroup &group) const;
  /// dst has `factor` / `divisor` times the elements of src.
  void sizes(int64_t factor, int64_t divisor) const;
  void metadata(const Tensor &tensor) { part_.metadata = &tensor; }

  /// Meets the cores of `ranks` and calls f once for each set of cores that have the same number in
  /// their rank: f(parts in the order of ranks, writes), where writes are done after all reads.
  /// `traffic` is what one core sends, as a multiple of the bytes of its sources, in `steps` steps.
  struct Write {
    const Tensor *to;
    Bytes bytes;
    int64_t first_element = 0; ///< of a flat HBM tensor
  };
  using Work = std::function<void(std::span<const Part *const>, std::vector<Write> &)>;
  void run(const std::vector<int> &ranks, const std::string &parameters, double traffic, int steps,
           const Work &work);

  /// All elements in order. An error where one was never written.
  Bytes read(const Tensor &tensor) const;
  /// `total` op= `added`, both in `type`, through fp32.
  Bytes reduce(std::span<const Bytes> values, DType type, Op op) const;

private:
  void take_time(std::span<void *const> messages, double traffic, int steps) const;

  const char *name_;
  chip::Core &core_;
  Part part_;
};

} // namespace nki::collectives
