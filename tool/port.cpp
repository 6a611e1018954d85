// `neuronify port`: writes the ported project.
#include "commands.h"
#include "host/directory.h"
#include "json_results.h"
#include "porting.h"

namespace neuronify::tool {

namespace {

std::string count(size_t n, const std::string &one) {
  return std::to_string(n) + " " + one + (n == 1 ? "" : "s");
}

/// How many kernels have an NKI form.
std::string python_summary(const Porting &porting, const Options &options) {
  std::string text = ", " + (porting.in_python ? std::to_string(porting.in_python) : "none") +
                     " of them as NKI Python too";
  if (porting.not_in_python)
    text += "; " + count(porting.not_in_python, "kernel") + " without NKI form, " +
            (options.verbose ? "see above" : "-v says why");
  return text;
}

} // namespace

int port(const Options &options, Console &console) {
  const bool only_dump =
      options.output.empty() && (!options.dump.empty() || !options.print_after.empty());
  const std::string folder = options.output.empty() ? "ported" : options.output;
  if (!only_dump)
    if (llvm::Error error = rewrite::check_directory(folder, options.force)) {
      console.error(llvm::toString(std::move(error)));
      return 1;
    }
  if (!options.json.empty())
    if (llvm::Error error = rewrite::check_file(options.json)) {
      console.error(llvm::toString(std::move(error)));
      return 1;
    }
  Porting porting = port_inputs(options, console);
  for (const PortedInput &input : porting.inputs)
    if (!input.dump.empty())
      console.print(input.dump);
  const bool writes = porting.complete && !only_dump;
  if (writes)
    if (llvm::Error error = rewrite::write_directory(porting.layout.files, folder, options.force)) {
      console.error(llvm::toString(std::move(error)));
      return 1;
    }
  if (!options.json.empty())
    if (llvm::Error error =
            rewrite::write_file(options.json, port_results(porting, writes ? folder : ""))) {
      console.error(llvm::toString(std::move(error)));
      return 1;
    }
  if (!porting.complete) {
    console.error("nothing was written, because not every file could be read");
    return 1;
  }
  if (only_dump)
    return porting.clean() ? 0 : 1;
  std::string text = "ported " + count(porting.ported, "kernel") + " of " +
                     count(porting.inputs.size(), "file") + " to " + folder;
  if (porting.in_python || porting.not_in_python)
    text += python_summary(porting, options);
  if (porting.not_ported)
    text += "; " + count(porting.not_ported, "kernel") + " not ported, see above";
  console.print(text + "\n");
  return porting.clean() ? 0 : 1;
}

} // namespace neuronify::tool
