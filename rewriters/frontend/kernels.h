// What the declarations of a device pass say about kernels, parameters and variables.
#pragma once

#include "frontend/frontend.h"

namespace clang {
class ASTContext;
class CodeGenerator;
} // namespace clang

namespace neuronify::frontend {

/// Fills `kernels` (source order), `variables` and `uninstantiated` of the unit from the module
/// that `generator` still holds.
void read_declarations(clang::ASTContext &context, clang::CodeGenerator &generator, Unit &unit);

/// A C++ identifier made from a C++ name: "ns::saxpy<float *>" becomes "ns_saxpy_float_ptr".
std::string make_identifier(const std::string &name);

} // namespace neuronify::frontend
