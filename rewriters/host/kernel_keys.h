// Kernels that are tied to their ports by key (runtime/host/kernel_key.h): those that only a call
// can name, because they are instantiated for a type without a name or found by overload.
#pragma once

#include "host/context.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace neuronify::rewrite {

class KernelKeys {
public:
  explicit KernelKeys(Context &context);

  /// Whether the end of the file has no name for what the kernel is instantiated for.
  bool unnamed(const clang::FunctionDecl &kernel) const;
  /// Whether that is so for any instantiation of the kernel as written.
  bool any_unnamed(const clang::FunctionDecl &written) const;

  /// Says that a launch calls the kernel as written; the same for instantiations.
  void call(const clang::FunctionDecl &kernel);
  /// Whether the kernel's stub is called in a launch.
  bool called(const clang::FunctionDecl &kernel) const;

  /// `neuronify::kernel_key<...>("name")` of a kernel; nullopt where it cannot be written.
  std::optional<std::string> key(const clang::FunctionDecl &kernel) const;
  /// The body of the stub of a definition that is called, without braces: "neuronify::kernel_call…"
  /// with all parameters; nullopt where a template parameter has no name.
  std::optional<std::string> stub(const clang::FunctionDecl &definition) const;
  /// Names for parameters of a kernel and of its template that have none, which stub() uses.
  static std::map<const clang::NamedDecl *, std::string>
  new_names(const clang::FunctionDecl &definition);

  /// The closures of a lambda expression that kernels are instantiated for; none of no interest.
  llvm::ArrayRef<const clang::CXXRecordDecl *> closures(const clang::LambdaExpr &lambda) const;
  /// The template arguments of `neuronify::lambda` for it, `"app.cu:12", T`; nullopt where a
  /// template parameter around it has no name.
  std::optional<std::string> mark(const clang::LambdaExpr &lambda) const;
  /// Whether another lambda that a kernel takes bears the same mark: a macro writes both, or a file
  /// that is read twice.
  bool shares_place(const clang::LambdaExpr &lambda) const;

private:
  void collect(const clang::TemplateArgument &argument);
  void collect_type(clang::QualType type);
  std::string place(const clang::CXXRecordDecl &closure) const;
  std::string name(const clang::FunctionDecl &kernel) const;
  bool unnamed(const clang::TemplateArgument &argument) const;
  bool unnamed_type(clang::QualType type) const;
  using Texts = std::optional<std::vector<std::string>>;
  Texts spell_all(llvm::ArrayRef<clang::TemplateArgument> arguments) const;
  std::optional<std::string> spell_type(clang::QualType type) const;
  std::optional<std::string> spell_closure(const clang::CXXRecordDecl &closure) const;
  std::optional<std::string> spell_local(const clang::TagDecl &tag) const;

  Context &context_;
  llvm::DenseSet<const clang::Decl *> called_;
  llvm::DenseMap<unsigned, std::vector<const clang::CXXRecordDecl *>> closures_; // by place
  std::map<std::string, unsigned> lambdas_at_; // by the place as a mark says it
};

} // namespace neuronify::rewrite
