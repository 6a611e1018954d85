// Kernels on the host AST by the symbol they have on the device.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <map>
#include <string>

namespace neuronify::rewrite {

/// The symbol of a kernel in device code (the host's own is that of its launch stub).
std::string kernel_symbol(const clang::FunctionDecl &kernel);

/// Definitions of kernels in the translation unit and their instantiations, by symbol.
std::map<std::string, const clang::FunctionDecl *> kernels_by_symbol(clang::ASTContext &ast);

/// A qualified name as code can write it: unnamed namespaces are left out.
std::string without_anonymous(std::string name);

/// Whether the kernel's name, even with its template arguments, may mean another function too.
bool is_overloaded(const clang::FunctionDecl &kernel);

} // namespace neuronify::rewrite
