// neuronify: ports CUDA code to AWS Trainium3 and verifies the port.
#include "commands.h"
#include "interrupt.h"

#include "llvm/Support/InitLLVM.h"
#include <llvm/Support/raw_ostream.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

static int run(int argc, char **argv) {
  using namespace neuronify::tool;
  int exit_code = 0;
  const std::optional<Options> options = read_command_line(argc, argv, exit_code);
  if (!options)
    return exit_code;
  Console console(options->verbose);
  switch (options->command) {
  case Command::port:
    return port(*options, console);
  case Command::verify:
    return verify(*options, console);
  case Command::assess:
    return assess(*options, console);
  case Command::query:
    return query(*options, console);
  case Command::explain:
    return explain(*options, console);
  }
  return 2;
}

int main(int argc, char **argv) {
  neuronify::tool::Interrupt::watch();
  llvm::InitLLVM llvm(argc, argv);
  std::signal(SIGXFSZ, SIG_IGN); // a file that grows too large is an error like any other
  int exit_code = run(argc, argv);
  // Without static destructors: where Clang has crashed on an input, a lock of LLVM's may be held
  // for ever, and they would wait for it.
  std::fflush(nullptr);
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    llvm::errs() << "neuronify: error: cannot write to standard output: "
                 << llvm::outs().error().message() << '\n';
    exit_code = exit_code ? exit_code : 1;
  }
  std::_Exit(exit_code);
}
