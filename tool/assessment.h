// What `neuronify assess` finds out about a code base, put together from one result per file.
#pragma once

#include "llvm/Support/JSON.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace neuronify::tool {

/// Launches of one kernel that a side-by-side run made, added up.
struct Measured {
  unsigned launches = 0, matched = 0;
  double predicted = 0;   ///< seconds on one core
  double engine_busy = 0; ///< of them, seconds that the busiest compute engine works
  double hbm_busy = 0;    ///< seconds that the bytes take at the core's share of the bandwidth
  std::string bound;      ///< of the longest launch
  double longest = 0;     ///< predicted seconds of that launch
};

/// A kernel of the source, which may be a template with several instances. Files that include the
/// same header have the same kernel.
struct AssessedKernel {
  std::string name, file;
  unsigned line = 0;
  std::set<std::string> instances; ///< mangled
  bool ported = true;              ///< all instances are
  std::string why;                 ///< the first diagnostic that stops it: "NFY4001: ..."
  std::set<std::string> stops, changes, hints; ///< codes: 4xxx, 2xxx, 3xxx
  std::string mapping;
  Measured measured;
};

struct AssessedFile {
  std::string path;
  std::string problem; ///< why nothing is known about its kernels, or ""
  unsigned kernels = 0;
  double seconds = 0;
};

/// One numbered diagnostic over the whole code base.
struct DiagnosticTotal {
  std::set<std::string> places;  ///< "file:line:column", each counted once
  std::set<std::string> kernels; ///< "file:line"
};

/// Something in host code that keeps a file from being ported whole: no counterpart on this side.
struct HostBlocker {
  std::string file;
  unsigned line = 0;
  std::string code, text;
  auto operator<=>(const HostBlocker &) const = default;
};

class Assessment {
public:
  /// Adds what `port --json` or `verify --json` wrote about one file; anything else is a problem of
  /// the file.
  void add_file(const std::string &path, const llvm::json::Value *results, std::string problem,
                double seconds);
  /// Adds the launches of a file that `verify --json` wrote. False where it is none.
  bool add_launches(const llvm::json::Value &results);

  const std::vector<AssessedFile> &files() const { return files_; }
  /// By file and line.
  std::vector<const AssessedKernel *> kernels() const;
  const std::map<std::string, DiagnosticTotal> &totals() const { return totals_; }
  /// By file and line, each once however many files include it.
  const std::set<HostBlocker> &host_blockers() const { return host_blockers_; }

  struct Counts {
    unsigned kernels = 0, ported = 0, changed = 0, unread = 0, launched = 0;
  };
  Counts counts() const;

  std::string text() const;
  llvm::json::Value json() const;
  /// A page that needs no other file and no network.
  std::string html(const std::string &title) const;

private:
  AssessedKernel &add_kernel(const llvm::json::Object &kernel);
  /// `kernel`: the one that it concerns, or null.
  void add_diagnostic(const llvm::json::Object &diagnostic, AssessedKernel *kernel);

  std::vector<AssessedFile> files_;
  std::map<std::pair<std::string, unsigned>, AssessedKernel> kernels_;
  std::map<std::string, DiagnosticTotal> totals_;
  std::set<HostBlocker> host_blockers_;
};

/// "ports", "ports, results may differ", "does not port".
std::string verdict_of(const AssessedKernel &kernel);

/// "NFY4001, NFY4003"
std::string join(const std::set<std::string> &codes);

/// The picture of kernels against the roofline, as an <svg> element; "" where no launch is known.
/// Work is counted in time of the busiest compute engine, so the level roof is that engine's full
/// use, and the slope the bandwidth of device memory.
std::string roofline(const std::vector<const AssessedKernel *> &kernels);

/// Text for HTML and XML.
std::string escape(const std::string &text);

} // namespace neuronify::tool
