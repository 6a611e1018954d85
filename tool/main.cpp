// neuronify: ports CUDA code to AWS Trainium3 and verifies the port.
#include "commands.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  using namespace neuronify::tool;
  llvm::InitLLVM llvm(argc, argv);
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
  case Command::query:
    return query(*options, console);
  case Command::explain:
    return explain(*options, console);
  }
  return 2;
}
