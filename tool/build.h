// Compiling a ported project directly, one compiler call per file, without a build system.
#pragma once

#include "console.h"
#include "host/project.h"
#include "installation.h"
#include "options.h"

namespace neuronify::tool {

/// A program of the project once compiled.
struct BuiltProgram {
  std::string name, path;
  std::string error; ///< what went wrong, with the compiler's words; "" where it was built
};

class Builder {
public:
  /// `sources` is the folder of the project, `work` one for objects and programs.
  Builder(const Options &options, const rewrite::Layout &layout, std::string sources,
          std::string work, Console &console);

  /// The compiler to use, or "" and `error` where there is none.
  static std::string find_compiler(const Options &options, const Installation &installation,
                                   std::string &error);

  /// Builds the programs that have a `main`, `options.jobs` compilers at a time.
  std::vector<BuiltProgram> run(const std::string &compiler);

private:
  std::vector<std::string> compile_command(const std::string &compiler) const;
  void compile(const std::string &compiler, const std::string &source);
  void link(const std::string &compiler, const rewrite::Program &program, BuiltProgram &built);
  std::string object(const std::string &source) const;

  const Options &options_;
  const rewrite::Layout &layout_;
  std::string sources_, work_;
  Console &console_;
  Installation installation_;
  std::map<std::string, std::string> errors_; ///< by source; complete before anything is compiled
};

} // namespace neuronify::tool
