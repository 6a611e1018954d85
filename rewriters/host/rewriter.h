// A host rewriter: a small class that looks at the AST or the tokens and asks for edits.
#pragma once

#include "host/context.h"

#include "clang/AST/DeclBase.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/TypeLoc.h"

#include <memory>
#include <vector>

namespace neuronify::rewrite {

/// The hooks are called for everything in the user's files, in source order, outside of template
/// instantiations: templates are seen once, as written.
class HostRewriter {
public:
  explicit HostRewriter(Context &context) : context(context) {}
  virtual ~HostRewriter() = default;

  virtual void declaration(const clang::Decl &) {}
  virtual void statement(const clang::Stmt &) {}
  virtual void type(clang::TypeLoc) {}
  /// Once for each of the user's files, after the AST.
  virtual void tokens(SourceFile &) {}
  /// Once, at the end.
  virtual void finish() {}

protected:
  Context &context;
};

using Rewriters = std::vector<std::unique_ptr<HostRewriter>>;

/// All rewriters, in the order in which they run. A new one is one line in rewriters.cpp.
Rewriters all_rewriters(Context &context);

// One per file of the same name.
std::unique_ptr<HostRewriter> api_names(Context &context);
std::unique_ptr<HostRewriter> device_functions(Context &context);
std::unique_ptr<HostRewriter> includes(Context &context);
std::unique_ptr<HostRewriter> kernel_launches(Context &context);
std::unique_ptr<HostRewriter> kernel_stubs(Context &context);
std::unique_ptr<HostRewriter> lambdas(Context &context);
std::unique_ptr<HostRewriter> macros(Context &context);
std::unique_ptr<HostRewriter> qualifiers(Context &context);
std::unique_ptr<HostRewriter> registration(Context &context);
std::unique_ptr<HostRewriter> reserved_names(Context &context);
std::unique_ptr<HostRewriter> variables(Context &context);

} // namespace neuronify::rewrite
