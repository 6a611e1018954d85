#include "host/cmake_lists.h"

#include "host/text.h"

#include <algorithm>
#include <cctype>

namespace neuronify::rewrite {

namespace {

std::string joined(const std::vector<std::string> &names) {
  std::string out;
  for (const std::string &name : names)
    out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// A word of CMake: quoted, so that blanks and semicolons are text.
std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\' || c == '$')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

/// A file of the project; quotes only where needed, as people write it.
std::string word(const std::string &text) {
  bool plain = std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '/' || c == '+';
  });
  return plain ? text : quoted(text);
}

std::string target_name(const std::string &name) {
  std::string out;
  for (unsigned char c : name)
    out += std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '+' ? static_cast<char>(c)
                                                                           : '_';
  return out;
}

/// The sources that every program with a `main` shares, if there is more than one program.
std::vector<std::string> shared_sources(const Layout &layout) {
  if (layout.programs.size() < 2)
    return {};
  std::vector<std::string> shared = layout.programs.front().sources;
  for (const Program &program : layout.programs)
    std::erase_if(shared, [&](const std::string &source) {
      return std::ranges::find(program.sources, source) == program.sources.end();
    });
  return shared;
}

std::string target(const std::string &command, const std::string &name, const std::string &kind,
                   const std::vector<std::string> &sources) {
  std::string out = command + "(" + target_name(name) + kind;
  for (const std::string &source : sources)
    out += (sources.size() > 3 ? "\n  " : " ") + word(source);
  return out + ")\n";
}

std::string link_libraries(const frontend::Linking &linking) {
  std::string out;
  for (const std::string &folder : linking.folders)
    out += "link_directories(" + word(folder) + ")\n";
  out += "link_libraries(neuronify::runtime";
  if (linking.openmp)
    out += " OpenMP::OpenMP_CXX";
  for (const std::string &library : linking.libraries)
    out += " " + word(library);
  return out + ")\n";
}

} // namespace

std::string cmake_lists(const Layout &layout, const std::vector<std::string> &originals) {
  std::string project = layout.programs.size() == 1 ? layout.programs.front().name : "ported";
  std::string out =
      comment("Ported to AWS Trainium3 by neuronify from " + joined(originals) + ".", "# ") +
      "cmake_minimum_required(VERSION 3.20)\n"
      "project(" +
      target_name(project) +
      " LANGUAGES CXX)\n\n"
      "if(NOT CMAKE_BUILD_TYPE)\n"
      "  set(CMAKE_BUILD_TYPE Release)\n"
      "endif()\n"
      "find_package(neuronify REQUIRED)\n" +
      (layout.linking.openmp ? "find_package(OpenMP REQUIRED COMPONENTS CXX)\n" : "") + "\n" +
      link_libraries(layout.linking) +
      "# Where the device code of the original kernels (*.bc) lies, for runs side by side.\n"
      "add_compile_definitions(NEURONIFY_DEVICE_IR_FOLDER=\"${CMAKE_CURRENT_SOURCE_DIR}\")\n";
  for (const std::string &definition : layout.definitions)
    out += "add_compile_definitions(" + word(definition) + ")\n";
  for (const std::string &folder : layout.include_folders)
    out += "include_directories(" + word(folder) + ")\n";
  out += "\n";
  std::vector<std::string> shared = shared_sources(layout);
  if (!shared.empty())
    out += target("add_library", "shared_by_all", " OBJECT", shared);
  for (const Program &program : layout.programs) {
    std::vector<std::string> sources;
    for (const std::string &source : program.sources)
      if (std::ranges::find(shared, source) == shared.end())
        sources.push_back(source);
    out += program.has_main ? target("add_executable", program.name, "", sources)
                            : target("add_library", program.name, " STATIC", sources);
    if (!shared.empty())
      out += "target_link_libraries(" + target_name(program.name) + " PRIVATE shared_by_all)\n";
  }
  return out;
}

namespace {

/// Which files hold NKI Python, and how to run one of them.
std::string nki_paragraph(const Layout &layout) {
  const std::string ending = "_nki.py";
  std::vector<std::string> modules;
  for (const auto &[path, text] : layout.files)
    if (path.ends_with(ending))
      modules.push_back("`" + path + "`");
  if (modules.empty())
    return "";
  const std::string first = modules.front().substr(1, modules.front().size() - 5); // less .py`
  return "\n" +
         comment(
             "The kernels as NKI Python, for the Neuron SDK, are in " + joined(modules) +
                 "; `neuronify port -v` says which kernels have no such form, and why. Each has "
                 "a runner on NumPy arrays beside it, which says what a kernel takes:",
             "") +
         "\n    python3 " + first + "_run.py --help\n    python3 " + first +
         "_run.py KERNEL --grid 4 --block 256 n=1000 x=x.npy ... --out results\n\n" +
         "It needs NumPy and the SDK or, where that is not, neuronify's model of the chip: "
         "`PYTHONPATH=` the folder\n`python` in neuronify's build folder, or `pip install` of its "
         "sources.\n";
}

} // namespace

std::string readme(const Layout &layout, const std::vector<std::string> &originals) {
  std::string name =
      layout.programs.empty() ? "program" : target_name(layout.programs.front().name);
  return comment("Ported to AWS Trainium3 by neuronify from " + joined(originals) +
                     ". Build and run, with neuronify installed:",
                 "") +
         "\n"
         "    cmake -B build && cmake --build build\n"
         "    build/" +
         name + "\n\n" +
         "If CMake does not find neuronify: `-DCMAKE_PREFIX_PATH=` the folder where it is "
         "installed, or its build folder.\n"
         "With `NEURONIFY_MODE=verify` in the environment each launch also runs the original "
         "kernel (`*.bc`) on\nthe CPU, compares, and says at the end how many matched.\n" +
         nki_paragraph(layout);
}

} // namespace neuronify::rewrite
