#include "porting.h"

#include "frontend/command.h"
#include "installation.h"

#include "clang/Frontend/ASTUnit.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>

namespace neuronify::tool {

namespace {

namespace fs = std::filesystem;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string absolute(const std::string &path) {
  return fs::absolute(path).lexically_normal().string();
}

bool is_cuda(const std::string &path) {
  const std::string extension = fs::path(path).extension();
  return extension == ".cu" || extension == ".cuh";
}

Diagnostic to_diagnostic(const frontend::Message &message) {
  Severity severity = message.level == "error"     ? Severity::error
                      : message.level == "warning" ? Severity::warning
                                                   : Severity::note;
  return {message.code, severity, message.file, message.line, message.column, "", message.text};
}

std::string bitcode(const llvm::Module &module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return bytes;
}

/// Bitcode that defines a symbol, by symbol.
using DeviceFunctions = std::map<std::string, std::string>;

class FilePorter {
public:
  FilePorter(const Options &options, PortedInput &input) : options_(options), input_(input) {}

  /// Reads the file and ports it; where it misses device functions that other files may have, they
  /// come first (`others` is null), and the second run has what they offer.
  void run(const DeviceFunctions *others) {
    const auto start = std::chrono::steady_clock::now();
    frontend::Unit unit = frontend::read(input_.path, options_.frontend);
    for (const frontend::Message &message : unit.messages)
      input_.diagnostics.push_back(to_diagnostic(message));
    input_.readable = unit.ok() && std::ranges::none_of(unit.messages, [](const auto &message) {
                        return message.level == "error";
                      });
    input_.clang_seconds = unit.host_seconds + unit.device_seconds;
    if (others)
      frontend::link_device_code(unit, *others);
    input_.waits = !others && input_.readable && options_.inputs.size() > 1 &&
                   !frontend::missing_functions(unit).empty();
    input_.offered = frontend::offered_functions(unit);
    if (!input_.offered.empty() && options_.inputs.size() > 1)
      input_.device_code = bitcode(*unit.original);
    if (input_.readable && !input_.waits) {
      translate(unit);
      rewrite(unit);
    }
    input_.seconds = seconds_since(start);
  }

private:
  bool dumps(const char *stage) const {
    return std::ranges::find(options_.dump, stage) != options_.dump.end();
  }

  void translate(const frontend::Unit &unit) {
    if (dumps("ir")) {
      llvm::raw_string_ostream stream(input_.dump);
      stream << *unit.device;
    }
    std::string last; // the latest state of the kernel that is being translated
    std::string last_kernel;
    auto flush = [&] {
      if (dumps("tile") && !last.empty())
        input_.dump += "// " + last_kernel + ", tile program\n" + last + "\n";
      last.clear();
    };
    TranslateOptions translation;
    translation.stem = input_.file.stem;
    translation.precise_math = options_.precise_math;
    translation.formatted = options_.command != Command::verify || !options_.output.empty();
    translation.python = options_.emits_nki();
    translation.python_stem = rewrite::python_stem(input_.file.stem);
    translation.doubles = options_.fp64 == "error"  ? Doubles::error
                          : options_.fp64 == "df32" ? Doubles::df32
                                                    : Doubles::demote;
    translation.after_pass = [&](std::string_view kernel, std::string_view pass,
                                 const std::string &text) {
      if (pass == "lower") {
        flush();
        if (dumps("kernel"))
          input_.dump += "// " + std::string(kernel) + ", as lowered\n" + text + "\n";
      }
      if (pass == options_.print_after || options_.print_after == "all")
        input_.dump +=
            "// " + std::string(kernel) + " after " + std::string(pass) + "\n" + text + "\n";
      last = text;
      last_kernel = kernel;
    };
    if (options_.dump.empty() && options_.print_after.empty())
      translation.after_pass = nullptr;
    PortedKernels ported = neuronify::translate(unit, translation);
    flush();
    input_.kernels = std::move(ported.kernels);
    input_.diagnostics.insert(input_.diagnostics.end(), ported.diagnostics.begin(),
                              ported.diagnostics.end());
    if (unit.kernels.empty() && unit.variables.empty())
      return;
    input_.file.kernels_header = std::move(ported.header);
    input_.file.kernels_source = std::move(ported.source);
    input_.file.device_ir = bitcode(*unit.original);
    private_data_ = std::move(ported.private_data);
    input_.file.nki_module = std::move(ported.python);
    input_.file.nki_runner = std::move(ported.runner);
  }

  void rewrite(frontend::Unit &unit) {
    rewrite::Options host;
    host.kernels_header = input_.file.stem + "_kernels.h";
    host.kernels_namespace = rewrite::kernels_namespace(input_.file.stem + ".cu");
    host.device_ir = input_.file.stem + ".bc";
    host.kernels = unit.kernels;
    host.variables = unit.variables;
    host.private_data = private_data_;
    for (const KernelReport &kernel : input_.kernels)
      if (!kernel.ported)
        host.not_ported[kernel.mangled] = kernel.diagnostic;
    input_.file.host = rewrite::rewrite(unit, options_.frontend, std::move(host));
    input_.diagnostics.insert(input_.diagnostics.end(), input_.file.host.diagnostics.begin(),
                              input_.file.host.diagnostics.end());
  }

  const Options &options_;
  PortedInput &input_;
  std::vector<std::string> private_data_;
};

bool reads_as_cuda(const std::string &path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored))
    return true;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return !buffer || rewrite::uses_cuda((*buffer)->getBuffer().str());
}

/// What one file and no other offers to all.
DeviceFunctions offered_by(const std::vector<PortedInput> &inputs) {
  DeviceFunctions result;
  std::set<std::string> several;
  for (const PortedInput &input : inputs)
    for (const std::string &symbol : input.offered)
      if (!result.emplace(symbol, input.device_code).second)
        several.insert(symbol);
  for (const std::string &symbol : several)
    result.erase(symbol);
  return result;
}

/// The inputs, in the order of their paths, as CUDA files and host sources that go along. What
/// cannot be read counts as CUDA: the front end says why.
void sort_inputs(std::vector<std::string> inputs, std::vector<std::string> &cuda,
                 std::vector<std::string> &plain) {
  std::ranges::sort(inputs, {}, absolute);
  std::set<std::string> seen;
  for (const std::string &path : inputs) {
    if (!seen.insert(absolute(path)).second)
      continue;
    (is_cuda(path) || reads_as_cuda(path) ? cuda : plain).push_back(path);
  }
}

/// -I, -D and what is linked of the files' commands, for the ported project.
void collect_compile_options(const Options &options, rewrite::Project &project) {
  std::vector<std::string> folders, definitions;
  auto add = [](std::vector<std::string> &list, const std::string &value) {
    if (std::ranges::find(list, value) == list.end())
      list.push_back(value);
  };
  for (const rewrite::PortedFile &file : project.files) {
    std::vector<frontend::Message> ignored;
    const frontend::Command command = frontend::find_command(file.path, options.frontend, ignored);
    project.linking.openmp |= command.linking.openmp;
    for (const std::string &library : command.linking.libraries)
      add(project.linking.libraries, library);
    for (const std::string &folder : command.linking.folders)
      add(project.linking.folders, absolute((fs::path(command.directory) / folder).string()));
    const std::vector<std::string> &words = command.args;
    for (size_t i = 0; i < words.size(); ++i) {
      llvm::StringRef word = words[i];
      auto value = [&]() -> std::string {
        return word.size() > 2        ? word.drop_front(2).str()
               : i + 1 < words.size() ? words[i + 1]
                                      : std::string();
      };
      if (word.starts_with("-I"))
        add(folders, absolute((fs::path(command.directory) / value()).string()));
      else if (word.starts_with("-D"))
        add(definitions, value());
    }
  }
  project.include_folders = std::move(folders);
  project.definitions = std::move(definitions);
}

/// The files of the package that NKI Python ports import.
std::map<std::string, std::string> nki_package(Console &console) {
  std::map<std::string, std::string> files;
  const fs::path folder = find_installation().lanes_package;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
    auto buffer = llvm::MemoryBuffer::getFile(entry.path().string());
    if (entry.path().extension() == ".py" && buffer)
      files["neuronify_lanes/" + entry.path().filename().string()] = (*buffer)->getBuffer().str();
  }
  if (files.empty())
    console.error("the package neuronify_lanes is not at " + folder.string());
  return files;
}

} // namespace

bool Porting::clean() const {
  return complete && std::ranges::none_of(inputs, [](const PortedInput &input) {
           return std::ranges::any_of(input.diagnostics, [](const Diagnostic &diagnostic) {
             return diagnostic.severity == Severity::error;
           });
         });
}

Porting port_inputs(const Options &options, Console &console) {
  Porting porting;
  std::vector<std::string> cuda, plain;
  sort_inputs(options.inputs, cuda, plain);
  const std::vector<std::string> stems = rewrite::unique_stems(cuda, plain);
  porting.inputs.resize(cuda.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.jobs));
  std::atomic<size_t> done = 0;
  auto port = [&](size_t i, const DeviceFunctions *others) {
    PortedInput &input = porting.inputs[i];
    input = {};
    input.path = cuda[i];
    input.file.path = absolute(cuda[i]);
    input.file.stem = stems[i];
    FilePorter(options, input).run(others);
    if (!input.waits)
      console.progress("porting " + std::to_string(++done) + "/" + std::to_string(cuda.size()));
  };
  for (size_t i = 0; i < cuda.size(); ++i)
    pool.async([&, i] { port(i, nullptr); });
  pool.wait();
  const DeviceFunctions offered = offered_by(porting.inputs);
  for (size_t i = 0; i < cuda.size(); ++i)
    if (porting.inputs[i].waits)
      pool.async([&, i] { port(i, &offered); });
  pool.wait();
  rewrite::Project project;
  for (PortedInput &input : porting.inputs) {
    console.report(input.diagnostics);
    console.detail(input.path + ": " + std::to_string(input.seconds) + " s; Clang " +
                   std::to_string(input.clang_seconds) + " s, host and device side added");
    porting.complete &= input.readable;
    for (const KernelReport &kernel : input.kernels) {
      ++(kernel.ported ? porting.ported : porting.not_ported);
      porting.in_python += kernel.in_python;
      porting.not_in_python += !kernel.no_python.empty();
    }
    project.files.push_back(input.file);
  }
  for (const std::string &path : plain)
    project.plain_sources.push_back(absolute(path));
  if (porting.complete) {
    if (options.emits_nki())
      project.nki_package = nki_package(console);
    collect_compile_options(options, project);
    porting.layout = rewrite::lay_out(project);
    console.report(porting.layout.diagnostics);
  }
  return porting;
}

} // namespace neuronify::tool
