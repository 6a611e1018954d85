#include "console.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace neuronify::tool {

void Console::report(const std::vector<Diagnostic> &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::note && !verbose_)
      continue;
    line(to_string(diagnostic));
    std::lock_guard lock(mutex_);
    errors_ += diagnostic.severity == Severity::error;
  }
}

void Console::error(const std::string &text) {
  report({{.code = "", .severity = Severity::error, .file = "", .kernel = "", .text = text}});
}

void Console::warning(const std::string &text) {
  report({{.code = "", .severity = Severity::warning, .file = "", .kernel = "", .text = text}});
}

void Console::detail(const std::string &text) {
  if (verbose_)
    line(text);
}

void Console::line(const std::string &text) {
  std::lock_guard lock(mutex_);
  clear_progress();
  llvm::outs().flush();
  llvm::errs() << text << '\n';
}

void Console::print(const std::string &text) {
  std::lock_guard lock(mutex_);
  clear_progress();
  llvm::outs() << text;
  llvm::outs().flush();
}

void Console::progress(const std::string &text) {
  if (verbose_ || !llvm::sys::Process::StandardErrIsDisplayed())
    return;
  std::lock_guard lock(mutex_);
  clear_progress();
  llvm::errs() << text;
  progress_shown_ = true;
}

void Console::clear_progress() {
  if (progress_shown_)
    llvm::errs() << "\r\x1b[K";
  progress_shown_ = false;
}

} // namespace neuronify::tool
