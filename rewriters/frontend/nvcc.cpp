#include "frontend/nvcc.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <algorithm>

namespace neuronify::frontend {

namespace {

using llvm::StringRef;

enum class Action {
  drop,       ///< a flag that does not matter
  drop_value, ///< an option with a value, neither matters
  value,      ///< an option with a value, written as `spelling value`
  joined,     ///< an option with a value, written as `spelling` + value
  flag,       ///< a flag, written as `spelling`
  arch,       ///< a GPU architecture
  gencode,    ///< arch=…,code=…
  relocatable,
  library, ///< of the program; the value is its name
  library_folder,
  openmp,
  host,   ///< a comma list of options of the host compiler
  clang,  ///< one option of Clang's cc1
  options ///< a file of options
};

struct Option {
  StringRef name;
  Action action;
  StringRef spelling = "";
};

// Options matched by their whole name. A value follows as the next word or after "=".
const Option options[] = {
    {"-I", Action::joined, "-I"},
    {"--include-path", Action::joined, "-I"},
    {"-isystem", Action::value, "-isystem"},
    {"--system-include", Action::value, "-isystem"},
    {"-iquote", Action::value, "-iquote"},
    {"-idirafter", Action::value, "-idirafter"},
    {"-imacros", Action::value, "-imacros"},
    {"-include", Action::value, "-include"},
    {"--pre-include", Action::value, "-include"},
    {"-D", Action::joined, "-D"},
    {"--define-macro", Action::joined, "-D"},
    {"-U", Action::joined, "-U"},
    {"--undefine-macro", Action::joined, "-U"},
    {"-std", Action::joined, "-std="},
    {"--std", Action::joined, "-std="},
    {"--sysroot", Action::joined, "--sysroot="},
    {"-isysroot", Action::value, "-isysroot"},
    {"-stdlib", Action::joined, "-stdlib="},
    {"--gcc-toolchain", Action::joined, "--gcc-toolchain="},
    {"--gcc-install-dir", Action::joined, "--gcc-install-dir="},
    {"-w", Action::flag, "-w"},
    {"--disable-warnings", Action::flag, "-w"},
    {"-use_fast_math", Action::flag, "-fgpu-approx-transcendentals"},
    {"--use_fast_math", Action::flag, "-fgpu-approx-transcendentals"},
    {"-ffast-math", Action::flag, "-fgpu-approx-transcendentals"},
    {"-arch", Action::arch},
    {"--gpu-architecture", Action::arch},
    {"--cuda-gpu-arch", Action::arch},
    {"--offload-arch", Action::arch},
    {"-gencode", Action::gencode},
    {"--generate-code", Action::gencode},
    {"-rdc", Action::relocatable},
    {"--relocatable-device-code", Action::relocatable},
    {"-dc", Action::flag, "-fgpu-rdc"},
    {"--device-c", Action::flag, "-fgpu-rdc"},
    {"-Xcompiler", Action::host},
    {"--compiler-options", Action::host},
    {"-Xclang", Action::clang},
    {"--options-file", Action::options},
    {"-optf", Action::options},
    {"-x", Action::drop_value},
    {"--x", Action::drop_value},
    {"-o", Action::drop_value},
    {"--output-file", Action::drop_value},
    {"-odir", Action::drop_value},
    {"--output-directory", Action::drop_value},
    {"-MF", Action::drop_value},
    {"-MT", Action::drop_value},
    {"-MQ", Action::drop_value},
    {"-MD", Action::drop},
    {"-MMD", Action::drop},
    {"-MP", Action::drop},
    {"-M", Action::drop},
    {"-MM", Action::drop},
    {"--generate-dependencies-with-compile", Action::drop},
    {"--dependency-output", Action::drop_value},
    {"-code", Action::drop_value},
    {"--gpu-code", Action::drop_value},
    {"-ccbin", Action::drop_value},
    {"--compiler-bindir", Action::drop_value},
    {"-Xptxas", Action::drop_value},
    {"--ptxas-options", Action::drop_value},
    {"-Xlinker", Action::drop_value},
    {"--linker-options", Action::drop_value},
    {"-Xnvlink", Action::drop_value},
    {"--nvlink-options", Action::drop_value},
    {"-Xarchive", Action::drop_value},
    {"--archive-options", Action::drop_value},
    {"-Xcuda-ptxas", Action::drop_value},
    {"-Xcuda-fatbinary", Action::drop_value},
    {"-maxrregcount", Action::drop_value},
    {"--maxrregcount", Action::drop_value},
    {"-t", Action::drop_value},
    {"--threads", Action::drop_value},
    {"-split-compile", Action::drop_value},
    {"--split-compile", Action::drop_value},
    {"-diag-suppress", Action::drop_value},
    {"--diag-suppress", Action::drop_value},
    {"-diag-error", Action::drop_value},
    {"--diag-error", Action::drop_value},
    {"-diag-warn", Action::drop_value},
    {"--diag-warn", Action::drop_value},
    {"-default-stream", Action::drop_value},
    {"--default-stream", Action::drop_value},
    {"-cudart", Action::drop_value},
    {"--cudart", Action::drop_value},
    {"-cudadevrt", Action::drop_value},
    {"--cudadevrt", Action::drop_value},
    {"-ftz", Action::drop_value},
    {"--ftz", Action::drop_value},
    {"-prec-div", Action::drop_value},
    {"--prec-div", Action::drop_value},
    {"-prec-sqrt", Action::drop_value},
    {"--prec-sqrt", Action::drop_value},
    {"-fmad", Action::drop_value},
    {"--fmad", Action::drop_value},
    {"-l", Action::library},
    {"--library", Action::library},
    {"-L", Action::library_folder},
    {"--library-path", Action::library_folder},
    {"-O", Action::drop},
    {"--optimize", Action::drop_value},
    {"-m", Action::drop_value},
    {"--machine", Action::drop_value},
    {"--cuda-path", Action::drop_value},
    {"--keep-dir", Action::drop_value},
    {"-keep-dir", Action::drop_value},
    {"-c", Action::drop},
    {"--compile", Action::drop},
    {"-S", Action::drop},
    {"-E", Action::drop},
    {"-dlink", Action::drop},
    {"--device-link", Action::drop},
    {"-ptx", Action::drop},
    {"--ptx", Action::drop},
    {"-cubin", Action::drop},
    {"-fatbin", Action::drop},
    {"-link", Action::drop},
    {"-lib", Action::drop},
    {"-shared", Action::drop},
    {"-g", Action::drop},
    {"--debug", Action::drop},
    {"-G", Action::drop},
    {"--device-debug", Action::drop},
    {"-lineinfo", Action::drop},
    {"--generate-line-info", Action::drop},
    {"-v", Action::drop},
    {"--verbose", Action::drop},
    {"-###", Action::drop},
    {"-dryrun", Action::drop},
    {"--dryrun", Action::drop},
    {"-keep", Action::drop},
    {"--keep", Action::drop},
    {"-save-temps", Action::drop},
    {"--save-temps", Action::drop},
    {"-pg", Action::drop},
    {"-fgpu-rdc", Action::flag, "-fgpu-rdc"},
    {"-expt-relaxed-constexpr", Action::drop},
    {"--expt-relaxed-constexpr", Action::drop},
    {"-expt-extended-lambda", Action::drop},
    {"--expt-extended-lambda", Action::drop},
    {"-extended-lambda", Action::drop},
    {"--extended-lambda", Action::drop},
    {"-restrict", Action::drop},
    {"--restrict", Action::drop},
    {"-forward-unknown-to-host-compiler", Action::drop},
    {"--forward-unknown-to-host-compiler", Action::drop},
    {"-forward-unknown-opts", Action::drop},
    {"--forward-unknown-opts", Action::drop},
    {"-res-usage", Action::drop},
    {"--resource-usage", Action::drop},
    {"-extra-device-vectorization", Action::drop},
    {"--extra-device-vectorization", Action::drop},
    {"-allow-unsupported-compiler", Action::drop},
    {"--allow-unsupported-compiler", Action::drop},
    {"-Wno-deprecated-gpu-targets", Action::drop},
    {"--no-compress", Action::drop},
    {"-no-compress", Action::drop},
    {"-dopt", Action::drop_value},
    {"-lto", Action::drop},
    {"-dlto", Action::drop},
    {"-flto", Action::drop},
    {"-Ofast", Action::drop},
    {"-Werror", Action::drop},
    {"-fsyntax-only", Action::drop},
    {"-pedantic-errors", Action::drop},
    {"--cuda-host-only", Action::drop},
    {"--cuda-device-only", Action::drop},
    {"-nocudainc", Action::drop},
    {"-nocudalib", Action::drop},
    {"-nogpuinc", Action::drop},
    {"-nogpulib", Action::drop},
};

// Options matched by how they begin; the rest of the word is their value.
const Option prefixes[] = {
    {"-I", Action::joined, "-I"},
    {"-D", Action::joined, "-D"},
    {"-U", Action::joined, "-U"},
    {"-isystem", Action::value, "-isystem"},
    {"-O", Action::drop},
    {"-g", Action::drop},
    {"-l", Action::library},
    {"-L", Action::library_folder},
    {"-Werror", Action::drop},
    {"-Wl,", Action::drop},
    {"-Wa,", Action::drop},
    {"-march=", Action::drop},
    {"-mtune=", Action::drop},
    {"-fsanitize", Action::drop},
    {"-flto", Action::drop},
    {"-fopenmp", Action::openmp},
    {"-fdiagnostics", Action::drop},
    {"-fcolor-", Action::drop},
    {"-fno-diagnostics", Action::drop},
    {"-fprofile", Action::drop},
    {"-ffp-contract", Action::drop},
    {"-fvisibility", Action::drop},
    {"-keep-dir", Action::drop},
    {"-fuse-ld", Action::drop},
    {"-fdebug-", Action::drop},
    {"-save-temps", Action::drop},
    {"--save-temps", Action::drop},
};

// Options of Clang's driver that are handed on.
const StringRef kept[] = {"-W",    "-f",       "-m",         "-nostd", "-pthread", "-pedantic",
                          "-ansi", "--target", "-trigraphs", "-undef", "-P"};

// What may follow nvcc's -Werror as its own word.
const StringRef warning_kinds[] = {
    "all-warnings",          "cross-execution-space-call", "reorder",
    "default-stream-launch", "deprecated-declarations",    "ext-lambda-captures-this"};

bool takes_value(Action action) {
  return action != Action::drop && action != Action::flag && action != Action::openmp;
}

/// Libraries of the toolkit, and what a port has no use for.
bool is_of_nvidia(StringRef library) {
  constexpr llvm::StringLiteral starts[] = {
      "cuda", "cublas",     "cufft",  "curand", "cusolver",  "cusparse", "cudnn", "nccl",
      "npp",  "nvToolsExt", "nvidia", "nvrtc",  "nvJitLink", "cutensor", "nvjpeg"};
  return llvm::any_of(starts, [&](StringRef start) { return library.starts_with(start); });
}

/// A comma list, as nvcc takes it.
void add_all(std::vector<std::string> &list, StringRef values) {
  llvm::SmallVector<StringRef> parts;
  values.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    if (!llvm::is_contained(list, part))
      list.push_back(part.str());
}

class Translator {
public:
  explicit Translator(StringRef directory) : directory(directory) {}

  void run(llvm::ArrayRef<std::string> words) {
    while (!words.empty()) {
      const size_t used = one(words);
      words = words.drop_front(std::min(used, words.size()));
    }
  }

  Translation result;

private:
  StringRef directory;
  unsigned depth = 0; ///< of option files that read option files

  size_t one(llvm::ArrayRef<std::string> words);
  void apply(const Option &option, StringRef value);
  void read_options(StringRef file);
  void add_arch(StringRef text);
  void add_gencode(StringRef text);
  void nested(llvm::ArrayRef<std::string> words);
};

/// Translates the first of `words`; returns how many it used.
size_t Translator::one(llvm::ArrayRef<std::string> words) {
  StringRef word = words.front();
  if (word.size() > 1 && word.front() == '@') {
    read_options(word.drop_front());
    return 1;
  }
  if (word.empty() || word == "-" || word.front() != '-') {
    if (!word.empty())
      result.positional.push_back(word.str());
    return 1;
  }
  const auto [name, after] = word.split('=');
  const bool has_equals = name.size() != word.size();
  for (const Option &option : options) {
    const bool valued = takes_value(option.action);
    if (option.name == word && valued) {
      if (words.size() > 1)
        apply(option, words[1]);
      return 2;
    }
    if (option.name == word || (option.name == name && has_equals && valued)) {
      apply(option, after);
      const bool kind_follows = word == "-Werror" && words.size() > 1 &&
                                llvm::is_contained(warning_kinds, StringRef(words[1]));
      return kind_follows ? 2 : 1;
    }
  }
  for (const Option &option : prefixes)
    if (word.starts_with(option.name)) {
      apply(option, word.drop_front(option.name.size()));
      return 1;
    }
  const bool keep = llvm::any_of(kept, [&](StringRef start) { return word.starts_with(start); });
  (keep ? result.args : result.left_out).push_back(word.str());
  return 1;
}

void Translator::apply(const Option &option, StringRef value) {
  std::vector<std::string> &args = result.args;
  switch (option.action) {
  case Action::drop:
  case Action::drop_value:
    return;
  case Action::flag:
    args.push_back(option.spelling.str());
    return;
  case Action::value:
    args.push_back(option.spelling.str());
    args.push_back(value.str());
    return;
  case Action::joined:
    args.push_back((option.spelling + value).str());
    return;
  case Action::arch:
    return add_arch(value);
  case Action::gencode:
    return add_gencode(value);
  case Action::relocatable:
    if (value == "true")
      args.push_back("-fgpu-rdc");
    return;
  case Action::clang:
    args.push_back("-Xclang");
    args.push_back(value.str());
    return;
  case Action::library:
    if (!is_of_nvidia(value))
      add_all(result.linking.libraries, value);
    return;
  case Action::library_folder:
    return add_all(result.linking.folders, value);
  case Action::openmp:
    result.linking.openmp = true;
    return;
  case Action::host: {
    llvm::SmallVector<StringRef> parts;
    value.trim("\"'").split(parts, ',', -1, /*KeepEmpty=*/false);
    return nested(std::vector<std::string>(parts.begin(), parts.end()));
  }
  case Action::options:
    return read_options(value);
  }
}

/// Translates words that stand inside another option; files among them are none of ours.
void Translator::nested(llvm::ArrayRef<std::string> words) {
  const size_t files = result.positional.size();
  run(words);
  result.positional.resize(files);
}

/// A file that cannot be read counts as an option left out.
void Translator::read_options(StringRef file) {
  llvm::SmallString<256> path = file;
  if (llvm::sys::path::is_relative(path) && !directory.empty()) {
    path = directory;
    llvm::sys::path::append(path, file);
  }
  const auto buffer = llvm::MemoryBuffer::getFile(path);
  constexpr unsigned deepest = 8;
  if (!buffer || depth == deepest) {
    result.left_out.push_back(("@" + file).str());
    return;
  }
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine((*buffer)->getBuffer(), saver, words);
  ++depth;
  run(std::vector<std::string>(words.begin(), words.end()));
  --depth;
}

/// "sm_80", "compute_80", "80" or a comma list of them.
void Translator::add_arch(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    part = part.trim(" []\"'");
    if (!part.consume_front("sm_") && !part.consume_front("compute_"))
      part.consume_front("lto_");
    if (!part.empty() && llvm::isDigit(part.front()))
      result.archs.push_back(("sm_" + part).str());
  }
}

/// "arch=compute_80,code=[sm_80,compute_80]": the virtual architecture is what code is compiled
/// for.
void Translator::add_gencode(StringRef text) {
  text = text.trim("\"' ");
  if (text.consume_front("arch="))
    add_arch(text.split(',').first);
}

} // namespace

Translation translate(const std::vector<std::string> &options, const std::string &directory) {
  Translator translator(directory);
  translator.run(options);
  return std::move(translator.result);
}

} // namespace neuronify::frontend
