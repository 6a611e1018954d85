// A folder for intermediate files that goes away with the object, also when the run is interrupted.
#pragma once

#include <string>

namespace neuronify::tool {

class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  /// "" where none could be made.
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

} // namespace neuronify::tool
