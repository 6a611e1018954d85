#include "emit/format.h"

#include <clang/Format/Format.h>

namespace neuronify::emit {

std::string format(const std::string &code) {
  clang::format::FormatStyle style = clang::format::getLLVMStyle();
  style.ColumnLimit = 100;
  style.SortIncludes = {};
  const clang::tooling::Range whole(0, unsigned(code.size()));
  auto replacements = clang::format::reformat(style, code, {whole}, "generated.cpp");
  auto result = clang::tooling::applyAllReplacements(code, replacements);
  if (!result) {
    llvm::consumeError(result.takeError());
    return code;
  }
  return *result;
}

} // namespace neuronify::emit
