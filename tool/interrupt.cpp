#include "interrupt.h"

#include <csignal>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

namespace neuronify::tool {

namespace {

struct Known {
  std::mutex mutex;
  std::set<std::string> folders;
  std::set<pid_t> groups;
};

/// Never destroyed: a signal may come while the program ends.
Known &known() {
  static auto *object = new Known();
  return *object;
}

sigset_t signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&set, signal);
  return set;
}

[[noreturn]] void end(int signal) {
  Known &all = known();
  all.mutex.lock(); // for good: nothing new begins
  for (pid_t group : all.groups)
    kill(-group, SIGKILL);
  std::error_code ignored;
  for (const std::string &folder : all.folders)
    std::filesystem::remove_all(folder, ignored);
  _exit(128 + signal);
}

} // namespace

void Interrupt::watch() {
  static const sigset_t set = signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([] {
    int signal = 0;
    if (sigwait(&set, &signal) == 0)
      end(signal);
  }).detach();
}

void Interrupt::add_folder(const std::string &path) {
  std::lock_guard lock(known().mutex);
  known().folders.insert(path);
}

void Interrupt::remove_folder(const std::string &path) {
  std::lock_guard lock(known().mutex);
  known().folders.erase(path);
}

void Interrupt::add_group(pid_t group) {
  std::lock_guard lock(known().mutex);
  known().groups.insert(group);
}

void Interrupt::remove_group(pid_t group) {
  std::lock_guard lock(known().mutex);
  known().groups.erase(group);
}

} // namespace neuronify::tool
