// Host code of a CUDA program, rewritten on the Clang AST: one file at a time.
#pragma once

#include "diagnostics/diagnostic.h"
#include "frontend/frontend.h"
#include "host/edits.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTUnit;
}

namespace neuronify::rewrite {

struct Options {
  /// Headers under this folder are the user's and are rewritten with the file, besides all headers
  /// that the user's files include by quoted name. Empty: the folder of the main file.
  std::string project_folder;
  std::string kernels_header;    ///< "saxpy_kernels.h"
  std::string kernels_namespace; ///< "saxpy_kernels", see kernels_namespace()
  std::string device_ir;         ///< "saxpy.bc"
  std::vector<frontend::Kernel> kernels;
  std::vector<frontend::DeviceVariable> variables;
  std::vector<std::string> private_data; ///< names of DeviceSymbols in the kernels' header
  /// Kernels that could not be ported, by mangled name, and why ("NFY4001: ...").
  std::map<std::string, std::string> not_ported;
  /// Whether Result::expand may be asked for; otherwise what stands in the way is an error.
  bool expand_macros = true;
};

/// A kernel launch in the host code, where it is written.
struct Launch {
  std::string kernel; ///< as written, for example "saxpy<T>"
  std::string file;
  unsigned line = 0;
};

struct Result {
  FileEdits main;                 ///< Result::main.apply() is the port of the main file
  std::vector<FileEdits> headers; ///< the user's headers, changed or not, by path
  std::vector<Diagnostic> diagnostics;
  std::vector<Launch> launches;
  bool defines_main = false;       ///< the main file has the program's `main`
  bool uses_openmp = false;        ///< one of the user's files includes <omp.h>
  std::set<std::string> used_apis; ///< CUDA names that were mapped
  /// Macro uses that hide what has to change. Not empty: the rest is void, rewrite once more with
  /// these expanded (frontend::expand_macros).
  std::set<frontend::MacroUse> expand;
};

/// Rewrites the main file of a host-side CUDA AST and the user's headers it includes. Headers are
/// returned as edits, because several files of a program may include them: see FileEdits::merge.
Result rewrite(clang::ASTUnit &unit, const Options &options);

/// The same, with the macros expanded that hide what has to change; `unit.host` is replaced then.
Result rewrite(frontend::Unit &unit, const frontend::Options &reading, Options options);

/// "dir/3d-stencil.cu" → "_3d_stencil_kernels": the namespace of a file's ported kernels.
std::string kernels_namespace(const std::string &file);

} // namespace neuronify::rewrite
