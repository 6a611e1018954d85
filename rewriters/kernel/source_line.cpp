#include "kernel/source_line.h"

#include "frontend/toolchain.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

bool is_given(StringRef file) {
  static constexpr StringRef folders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/",
                                          "/usr/local/cuda"};
  static const std::string ours = frontend::header_directory();
  return file.contains("/lib/clang/") || (!ours.empty() && file.starts_with(ours)) ||
         any_of(folders, [&](StringRef folder) { return file.starts_with(folder); });
}

} // namespace

const DILocation *source_line(const DebugLoc &location) {
  const DILocation *at = location.get();
  while (at && at->getInlinedAt() && is_given(at->getFilename()))
    at = at->getInlinedAt();
  return at && at->getLine() ? at : nullptr;
}

} // namespace neuronify::kernel
