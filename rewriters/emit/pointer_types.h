// Comparison hints for the runtime: what the pointers of a kernel point to.
#pragma once

#include "frontend/frontend.h"

#include <string>

namespace neuronify::emit {

/// neuronify::Kernel::pointer_types of a kernel: "f32,-,i32" where its pointers are parameters of
/// their own, "0+8=f32,2=i32" where there are some inside structs. Empty where nothing is known.
/// Elements of 32 bits that `function`, its device IR, stores integers to count as integers,
/// whatever their pointer says: `p[i].w = __int_as_float(cell)`.
std::string pointer_types(const frontend::Kernel &kernel, const llvm::Function &function);

} // namespace neuronify::emit
