// Comparison hints for the runtime: what the pointers of a kernel point to.
#pragma once

#include "frontend/frontend.h"

#include <string>

namespace neuronify::emit {

/// neuronify::Kernel::pointer_types of a kernel: "f32,-,i32" where its pointers are parameters of
/// their own, "0+8=f32,2=i32" where there are some inside structs. Empty where nothing is known.
std::string pointer_types(const frontend::Kernel &kernel);

} // namespace neuronify::emit
