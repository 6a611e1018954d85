// The files of NKI Python kernels.
#include "emit/python.h"

#include <fmt/format.h>

namespace neuronify::emit {

std::string python_module(const std::string &origin, const std::vector<PythonKernel> &kernels) {
  std::string functions;
  bool known = false, instructions = false, language = false;
  for (const PythonKernel &kernel : kernels)
    if (!kernel.function.empty()) {
      functions += "\n\n" + kernel.function;
      known |= kernel.function.find("ix.") != std::string::npos;
      instructions |= kernel.function.find("nisa.") != std::string::npos;
      language |= kernel.function.find("nl.") != std::string::npos;
    }
  if (functions.empty())
    return "";
  return fmt::format(
      "\"\"\"Kernels of {0}, ported to AWS Trainium3 by neuronify.\n\nNumbers after # : "
      "are lines of {0}.\n\"\"\"\n\nimport nki\n{1}{2}import neuronify_lanes as "
      "lanes\n{3}{4}",
      origin, instructions ? "import nki.isa as nisa\n" : "",
      language ? "import nki.language as nl\n" : "",
      known ? "import neuronify_lanes.index as ix\n" : "", functions);
}

std::string python_runner(const std::string &origin, const std::string &stem,
                          const std::vector<PythonKernel> &kernels) {
  std::string objects;
  for (const PythonKernel &kernel : kernels)
    if (!kernel.function.empty())
      objects +=
          "\n" + fmt::format(fmt::runtime(kernel.description), fmt::arg("module", stem + "_nki"));
  if (objects.empty())
    return "";
  return fmt::format(
      "\"\"\"Runs the NKI kernels of {0} on NumPy arrays: `python {1}_nki_run.py "
      "--help`.\"\"\"\n\ntry:\n    import nki  # noqa: F401\nexcept ImportError:\n    import "
      "neuronify_nki  # noqa: F401  (the chip model answers to the name nki)\n\n"
      "from neuronify_lanes import run\n\nimport {1}_nki\n{2}\n"
      "if __name__ == \"__main__\":\n    run.main(globals())\n",
      origin, stem, objects);
}

} // namespace neuronify::emit
