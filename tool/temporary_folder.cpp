#include "temporary_folder.h"

#include "interrupt.h"

#include "llvm/Support/FileSystem.h"

#include <filesystem>

namespace neuronify::tool {

TemporaryFolder::TemporaryFolder() {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createUniqueDirectory("neuronify", path))
    return;
  path_ = path.str().str();
  Interrupt::add_folder(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty())
    std::filesystem::remove_all(path_, ignored);
  Interrupt::remove_folder(path_);
}

} // namespace neuronify::tool
