// Prints what the front end finds in a file: messages, kernels, variables, and the IR.
// neuronify-frontend-dump [--original | --none] FILE [options for Clang]

#include "diagnostics/diagnostic.h"
#include "frontend/frontend.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace neuronify;

static void print(const frontend::Message &message) {
  Diagnostic diagnostic;
  diagnostic.code = message.code;
  diagnostic.severity = message.level == "error"     ? Severity::error
                        : message.level == "warning" ? Severity::warning
                                                     : Severity::note;
  diagnostic.file = message.file;
  diagnostic.line = message.line;
  diagnostic.column = message.column;
  diagnostic.text = message.text;
  llvm::errs() << to_string(diagnostic) << '\n';
}

static void print(const frontend::Kernel &kernel) {
  llvm::outs() << "; kernel " << kernel.name << " [" << kernel.identifier << "] " << kernel.file
               << ':' << kernel.line << ':' << kernel.column << " @" << kernel.mangled << '\n';
  for (const frontend::Parameter &parameter : kernel.parameters) {
    llvm::outs() << ";   " << parameter.type << ' ' << parameter.name << ": " << parameter.size
                 << " bytes\n";
    for (const frontend::Field &field : parameter.fields)
      if (field.name != parameter.name)
        llvm::outs() << ";     " << field.type << ' ' << field.name << " at " << field.offset
                     << ", " << field.size << " bytes\n";
  }
}

int main(int argc, char **argv) {
  bool original = false, none = false;
  std::string file;
  frontend::Options options;
  for (int i = 1; i < argc; ++i) {
    const llvm::StringRef word = argv[i];
    if (word == "--original")
      original = true;
    else if (word == "--none")
      none = true;
    else if (word.starts_with("--cuda-path="))
      options.cuda_path = word.split('=').second.str();
    else if (word.starts_with("--instantiate="))
      options.instantiate.push_back(word.split('=').second.str());
    else if (word == "-p" && i + 1 < argc)
      options.build_path = argv[++i];
    else if (file.empty() && !word.starts_with("-"))
      file = word.str();
    else
      options.extra_args.push_back(word.str());
  }
  const frontend::Unit unit = frontend::read(file, options);
  for (const frontend::Message &message : unit.messages)
    print(message);
  for (const frontend::Kernel &kernel : unit.kernels)
    print(kernel);
  for (const frontend::DeviceVariable &variable : unit.variables)
    llvm::outs() << "; variable " << variable.name << " @" << variable.mangled << ": "
                 << variable.size << " bytes" << (variable.constant ? ", constant" : "") << " of "
                 << variable.layout << '\n';
  llvm::outs() << "; host " << unit.host_seconds << " s, device " << unit.device_seconds
               << " s, prepare " << unit.prepare_seconds << " s\n";
  if (const llvm::Module *module = original ? unit.original.get() : unit.device.get();
      module && !none)
    llvm::outs() << *module;
  return unit.ok() ? 0 : 1;
}
