// Parameters of kernels, with the scalars and pointers inside structs.
#pragma once

#include "frontend/frontend.h"

namespace clang {
class ASTContext;
class ParmVarDecl;
struct PrintingPolicy;
} // namespace clang

namespace neuronify::frontend {

/// Describes one parameter. Leaves of structs, bases and arrays are named as code names them
/// ("p.box.lo[1]"); members of a union all start at its place; an array of more than 64 elements
/// stays one leaf, and an empty struct has none. Bit-fields take the bytes they touch.
Parameter make_parameter(const clang::ParmVarDecl &parameter, const clang::ASTContext &context,
                         const clang::PrintingPolicy &policy);

} // namespace neuronify::frontend
