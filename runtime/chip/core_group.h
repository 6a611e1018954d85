// Cores that run one kernel together: the two of a logical core, or the ranks of a chip.
//
// One core runs at a time, from one meeting with others (barrier, exchange, collective) to the
// next, in an order that depends on nothing but the kernel. So results are the same in every run,
// also where a kernel forgets a barrier, and cores that wait for each other in vain are an error.
#pragma once

#include "chip/core.h"

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace nki::chip {

class CoreGroup {
public:
  struct Shape {
    int ranks = 1;          ///< logical cores
    int cores_per_rank = 1; ///< 2 under LNC 2: they share HBM tensors of the kernel
  };
  /// Throws nki::Error where the generation has fewer cores.
  CoreGroup(const Generation &generation, Hbm &hbm, Shape shape, ChipAssumptions assumptions = {});
  ~CoreGroup();

  const Shape &shape() const { return shape_; }
  int size() const { return shape_.ranks * shape_.cores_per_rank; }
  /// Core `index` is core index % cores_per_rank of rank index / cores_per_rank.
  Core &core(int index) { return *cores_[size_t(index)]; }

  /// Calls body(core) for every core, each on a thread of its own and inside of a CoreScope, and
  /// waits for all. Throws what the first body to fail threw. A body that calls into something with
  /// a lock of its own (Python) must not hold that lock while it waits in a meeting.
  void run(const std::function<void(Core &)> &body);

  /// What one core brings to a meeting.
  struct Meeting {
    std::string what;         ///< for people: "nisa.core_barrier"
    std::string key;          ///< the members' keys must be equal
    std::vector<int> members; ///< indices of cores, in ascending order
    void *message = nullptr;  ///< what the others may see
    /// Called once, when all are there, with all messages in the order of members.
    std::function<void(std::span<void *const>)> act;
  };
  /// Returns when all members have come. Throws what `act` threw, to all members, and nki::Error
  /// where some member waits for something else or has ended.
  void meet(int self, const Meeting &meeting);

  /// A tensor in shared HBM: the n-th of each core of a rank is the same one. Throws nki::Error
  /// where shapes or types differ.
  Tensor shared_tensor(int self, std::span<const int64_t> shape, DType type, std::string_view name);

private:
  enum class State : uint8_t { ready, running, waiting, ended };
  struct Seat {
    State state = State::ready;
    const Meeting *meeting = nullptr;
    std::exception_ptr failure; ///< thrown when the core goes on
    size_t shared = 0;          ///< shared tensors it has asked for
  };

  void run_alone(int index, const std::function<void(Core &)> &body);
  void wait_for_turn(std::unique_lock<std::mutex> &lock, int self);
  void pass_turn(int self);
  void fail_waiting();
  bool all_here(const Meeting &meeting) const;
  void note(std::exception_ptr failure);

  Shape shape_;
  std::vector<std::unique_ptr<Core>> cores_;
  std::vector<Seat> seats_;
  std::vector<std::vector<Tensor>> shared_; ///< per rank
  std::mutex mutex_;
  std::condition_variable turn_changed_;
  int turn_ = -1;
  std::exception_ptr first_failure_;
};

} // namespace nki::chip
