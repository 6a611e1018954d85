// The template arguments that a launch leaves to deduction, written out: the address of a function
// template needs them.
#pragma once

#include "host/context.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"

#include <string>
#include <vector>

namespace neuronify::rewrite {

/// A type as it can be written at any place of the file.
std::string spell(const Context &context, clang::QualType type);

/// A template argument that is a value.
std::string spell_value(const Context &context, const clang::TemplateArgument &argument);

/// The type of a pointer to a function: "void (*)(float *, int)".
std::string spell_pointer(const Context &context, const clang::FunctionDecl &function);

/// The arguments of a specialization, in order, packs flattened; nullopt where one has no name.
/// `values` are the function arguments of the call: a closure type is spelled `decltype(value)`.
std::optional<std::vector<std::string>> spell_arguments(const Context &context,
                                                        const clang::FunctionDecl &specialization,
                                                        llvm::ArrayRef<const clang::Expr *> values);

/// The arguments that deduction will find for a call that depends on template parameters itself,
/// expressed by those (`k(x)` with `T *x` gives "T"); nullopt where they cannot be told apart.
/// `given` explicit arguments come first and are not repeated.
std::optional<std::vector<std::string>>
deduce_dependent(const Context &context, const clang::FunctionTemplateDecl &kernel, unsigned given,
                 llvm::ArrayRef<const clang::Expr *> values);

} // namespace neuronify::rewrite
