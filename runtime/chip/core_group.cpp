#include "chip/core_group.h"

#include "chip/storage.h"
#include "nki/describe.h"
#include "nki/error.h"

#include <algorithm>
#include <thread>

namespace nki::chip {

CoreGroup::CoreGroup(const Generation &generation, Hbm &hbm, Shape shape,
                     ChipAssumptions assumptions)
    : shape_(shape), seats_(size_t(shape.ranks * shape.cores_per_rank)),
      shared_(size_t(shape.ranks)) {
  if (shape.ranks < 1 || shape.cores_per_rank < 1 || size() > generation.cores)
    throw Error("cores", std::to_string(shape.ranks) + " ranks of " +
                             std::to_string(shape.cores_per_rank) + " cores do not fit " +
                             std::string(generation.name) + ", which has " +
                             std::to_string(generation.cores) + " cores");
  for (int i = 0; i < size(); ++i) {
    cores_.push_back(std::make_unique<Core>(generation, hbm, assumptions, i));
    cores_.back()->group = this;
    cores_.back()->place = {i / shape.cores_per_rank, shape.ranks, i % shape.cores_per_rank,
                            shape.cores_per_rank};
  }
}

CoreGroup::~CoreGroup() = default;

// ---- turns --------------------------------------------------------------------------------------

void CoreGroup::run(const std::function<void(Core &)> &body) {
  first_failure_ = nullptr;
  for (Seat &seat : seats_)
    seat = {};
  for (auto &tensors : shared_)
    tensors.clear();
  turn_ = 0;
  if (size() == 1) {
    run_alone(0, body);
  } else {
    std::vector<std::thread> threads;
    for (int i = 0; i < size(); ++i)
      threads.emplace_back([this, i, &body] { run_alone(i, body); });
    for (std::thread &thread : threads)
      thread.join();
  }
  for (auto &tensors : shared_)
    tensors.clear();
  if (first_failure_)
    std::rethrow_exception(std::exchange(first_failure_, nullptr));
}

void CoreGroup::run_alone(int index, const std::function<void(Core &)> &body) {
  {
    std::unique_lock lock(mutex_);
    wait_for_turn(lock, index);
  }
  std::exception_ptr failure;
  try {
    CoreScope scope(core(index));
    body(core(index));
  } catch (...) {
    failure = std::current_exception();
  }
  std::unique_lock lock(mutex_);
  note(failure);
  seats_[size_t(index)].state = State::ended;
  pass_turn(index);
}

void CoreGroup::wait_for_turn(std::unique_lock<std::mutex> &lock, int self) {
  turn_changed_.wait(lock, [&] { return turn_ == self; });
  seats_[size_t(self)].state = State::running;
}

void CoreGroup::pass_turn(int self) {
  auto next_ready = [&] {
    for (int step = 1; step <= size(); ++step)
      if (seats_[size_t((self + step) % size())].state == State::ready)
        return (self + step) % size();
    return -1;
  };
  turn_ = next_ready();
  if (turn_ < 0) {
    fail_waiting(); // nobody can come any more
    turn_ = next_ready();
  }
  turn_changed_.notify_all();
}

void CoreGroup::note(std::exception_ptr failure) {
  if (failure && !first_failure_)
    first_failure_ = failure;
}

void CoreGroup::fail_waiting() {
  std::string text;
  const Meeting *first = nullptr;
  for (int i = 0; i < size(); ++i) {
    const Seat &seat = seats_[size_t(i)];
    text += (text.empty() ? "core " : "; core ") + std::to_string(i);
    text += seat.meeting ? " waits in " + seat.meeting->what : std::string(" has ended");
    first = first ? first : seat.meeting;
  }
  if (!first)
    return;
  const Error error(first->what.substr(0, first->what.find('(')),
                    "cores wait for each other in vain: " + text);
  for (Seat &seat : seats_)
    if (seat.meeting) {
      seat.failure = std::make_exception_ptr(error);
      seat.state = State::ready;
      seat.meeting = nullptr;
    }
}

// ---- meetings -----------------------------------------------------------------------------------

bool CoreGroup::all_here(const Meeting &meeting) const {
  return std::all_of(meeting.members.begin(), meeting.members.end(), [&](int member) {
    const Meeting *theirs = seats_[size_t(member)].meeting;
    return theirs && theirs->key == meeting.key && theirs->members == meeting.members;
  });
}

void CoreGroup::meet(int self, const Meeting &meeting) {
  std::unique_lock lock(mutex_);
  Seat &seat = seats_[size_t(self)];
  seat.meeting = &meeting;
  if (!all_here(meeting)) {
    seat.state = State::waiting;
    pass_turn(self);
    wait_for_turn(lock, self);
  } else {
    std::vector<void *> messages;
    for (int member : meeting.members)
      messages.push_back(seats_[size_t(member)].meeting->message);
    std::exception_ptr failure;
    try {
      meeting.act(messages); // all others wait
    } catch (...) {
      failure = std::current_exception();
    }
    for (int member : meeting.members) {
      Seat &other = seats_[size_t(member)];
      other.meeting = nullptr;
      other.failure = failure;
      if (member != self)
        other.state = State::ready;
    }
  }
  if (seat.failure)
    std::rethrow_exception(std::exchange(seat.failure, nullptr));
}

// ---- shared memory ------------------------------------------------------------------------------

Tensor CoreGroup::shared_tensor(int self, std::span<const int64_t> shape, DType type,
                                std::string_view name) {
  Core &core = this->core(self);
  std::vector<Tensor> &tensors = shared_[size_t(core.place.rank)];
  const size_t number = seats_[size_t(self)].shared++;
  Dim dims[Tensor::kMaxDims];
  int64_t elements = 1;
  for (size_t i = shape.size(); i-- > 0; elements *= shape[i])
    dims[i] = {elements, shape[i]};
  if (number == tensors.size()) {
    auto storage = Storage::scratch_hbm(core.hbm(), elements * int64_t(size_of(type)), type, name);
    storage->shared = true;
    tensors.push_back(Tensor(storage, type, {dims, shape.size()}, 0, 0));
  }
  const Tensor &tensor = tensors[number];
  bool same = tensor.dtype() == type && tensor.ndim() == int(shape.size());
  for (size_t i = 0; same && i < shape.size(); ++i)
    same = tensor.shape(int(i)) == shape[i];
  if (!same)
    throw Error("nl.ndarray",
                "cores of one logical core must allocate the same tensors in shared HBM: number " +
                    std::to_string(number) + " of core " + std::to_string(core.place.program) +
                    " differs from the one that is there",
                describe(tensor));
  return tensor;
}

} // namespace nki::chip
