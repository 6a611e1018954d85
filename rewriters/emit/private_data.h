// Tables and variables of kernels that host code has no name for: their place is in the port
// itself.
#pragma once

#include <llvm/IR/GlobalVariable.h>

#include <string>

namespace neuronify::emit {

/// The definition of `global`'s first values, and of the neuronify::DeviceSymbol `identifier` that
/// registers it. Only where kernel::has_plain_data().
std::string private_data(const llvm::GlobalVariable &global, const std::string &identifier);

} // namespace neuronify::emit
