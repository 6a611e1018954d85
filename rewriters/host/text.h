// Small questions about a user's text that several rewriters ask.
#pragma once

#include "host/context.h"

#include "clang/AST/Decl.h"

namespace neuronify::rewrite {

/// The text of a declaration from its template header, specifiers and CUDA qualifiers to its
/// closing brace or semicolon.
std::optional<Span> whole_declaration(Context &context, const clang::Decl &declaration);

/// `span` widened to what disappears with it: whole lines where nothing else stands on them, and
/// the comment lines directly above.
Span with_lines(Span span);

/// Replaces the body of a function that has to stay by one that only tells whoever runs it so, and
/// turns its parameters' names into comments.
void replace_body(Context &context, const clang::FunctionDecl &function);
/// Replaces the body by this statement.
void replace_body(Context &context, const clang::FunctionDecl &function,
                  const std::string &statement);
/// Turns the names of parameters into comments: `float x` becomes `float /*x*/`.
void comment_parameters(Context &context, const clang::FunctionDecl &function);

/// Puts `[[maybe_unused]]` before a declaration.
void mark_unused(Context &context, const clang::Decl &declaration);

/// `text` as comment lines of at most 100 columns, each after `prefix`.
std::string comment(std::string_view text, const std::string &prefix);

/// The same text, but on one line.
std::string one_line(std::string_view text);

} // namespace neuronify::rewrite
