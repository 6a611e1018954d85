// `neuronify verify`: ports, compiles, runs every program side by side with the original, reports.
#include "build.h"
#include "commands.h"
#include "diagnostics/codes.h"
#include "host/directory.h"
#include "json_results.h"
#include "porting.h"
#include "process.h"
#include "run_report.h"
#include "table.h"
#include "temporary_folder.h"

#include "llvm/Support/ThreadPool.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

namespace neuronify::tool {

namespace {

namespace fs = std::filesystem;

/// How many launches that do not match are explained; the table has all.
constexpr size_t shown_complaints = 20;

/// One program of the project and what became of it.
struct Run {
  std::string name;
  std::string problem; ///< why it does not count as verified; "" where all is well
  ProcessResult process;
  RunReport report;
};

class Verifier {
public:
  Verifier(const Options &options, Console &console) : options_(options), console_(console) {}

  int run() {
    if (!prepare())
      return 1;
    Porting porting = port_inputs(options_, console_);
    for (const PortedInput &input : porting.inputs)
      if (!input.dump.empty())
        console_.print(input.dump);
    if (!porting.complete) {
      console_.error("nothing was run, because not every file could be read");
      return finish(porting, 1);
    }
    if (llvm::Error error =
            rewrite::write_directory(porting.layout.files, sources_, options_.force)) {
      console_.error(llvm::toString(std::move(error)));
      return 1;
    }
    for (const PortedInput &input : porting.inputs)
      for (const Diagnostic &diagnostic : input.diagnostics)
        if (diagnostic.code.starts_with("NFY2"))
          changes_[diagnostic.kernel].insert(diagnostic.code);
    build_and_run(porting);
    print_table();
    return finish(porting, judge());
  }

private:
  /// Folders and the compiler, before any work.
  bool prepare() {
    if (work_.path().empty()) {
      console_.error("cannot make a temporary folder");
      return false;
    }
    sources_ = options_.output.empty() ? work_.path() + "/ported"
                                       : fs::absolute(options_.output).lexically_normal().string();
    std::string problem;
    compiler_ = Builder::find_compiler(options_, find_installation(), problem);
    if (compiler_.empty())
      console_.error(problem);
    for (const std::string &file : {options_.json, options_.trace})
      if (llvm::Error error = file.empty() ? llvm::Error::success() : rewrite::check_file(file)) {
        console_.error(llvm::toString(std::move(error)));
        return false;
      }
    if (llvm::Error error = rewrite::check_directory(sources_, options_.force)) {
      console_.error(llvm::toString(std::move(error)));
      return false;
    }
    return !compiler_.empty();
  }

  void build_and_run(const Porting &porting) {
    Builder builder(options_, porting.layout, sources_, work_.path(), console_);
    const std::vector<BuiltProgram> programs = builder.run(compiler_);
    runs_.resize(programs.size());
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options_.jobs));
    std::atomic<size_t> done = 0;
    for (size_t i = 0; i < programs.size(); ++i)
      pool.async([&, i] {
        runs_[i].name = programs[i].name;
        runs_[i].problem = programs[i].error;
        if (programs[i].error.empty())
          execute(programs[i], runs_[i]);
        console_.progress("running " + std::to_string(++done) + "/" +
                          std::to_string(programs.size()));
      });
    pool.wait();
    console_.progress("");
  }

  std::map<std::string, std::string> environment(const BuiltProgram &program) {
    std::map<std::string, std::string> out = {
        {"NEURONIFY_MODE", "verify"},
        {"NEURONIFY_PROGRAM", program.name},
        {"NEURONIFY_REPORT", program.path + ".jsonl"},
        {"NEURONIFY_DEVICE_IR", sources_},
        {"NEURONIFY_REFERENCE", find_installation().reference}};
    if (options_.precise_math)
      out["NEURONIFY_PRECISE"] = "1";
    if (options_.emits_nki()) {
      const Installation installation = find_installation();
      out["NEURONIFY_NKI"] = sources_;
      out["NEURONIFY_PYTHON"] = installation.python;
      const char *path = std::getenv("PYTHONPATH");
      if (!installation.python_path.empty())
        out["PYTHONPATH"] = installation.python_path + (path ? ":" + std::string(path) : "");
    }
    if (options_.check_original)
      out["NEURONIFY_CHECK_ORIGINAL"] = "1";
    if (!options_.tolerance.empty())
      out["NEURONIFY_TOLERANCE"] = options_.tolerance;
    if (!options_.trace.empty())
      out["NEURONIFY_TRACE"] = fs::absolute(trace_of(program.name)).string();
    return out;
  }

  /// The trace's file; with several programs each gets its own.
  std::string trace_of(const std::string &program) const {
    const fs::path path(options_.trace);
    if (runs_.size() < 2)
      return path;
    return (path.parent_path() / path.stem()).string() + "." + program + path.extension().string();
  }

  void execute(const BuiltProgram &program, Run &run) {
    std::vector<std::string> command = {program.path};
    command.insert(command.end(), options_.trailing.begin(), options_.trailing.end());
    const std::string log = program.path + ".out";
    run.process = run_process(command, log, environment(program), options_.timeout);
    run.report = read_report(program.path + ".jsonl");
    for (const std::string &message : run.report.messages)
      console_.warning(program.name + ": " + message);
    const std::string output = tail(log, run.process.ok() && !console_.verbose() ? 0 : 40);
    console_.detail(program.name + " " + run.process.describe(options_.timeout) + " after " +
                    print_seconds(run.process.seconds) + "\n" + output);
    if (!run.process.ok()) {
      run.problem = program.name + " " + run.process.describe(options_.timeout);
      if (!run.report.running.empty())
        run.problem += " inside kernel '" + run.report.running + "'";
      if (!output.empty() && !console_.verbose())
        run.problem += "; the end of what it printed:\n" + output;
    } else if (!run.report.present) {
      // It made no call of the runtime, or could not write.
      run.problem = program.name + " left no report of a launch, so nothing was verified";
    } else if (run.report.launches.empty()) {
      run.problem = program.name + " launched no kernel, so nothing was verified";
    }
  }

  // ---- what people see

  static std::string print(const std::array<uint64_t, 3> &size) {
    std::string out = std::to_string(size[0]);
    if (size[1] != 1 || size[2] != 1)
      out += "x" + std::to_string(size[1]);
    return size[2] == 1 ? out : out + "x" + std::to_string(size[2]);
  }

  /// Launches that differ only in their number share a row.
  static bool same_row(const LaunchResult &a, const LaunchResult &b) {
    return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
           a.mapping == b.mapping && a.bound == b.bound && a.verdict == b.verdict && a.nki == b.nki;
  }

  void print_table() {
    std::vector<std::string> columns{"program", "kernel",     ">launch", ">grid",
                                     ">block",  "mapping",    ">ULP",    ">relative",
                                     ">near 0", ">predicted", "bound",   "verdict"};
    if (options_.emits_nki())
      columns.push_back("NKI");
    Table table(std::move(columns));
    for (const Run &run : runs_) {
      const std::vector<LaunchResult> &all = run.report.launches;
      for (size_t i = 0; i < all.size();) {
        LaunchResult row = all[i];
        size_t last = i;
        for (; last + 1 < all.size() && same_row(row, all[last + 1]); ++last) {
          row.max_ulp = std::max(row.max_ulp, all[last + 1].max_ulp);
          row.near_zero = std::max(row.near_zero, all[last + 1].near_zero);
          row.max_relative = std::max(row.max_relative, all[last + 1].max_relative);
          row.predicted = std::max(row.predicted, all[last + 1].predicted);
        }
        std::string number = std::to_string(row.launch);
        if (last > i)
          number += "-" + std::to_string(all[last].launch);
        // Where no finite floats were compared, or differ, a zero would look like a match.
        const bool compared =
            row.verdict == "match" || (row.verdict == "mismatch" && row.max_ulp > 0);
        std::vector<std::string> cells = {run.name,
                                          row.kernel,
                                          number,
                                          print(row.grid),
                                          print(row.block),
                                          row.mapping,
                                          compared ? std::to_string(row.max_ulp) : "-",
                                          compared ? print_relative(row.max_relative) : "-",
                                          row.near_zero ? std::to_string(row.near_zero) : "-",
                                          print_seconds(row.predicted),
                                          row.bound,
                                          row.verdict};
        if (options_.emits_nki())
          cells.push_back(row.nki.empty() ? "-" : row.nki);
        table.add(std::move(cells));
        i = last + 1;
      }
    }
    if (!table.empty())
      console_.print(table.str());
  }

  /// Says what is wrong and gives the exit code.
  int judge() {
    if (runs_.empty()) {
      console_.error("none of the files has a main function, so there is nothing to run");
      return 1;
    }
    size_t launches = 0, matched = 0, failed = 0, nki = 0, near_zero = 0;
    for (Run &run : runs_) {
      for (const LaunchResult &launch : run.report.launches) {
        ++launches;
        nki += launch.nki == "match";
        matched += launch.good();
        near_zero += launch.good() && launch.near_zero;
        if (!launch.good())
          complain(run, launch);
        for (const std::string &finding : launch.findings)
          console_.warning("the original of kernel '" + launch.kernel + "', launch " +
                           std::to_string(launch.launch) + ": " + finding);
      }
      if (!run.problem.empty()) {
        console_.error(run.problem);
        ++failed;
      }
    }
    if (complaints_ > shown_complaints)
      console_.warning(std::to_string(complaints_ - shown_complaints) +
                       " more launches like these are in the table");
    std::string text = std::to_string(matched) + " of " + std::to_string(launches) +
                       " launches match in " + std::to_string(runs_.size()) + " program" +
                       (runs_.size() == 1 ? "" : "s");
    if (options_.emits_nki())
      text += "; the NKI form of " + std::to_string(nki) + " leaves the same bytes";
    if (near_zero)
      text += "; " + std::to_string(near_zero) + " with values near 0 that differ (column near 0)";
    if (failed)
      text += "; " + std::to_string(failed) + (failed == 1 ? " program" : " programs") + " failed";
    console_.print(text + "\n");
    if (!options_.output.empty())
      console_.print("Ported sources: " + sources_ + "\n");
    return matched == launches && failed == 0 ? 0 : 1;
  }

  void complain(const Run &run, const LaunchResult &launch) {
    Diagnostic diagnostic{"", Severity::error, launch.file, launch.line, 0, launch.kernel, ""};
    diagnostic.text = run.name + ": launch " + std::to_string(launch.launch) + " of kernel '" +
                      launch.kernel + "': " + launch.verdict;
    std::string why = launch.message.empty() ? launch.difference : launch.message;
    if (why.starts_with("NFY") && why.find(": ") == 7) { // a numbered one
      diagnostic.code = why.substr(0, 7);
      why.erase(0, 9);
    }
    if (!why.empty())
      diagnostic.text += ": " + why;
    if (launch.verdict == "mismatch" && (launch.nki.empty() || launch.nki == "match"))
      diagnostic.text += known_differences(launch.kernel);
    if (++complaints_ <= shown_complaints)
      console_.report({diagnostic});
  }

  /// What a mismatch may come from: where the kernel's port computes something else by intent.
  std::string known_differences(const std::string &kernel) const {
    std::string out;
    if (auto known = changes_.find(kernel); known != changes_.end())
      for (const std::string &code : known->second)
        if (const DiagnosticCode *entry = find_code(code))
          out += (out.empty() ? "; known of this kernel: " : ", ") + std::string(entry->title) +
                 " (" + code + (code == "NFY2001" ? "; not with --precise-math)" : ")");
    return out;
  }

  // ---- what machines see

  int finish(const Porting &porting, int exit_code) {
    if (options_.json.empty())
      return exit_code;
    llvm::json::Array programs;
    size_t launches = 0, matched = 0;
    for (Run &run : runs_) {
      launches += run.report.launches.size();
      matched += std::ranges::count_if(run.report.launches, &LaunchResult::good);
      programs.push_back(llvm::json::Object{{"program", run.name},
                                            {"problem", run.problem},
                                            {"exit_code", run.process.exit_code},
                                            {"signal", run.process.signal},
                                            {"timed_out", run.process.timed_out},
                                            {"seconds", run.process.seconds},
                                            {"launches", std::move(run.report.rows)}});
    }
    const std::string text =
        tool::print(llvm::json::Object{{"version", 1},
                                       {"command", "verify"},
                                       {"output", options_.output.empty() ? "" : sources_},
                                       {"verdict", exit_code == 0 ? "match" : "failed"},
                                       {"launches", launches},
                                       {"matched", matched},
                                       {"programs", std::move(programs)},
                                       {"kernels", kernels_json(porting)},
                                       {"diagnostics", diagnostics_json(porting)}});
    if (llvm::Error error = rewrite::write_file(options_.json, text)) {
      console_.error(llvm::toString(std::move(error)));
      return 1;
    }
    return exit_code;
  }

  const Options &options_;
  Console &console_;
  TemporaryFolder work_;
  std::string sources_, compiler_;
  std::map<std::string, std::set<std::string>> changes_; ///< codes NFY2xxx by kernel
  size_t complaints_ = 0;
  std::vector<Run> runs_;
};

} // namespace

int verify(const Options &options, Console &console) { return Verifier(options, console).run(); }

} // namespace neuronify::tool
