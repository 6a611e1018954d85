#include "options.h"

#include "frontend/compile_commands.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace neuronify::tool {

namespace {

namespace cl = llvm::cl;

const char overview[] =
    "neuronify ports CUDA code to AWS Trainium3\n\n"
    "  neuronify port [-o DIR] FILE.cu ... [-- compiler options]\n"
    "      writes the ported project\n"
    "  neuronify verify FILE.cu ... [-- program arguments]\n"
    "      ports, compiles, and runs port and original side by side; exit code 0 only if every\n"
    "      launch matched\n"
    "  neuronify assess FOLDER|compile_commands.json [-- compiler options]\n"
    "      what of a code base would port, and what keeps the rest from it\n"
    "  neuronify query [NAME ...]\n"
    "      what a name of the CUDA API becomes\n"
    "  neuronify explain CODE ...\n"
    "      the page of a diagnostic, for example NFY4001\n\n"
    "Exit codes: 0 success, 1 mismatch or failure, 2 wrong usage.\n";

/// All options, as llvm::cl wants them: objects that live while the line is read.
struct CommandLine {
  cl::SubCommand port{"port", "Port CUDA files and write the ported project"};
  cl::SubCommand verify{"verify", "Port, compile and run side by side with the original"};
  cl::SubCommand assess{"assess", "Report what of a code base would port"};
  cl::SubCommand query{"query", "Show what names of the CUDA API become"};
  cl::SubCommand explain{"explain", "Show the page of a diagnostic"};
  cl::OptionCategory category{"neuronify options"};

  cl::list<std::string> files{cl::Positional, cl::desc("FILE..."), cl::sub(port), cl::sub(verify),
                              cl::cat(category)};
  cl::list<std::string> places{cl::Positional, cl::desc("FOLDER|compile_commands.json..."),
                               cl::sub(assess), cl::cat(category)};
  cl::list<std::string> names{cl::Positional, cl::desc("[NAME...]"), cl::sub(query),
                              cl::cat(category)};
  cl::list<std::string> codes{cl::Positional, cl::desc("CODE..."), cl::sub(explain),
                              cl::cat(category)};

  cl::opt<std::string> build_path{
      "p",
      cl::desc("Folder of compile_commands.json; all its files where none is named"),
      cl::value_desc("folder"),
      cl::sub(port),
      cl::sub(verify),
      cl::sub(assess),
      cl::cat(category)};
  cl::list<std::string> extra_arg{"extra-arg",
                                  cl::desc("Option for Clang, as in Clang's tools"),
                                  cl::value_desc("option"),
                                  cl::sub(port),
                                  cl::sub(verify),
                                  cl::sub(assess),
                                  cl::cat(category)};
  cl::list<std::string> include{"I",
                                cl::Prefix,
                                cl::desc("Include folder"),
                                cl::value_desc("folder"),
                                cl::sub(port),
                                cl::sub(verify),
                                cl::sub(assess),
                                cl::cat(category)};
  cl::list<std::string> define{"D",
                               cl::Prefix,
                               cl::desc("Macro definition"),
                               cl::value_desc("name[=value]"),
                               cl::sub(port),
                               cl::sub(verify),
                               cl::sub(assess),
                               cl::cat(category)};
  cl::opt<std::string> standard{"std",
                                cl::desc("Language standard of the CUDA code"),
                                cl::value_desc("c++17"),
                                cl::sub(port),
                                cl::sub(verify),
                                cl::sub(assess),
                                cl::cat(category)};
  cl::opt<std::string> cuda_path{"cuda-path",
                                 cl::desc("CUDA toolkit to use instead of neuronify's own headers"),
                                 cl::value_desc("folder"),
                                 cl::sub(port),
                                 cl::sub(verify),
                                 cl::sub(assess),
                                 cl::cat(category)};
  cl::list<std::string> instantiate{"instantiate",
                                    cl::desc("Also port this instance of a kernel template"),
                                    cl::value_desc("k<float,128>"),
                                    cl::sub(port),
                                    cl::sub(verify),
                                    cl::cat(category)};
  cl::opt<std::string> output{
      "o",
      cl::desc("Folder for the ported project (port: default 'ported'; verify: "
               "default none is kept)"),
      cl::value_desc("folder"),
      cl::sub(port),
      cl::sub(verify),
      cl::cat(category)};
  cl::alias output_long{"output", cl::desc("Same as -o"), cl::aliasopt(output), cl::cat(category)};
  cl::opt<bool> force{"force", cl::desc("Write into a folder that is not empty"), cl::sub(port),
                      cl::sub(verify), cl::cat(category)};
  cl::opt<std::string> json{"json",
                            cl::desc("Write results for machines to a file"),
                            cl::value_desc("file"),
                            cl::sub(port),
                            cl::sub(verify),
                            cl::sub(assess),
                            cl::sub(query),
                            cl::sub(explain),
                            cl::cat(category)};
  cl::opt<unsigned> jobs{"jobs",
                         cl::desc("How much to do at a time (default: one per core)"),
                         cl::value_desc("n"),
                         cl::init(0),
                         cl::sub(port),
                         cl::sub(verify),
                         cl::sub(assess),
                         cl::cat(category)};
  cl::alias jobs_short{"j", cl::desc("Same as --jobs"), cl::aliasopt(jobs), cl::cat(category)};
  cl::opt<bool> verbose{"v",
                        cl::desc("Say more: notes, commands, output of programs"),
                        cl::sub(port),
                        cl::sub(verify),
                        cl::sub(assess),
                        cl::cat(category)};
  cl::list<std::string> dump{"dump",
                             cl::desc("Print a stage: ir (device IR), kernel (the tile program as "
                                      "lowered), tile (after all passes)"),
                             cl::value_desc("ir|kernel|tile"),
                             cl::CommaSeparated,
                             cl::sub(port),
                             cl::sub(verify),
                             cl::cat(category)};
  cl::opt<std::string> print_after{"print-after",
                                   cl::desc("Print tile programs after a pass, or after all"),
                                   cl::value_desc("pass|all"),
                                   cl::sub(port),
                                   cl::sub(verify),
                                   cl::cat(category)};
  cl::opt<bool> precise_math{
      "precise-math",  cl::desc("Division, square root and fmaf exact to the last bit"),
      cl::sub(port),   cl::sub(verify),
      cl::sub(assess), cl::cat(category)};
  cl::opt<std::string> fp64{
      "fp64",
      cl::desc("Double precision on the chip: demote (compute in single precision, the default), "
               "df32 (compute with pairs of floats), error (do not port the kernel)"),
      cl::value_desc("demote|df32|error"),
      cl::init("demote"),
      cl::sub(port),
      cl::sub(verify),
      cl::sub(assess),
      cl::cat(category)};

  cl::list<std::string> emit{
      "emit",
      cl::desc("What to write: cpp, nki (NKI Python too; port: both by default); verify --emit=nki "
               "runs the NKI form of each launch too and compares it bit for bit"),
      cl::value_desc("cpp|nki"),
      cl::CommaSeparated,
      cl::sub(port),
      cl::sub(verify),
      cl::cat(category)};

  cl::opt<unsigned> timeout{
      "timeout",
      cl::desc("Longest time for one program, or for reading one file (default 300)"),
      cl::value_desc("seconds"),
      cl::init(300),
      cl::sub(verify),
      cl::sub(assess),
      cl::cat(category)};
  cl::opt<std::string> html{"html", cl::desc("Write the report as a page for a browser"),
                            cl::value_desc("file"), cl::sub(assess), cl::cat(category)};
  cl::list<std::string> results{"results",
                                cl::desc("Add launches from a file that verify --json wrote"),
                                cl::value_desc("file"), cl::sub(assess), cl::cat(category)};
  cl::opt<std::string> trace{"trace", cl::desc("Write the timeline of the run (Perfetto)"),
                             cl::value_desc("file"), cl::sub(verify), cl::cat(category)};
  cl::opt<bool> check_original{
      "check-original",
      cl::desc("Look for races, divergent barriers and accesses out of bounds in the original"),
      cl::sub(verify), cl::cat(category)};
  cl::opt<double> rtol{"rtol",
                       cl::desc("Relative tolerance of floats (default 1e-5; fp16 2e-3)"),
                       cl::value_desc("number"),
                       cl::init(-1),
                       cl::sub(verify),
                       cl::cat(category)};
  cl::opt<double> atol{"atol",
                       cl::desc("Absolute tolerance of floats (default: 8 epsilons of the largest "
                                "value of the buffer)"),
                       cl::value_desc("number"),
                       cl::init(-1),
                       cl::sub(verify),
                       cl::cat(category)};
  cl::opt<int64_t> ulp{"ulp",
                       cl::desc("Units in the last place that always match (default 8)"),
                       cl::value_desc("n"),
                       cl::init(-1),
                       cl::sub(verify),
                       cl::cat(category)};
  bool negative_tolerance() const {
    return (rtol.getNumOccurrences() && !(rtol >= 0)) ||
           (atol.getNumOccurrences() && !(atol >= 0)) || (ulp.getNumOccurrences() && ulp < 0);
  }
  cl::opt<std::string> compiler{"compiler",
                                cl::desc("C++ compiler (default: $CXX, or the one of the build)"),
                                cl::value_desc("program"), cl::sub(verify), cl::cat(category)};
};

/// "R:A:U" of what is given; empty where nothing is.
std::string tolerance(const CommandLine &line) {
  auto number = [](const cl::opt<double> &option) -> std::string {
    char text[32] = "";
    if (option.getNumOccurrences())
      std::snprintf(text, sizeof text, "%.17g", option.getValue());
    return text;
  };
  const std::string ulp = line.ulp.getNumOccurrences() ? std::to_string(line.ulp) : "";
  std::string text = number(line.rtol) + ":" + number(line.atol) + ":" + ulp;
  text.erase(text.find_last_not_of(':') + 1);
  return text;
}

void fill(Options &options, const CommandLine &line) {
  frontend::Options &front = options.frontend;
  front.build_path = line.build_path;
  front.extra_args.assign(line.extra_arg.begin(), line.extra_arg.end());
  for (const std::string &folder : line.include)
    front.extra_args.push_back("-I" + folder);
  for (const std::string &definition : line.define)
    front.extra_args.push_back("-D" + definition);
  if (!line.standard.empty())
    front.extra_args.push_back("-std=" + line.standard);
  front.cuda_path = line.cuda_path;
  front.instantiate.assign(line.instantiate.begin(), line.instantiate.end());
  options.output = line.output;
  options.force = line.force;
  options.json = line.json;
  options.jobs = line.jobs;
  options.verbose = line.verbose;
  options.dump.assign(line.dump.begin(), line.dump.end());
  options.print_after = line.print_after;
  options.precise_math = line.precise_math;
  options.fp64 = line.fp64;
  options.emit.assign(line.emit.begin(), line.emit.end());
  options.timeout = line.timeout;
  options.html = line.html;
  options.results.assign(line.results.begin(), line.results.end());
  options.trace = line.trace;
  options.check_original = line.check_original;
  options.compiler = line.compiler;
  options.tolerance = tolerance(line);
}

/// Without files, those of the compile commands. What is wrong with these, or "".
std::string add_files_of_commands(Options &options) {
  const bool takes_files = options.command == Command::port || options.command == Command::verify;
  std::string database = options.frontend.build_path;
  if (!takes_files || !options.inputs.empty() || database.empty())
    return "";
  std::error_code ignored;
  if (std::filesystem::is_directory(database, ignored))
    database += "/compile_commands.json";
  auto commands = frontend::read_compile_commands(database);
  if (!commands)
    return database + ": " + llvm::toString(commands.takeError());
  for (const frontend::CompileCommand &command : *commands)
    options.inputs.push_back(command.file);
  return "";
}

/// What is wrong with the options together, or "".
std::string problem(const Options &options) {
  if (options.inputs.empty() && options.command != Command::query)
    return options.command == Command::explain  ? "name a diagnostic, for example NFY4001"
           : options.command == Command::assess ? "name a folder or compile_commands.json"
                                                : "no input files";
  for (const std::string &stage : options.dump)
    if (stage != "ir" && stage != "kernel" && stage != "tile")
      return "--dump knows ir, kernel and tile, not '" + stage + "'";
  std::error_code ignored;
  if (const std::string &toolkit = options.frontend.cuda_path;
      !toolkit.empty() && !std::filesystem::exists(toolkit + "/include/cuda_runtime.h", ignored))
    return "--cuda-path: there is no CUDA toolkit in '" + toolkit + "' (no include/cuda_runtime.h)";
  for (const std::string &form : options.emit)
    if (form != "cpp" && form != "nki")
      return "--emit knows cpp and nki, not '" + form + "'";
  if (options.fp64 != "demote" && options.fp64 != "df32" && options.fp64 != "error")
    return "--fp64 knows demote, df32 and error, not '" + options.fp64 + "'";
  if (options.timeout == 0)
    return "--timeout needs at least one second";
  return "";
}

int usage(const std::string &text) {
  llvm::errs() << "neuronify: error: " << text << "\n"
               << "Try 'neuronify --help'.\n";
  return 2;
}

} // namespace

std::optional<Options> read_command_line(int argc, char **argv, int &exit_code) {
  Options options;
  std::vector<const char *> words(argv, argv + argc);
  if (auto dashes = std::find(words.begin(), words.end(), llvm::StringRef("--"));
      dashes != words.end()) {
    options.trailing.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  CommandLine line;
  for (cl::SubCommand *command : {&line.port, &line.verify, &line.assess, &line.query,
                                  &line.explain, &cl::SubCommand::getTopLevel()})
    cl::HideUnrelatedOptions(line.category, *command);
  cl::SetVersionPrinter([](llvm::raw_ostream &out) { out << "neuronify " NEURONIFY_VERSION "\n"; });
  if (words.size() == 1) {
    llvm::outs() << "OVERVIEW: " << overview;
    exit_code = 2;
    return std::nullopt;
  }
  std::string errors;
  llvm::raw_string_ostream error_stream(errors);
  // With a command, --help is about that command.
  const bool has_command = !llvm::StringRef(words[1]).starts_with("-");
  if (!cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data(),
                                   has_command ? "" : overview, &error_stream)) {
    // "NAME: what is wrong" in Clang's form; some errors LLVM has printed itself.
    const size_t colon = errors.find(": ");
    if (!errors.empty())
      llvm::errs() << "neuronify: error: "
                   << (colon == std::string::npos ? errors : errors.substr(colon + 2));
    if (errors.find("Unknown command line argument") != std::string::npos)
      llvm::errs() << "Options of a CUDA compiler go after '--' (port), or into --extra-arg.\n";
    exit_code = 2;
    return std::nullopt;
  }
  if (line.port || line.verify) {
    options.command = line.port ? Command::port : Command::verify;
    options.inputs.assign(line.files.begin(), line.files.end());
    fill(options, line);
  } else if (line.assess) {
    options.command = Command::assess;
    options.inputs.assign(line.places.begin(), line.places.end());
    fill(options, line);
  } else if (line.query) {
    options.command = Command::query;
    options.json = line.json;
    options.inputs.assign(line.names.begin(), line.names.end());
  } else if (line.explain) {
    options.command = Command::explain;
    options.json = line.json;
    options.inputs.assign(line.codes.begin(), line.codes.end());
  } else {
    exit_code = usage("no command; one of port, verify, assess, query, explain");
    return std::nullopt;
  }
  if (options.command == Command::port ||
      options.command == Command::assess) // as Clang's tools take compiler options
    options.frontend.extra_args.insert(options.frontend.extra_args.end(), options.trailing.begin(),
                                       options.trailing.end());
  std::string wrong = add_files_of_commands(options);
  if (wrong.empty())
    wrong = problem(options);
  if (line.negative_tolerance())
    wrong = "a tolerance cannot be negative";
  if (!wrong.empty()) {
    exit_code = usage(wrong);
    return std::nullopt;
  }
  return options;
}

} // namespace neuronify::tool
