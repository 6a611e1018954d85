#include "assessment.h"

#include "diagnostics/codes.h"
#include "json_results.h"
#include "table.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <filesystem>

namespace neuronify::tool {

namespace {

using llvm::json::Array;
using llvm::json::Object;

std::string text_of(const Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

unsigned whole_of(const Object &object, llvm::StringRef key) {
  return static_cast<unsigned>(object.getInteger(key).value_or(0));
}

/// One name for a file, however a compiler found it.
std::string one_name(const std::string &file) {
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::weakly_canonical(file, failed);
  return failed || file.empty() ? file : path.string();
}

std::string place(const std::string &file, unsigned line) {
  return file + ":" + std::to_string(line);
}

/// The first error, for a file that could not be read.
std::string first_error(const Object &results) {
  if (const Array *diagnostics = results.getArray("diagnostics"))
    for (const llvm::json::Value &value : *diagnostics)
      if (const Object *one = value.getAsObject(); one && text_of(*one, "severity") == "error") {
        std::string out = text_of(*one, "text");
        if (const std::string code = text_of(*one, "code"); !code.empty())
          out += " [" + code + "]";
        return text_of(*one, "file").empty()
                   ? out
                   : place(text_of(*one, "file"), whole_of(*one, "line")) + ": " + out;
      }
  return "it could not be read";
}

/// Whether the one file of these results was read.
bool readable(const Object &results) {
  const Array *files = results.getArray("files");
  return files && std::ranges::all_of(*files, [](const llvm::json::Value &file) {
           return file.getAsObject() && file.getAsObject()->getBoolean("readable").value_or(false);
         });
}

std::string severity_of(const std::string &code) {
  const DiagnosticCode *known = find_code(code);
  return known ? severity_json(known->severity) : "error";
}

std::string title_of(const std::string &code) {
  const DiagnosticCode *known = find_code(code);
  return known ? std::string(known->title) : "";
}

Array list(const std::set<std::string> &codes) {
  Array out;
  for (const std::string &code : codes)
    out.push_back(code);
  return out;
}

Object to_json(const Measured &measured) {
  return Object{{"launches", measured.launches},
                {"matched", measured.matched},
                {"predicted_one_core", measured.predicted},
                {"engine_busy", measured.engine_busy},
                {"hbm_busy", measured.hbm_busy},
                {"bound", measured.bound}};
}

} // namespace

std::string verdict_of(const AssessedKernel &kernel) {
  return !kernel.ported           ? "does not port"
         : kernel.changes.empty() ? "ports"
                                  : "ports, results may differ";
}

std::string join(const std::set<std::string> &codes) { return llvm::join(codes, ", "); }

void Assessment::add_file(const std::string &path, const llvm::json::Value *results,
                          std::string problem, double seconds) {
  AssessedFile file{path, std::move(problem), 0, seconds};
  const Object *object = results ? results->getAsObject() : nullptr;
  if (!object && file.problem.empty())
    file.problem = "the translator left no results";
  if (object && file.problem.empty() && !readable(*object))
    file.problem = first_error(*object);
  if (object) {
    std::map<std::string, AssessedKernel *> by_name; // diagnostics name instances
    if (const Array *kernels = object->getArray("kernels"))
      for (const llvm::json::Value &kernel : *kernels)
        if (const Object *one = kernel.getAsObject()) {
          by_name[text_of(*one, "name")] = &add_kernel(*one);
          ++file.kernels;
        }
    if (const Array *diagnostics = object->getArray("diagnostics"))
      for (const llvm::json::Value &diagnostic : *diagnostics)
        if (const Object *one = diagnostic.getAsObject()) {
          auto found = by_name.find(text_of(*one, "kernel"));
          add_diagnostic(*one, found == by_name.end() ? nullptr : found->second);
        }
  }
  files_.push_back(std::move(file));
}

AssessedKernel &Assessment::add_kernel(const Object &object) {
  const std::string file = one_name(text_of(object, "file"));
  const unsigned line = whole_of(object, "line");
  AssessedKernel &kernel = kernels_[{file, line}];
  if (kernel.instances.empty()) {
    kernel.name = text_of(object, "name");
    kernel.file = file;
    kernel.line = line;
    kernel.mapping = text_of(object, "mapping");
  }
  kernel.instances.insert(text_of(object, "mangled"));
  if (object.getBoolean("ported").value_or(false))
    return kernel;
  if (kernel.ported)
    kernel.why = text_of(object, "diagnostic");
  kernel.ported = false;
  const std::string code = kernel.why.substr(0, 7);
  if (find_code(code))
    kernel.stops.insert(code);
  return kernel;
}

void Assessment::add_diagnostic(const Object &object, AssessedKernel *kernel) {
  const std::string code = text_of(object, "code");
  if (code.empty())
    return;
  DiagnosticTotal &total = totals_[code];
  const std::string file = one_name(text_of(object, "file"));
  total.places.insert(place(file, whole_of(object, "line")) + ":" +
                      std::to_string(whole_of(object, "column")));
  if (code.starts_with("NFY5") && text_of(object, "severity") == "error")
    host_blockers_.insert({file, whole_of(object, "line"), code, text_of(object, "text")});
  if (!kernel)
    return;
  total.kernels.insert(place(kernel->file, kernel->line));
  if (code.starts_with("NFY2"))
    kernel->changes.insert(code);
  else if (code.starts_with("NFY3"))
    kernel->hints.insert(code);
  else if (code.starts_with("NFY4"))
    kernel->stops.insert(code);
}

bool Assessment::add_launches(const llvm::json::Value &results) {
  const Object *object = results.getAsObject();
  const Array *programs = object ? object->getArray("programs") : nullptr;
  if (!programs)
    return false;
  for (const llvm::json::Value &program : *programs) {
    const Array *launches =
        program.getAsObject() ? program.getAsObject()->getArray("launches") : nullptr;
    if (!launches)
      continue;
    for (const llvm::json::Value &value : *launches) {
      const Object *launch = value.getAsObject();
      if (!launch)
        continue;
      auto found = kernels_.find({one_name(text_of(*launch, "file")), whole_of(*launch, "line")});
      if (found == kernels_.end())
        continue;
      Measured &measured = found->second.measured;
      ++measured.launches;
      measured.matched += text_of(*launch, "verdict") == "match";
      const double predicted = launch->getNumber("predicted_one_core").value_or(0);
      measured.predicted += predicted;
      measured.engine_busy += launch->getNumber("engine_busy").value_or(0);
      measured.hbm_busy += launch->getNumber("hbm_busy").value_or(0);
      if (predicted >= measured.longest) {
        measured.longest = predicted;
        measured.bound = text_of(*launch, "bound");
      }
    }
  }
  return true;
}

std::vector<const AssessedKernel *> Assessment::kernels() const {
  std::vector<const AssessedKernel *> out;
  for (const auto &[key, kernel] : kernels_)
    out.push_back(&kernel);
  return out;
}

Assessment::Counts Assessment::counts() const {
  Counts out;
  for (const auto &[key, kernel] : kernels_) {
    ++out.kernels;
    out.ported += kernel.ported;
    out.changed += kernel.ported && !kernel.changes.empty();
    out.launched += kernel.measured.launches > 0;
  }
  for (const AssessedFile &file : files_)
    out.unread += !file.problem.empty();
  return out;
}

std::string Assessment::text() const {
  std::string out;
  Table table({"kernel", "where", "verdict", "mapping", ">predicted", "bound", "why"});
  for (const AssessedKernel *kernel : kernels()) {
    const bool run = kernel->measured.launches > 0;
    std::string name = kernel->name;
    if (kernel->instances.size() > 1)
      name += " (and " + std::to_string(kernel->instances.size() - 1) + " more)";
    const std::string where = std::filesystem::path(kernel->file).filename();
    table.add({name, place(where, kernel->line), verdict_of(*kernel), kernel->mapping,
               run ? print_seconds(kernel->measured.predicted) : "not run",
               run ? kernel->measured.bound : "",
               kernel->ported ? join(kernel->changes) : kernel->why});
  }
  if (!table.empty())
    out += table.str() + "\n";
  Table unread({"file without an answer", "why"});
  for (const AssessedFile &file : files_)
    if (!file.problem.empty())
      unread.add({file.path, file.problem});
  if (!unread.empty())
    out += unread.str() + "\n";
  Table host({"in host code", "code", "what"});
  for (const HostBlocker &blocker : host_blockers_)
    host.add({place(blocker.file, blocker.line), blocker.code, blocker.text});
  if (!host.empty())
    out += host.str() + "\n";
  Table totals({"diagnostic", ">kernels", ">places", "what"});
  for (const auto &[code, total] : totals_)
    totals.add({code, std::to_string(total.kernels.size()), std::to_string(total.places.size()),
                title_of(code)});
  if (!totals.empty())
    out += totals.str() + "\n";
  const Counts count = counts();
  out += std::to_string(count.ported) + " of " + std::to_string(count.kernels) + " kernels port, " +
         std::to_string(count.changed) + " of them with results that may differ; " +
         std::to_string(files_.size()) + (files_.size() == 1 ? " file" : " files");
  if (count.unread)
    out += ", " + std::to_string(count.unread) + " without an answer";
  return out + "\n";
}

llvm::json::Value Assessment::json() const {
  Array kernel_list, file_list, total_list, host_list;
  for (const AssessedKernel *kernel : kernels()) {
    Object row{{"name", kernel->name},         {"file", kernel->file},
               {"line", kernel->line},         {"instances", list(kernel->instances)},
               {"ported", kernel->ported},     {"verdict", verdict_of(*kernel)},
               {"mapping", kernel->mapping},   {"diagnostic", kernel->why},
               {"stops", list(kernel->stops)}, {"changes", list(kernel->changes)},
               {"hints", list(kernel->hints)}};
    if (kernel->measured.launches)
      row["launched"] = to_json(kernel->measured);
    kernel_list.push_back(std::move(row));
  }
  for (const AssessedFile &file : files_)
    file_list.push_back(Object{{"file", file.path},
                               {"problem", file.problem},
                               {"kernels", file.kernels},
                               {"seconds", file.seconds}});
  for (const HostBlocker &blocker : host_blockers_)
    host_list.push_back(Object{{"file", blocker.file},
                               {"line", blocker.line},
                               {"code", blocker.code},
                               {"text", blocker.text}});
  for (const auto &[code, total] : totals_)
    total_list.push_back(Object{{"code", code},
                                {"severity", severity_of(code)},
                                {"title", title_of(code)},
                                {"kernels", total.kernels.size()},
                                {"places", total.places.size()}});
  const Counts count = counts();
  return Object{{"version", 1},
                {"command", "assess"},
                {"ported", count.ported},
                {"changed", count.changed},
                {"not_ported", count.kernels - count.ported},
                {"unread", count.unread},
                {"kernels", std::move(kernel_list)},
                {"files", std::move(file_list)},
                {"host", std::move(host_list)},
                {"diagnostics", std::move(total_list)}};
}

} // namespace neuronify::tool
