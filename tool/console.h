// What the program tells people: diagnostics in Clang's form on stderr, results on stdout.
#pragma once

#include "diagnostics/diagnostic.h"

#include <mutex>
#include <string>
#include <vector>

namespace neuronify::tool {

class Console {
public:
  explicit Console(bool verbose) : verbose_(verbose) {}

  bool verbose() const { return verbose_; }

  /// Prints diagnostics in order; notes only in verbose mode.
  void report(const std::vector<Diagnostic> &diagnostics);
  /// "neuronify: error: ...", for what has no place in a file.
  void error(const std::string &text);
  void warning(const std::string &text);
  /// Only in verbose mode, on stderr.
  void detail(const std::string &text);
  /// On stdout.
  void print(const std::string &text);
  /// A line that shows how far the work is; only on a terminal, and overwritten by the next one.
  void progress(const std::string &text);

  unsigned errors() const { return errors_; }

private:
  void line(const std::string &text);
  void clear_progress();
  bool verbose_, progress_shown_ = false;
  unsigned errors_ = 0;
  std::mutex mutex_;
};

} // namespace neuronify::tool
