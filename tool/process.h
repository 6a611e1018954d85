// Running other programs, with a time limit.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace neuronify::tool {

struct ProcessResult {
  int exit_code = -1; ///< of a program that ended by itself
  int signal = 0;     ///< the signal that ended it, or 0
  bool timed_out = false;
  std::string error; ///< why it could not be started, or ""
  double seconds = 0;

  bool ok() const { return error.empty() && !timed_out && signal == 0 && exit_code == 0; }
  /// "exit code 3", "ended by signal 11 (Segmentation fault)", "did not end within 10 s", ...
  std::string describe(unsigned timeout) const;
};

/// Runs `arguments[0]` with the others and waits. Standard output and error go to the file `log`,
/// standard input is empty. `environment` is added to this process's own. The program gets a
/// process group of its own, and after `timeout` seconds (0: none) the whole group is killed.
ProcessResult run_process(const std::vector<std::string> &arguments, const std::string &log,
                          const std::map<std::string, std::string> &environment = {},
                          unsigned timeout = 0, const std::string &folder = "");

/// The end of a text file, at most `lines` lines, each after `indentation`.
std::string tail(const std::string &path, size_t lines, const std::string &indentation = "    ");

} // namespace neuronify::tool
