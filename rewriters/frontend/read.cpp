#include "frontend/frontend.h"

#include "frontend/passes.h"
#include "frontend/toolchain.h"

#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/thread.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

namespace neuronify::frontend {

Unit::Unit() = default;
Unit::Unit(Unit &&) noexcept = default;
Unit::~Unit() = default;

Unit &Unit::operator=(Unit &&other) noexcept {
  // Modules go before the context they live in; the members' own order would do it the other way.
  device.reset();
  original.reset();
  context = std::move(other.context);
  original = std::move(other.original);
  device = std::move(other.device);
  file = std::move(other.file);
  host = std::move(other.host);
  host_texts = std::move(other.host_texts);
  kernels = std::move(other.kernels);
  variables = std::move(other.variables);
  uninstantiated = std::move(other.uninstantiated);
  messages = std::move(other.messages);
  host_seconds = other.host_seconds;
  device_seconds = other.device_seconds;
  prepare_seconds = other.prepare_seconds;
  return *this;
}

namespace {

/// For threads of Clang, which recurses as deeply as source nests.
constexpr std::optional<unsigned> stack_bytes = 64u << 20;

double seconds_of(llvm::function_ref<void()> work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs one pass and says whether it came to its end. Clang is a large program and some input
/// crashes it; that is then told like any other problem of a file.
bool survives(const char *what, const std::string &file, std::vector<Message> &messages,
              llvm::function_ref<void()> pass) {
#if !__has_feature(address_sanitizer)
  static std::once_flag once;
  std::call_once(once, llvm::CrashRecoveryContext::Enable);
#endif
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely(pass))
    return true;
  messages.push_back({.file = file,
                      .level = "error",
                      .code = "NFY1007",
                      .text = std::string("Clang crashed in the ") + what});
  return false;
}

/// What a crash left of the device IR cannot even be destroyed.
void abandon_device(Unit &unit) {
  (void)unit.device.release();
  (void)unit.original.release();
  (void)unit.context.release();
  unit.kernels.clear();
  unit.variables.clear();
}

void run_device(const Command &command, const Options &options, const SharedMessages &messages,
                Unit &unit) {
  const bool survived = survives("device pass", unit.file, *messages, [&] {
    unit.device_seconds =
        seconds_of([&] { device_pass(command, options.instantiate, messages, unit); });
    if (unit.original)
      unit.prepare_seconds = seconds_of([&] {
        read_assembly(*unit.original);
        unit.device = llvm::CloneModule(*unit.original);
        prepare(*unit.device);
      });
  });
  if (!survived)
    abandon_device(unit);
}

/// Why a file cannot be read, or "".
std::string unreadable(const std::string &file) {
  llvm::sys::fs::file_status status;
  if (const std::error_code error = llvm::sys::fs::status(file, status))
    return error.message();
  if (status.type() == llvm::sys::fs::file_type::directory_file)
    return "it is a directory";
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return "it is not a file"; // a pipe could keep us waiting for ever
  if (const auto buffer = llvm::MemoryBuffer::getFile(file); !buffer)
    return buffer.getError().message();
  return "";
}

bool has_error(const std::vector<Message> &messages) {
  return llvm::any_of(messages, [](const Message &message) { return message.level == "error"; });
}

/// Does `file` lie in a folder of a CUDA toolkit's headers, or in one below?
bool is_of_toolkit(llvm::StringRef file) {
  for (int level = 0; level < 3; ++level) {
    file = llvm::sys::path::parent_path(file);
    llvm::SmallString<256> probe(file);
    llvm::sys::path::append(probe, "cuda_runtime_api.h");
    if (!file.empty() && llvm::sys::fs::exists(probe))
      return true;
  }
  return false;
}

/// Says where headers come from that every CUDA programmer has and this tool does not, and why
/// those of a toolkit that nobody asked for fail.
void explain_library_headers(const Options &options, std::vector<Message> &messages) {
  const std::string own = header_directory();
  for (Message &message : messages) {
    if (options.cuda_path.empty() && message.level == "error" && message.code.empty() &&
        (own.empty() || !llvm::StringRef(message.file).starts_with(own)) &&
        is_of_toolkit(message.file)) {
      message.code = "NFY1009";
      message.text +=
          "; this header of NVIDIA's toolkit needs the others, which --cuda-path=DIR names";
      continue;
    }
    llvm::StringRef header = message.text;
    if (!header.consume_front("'") || !header.consume_back("' file not found"))
      continue;
    constexpr llvm::StringLiteral libraries[] = {
        "cub/",     "thrust/", "cuda/", "curand", "cublas", "cufft",   "cusparse",
        "cusolver", "cudnn",   "nccl",  "nvtx3/", "npp",    "cutensor"};
    if (llvm::none_of(libraries, [&](llvm::StringRef name) { return header.starts_with(name); }))
      continue;
    message.code = "NFY1009";
    message.text += "; it comes with NVIDIA's toolkit, which --cuda-path=DIR names";
  }
}

/// Appends what is new: the device pass repeats most of what the host pass said.
void append_new(std::vector<Message> &messages, const std::vector<Message> &more) {
  const auto key = [](const Message &m) {
    return std::tie(m.file, m.line, m.column, m.level, m.code, m.text);
  };
  using Key = std::tuple<std::string, unsigned, unsigned, std::string, std::string, std::string>;
  std::set<Key> known;
  for (const Message &message : messages)
    known.insert(key(message));
  for (const Message &message : more)
    if (known.insert(key(message)).second)
      messages.push_back(message);
}

/// Both passes. False, with nothing said yet, where a kernel launches a kernel, which Clang reads
/// as relocatable code only.
bool run_passes(const Command &command, const Options &options, Unit &unit) {
  const auto host_messages = std::make_shared<std::vector<Message>>();
  const auto device_messages = std::make_shared<std::vector<Message>>();
  // The passes share nothing but the files they read.
  llvm::thread device(stack_bytes, [&] { run_device(command, options, device_messages, unit); });
  llvm::thread host(stack_bytes, [&] {
    (void)survives("host pass", unit.file, *host_messages, [&] {
      unit.host_seconds = seconds_of([&] { unit.host = host_pass(command, host_messages); });
    });
  });
  host.join();
  device.join();
  const bool relocatable = llvm::is_contained(command.args, "-fgpu-rdc");
  if (!relocatable && llvm::any_of(*device_messages, [](const Message &message) {
        return llvm::StringRef(message.text).contains("requires relocatable device code");
      }))
    return false;
  append_new(unit.messages, *host_messages);
  append_new(unit.messages, *device_messages);
  return true;
}

} // namespace

bool expand_macros(Unit &unit, const Options &options, const std::set<MacroUse> &uses) {
  std::vector<Message> ignored;
  const Command command = find_command(unit.file, options, ignored);
  const auto messages = std::make_shared<std::vector<Message>>();
  std::unique_ptr<clang::ASTUnit> host;
  std::map<std::string, std::string> texts = unit.host_texts;
  llvm::thread again(stack_bytes, [&] {
    (void)survives("host pass", unit.file, *messages, [&] {
      if (write_expansions(command, messages, uses, texts))
        host = host_pass(command, messages, texts);
    });
  });
  again.join();
  if (!host)
    return false;
  unit.host = std::move(host);
  unit.host_texts = std::move(texts);
  return true;
}

Unit read(const std::string &file, const Options &options) {
  Unit unit;
  unit.file = file;
  if (const std::string why = unreadable(file); !why.empty()) {
    unit.messages.push_back({.file = file,
                             .level = "error",
                             .code = "NFY1001",
                             .text = "cannot read '" + file + "': " + why});
    return unit;
  }
  Command command = find_command(file, options, unit.messages);
  if (has_error(unit.messages))
    return unit;
  if (!run_passes(command, options, unit)) {
    command.args.push_back("-fgpu-rdc");
    run_passes(command, options, unit);
  }
  explain_library_headers(options, unit.messages);
  return unit;
}

} // namespace neuronify::frontend
