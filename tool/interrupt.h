// What a run leaves behind when it is interrupted: nothing.
//
// A process has one set of signals, so this is one object with static state.
#pragma once

#include <string>
#include <sys/types.h>

namespace neuronify::tool {

class Interrupt {
public:
  /// From now on SIGINT, SIGTERM and SIGHUP kill the process groups that are known, remove the
  /// folders that are known, and end the program. Before any other thread is made.
  static void watch();
  static void add_folder(const std::string &path);
  static void remove_folder(const std::string &path);
  static void add_group(pid_t group);
  static void remove_group(pid_t group);
};

} // namespace neuronify::tool
