// The functions a kernel may call, as data: CUDA math (libdevice), intrinsics of the NVPTX target,
// and LLVM's own.
#pragma once

#include "kernel/analysis.h"

#include <llvm/IR/InstrTypes.h>

#include <string>
#include <string_view>

namespace neuronify::kernel {

/// What a call does besides computing its result.
enum class Effect : uint8_t {
  none,
  ignored, ///< nothing that lock-step execution would notice
  barrier,
  grid_barrier, ///< of all blocks: cooperative_groups::grid_group::sync()
  warp,         ///< exchanges values between the lanes of a warp
  vote,         ///< asks the lanes of a warp; "block_" operations ask those of the block
  texture,      ///< fetches from a texture, reads or writes a surface, or asks for a handle
  print,        ///< printf with its values (raise_prints.cpp)
  stop,         ///< a failed assertion or a trap: ends the launch for the lanes that come here
  unsupported,  ///< see Callee::diagnostic
};

/// One function and what becomes of it.
struct Callee {
  std::string_view operation; ///< tile operation or special register; empty where there is none
  Known known = Known::chip;  ///< at the earliest; calls are also as late as their arguments
  Effect effect = Effect::unsupported;
  std::string_view diagnostic; ///< number of the diagnostic for unsupported ones
};

/// The function of this name; without operation where there is none.
Callee find_function(llvm::StringRef name);

/// Looks the called function up. Indirect calls and unknown functions are unsupported.
Callee find_callee(const llvm::CallBase &call);

/// The function of floats that does what this one of doubles does; empty where there is none.
std::string float_counterpart(llvm::StringRef name);

/// The function of pairs of floats (kernel/library/pairs.h) that does what this call of a function
/// of doubles does; empty where there is none.
std::string pair_counterpart(const llvm::CallBase &call);

} // namespace neuronify::kernel
