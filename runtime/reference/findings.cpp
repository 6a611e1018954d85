#include "findings.h"

#include <algorithm>

namespace neuronify::reference {

namespace {
// A broken kernel is broken at a handful of places; more would bury them.
constexpr size_t most_findings = 100;
} // namespace

std::string text(Dim3 place) {
  return "(" + std::to_string(place.x) + "," + std::to_string(place.y) + "," +
         std::to_string(place.z) + ")";
}

Dim3 unflattened(uint64_t linear, Dim3 size) {
  uint64_t rows = linear / size.x;
  return {uint32_t(linear % size.x), uint32_t(rows % size.y), uint32_t(rows / size.y)};
}

std::string Findings::place(uint32_t site) const {
  if (site >= sites_.size() || !sites_[site].line)
    return "an unknown line";
  return sites_[site].file + ":" + std::to_string(sites_[site].line);
}

bool Findings::isNew(const char *kind, uint32_t site, uint32_t other) const {
  return found_.size() < most_findings &&
         !known_.count({kind, std::min(site, other), std::max(site, other)});
}

void Findings::add(const char *kind, uint32_t thread, uint32_t site, std::string message,
                   uint32_t other) {
  if (!isNew(kind, site, other))
    return;
  known_.insert({kind, std::min(site, other), std::max(site, other)});
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  if (site < sites_.size()) {
    finding.file = sites_[site].file;
    finding.line = sites_[site].line;
  }
  finding.block = block_;
  finding.thread = threadAt(thread);
  found_.push_back(std::move(finding));
}

} // namespace neuronify::reference
