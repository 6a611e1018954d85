#include "frontend/command.h"

#include "frontend/compile_commands.h"
#include "frontend/nvcc.h"
#include "frontend/toolchain.h"

#include "clang/Basic/OffloadArch.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace neuronify::frontend {

namespace {

using llvm::StringRef;
namespace path = llvm::sys::path;

// Ampere: the oldest architecture that has everything our headers declare without conditions.
constexpr const char default_arch[] = "sm_80";

void add(std::vector<Message> &messages, const char *level, const char *code, std::string text,
         std::string file = "") {
  messages.push_back(
      {.file = std::move(file), .level = level, .code = code, .text = std::move(text)});
}

std::string absolute(StringRef file) {
  llvm::SmallString<256> result(file);
  llvm::sys::fs::make_absolute(result);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

/// The compile command of `file` in the database, or none with a message.
std::optional<CompileCommand> look_up(const std::string &file, const std::string &build_path,
                                      std::vector<Message> &messages) {
  std::string database = build_path;
  if (llvm::sys::fs::is_directory(build_path)) {
    llvm::SmallString<256> inside(build_path);
    path::append(inside, "compile_commands.json");
    database = inside.str().str();
  }
  auto commands = read_compile_commands(database);
  if (!commands) {
    add(messages, "error", "NFY1002", llvm::toString(commands.takeError()), database);
    return std::nullopt;
  }
  for (CompileCommand &command : *commands)
    if (command.file == absolute(file))
      return std::move(command);
  add(messages, "warning", "NFY1008",
      "no compile command for '" + file + "'; it is read with default options", database);
  return std::nullopt;
}

/// The options of a compile command: without the compiler and what may stand before it (ccache).
std::vector<std::string> compiler_options(const std::vector<std::string> &command_line) {
  size_t first = 0;
  for (StringRef launcher : {"ccache", "sccache", "distcc", "icecc"})
    if (!command_line.empty() && path::filename(command_line[0]).starts_with(launcher))
      first = 1;
  if (first < command_line.size())
    ++first;
  return {command_line.begin() + static_cast<ptrdiff_t>(first), command_line.end()};
}

/// A folder of a CUDA toolkit's headers. They exclude ours: half of each would be read.
bool is_toolkit_folder(StringRef folder, StringRef directory) {
  llvm::SmallString<256> probe(folder);
  if (path::is_relative(probe) && !directory.empty()) {
    probe = directory;
    path::append(probe, folder);
  }
  path::append(probe, "cuda_runtime_api.h");
  return llvm::sys::fs::exists(probe);
}

std::vector<std::string> without_toolkit(const std::vector<std::string> &args,
                                         StringRef directory) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef arg = args[i];
    if (arg == "-isystem" && i + 1 < args.size() && is_toolkit_folder(args[i + 1], directory)) {
      ++i;
      continue;
    }
    if (!(arg.consume_front("-I") && is_toolkit_folder(arg, directory)))
      kept.push_back(args[i]);
  }
  return kept;
}

/// The newest architecture asked for that Clang knows.
std::string choose_arch(const std::vector<std::string> &archs, std::vector<Message> &messages) {
  std::string best;
  unsigned best_number = 0;
  for (const std::string &arch : archs) {
    unsigned number = 0;
    if (clang::StringToOffloadArch(arch) == clang::OffloadArch::UNKNOWN ||
        StringRef(arch).substr(3).consumeInteger(10, number)) {
      add(messages, "warning", "NFY1006",
          "GPU architecture '" + arch + "' is not known to Clang 22");
      continue;
    }
    if (number > best_number) {
      best = arch;
      best_number = number;
    }
  }
  return best.empty() ? default_arch : best;
}

void add_headers(Command &command, const Options &options, std::vector<Message> &messages) {
  if (!options.cuda_path.empty()) {
    command.args.push_back("--cuda-path=" + absolute(options.cuda_path));
    llvm::SmallString<256> cccl(absolute(options.cuda_path));
    path::append(cccl, "include", "cccl"); // toolkit 13 keeps CUB and Thrust there
    if (llvm::sys::fs::is_directory(cccl)) {
      command.args.push_back("-isystem");
      command.args.push_back(cccl.str().str());
    }
    return;
  }
  const std::string headers = header_directory();
  if (headers.empty()) {
    add(messages, "error", "NFY1005",
        "our CUDA headers are not where they were installed; "
        "reinstall neuronify or give --cuda-path");
    return;
  }
  command.args.insert(command.args.end(), {"-nocudainc", "--cuda-path=" + headers, "-isystem",
                                           headers, "-include", headers + "/cuda_runtime.h"});
}

} // namespace

Command find_command(const std::string &file, const Options &options,
                     std::vector<Message> &messages) {
  Command command;
  command.file = file;
  command.own_headers = options.cuda_path.empty();
  std::vector<std::string> words;
  if (!options.build_path.empty())
    if (auto found = look_up(file, options.build_path, messages)) {
      command.directory = found->directory;
      command.file = absolute(file);
      words = compiler_options(found->words);
    }
  Translation of_build = translate(words, command.directory);
  Translation of_user = translate(options.extra_args, "");
  for (const Translation *part : {&of_build, &of_user}) {
    command.args.insert(command.args.end(), part->args.begin(), part->args.end());
    command.linking.openmp |= part->linking.openmp;
    for (auto list : {&Linking::libraries, &Linking::folders})
      (command.linking.*list)
          .insert((command.linking.*list).end(), (part->linking.*list).begin(),
                  (part->linking.*list).end());
    for (const std::string &option : part->left_out)
      add(messages, "warning", "NFY1006", "compiler option '" + option + "' is left out");
  }
  for (const std::string &word : of_user.positional)
    add(messages, "warning", "NFY1006", "extra argument '" + word + "' is left out");
  if (command.own_headers)
    command.args = without_toolkit(command.args, command.directory);
  command.arch = choose_arch(of_user.archs.empty() ? of_build.archs : of_user.archs, messages);
  add_headers(command, options, messages);
  return command;
}

} // namespace neuronify::frontend
