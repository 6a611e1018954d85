// For people who develop the translator: prints what becomes of the kernels of a file.
#include "emit/translate.h"

#include <cstdio>
#include <cstring>

using namespace neuronify;

int main(int argc, char **argv) {
  frontend::Options options;
  std::string file;
  bool passes = false, summary = false;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--passes"))
      passes = true;
    else if (!std::strcmp(argv[i], "--summary"))
      summary = true;
    else if (argv[i][0] == '-')
      options.extra_args.push_back(argv[i]);
    else
      file = argv[i];
  }
  frontend::Unit unit = frontend::read(file, options);
  for (const frontend::Message &message : unit.messages)
    std::fprintf(stderr, "%s:%u: %s: %s\n", message.file.c_str(), message.line,
                 message.level.c_str(), message.text.c_str());
  if (!unit.device)
    return 1;
  TranslateOptions translate_options;
  translate_options.stem = "out";
  if (passes)
    translate_options.after_pass = [](std::string_view kernel, std::string_view pass,
                                      const std::string &text) {
      std::printf("==== %.*s after %.*s\n%s", int(kernel.size()), kernel.data(), int(pass.size()),
                  pass.data(), text.c_str());
    };
  const PortedKernels result = translate(unit, translate_options);
  if (summary) // a line per kernel
    for (const KernelReport &kernel : result.kernels)
      std::printf("%s\t%s\t%s\n", kernel.ported ? "ported" : kernel.diagnostic.substr(0, 7).c_str(),
                  kernel.affine ? "affine" : "not affine", kernel.name.c_str());
  else
    std::printf("%s", result.source.c_str());
  for (const Diagnostic &diagnostic : result.diagnostics)
    std::fprintf(stderr, "%s\n", to_string(diagnostic).c_str());
  return result.diagnostics.empty() ? 0 : 1;
}
