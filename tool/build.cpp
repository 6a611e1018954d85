#include "build.h"

#include "process.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ThreadPool.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>

namespace neuronify::tool {

namespace {

namespace fs = std::filesystem;

/// A file name made from a relative path.
std::string flat(const std::string &path) {
  std::string out = path;
  std::ranges::replace(out, '/', '-');
  return out;
}

} // namespace

Builder::Builder(const Options &options, const rewrite::Layout &layout, std::string sources,
                 std::string work, Console &console)
    : options_(options), layout_(layout), sources_(std::move(sources)), work_(std::move(work)),
      console_(console), installation_(find_installation()) {}

std::string Builder::find_compiler(const Options &options, const Installation &installation,
                                   std::string &error) {
  const char *variable = std::getenv("CXX");
  const std::string asked = !options.compiler.empty() ? options.compiler : variable ? variable : "";
  if (!asked.empty()) {
    if (auto found = llvm::sys::findProgramByName(asked))
      return *found;
    error = "the C++ compiler '" + asked + "' (from " +
            (options.compiler.empty() ? "$CXX" : "--compiler") + ") cannot be found";
    return "";
  }
  for (const std::string &name : {installation.compiler, std::string("clang++-22"),
                                  std::string("clang++"), std::string("g++"), std::string("c++")})
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  error = "no C++ compiler was found (tried " + installation.compiler +
          ", clang++-22, clang++, g++ and c++); name one with --compiler or $CXX";
  return "";
}

std::string Builder::object(const std::string &source) const {
  return work_ + "/" + flat(source) + ".o";
}

std::vector<std::string> Builder::compile_command(const std::string &compiler) const {
  std::vector<std::string> command = {compiler, "-std=c++20", "-O1", "-ffp-contract=off", "-w"};
  command.insert(command.end(), installation_.flags.begin(), installation_.flags.end());
  std::string folder; // as the text of a string literal
  for (char c : sources_)
    folder += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  command.push_back("-DNEURONIFY_DEVICE_IR_FOLDER=\"" + folder + "\"");
  if (layout_.linking.openmp)
    command.push_back("-fopenmp");
  for (const std::string &definition : layout_.definitions)
    command.push_back("-D" + definition);
  for (const std::string &folder : layout_.include_folders)
    command.push_back("-I" + (fs::path(sources_) / folder).string());
  for (const std::string &folder : installation_.include)
    command.push_back("-I" + folder);
  return command;
}

void Builder::compile(const std::string &compiler, const std::string &source) {
  std::vector<std::string> command = compile_command(compiler);
  // What ported kernels call is optimised already; optimising the calls takes many times longer
  // than it saves.
  if (layout_.kernels.contains(source))
    std::ranges::replace(command, "-O1", "-O0");
  command.insert(command.end(),
                 {"-c", (fs::path(sources_) / source).string(), "-o", object(source)});
  console_.detail(llvm::join(command, " "));
  const std::string log = object(source) + ".log";
  const ProcessResult result = run_process(command, log);
  if (!result.ok())
    errors_[source] = "compiling " + source + " failed: the compiler " + result.describe(0) + "\n" +
                      tail(log, 40);
}

void Builder::link(const std::string &compiler, const rewrite::Program &program,
                   BuiltProgram &built) {
  for (const std::string &source : program.sources)
    if (!errors_[source].empty() && built.error.empty())
      built.error = errors_[source];
  if (!built.error.empty())
    return;
  std::vector<std::string> command = {compiler, "-o", built.path};
  command.insert(command.end(), installation_.flags.begin(), installation_.flags.end());
  for (const std::string &source : program.sources)
    command.push_back(object(source));
  command.insert(command.end(), installation_.libraries.begin(), installation_.libraries.end());
  if (layout_.linking.openmp)
    command.push_back("-fopenmp");
  for (const std::string &folder : layout_.linking.folders)
    command.push_back("-L" + folder);
  for (const std::string &library : layout_.linking.libraries)
    command.push_back("-l" + library);
  console_.detail(llvm::join(command, " "));
  const std::string log = built.path + ".link.log";
  const ProcessResult result = run_process(command, log);
  if (!result.ok())
    built.error = "linking " + built.name + " failed: the linker " + result.describe(0) + "\n" +
                  tail(log, 40);
}

std::vector<BuiltProgram> Builder::run(const std::string &compiler) {
  std::vector<BuiltProgram> programs;
  std::vector<const rewrite::Program *> wanted;
  for (const rewrite::Program &program : layout_.programs) {
    if (!program.has_main)
      continue;
    wanted.push_back(&program);
    programs.push_back({program.name, work_ + "/" + program.name, ""});
    for (const std::string &source : program.sources)
      errors_[source] = "";
  }
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options_.jobs));
  std::atomic<size_t> done = 0;
  for (auto &[source, error] : errors_)
    pool.async([&, source = source] {
      compile(compiler, source);
      console_.progress("compiling " + std::to_string(++done) + "/" +
                        std::to_string(errors_.size()));
    });
  pool.wait();
  for (size_t i = 0; i < programs.size(); ++i)
    pool.async([&, i] { link(compiler, *wanted[i], programs[i]); });
  pool.wait();
  return programs;
}

} // namespace neuronify::tool
