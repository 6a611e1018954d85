// The predicted timeline of a whole run as a file that Perfetto and Chrome's tracing show.
#pragma once

#include "host/executor.h"

#include <cstdint>
#include <fstream>
#include <string>

namespace neuronify {

/// NEURONIFY_TRACE: one process per core, one track per engine, one more track with the launches.
/// The file is complete JSON after every launch's append(), so that a crash loses nothing.
class Trace {
public:
  /// An empty path traces nothing. error() says why a path cannot be written.
  explicit Trace(const std::string &path, int cores);
  explicit operator bool() const { return out_.is_open(); }
  const std::string &error() const { return error_; }
  /// Adds a launch that starts at `start` seconds of model time and what the cores did for it.
  void append(const Executor &executor, const std::string &kernel, uint64_t launch, double start,
              double seconds);

private:
  void close_array();
  std::ofstream out_;
  std::string error_;
};

} // namespace neuronify
