// The report of a run: JSON lines, one per launch, written as they happen. Schema: docs/report.md.
#pragma once

#include "host/executor.h"
#include "host/side_by_side.h"
#include "host/vector_types.h"
#include "reference/reference.h"

#include <array>
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace neuronify {

/// One row: a launch and what became of it.
struct LaunchRow {
  std::string kernel, mangled, file, mapping;
  unsigned line = 0;
  uint64_t launch = 0; ///< counts the program's launches from 1
  dim3 grid, block;
  size_t dynamic_shared = 0;
  double start = 0; ///< model time at which the stream was free for it, seconds
  Outcome outcome;
  Prediction prediction;
  std::vector<reference::Finding> findings;
};

/// Streams rows to FILE.part and gives it its name at the end, so that FILE is whole when it
/// exists and FILE.part has everything up to a crash or a kill that nobody can catch.
class Report {
public:
  /// Starts the file. An empty path makes a report that ignores everything.
  Report(std::string path, std::string program, std::string_view mode);
  ~Report();
  Report(const Report &) = delete;
  Report &operator=(const Report &) = delete;

  /// A message about the run as a whole, such as an environment variable that makes no sense.
  void message(std::string_view text);
  /// Announces a launch, so that a crash inside it can be told.
  void begin(uint64_t launch, std::string_view kernel);
  void add(const LaunchRow &row);
  /// Writes the summary and names the file. Later calls do nothing, and neither do a forked
  /// child's.
  void finish();
  /// "4 of 5 launches match".
  std::string summary() const;
  /// Error text where the file could not be written, else "".
  const std::string &error() const { return error_; }

private:
  void write(const std::string &line);
  void install_crash_handler();
  friend void end_report_on_signal(int signal);

  std::string path_, part_, program_, mode_, error_;
  std::vector<std::string> last_lines_; ///< by signal, made before one can come
  int file_ = -1;
  pid_t process_ = 0;
  std::array<uint64_t, 6> verdicts_{}; ///< by Verdict
  uint64_t findings_ = 0;
};

/// JSON of one row, without the line break.
std::string to_json(const LaunchRow &row, std::string_view program);

} // namespace neuronify
