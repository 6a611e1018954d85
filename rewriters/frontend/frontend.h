// From one CUDA source file to what the rest of the translator reads: kernels and device IR.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class Function;
class LLVMContext;
class Module;
} // namespace llvm
namespace clang {
class ASTUnit;
}

namespace neuronify::frontend {

/// What the command line says about compiling CUDA; the names are Clang's.
struct Options {
  std::string build_path = "";               ///< -p: folder of compile_commands.json, may be empty
  std::vector<std::string> extra_args = {};  ///< --extra-arg, -I, -D, -std …, handed to both passes
  std::string cuda_path = "";                ///< --cuda-path; empty: our own headers
  std::vector<std::string> instantiate = {}; ///< --instantiate='k<float,128>'
};

/// A field or a whole parameter that a kernel can read: `p.pos` at byte 8 of parameter 0.
struct Field {
  std::string name;              ///< "p.pos", or just "n" for a scalar parameter
  std::string type;              ///< as written, for example "const float *"
  uint64_t offset = 0, size = 0; ///< bytes inside the parameter
  bool is_pointer = false;
  std::string pointee{}; ///< of a pointer: what it points to, see element_layout.h
};

struct Parameter {
  std::string name; ///< "arg3" where the source has none
  std::string type;
  uint64_t size = 0, align = 1;
  bool is_pointer = false;
  std::vector<Field> fields; ///< leaves of a struct; one entry for a scalar or pointer
};

/// A `__global__` function, one entry per instantiation that code or --instantiate asks for.
struct Kernel {
  std::string name;       ///< as a C++ expression at the end of the file: "ns::saxpy<float>"
  std::string mangled;    ///< symbol of the llvm::Function
  std::string identifier; ///< unique C++ identifier made from the name: "saxpy_float"
  std::string file;
  unsigned line = 0, column = 0;
  std::vector<Parameter> parameters;
};

/// A `__device__` or `__constant__` variable.
struct DeviceVariable {
  std::string name, mangled, file;
  unsigned line = 0;
  uint64_t size = 0;
  bool constant = false;
  std::string layout{}; ///< what it holds, see element_layout.h
  bool managed = false; ///< `__managed__`: host code may touch it
};

/// Marks variables in the device IR that no code outside of a function or class may name.
inline constexpr char kNameless[] = "neuronify.nameless";
/// Its value for a variable that host code of a class may write.
inline constexpr char kOfClass[] = "of class";
/// Marks phis whose variable is unsigned in the original.
inline constexpr char kUnsigned[] = "neuronify.unsigned";

struct Message {
  std::string file = "";
  unsigned line = 0, column = 0;
  std::string level = ""; ///< "error", "warning", "note"
  std::string code = "";  ///< "NFY1001" or empty for Clang's own
  std::string text = "";
};

/// A use of a macro as it stands in a file, arguments included.
struct MacroUse {
  std::string file;            ///< as Clang opened it
  unsigned begin = 0, end = 0; ///< bytes
  auto operator<=>(const MacroUse &) const = default;
};

/// Everything about one translation unit. Move-only; owns Clang's and LLVM's memory.
struct Unit {
  std::string file;
  std::unique_ptr<clang::ASTUnit> host; ///< host pass; null if it failed
  /// Files that the host pass reads with other text than the disk holds, see expand_macros().
  std::map<std::string, std::string> host_texts;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> original; ///< device IR as Clang made it, for the reference
  std::unique_ptr<llvm::Module> device;   ///< the same after prepare(), for the translator
  std::vector<Kernel> kernels;            ///< in source order
  std::vector<DeviceVariable> variables;
  std::vector<std::string> uninstantiated; ///< kernel templates that nothing instantiates
  std::vector<Message> messages;
  double host_seconds = 0, device_seconds = 0, prepare_seconds = 0;
  Unit();
  Unit(Unit &&) noexcept;
  Unit &operator=(Unit &&) noexcept;
  ~Unit();
  bool ok() const { return host && device; }
};

/// Reads one file. Never throws and never exits: problems are in Unit::messages.
Unit read(const std::string &file, const Options &options);

/// Repeats the host pass with these macro uses replaced by what they expand to; lines keep their
/// numbers. Uses in a file that is included several times stay, and those that `__COUNTER__`
/// counts. False, and nothing changed, where no other one is left.
bool expand_macros(Unit &unit, const Options &options, const std::set<MacroUse> &uses);

/// Symbols of device functions that the unit calls and does not define, and of those that it
/// defines for other units.
std::vector<std::string> missing_functions(const Unit &unit);
std::vector<std::string> offered_functions(const Unit &unit);

/// Puts what the unit misses, and what that needs, into its device IR, where `definitions` (bitcode
/// of the one unit that offers a symbol, Unit::original) has it. False, and nothing changed, where
/// that would make a second copy of a variable that device code writes.
bool link_device_code(Unit &unit, const std::map<std::string, std::string> &definitions);

/// The pipeline of DESIGN.md decision 1 on device IR: inline everything, by-value parameters to
/// allocas, SROA, early-CSE, simplify-cfg, infer address spaces, special registers hoisted to the
/// entry, loop-simplify, LCSSA, LICM without scalar promotion. Kernels only remain.
void prepare(llvm::Module &module);

} // namespace neuronify::frontend
