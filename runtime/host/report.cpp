#include "host/report.h"

#include "host/json.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <numeric>
#include <unistd.h>

namespace neuronify {

namespace {

std::string json(const dim3 &d) {
  return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + "]";
}
std::string json(const reference::Dim3 &d) { return json(dim3(d.x, d.y, d.z)); }

void add(JsonObject &object, const Difference &difference) {
  object.add("offset", difference.offset);
  object.add("index", difference.index);
  if (difference.field >= 0)
    object.add("field", difference.field);
  object.add("type", name_of(difference.type));
  object.add("reference", difference.reference);
  object.add("port", difference.port);
}

std::string json(const reference::Writer &writer) {
  JsonObject object;
  object.add_raw("block", json(writer.block)).add_raw("thread", json(writer.thread));
  object.add("file", writer.file).add("line", writer.line).add("writes", writer.writes);
  return object.str();
}

std::string json(const Outcome &outcome) {
  JsonObject object;
  object.add("buffer", outcome.buffer->describe());
  object.add("allocation", outcome.buffer->number);
  object.add("variable", outcome.buffer->name);
  object.add("bytes", outcome.buffer->size);
  add(object, *outcome.comparison.first);
  if (outcome.writer_known)
    object.add_raw("writer", outcome.writer ? json(*outcome.writer) : "null");
  return object.str();
}

std::string json(const reference::Finding &finding) {
  JsonObject object;
  object.add("kind", finding.kind);
  object.add("message", finding.message);
  object.add("file", finding.file);
  object.add("line", finding.line);
  object.add_raw("block", json(finding.block));
  object.add_raw("thread", json(finding.thread));
  return object.str();
}

template <class T> std::string json_list(const T &values, auto &&convert) {
  JsonArray array;
  for (const auto &value : values)
    array.add_raw(convert(value));
  return array.str();
}

// The one report of the process that a signal must still bring to its end. Set once, read by the
// handler, which may use nothing but system calls.
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGHUP};
Report *active_report = nullptr;
struct sigaction previous_actions[std::size(kSignals)];

} // namespace

std::string to_json(const LaunchRow &row, std::string_view program) {
  const Comparison &c = row.outcome.comparison;
  JsonObject object;
  object.add("record", "launch").add("program", program);
  object.add("kernel", row.kernel).add("mangled", row.mangled);
  object.add("file", row.file).add("line", row.line);
  object.add("launch", row.launch);
  object.add_raw("grid", json(row.grid)).add_raw("block", json(row.block));
  object.add("dynamic_shared", row.dynamic_shared).add("mapping", row.mapping);
  object.add("verdict", name_of(row.outcome.verdict)).add("message", row.outcome.message);
  object.add("compared_bytes", row.outcome.compared_bytes);
  object.add("different", c.different).add("mismatches", c.mismatches);
  object.add("max_ulp", c.max_ulp).add("max_relative", c.max_relative);
  object.add_raw("ulp_histogram",
                 json_list(c.ulp_histogram, [](uint64_t n) { return std::to_string(n); }));
  object.add("near_zero", c.near_zero);
  if (c.furthest_near_zero) {
    JsonObject furthest;
    add(furthest, *c.furthest_near_zero);
    object.add_raw("furthest_near_zero", furthest.str());
  }
  if (c.first && row.outcome.buffer)
    object.add_raw("first_difference", json(row.outcome));
  object.add_raw("findings", json_list(row.findings, [](const auto &f) { return json(f); }));
  object.add("start", row.start);
  object.add("predicted_one_core", row.prediction.one_core_seconds);
  object.add("predicted_chip", row.prediction.chip_seconds);
  object.add("bound", row.prediction.bound).add("instructions", row.prediction.instructions);
  object.add("engine_busy", row.prediction.engine_seconds);
  object.add("hbm_busy", row.prediction.hbm_seconds);
  object.add("wall_reference", row.outcome.reference_seconds);
  object.add("wall_port", row.outcome.port_seconds);
  object.add("wall_compare", row.outcome.compare_seconds);
  if (!row.outcome.nki.empty())
    object.add("nki", row.outcome.nki).add("wall_nki", row.outcome.nki_seconds);
  return object.str();
}

Report::Report(std::string path, std::string program, std::string_view mode)
    : path_(std::move(path)), part_(path_ + ".part"), program_(std::move(program)), mode_(mode),
      process_(getpid()) {
  if (path_.empty())
    return;
  file_ = open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) {
    error_ = "cannot write " + part_ + ": " + std::strerror(errno);
    return;
  }
  JsonObject header;
  header.add("record", "program").add("program", program_).add("mode", mode_).add("version", 1);
  write(header.str());
  install_crash_handler();
}

Report::~Report() {
  if (active_report == this)
    active_report = nullptr;
  if (file_ >= 0)
    close(file_);
}

void Report::write(const std::string &line) {
  if (file_ < 0 || getpid() != process_)
    return;
  std::string text = line + "\n";
  for (size_t done = 0; done < text.size();) {
    ssize_t n = ::write(file_, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      error_ = "cannot write " + part_ + ": " + std::strerror(errno);
      close(file_);
      file_ = -1;
      return;
    }
    done += size_t(n);
  }
}

void Report::message(std::string_view text) {
  JsonObject object;
  object.add("record", "message").add("text", text);
  write(object.str());
}

void Report::begin(uint64_t launch, std::string_view kernel) {
  JsonObject object;
  object.add("record", "begin").add("launch", launch).add("kernel", kernel);
  write(object.str());
}

void Report::add(const LaunchRow &row) {
  ++verdicts_[size_t(row.outcome.verdict)];
  findings_ += row.findings.size();
  write(to_json(row, program_));
}

std::string Report::summary() const {
  const uint64_t launches = std::accumulate(verdicts_.begin(), verdicts_.end(), uint64_t(0));
  return std::to_string(verdicts_[size_t(Verdict::match)]) + " of " + std::to_string(launches) +
         " launches match";
}

void Report::finish() {
  if (file_ < 0 || getpid() != process_)
    return;
  auto count = [&](Verdict verdict) { return verdicts_[size_t(verdict)]; };
  uint64_t launches = std::accumulate(verdicts_.begin(), verdicts_.end(), uint64_t(0));
  bool good = count(Verdict::match) + count(Verdict::ran) == launches;
  JsonObject object;
  object.add("record", "summary").add("end", "exit").add("launches", launches);
  for (Verdict verdict : {Verdict::ran, Verdict::match, Verdict::mismatch, Verdict::failed,
                          Verdict::not_ported, Verdict::reference_failed})
    object.add(name_of(verdict), count(verdict));
  object.add("findings", findings_);
  object.add("verdict", good                       ? (mode_ == "verify" ? "match" : "ran")
                        : count(Verdict::mismatch) ? "mismatch"
                                                   : "failed");
  write(object.str());
  if (file_ < 0)
    return;
  close(file_);
  file_ = -1;
  if (std::rename(part_.c_str(), path_.c_str()) != 0)
    error_ = "cannot name " + path_ + ": " + std::strerror(errno);
  if (active_report == this)
    active_report = nullptr;
}

/// Async-signal-safe: ends the report with a summary that names the signal.
void end_report_on_signal(int signal) {
  size_t slot = 0;
  while (slot < std::size(kSignals) && kSignals[slot] != signal)
    ++slot;
  Report *report = active_report;
  active_report = nullptr;
  if (report && slot < std::size(kSignals) && report->file_ >= 0 && getpid() == report->process_) {
    const std::string &line = report->last_lines_[slot];
    ssize_t ignored = ::write(report->file_, line.data(), line.size());
    (void)ignored;
    rename(report->part_.c_str(), report->path_.c_str());
  }
  // Whatever the signal would have done is done now: by the handler before this one, or by default.
  if (slot < std::size(kSignals))
    sigaction(signal, &previous_actions[slot], nullptr);
  raise(signal);
}

void Report::install_crash_handler() {
  if (active_report)
    return;
  active_report = this;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    last_lines_.push_back("{\"record\":\"summary\",\"end\":\"signal " +
                          std::to_string(kSignals[i]) + "\",\"verdict\":\"failed\"}\n");
    struct sigaction action{};
    action.sa_handler = end_report_on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_ONSTACK;
    sigaction(kSignals[i], nullptr, &previous_actions[i]);
    if (previous_actions[i].sa_handler != SIG_IGN)
      sigaction(kSignals[i], &action, nullptr);
  }
}

} // namespace neuronify
