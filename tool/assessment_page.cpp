#include "assessment.h"
#include "diagnostics/codes.h"
#include "table.h"

namespace neuronify::tool {

namespace {

constexpr char style[] = R"(
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0; width: 100% }
th, td { text-align: left; padding: .3em .8em .3em 0; border-bottom: 1px solid #ddd; vertical-align: top }
td.number, th.number { text-align: right }
code { font-size: 13px; overflow-wrap: anywhere }
.bar { display: flex; height: 1.4em; border-radius: 3px; overflow: hidden; background: #eee }
.bar span { display: block }
.good { background: #2e8b57 } .changed { background: #c9a227 } .stopped { background: #b03a2e }
td.good, td.changed, td.stopped { background: none; font-weight: 600 }
td.good { color: #2e8b57 } td.changed { color: #8a6d00 } td.stopped { color: #b03a2e }
svg { width: 100%; max-width: 55em; font-size: 12px }
svg .grid { stroke: #e4e4e4 } svg .roof { stroke: #444; stroke-width: 2 }
svg circle { fill-opacity: .75 } svg .latency { fill: #777 } svg .memory { fill: #1f77b4 } svg .engine { fill: #d1681e }
)";

std::string cell(const std::string &text, const char *kind = "") {
  return (*kind ? "<td class=\"" + std::string(kind) + "\">" : "<td>") + escape(text) + "</td>";
}

const char *class_of(const AssessedKernel &kernel) {
  return !kernel.ported ? "stopped" : kernel.changes.empty() ? "good" : "changed";
}

std::string bar(const Assessment::Counts &count) {
  if (!count.kernels)
    return "";
  auto part = [&](unsigned number, const char *kind) {
    return number ? "<span class=\"" + std::string(kind) +
                        "\" style=\"flex:" + std::to_string(number) + "\" title=\"" +
                        std::to_string(number) + "\"></span>"
                  : "";
  };
  return "<div class=\"bar\">" + part(count.ported - count.changed, "good") +
         part(count.changed, "changed") + part(count.kernels - count.ported, "stopped") +
         "</div>\n";
}

std::string summary(const Assessment::Counts &count, size_t files) {
  std::string out = "<p><b>" + std::to_string(count.ported) + " of " +
                    std::to_string(count.kernels) + " kernels port</b>, " +
                    std::to_string(count.changed) + " of them with results that may differ. " +
                    std::to_string(files) + " files";
  if (count.unread)
    out += ", <b>" + std::to_string(count.unread) + " without an answer</b>";
  return out + ".</p>\n";
}

std::string picture(const Assessment &assessment) {
  const std::string svg = roofline(assessment.kernels());
  if (svg.empty())
    return "<p>No launch was run, so there is no predicted time: what a kernel takes depends on "
           "its "
           "launch. <code>--results</code> adds what <code>neuronify verify --json</code> "
           "wrote.</p>\n";
  return svg +
         "<p>Each point is a kernel, all its launches added. The level line is the full use of the "
         "busiest compute engine of one Trainium3 core, the slope the core's share of the "
         "bandwidth of device memory. Grey kernels wait: neither is busy for half of the time. "
         "Times are predicted from published cost rules and were not compared with a chip.</p>\n";
}

std::string diagnostics(const Assessment &assessment) {
  std::string out = "<table><tr><th>diagnostic</th><th class=\"number\">kernels</th>"
                    "<th class=\"number\">places</th><th>what</th></tr>\n";
  for (const auto &[code, total] : assessment.totals()) {
    const DiagnosticCode *known = find_code(code);
    out += "<tr>" + cell(code) + cell(std::to_string(total.kernels.size()), "number") +
           cell(std::to_string(total.places.size()), "number") +
           cell(known ? std::string(known->title) : "") + "</tr>\n";
  }
  return out + "</table>\n";
}

std::string kernel_row(const AssessedKernel &kernel) {
  const Measured &measured = kernel.measured;
  std::string name = kernel.name;
  if (kernel.instances.size() > 1)
    name += " and " + std::to_string(kernel.instances.size() - 1) + " more instances";
  return "<tr><td><code>" + escape(name) + "</code></td><td><code>" + escape(kernel.file) + ":" +
         std::to_string(kernel.line) + "</code></td>" + cell(verdict_of(kernel), class_of(kernel)) +
         cell(kernel.mapping) +
         cell(measured.launches ? print_seconds(measured.predicted) : "not run", "number") +
         cell(measured.launches ? measured.bound : "") +
         cell(measured.launches
                  ? std::to_string(measured.matched) + " of " + std::to_string(measured.launches)
                  : "") +
         cell(kernel.ported ? join(kernel.changes) : kernel.why) + "</tr>\n";
}

std::string kernels(const Assessment &assessment) {
  std::string out = "<table><tr><th>kernel</th><th>where</th><th>verdict</th><th>mapping</th>"
                    "<th class=\"number\">predicted</th><th>bound</th><th>launches that match</th>"
                    "<th>why</th></tr>\n";
  for (const AssessedKernel *kernel : assessment.kernels())
    out += kernel_row(*kernel);
  return out + "</table>\n";
}

std::string host_code(const Assessment &assessment) {
  std::string rows;
  for (const HostBlocker &blocker : assessment.host_blockers())
    rows += "<tr><td><code>" + escape(blocker.file + ":" + std::to_string(blocker.line)) +
            "</code></td>" + cell(blocker.code) + cell(blocker.text) + "</tr>\n";
  return rows.empty() ? ""
                      : "<h2>What stops host code</h2>\n<table><tr><th>place</th><th>code</th>"
                        "<th>what</th></tr>\n" +
                            rows + "</table>\n";
}

std::string unread(const Assessment &assessment) {
  std::string rows;
  for (const AssessedFile &file : assessment.files())
    if (!file.problem.empty())
      rows +=
          "<tr><td><code>" + escape(file.path) + "</code></td>" + cell(file.problem) + "</tr>\n";
  return rows.empty()
             ? ""
             : "<h2>Files without an answer</h2>\n<table><tr><th>file</th><th>why</th></tr>"
               "\n" +
                   rows + "</table>\n";
}

} // namespace

std::string escape(const std::string &text) {
  std::string out;
  for (char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default: // control characters are not allowed in XML
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  return out;
}

std::string Assessment::html(const std::string &title) const {
  const Counts count = counts();
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n<title>" +
         escape(title) + "</title>\n<style>" + style + "</style></head>\n<body>\n<h1>" +
         escape(title) + "</h1>\n" + bar(count) + summary(count, files_.size()) +
         "<h2>Where kernels stand</h2>\n" + picture(*this) + "<h2>Diagnostics</h2>\n" +
         diagnostics(*this) + host_code(*this) + unread(*this) + "<h2>Kernels</h2>\n" +
         tool::kernels(*this) + "</body>\n</html>\n";
}

} // namespace neuronify::tool
