#include "process.h"

#include "interrupt.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace neuronify::tool {

namespace {

using Clock = std::chrono::steady_clock;

/// This process's environment with additions, as execve wants it.
std::vector<std::string> merged(const std::map<std::string, std::string> &additions) {
  std::vector<std::string> out;
  for (char **entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (!additions.contains(text.substr(0, text.find('='))))
      out.push_back(text);
  }
  for (const auto &[name, value] : additions)
    out.push_back(name + "=" + value);
  return out;
}

std::vector<char *> pointers(std::vector<std::string> &texts) {
  std::vector<char *> out;
  for (std::string &text : texts)
    out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// Waits for the process; the time between looks grows, so that short programs end at once.
bool wait_for(pid_t process, unsigned timeout, Clock::time_point start, int &status) {
  auto pause = std::chrono::microseconds(200);
  while (true) {
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process)
      return true;
    if (ended < 0 && errno != EINTR)
      return true;
    if (timeout && Clock::now() - start > std::chrono::seconds(timeout))
      return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
}

} // namespace

std::string ProcessResult::describe(unsigned timeout) const {
  if (!error.empty())
    return "could not be started: " + error;
  if (timed_out)
    return "did not end within " + std::to_string(timeout) + " s (see --timeout)";
  if (signal)
    return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  return "ended with exit code " + std::to_string(exit_code);
}

ProcessResult run_process(const std::vector<std::string> &arguments, const std::string &log,
                          const std::map<std::string, std::string> &environment, unsigned timeout,
                          const std::string &folder) {
  ProcessResult result;
  std::vector<std::string> words = arguments, variables = merged(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (!folder.empty())
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t none, changed; // this process's own signal settings are not the program's
  sigemptyset(&none);
  sigemptyset(&changed);
  sigaddset(&changed, SIGXFSZ);
  sigaddset(&changed, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &changed);
  posix_spawnattr_setpgroup(&attributes, 0);
  const Clock::time_point start = Clock::now();
  pid_t process = 0;
  const int failed = posix_spawnp(&process, words[0].c_str(), &actions, &attributes,
                                  pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed) {
    result.error = std::strerror(failed);
    return result;
  }
  Interrupt::add_group(process);
  int status = 0;
  if (!wait_for(process, timeout, start, status)) {
    result.timed_out = true;
    kill(-process, SIGKILL);
    waitpid(process, &status, 0);
  }
  Interrupt::remove_group(process);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exit_code = WEXITSTATUS(status);
  return result;
}

std::string tail(const std::string &path, size_t lines, const std::string &indentation) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return "";
  llvm::StringRef text = (*buffer)->getBuffer().rtrim();
  llvm::SmallVector<llvm::StringRef, 64> all;
  text.split(all, '\n');
  std::string out;
  for (size_t i = all.size() > lines ? all.size() - lines : 0; i < all.size(); ++i)
    out += (out.empty() ? "" : "\n") + indentation + all[i].str();
  return text.empty() ? "" : out;
}

} // namespace neuronify::tool
