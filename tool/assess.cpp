// `neuronify assess`: what of a code base would port, and what keeps the rest from it.
//
// Every file is read by a process of its own (`neuronify port`), so that one which crashes the
// translator or never ends is a row of the report and nothing more.
#include "assessment.h"
#include "commands.h"
#include "frontend/compile_commands.h"
#include "host/directory.h"
#include "host/project.h"
#include "json_results.h"
#include "process.h"
#include "temporary_folder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>

namespace neuronify::tool {

namespace {

namespace fs = std::filesystem;

/// CUDA files by path, with the folder or file of compile commands that each is read with, or "".
using Sources = std::map<std::string, std::string>;

bool is_cuda_source(const fs::path &path) { return path.extension() == ".cu"; }

bool reads_as_cuda(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer && rewrite::uses_cuda((*buffer)->getBuffer().str());
}

std::optional<llvm::json::Value> read_json(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return std::nullopt;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse((*buffer)->getBuffer());
  if (value)
    return std::move(*value);
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

class Assessor {
public:
  Assessor(const Options &options, Console &console) : options_(options), console_(console) {}

  int run() {
    for (const std::string &file : {options_.json, options_.html})
      if (llvm::Error error = file.empty() ? llvm::Error::success() : rewrite::check_file(file))
        return fail(llvm::toString(std::move(error)));
    if (work_.path().empty())
      return fail("cannot make a temporary folder");
    for (const std::string &input : options_.inputs)
      if (!collect(input))
        return 1;
    if (sources_.empty())
      return fail("there are no CUDA sources in " + options_.inputs.front());
    Assessment assessment;
    read_all(assessment);
    for (const std::string &file : options_.results)
      if (!add_launches(assessment, file))
        return 1;
    console_.print(assessment.text());
    return write(assessment) ? 0 : 1;
  }

private:
  int fail(const std::string &text) {
    console_.error(text);
    return 1;
  }

  /// A folder, compile commands, or a source.
  bool collect(const std::string &input) {
    std::error_code failed;
    const std::string path = fs::absolute(input).lexically_normal().string();
    if (fs::is_directory(path, failed)) {
      const std::string database = path + "/compile_commands.json";
      return (!fs::exists(database, failed) || collect_commands(database)) && walk(path);
    }
    if (!fs::exists(path, failed)) {
      console_.error("there is no file or folder '" + input + "'");
      return false;
    }
    if (fs::path(path).extension() == ".json")
      return collect_commands(path);
    sources_.try_emplace(path, options_.frontend.build_path);
    return true;
  }

  bool collect_commands(const std::string &database) {
    auto commands = frontend::read_compile_commands(database);
    if (!commands) {
      console_.error(database + ": " + llvm::toString(commands.takeError()));
      return false;
    }
    for (const frontend::CompileCommand &command : *commands)
      if (is_cuda_source(command.file) || reads_as_cuda(command.file))
        sources_.try_emplace(command.file, database);
    return true;
  }

  /// All .cu files below a folder; links to folders are not followed, hidden folders left out.
  bool walk(const std::string &folder) {
    std::error_code failed;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                           failed);
    for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
      const fs::path &path = entry->path();
      if (path.filename().string().starts_with(".")) {
        entry.disable_recursion_pending();
        continue;
      }
      std::error_code ignored;
      if (is_cuda_source(path) && entry->is_regular_file(ignored))
        sources_.try_emplace(path.string(), options_.frontend.build_path);
    }
    if (failed)
      console_.error("cannot walk through '" + folder + "': " + failed.message());
    return !failed;
  }

  std::vector<std::string> command(const Sources::value_type &source, const std::string &results,
                                   const std::string &folder) const {
    static int anchor; // an address inside this program
    std::vector<std::string> words = {llvm::sys::fs::getMainExecutable("neuronify", &anchor),
                                      "port",
                                      "--jobs=1",
                                      "--json=" + results,
                                      "-o",
                                      folder,
                                      "--fp64=" + options_.fp64};
    if (!source.second.empty())
      words.insert(words.end(), {"-p", source.second});
    if (!options_.frontend.cuda_path.empty())
      words.push_back("--cuda-path=" + options_.frontend.cuda_path);
    if (options_.precise_math)
      words.push_back("--precise-math");
    for (const std::string &argument : options_.frontend.extra_args)
      words.push_back("--extra-arg=" + argument);
    words.push_back(source.first);
    return words;
  }

  void read_all(Assessment &assessment) {
    struct Answer {
      std::optional<llvm::json::Value> results;
      std::string problem;
      double seconds = 0;
    };
    const std::vector<Sources::value_type> sources(sources_.begin(), sources_.end());
    std::vector<Answer> answers(sources.size());
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options_.jobs));
    std::atomic<size_t> done = 0;
    for (size_t i = 0; i < sources.size(); ++i)
      pool.async([&, i] {
        const std::string stem = work_.path() + "/" + std::to_string(i);
        const ProcessResult process = run_process(command(sources[i], stem + ".json", stem),
                                                  stem + ".log", {}, options_.timeout);
        Answer &answer = answers[i];
        answer.seconds = process.seconds;
        answer.results = read_json(stem + ".json");
        if (!process.error.empty() || process.timed_out || process.signal)
          answer.problem = "the translator " + process.describe(options_.timeout);
        else if (!answer.results)
          answer.problem = "the translator left no results: " + tail(stem + ".log", 1, "");
        std::error_code ignored;
        fs::remove_all(stem, ignored);
        console_.progress("reading " + std::to_string(++done) + "/" +
                          std::to_string(sources.size()));
      });
    pool.wait();
    console_.progress("");
    for (size_t i = 0; i < sources.size(); ++i) // in their order, whoever was ready first
      assessment.add_file(sources[i].first, answers[i].results ? &*answers[i].results : nullptr,
                          answers[i].problem, answers[i].seconds);
  }

  bool add_launches(Assessment &assessment, const std::string &file) {
    const std::optional<llvm::json::Value> results = read_json(file);
    if (results && assessment.add_launches(*results))
      return true;
    console_.error("'" + file + "' holds no results of neuronify verify --json");
    return false;
  }

  bool write(const Assessment &assessment) {
    const std::string title = "neuronify assess " + options_.inputs.front();
    const std::pair<std::string, std::string> files[] = {
        {options_.json, options_.json.empty() ? "" : print(assessment.json())},
        {options_.html, options_.html.empty() ? "" : assessment.html(title)}};
    for (const auto &[file, text] : files)
      if (llvm::Error error =
              file.empty() ? llvm::Error::success() : rewrite::write_file(file, text)) {
        console_.error(llvm::toString(std::move(error)));
        return false;
      }
    return true;
  }

  const Options &options_;
  Console &console_;
  TemporaryFolder work_;
  Sources sources_;
};

} // namespace

int assess(const Options &options, Console &console) { return Assessor(options, console).run(); }

} // namespace neuronify::tool
