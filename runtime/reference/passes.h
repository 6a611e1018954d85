// What happens to a kernel between Clang's bitcode and the JIT, in the order of `buildKernel`
// (kernel.cpp). Each function is one file in passes/.
#pragma once

#include "compiler.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <map>
#include <string>
#include <vector>

namespace neuronify::reference {

/// Keeps kernel `name` and what it reaches; drops the rest of the module. The kernel is called
/// kernel_name from here on, and other functions have device_prefix before their names.
void keepOnly(llvm::Module &module, llvm::StringRef name);

constexpr const char *kernel_name = "neuronify_kernel";
constexpr llvm::StringLiteral device_prefix = "device.";

/// Makes device IR into IR for the host: triple, layout, no attributes or metadata that promise
/// what only a correct program keeps. Line numbers stay.
void retarget(llvm::Module &module, const llvm::Triple &triple, const llvm::DataLayout &layout);

/// Gives a result to what C++ leaves undefined and PTX does not: wrapping arithmetic, division by
/// zero, shifts past the width, float to integer out of range, uninitialised locals.
void defineBehaviour(llvm::Module &module);

/// Values that every function of a kernel gets as extra parameters, after its own.
enum class Coordinate : unsigned {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  BlockSizeX,
  BlockSizeY,
  BlockSizeZ,
  GridX,
  GridY,
  GridZ,
  Shared,  ///< the block's shared memory
  Symbols, ///< addresses of device variables
  Context, ///< the runner
};
constexpr unsigned coordinate_count = 15;

/// Adds the coordinates as parameters and arguments everywhere, and replaces tid, ctaid, ntid and
/// nctaid by them.
void addCoordinates(llvm::Module &module);
/// The parameter of `function` that holds `coordinate`.
llvm::Value *coordinate(llvm::Function &function, Coordinate coordinate);

/// Number of the running thread in its block, x fastest.
llvm::Value *linearThread(llvm::IRBuilderBase &builder);

/// Puts shared variables into the block's shared memory. Returns the size of the static part; the
/// dynamic part starts behind it.
size_t placeShared(llvm::Module &module);
/// Shared memory of a block starts at a multiple of this.
constexpr size_t shared_alignment = 1024;

/// Replaces device variables by their addresses in the symbol table. Returns which ones are used.
std::vector<size_t> placeVariables(llvm::Module &module,
                                   const std::map<std::string, size_t> &index);
/// Whether the runtime, not the kernel's own code, holds this global.
bool isDeviceVariable(const llvm::GlobalVariable &global);

/// Replaces intrinsics, libdevice calls and the like by functions of the device library and links
/// them in. An error names what is not known, with its line.
llvm::Error linkDeviceLibrary(llvm::Module &module, std::unique_ptr<llvm::Module> library);

/// Replaces hand-written PTX that has an equal in the device library; leaves the rest.
void replaceAssembly(llvm::Module &module);

/// Inlines all calls that can be, so that call sites and pointers can be told apart.
void inlineCalls(llvm::Module &module);

/// Keeps lanes of a warp in step at stores to `volatile` shared memory, and where a lane reads
/// shared memory that others may have written since the last barrier. Code from before `__syncwarp`
/// relies on it: all lanes read, then all write.
void keepLockStep(llvm::Module &module);

/// Tells every call out of the kernel where in the source it is. Returns the table of places.
std::vector<Site> numberSites(llvm::Module &module);
/// Number of `instruction`'s place in `sites`, added if new.
unsigned siteOf(const llvm::Instruction &instruction, std::vector<Site> &sites);

/// Puts a check before each access to memory that is not a local variable's.
void insertAccessChecks(llvm::Module &module, std::vector<Site> &sites);

/// Whether threads of the kernel wait for each other.
bool threadsWait(const llvm::Module &module);

/// Adds the function that the runner calls, named `entry_name`: a loop over the block's threads, or
/// one thread where they wait.
constexpr const char *entry_name = "neuronify_entry";
void buildEntry(llvm::Module &module, llvm::Function &kernel, bool waits);

/// Names of symbols that compiled code may reach outside of itself, with their addresses.
const std::map<std::string, void *> &hostSymbols();

/// The device library's bitcode.
llvm::StringRef deviceLibrary();

} // namespace neuronify::reference
