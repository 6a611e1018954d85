#include "lanes/together.h"

#include "chip/core.h"
#include "lanes/print.h"
#include "nki/device.h"
#include "nki/error.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace nki {

/// The turns of the waves. Each runs on a thread of its own, since it stops in the middle of
/// emitted code, but only one runs at a time.
class GridTurns {
public:
  GridTurns(const Waves &waves, const std::function<void(const Wave &)> &body)
      : waves_(waves), body_(body), core_(current_core()), printed_(current_print_sink()),
        ended_(waves.size()) {}

  void run() {
    std::vector<std::thread> threads;
    try {
      for (size_t number = 0; number < ended_.size(); ++number)
        threads.emplace_back([this, number] { run_wave(number); });
    } catch (...) { // the system gives no more threads
      fail(std::current_exception());
    }
    {
      std::lock_guard lock(mutex_);
      turn_ = 0;
      changed_.notify_all();
    }
    for (std::thread &thread : threads)
      thread.join();
    if (error_)
      std::rethrow_exception(error_);
  }

  /// Lets the other waves come to their barriers, too.
  void wait() {
    std::unique_lock lock(mutex_);
    const size_t number = turn_;
    pass_on();
    changed_.wait(lock, [&] { return turn_ == number || error_; });
    if (error_)
      throw Ended();
  }

private:
  /// Unwinds a wave that nobody needs any more.
  struct Ended {};
  static constexpr size_t kNobody = ~size_t(0);

  void run_wave(size_t number) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return turn_ == number || error_; });
      if (error_)
        return;
    }
    try {
      CoreScope scope(core_);
      std::optional<PrintScope> prints;
      if (printed_)
        prints.emplace(*printed_);
      Waves::Iterator wave(waves_, number);
      body_(*wave);
    } catch (const Ended &) {
      return;
    } catch (...) {
      return fail(std::current_exception());
    }
    std::lock_guard lock(mutex_);
    ended_[number] = true;
    ++how_many_ended_;
    pass_on();
  }

  void fail(std::exception_ptr error) {
    std::lock_guard lock(mutex_);
    if (!error_)
      error_ = error;
    changed_.notify_all();
  }

  /// The turn goes to the next wave. In one round all waves come to the same barrier or to the end.
  void pass_on() {
    if (++turn_ == ended_.size()) {
      turn_ = how_many_ended_ == 0 ? 0 : kNobody;
      if (how_many_ended_ != 0 && how_many_ended_ != ended_.size())
        error_ = std::make_exception_ptr(Error(
            "grid_sync", "some blocks wait at a barrier of the grid that others never reach"));
    }
    changed_.notify_all();
  }

  const Waves &waves_;
  const std::function<void(const Wave &)> &body_;
  chip::Core &core_;
  std::vector<Printed> *printed_;
  std::mutex mutex_; ///< of everything below
  std::condition_variable changed_;
  size_t turn_ = kNobody;
  std::vector<uint8_t> ended_;
  size_t how_many_ended_ = 0;
  std::exception_ptr error_;
};

void run_together(const Waves &waves, const std::function<void(const Wave &)> &body) {
  const Launch &launch = waves.launch();
  launch.waves_together = waves.size();
  launch.can_halve = false; // smaller waves are more waves: they need the same space together
  if (waves.size() <= 1) {
    for (const Wave &wave : waves)
      body(wave);
    return;
  }
  GridTurns turns(waves, body);
  launch.turns = &turns;
  turns.run();
  launch.turns = nullptr;
}

void grid_sync(const Wave &wave, const Mask &) {
  if (GridTurns *turns = wave.launch().turns)
    turns->wait();
}

} // namespace nki
