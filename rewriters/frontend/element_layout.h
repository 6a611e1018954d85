// What a pointer points to, as the runtime's comparison wants to know it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class ASTContext;
class CXXRecordDecl;
class QualType;
} // namespace clang

namespace neuronify::frontend {

/// The scalars of `type` in order of memory, "f32" or "f32 f32 i32 pad", as
/// runtime/host/element_type.h reads them; repetitions are given once (float4 is "f32"). What has
/// no single type, such as a union or bit-fields, is "bytes". A pointer is "&f32", "&(f32 i32)", or
/// "u64" where that says no more. Empty where the type is incomplete, or has more than 64 scalars.
std::string element_layout(clang::QualType type, const clang::ASTContext &context);

/// The scalar that one of CUDA's 16-bit floating-point classes is, "f16" or "bf16"; empty for any
/// other class.
llvm::StringRef half_type(const clang::CXXRecordDecl &record);

} // namespace neuronify::frontend
