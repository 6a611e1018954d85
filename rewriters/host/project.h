// From ported files to a project: which file goes where, and which files make which program.
#pragma once

#include "frontend/nvcc.h"
#include "host/rewrite.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace neuronify::rewrite {

/// One CUDA source file, ported.
struct PortedFile {
  std::string path; ///< the original, absolute
  std::string
      stem; ///< from unique_stems(): names STEM.cpp, STEM_kernels.h, STEM_kernels.cpp, STEM.bc
  Result host;
  std::string kernels_header, kernels_source; ///< empty where the file has no kernels
  std::string device_ir;                      ///< bitcode of the original kernels, or empty
  std::string nki_module, nki_runner;         ///< NKI Python, or empty
};

/// All that is ported together.
struct Project {
  std::vector<PortedFile> files;
  std::vector<std::string>
      plain_sources; ///< host sources without CUDA, passed along; absolute paths
  std::vector<std::string> include_folders; ///< -I, absolute
  std::vector<std::string> definitions;     ///< -D, without the option
  frontend::Linking linking;                ///< folders absolute
  /// The package that NKI Python modules import: content by path, relative to the project's folder.
  std::map<std::string, std::string> nki_package;
};

/// A program (or, without `main`, a library) of the ported project.
struct Program {
  std::string name;
  std::vector<std::string> sources; ///< relative to the folder of the project
  bool has_main = false;
};

/// What a ported project consists of.
struct Layout {
  std::map<std::string, std::string> files; ///< content by path, relative to the project's folder
  std::vector<Program> programs;
  std::set<std::string> kernels; ///< those of the sources that hold ported kernels
  /// Include folders, relative to the project's folder where they lie inside it.
  std::vector<std::string> include_folders;
  std::vector<std::string> definitions;
  frontend::Linking linking;
  std::vector<Diagnostic> diagnostics; ///< NFY5004
};

/// Decides where everything goes and writes the CMakeLists.txt and README.md texts. Files keep
/// their places relative to each other. Each file with a `main` becomes a program of its own, to
/// which all files without one are linked. Headers that several files include appear once.
Layout lay_out(const Project &project);

/// The stem of a file's NKI Python modules, which Python has to be able to import.
std::string python_stem(const std::string &stem);

/// Names for the ported files of CUDA sources: their stems, made different from each other and from
/// the plain sources that go along.
std::vector<std::string> unique_stems(const std::vector<std::string> &cuda_sources,
                                      const std::vector<std::string> &plain_sources);

/// Whether the text of a host source defines `main`.
bool defines_main(const std::string &text);

/// Whether the text of a host source uses CUDA: includes one of its headers or names its API.
bool uses_cuda(const std::string &text);

/// Quoted includes of a text, in order.
std::vector<std::string> quoted_includes(const std::string &text);

} // namespace neuronify::rewrite
