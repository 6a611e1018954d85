#include "emit/translate.h"

#include "emit/cpp.h"
#include "emit/format.h"
#include "emit/notes.h"
#include "emit/pointer_types.h"
#include "emit/private_data.h"
#include "emit/python.h"
#include "kernel/analysis.h"
#include "kernel/doubles.h"
#include "kernel/halves.h"
#include "kernel/link_library.h"
#include "kernel/order.h"
#include "kernel/prepare.h"
#include "kernel/rewrites.h"
#include "kernel/source_line.h"
#include "tile/lower.h"
#include "tile/passes/passes.h"
#include "tile/text.h"
#include "tile/verify.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace neuronify {
namespace {

std::string mapping_of(const tile::Program &program) {
  std::string text = program.block_per_partition ? "block -> partition, thread -> free axis"
                     : program.warps ? "blocks -> partitions, k blocks x warps -> free axis"
                                     : "blocks -> partitions, k blocks x thread -> free axis";
  if (program.waves_together)
    text += ", all waves on the chip together";
  else if (program.sequential || program.one_core)
    text += ", waves in order";
  return text;
}

class Translator {
public:
  Translator(const frontend::Unit &unit, const TranslateOptions &options)
      : unit_(unit), options_(options) {}

  PortedKernels run() {
    auto module = llvm::CloneModule(*unit_.device);
    std::string functions, objects, declarations;
    for (const frontend::Kernel &kernel : unit_.kernels) {
      KernelReport report;
      report.name = kernel.name;
      report.identifier = kernel.identifier;
      report.mangled = kernel.mangled;
      report.file = kernel.file;
      report.line = kernel.line;
      std::optional<tile::Program> program = lower(kernel, *module, report);
      if (program) {
        report.ported = true;
        report.mapping = program->mapping;
        functions += emit::function(*program) + "\n";
        place_private_data(*program, *module, objects, declarations);
        objects += emit::kernel_object(*program);
        if (options_.python)
          write_python(kernel, *program, report);
      } else {
        objects += emit::missing_kernel_object(kernel.name, kernel.identifier, kernel.mangled,
                                               kernel.file, kernel.line, report.diagnostic);
      }
      declarations +=
          fmt::format("extern const neuronify::Kernel {}; // {}:{} {}\n", kernel.identifier,
                      emit::base_name(kernel.file), kernel.line, kernel.name);
      result_.kernels.push_back(std::move(report));
    }
    write(functions, objects, declarations);
    const std::string origin = emit::base_name(unit_.file);
    result_.python = emit::python_module(origin, python_);
    result_.runner = emit::python_runner(origin, options_.python_stem, python_);
    return std::move(result_);
  }

private:
  /// What the kernel uses and host code has no name for, where no kernel before it did.
  void place_private_data(const tile::Program &program, const llvm::Module &module,
                          std::string &objects, std::string &declarations) {
    for (const tile::Input &input : program.inputs) {
      const llvm::GlobalVariable *global =
          input.symbol.empty() ? nullptr : module.getGlobalVariable(input.symbol, true);
      if (!global || !kernel::is_nameless(*global) || !placed_.insert(input.symbol).second)
        continue;
      const std::string name = fmt::format("data_{}", result_.private_data.size());
      objects += emit::private_data(*global, name);
      declarations += fmt::format("extern const neuronify::DeviceSymbol {}; // {}\n", name,
                                  llvm::demangle(input.symbol));
      result_.private_data.push_back(name);
    }
  }

  void write_python(const frontend::Kernel &kernel, const tile::Program &program,
                    KernelReport &report) {
    python_.push_back(emit::python_kernel(program));
    const std::optional<emit::NoPython> &problem = python_.back().problem;
    report.in_python = !problem;
    if (!problem)
      return;
    report.no_python = problem->code + ": " + problem->text;
    report.no_python_line = problem->line;
    result_.diagnostics.push_back(
        {problem->code, Severity::note, kernel.file, problem->line, 1, kernel.name,
         fmt::format("kernel '{}' is ported to C++ only: {}", kernel.name, problem->text)});
  }

  std::optional<tile::Program> lower(const frontend::Kernel &kernel, llvm::Module &module,
                                     KernelReport &report) {
    llvm::Function *function = module.getFunction(kernel.mangled);
    std::vector<Diagnostic> diagnostics;
    std::optional<tile::Program> program;
    if (!function || function->isDeclaration()) {
      diagnostics.push_back({"NFY4006", Severity::error, kernel.file, kernel.line, kernel.column,
                             kernel.name, "kernel '" + kernel.name + "' has no device code"});
    } else {
      kernel::prepare(*function);
      bool approximate = false;
      if ((!kernel::uses_doubles(*function) ||
           settle_doubles(kernel, *function, approximate, diagnostics)) &&
          settle_halves(kernel, *function, diagnostics)) {
        kernel::expand_shuffles(*function);
        kernel::Analysis analysis(*function);
        report.affine = analysis.all_global_addresses_affine();
        program = tile::lower(kernel, analysis, diagnostics);
      }
      if (program && approximate)
        (options_.doubles == Doubles::df32 ? program->paired : program->demoted) = true;
    }
    if (program) {
      program->mapping = mapping_of(*program);
      program->pointer_types = emit::pointer_types(kernel, *function);
      program->precise_math = options_.precise_math;
      auto after = [&](std::string_view pass, const tile::Program &now) {
        if (options_.after_pass)
          options_.after_pass(kernel.name, pass, tile::print(now));
        for (const std::string &problem : tile::verify(now))
          diagnostics.push_back({"NFY4999", Severity::error, kernel.file, kernel.line,
                                 kernel.column, kernel.name,
                                 fmt::format("internal: after {}: {}", pass, problem)});
      };
      after("lower", *program);
      tile::run_passes(*program, after);
      if (std::ranges::any_of(diagnostics, is_error))
        program.reset();
      else {
        warn_of_order(kernel, *function, diagnostics);
        warn_of_clock(kernel, *function, diagnostics);
        std::ranges::move(emit::notes_of(*program, options_.precise_math),
                          std::back_inserter(diagnostics));
      }
    }
    if (!program) // a kernel that is not there has no semantics that could change
      std::erase_if(diagnostics, [](const Diagnostic &d) { return !is_error(d); });
    for (Diagnostic &diagnostic : diagnostics) {
      if (report.diagnostic.empty() && is_error(diagnostic))
        report.diagnostic = diagnostic.code + ": " + diagnostic.text;
      result_.diagnostics.push_back(std::move(diagnostic));
    }
    return program;
  }

  static void warn_of_clock(const frontend::Kernel &kernel, const llvm::Function &function,
                            std::vector<Diagnostic> &diagnostics) {
    const llvm::Attribute line = function.getFnAttribute(kernel::kClockLine);
    if (!line.isValid())
      return;
    Diagnostic warning{"NFY2011", Severity::warning, kernel.file, kernel.line, 1, kernel.name, ""};
    line.getValueAsString().getAsInteger(10, warning.line);
    warning.text = "kernel '" + kernel.name + "' reads a clock, which counts its reads";
    diagnostics.push_back(std::move(warning));
  }

  static void warn_of_order(const frontend::Kernel &kernel, llvm::Function &function,
                            std::vector<Diagnostic> &diagnostics) {
    const llvm::Instruction *atomic = kernel::find_order_dependence(function);
    if (!atomic)
      return;
    Diagnostic warning{"NFY2010",     Severity::note, kernel.file, kernel.line,
                       kernel.column, kernel.name,    ""};
    place(warning, atomic->getDebugLoc());
    warning.text =
        "what kernel '" + kernel.name +
        "' leaves depends on the order in which threads come here, which CUDA leaves open";
    diagnostics.push_back(std::move(warning));
  }

  /// Moves a diagnostic from the kernel to the line that it is about.
  static void place(Diagnostic &diagnostic, const llvm::DebugLoc &location) {
    if (const llvm::DILocation *at = kernel::source_line(location)) {
      diagnostic.file = at->getFilename().str();
      diagnostic.line = at->getLine();
      diagnostic.column = at->getColumn();
    }
  }

  static bool is_error(const Diagnostic &diagnostic) {
    return diagnostic.severity == Severity::error;
  }

  /// What is found in a kernel, as the error that stops it.
  template <class Use>
  static Diagnostic stop(const frontend::Kernel &kernel, const std::string &code, const Use &use) {
    Diagnostic diagnostic{code,
                          Severity::error,
                          kernel.file,
                          kernel.line,
                          kernel.column,
                          kernel.name,
                          "kernel '" + kernel.name + "' cannot be ported: " + use.what};
    place(diagnostic, use.location);
    return diagnostic;
  }

  /// Takes doubles off the chip. False where something stops the kernel; `diagnostics` says what.
  bool settle_doubles(const frontend::Kernel &kernel, llvm::Function &function, bool &approximate,
                      std::vector<Diagnostic> &diagnostics) const {
    const kernel::Analysis analysis(function);
    const bool pairs = options_.doubles == Doubles::df32;
    const std::vector<kernel::DoubleUse> uses = kernel::find_lossy_doubles(
        analysis, pairs ? kernel::Precision::pairs : kernel::Precision::single);
    std::set<std::pair<std::string, unsigned>> seen;
    for (const kernel::DoubleUse &use : uses) {
      std::string code = use.code;
      if (code.empty() && options_.doubles == Doubles::error)
        code = "NFY4001";
      Diagnostic diagnostic = stop(kernel, code, use);
      if (code.empty()) {
        diagnostic.code = pairs ? "NFY2012" : "NFY2002";
        diagnostic.severity = pairs ? Severity::note : Severity::warning;
        diagnostic.text = "kernel '" + kernel.name + "': " + use.what +
                          (pairs ? " with pairs of floats" : " in single precision");
      }
      // One warning is enough for a kernel, one error for a line.
      if (code.empty() ? !std::exchange(approximate, true)
                       : seen.insert({code, diagnostic.line}).second)
        diagnostics.push_back(std::move(diagnostic));
    }
    if (std::ranges::any_of(diagnostics, is_error))
      return false;
    if (pairs) {
      kernel::pair_doubles(function, analysis);
      kernel::prepare(function); // what the code of pairs calls
      return true;
    }
    kernel::demote_doubles(function, analysis);
    // Functions of floats that were ones of doubles.
    if (kernel::link_library(function) || kernel::expand_calls(function))
      kernel::prepare(function);
    return true;
  }

  /// Takes 16-bit floats out. False where something stops the kernel; `diagnostics` says what.
  static bool settle_halves(const frontend::Kernel &kernel, llvm::Function &function,
                            std::vector<Diagnostic> &diagnostics) {
    if (!kernel::uses_halves(function))
      return true;
    std::set<std::pair<std::string, unsigned>> seen;
    for (const kernel::HalfUse &use : kernel::find_unsupported_halves(function)) {
      Diagnostic diagnostic = stop(kernel, use.code, use);
      if (seen.insert({use.code, diagnostic.line}).second)
        diagnostics.push_back(std::move(diagnostic));
    }
    if (!seen.empty())
      return false;
    kernel::widen_halves(function);
    return true;
  }

  void write(const std::string &functions, const std::string &objects,
             const std::string &declarations) {
    const std::string &stem = options_.stem;
    const std::string origin = emit::base_name(unit_.file);
    std::string space;
    for (char c : stem)
      space += isalnum(static_cast<unsigned char>(c)) ? c : '_';
    if (space.empty() || isdigit(static_cast<unsigned char>(space[0])))
      space.insert(space.begin(), '_');
    space += "_kernels";
    result_.header =
        formatted(fmt::format("// Kernels of {0}, ported to AWS Trainium3 by neuronify.\n"
                              "#pragma once\n\n#include \"neuronify.h\"\n\nnamespace {1} "
                              "{{\n\n{2}\n}} // namespace {1}\n",
                              origin, space, declarations));
    result_.source = formatted(fmt::format(
        "// Kernels of {0}, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of "
        "{0}.\n"
        "#include \"{1}_kernels.h\"\n\n#include \"neuronify_kernel.h\"\n\nnamespace {2} "
        "{{\n{3}\n{4}\n}} // namespace {2}\n",
        origin, stem, space,
        functions.empty() ? std::string()
                          : "namespace port {\n\n" + functions + "} // namespace port\n",
        objects));
  }

  std::string formatted(const std::string &code) const {
    return options_.formatted ? emit::format(code) : code;
  }

  const frontend::Unit &unit_;
  const TranslateOptions &options_;
  PortedKernels result_;
  std::vector<emit::PythonKernel> python_;
  std::set<std::string> placed_; ///< symbols of private data
};

} // namespace

PortedKernels translate(const frontend::Unit &unit, const TranslateOptions &options) {
  return Translator(unit, options).run();
}

} // namespace neuronify
