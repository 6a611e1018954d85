// Which functions and variables the ported host code still needs once the device code is gone.
#pragma once

#include "host/context.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace neuronify::rewrite {

/// Where a function may run, by what is written at it (Clang's implicit attributes do not count).
enum class Role { host, kernel, device, host_device };
Role role(const clang::FunctionDecl &function);

class Usage {
public:
  explicit Usage(Context &context);

  /// Whether a function leaves no trace in the host code: device functions that no host code needs,
  /// and functions for both sides that only the device can run or that only it uses.
  bool removed(const clang::FunctionDecl &function) const;

  /// Whether a function stays but its body cannot: it uses what only a device has.
  bool needs_device(const clang::FunctionDecl &function) const;

  /// Whether only a device can run a function for both sides, or a lambda for the device.
  bool only_on_device(const clang::FunctionDecl &function) const;

  /// Whether a file-local function or variable was used by device code only: without a mark it
  /// would become an unused one.
  bool used_by_device_only(const clang::ValueDecl &declaration) const;

  /// Whether code that stays refers to the declaration.
  bool referenced(const clang::ValueDecl &declaration) const;

  /// What one function refers to.
  struct Function {
    Role role = Role::host;
    llvm::DenseSet<const clang::Decl *> references;
    bool uses_device = false; ///< special registers, device intrinsics, inline assembly
    bool file_local = false;  ///< of the main file, so that Clang warns if nothing uses it
    bool is_lambda = false;   ///< for the device; it stays where it can
  };

private:
  void collect(Context &context);
  void find_device_only();
  void keep_what_stays_needs();
  void keep(const llvm::DenseSet<const clang::Decl *> &references);

  llvm::DenseMap<const clang::Decl *, Function> functions_;
  llvm::DenseSet<const clang::Decl *> outside_;      ///< referred to outside of functions
  llvm::DenseSet<const clang::Decl *> device_bound_; ///< for both sides, but the host cannot run it
  llvm::DenseSet<const clang::Decl *> referenced_;   ///< by code that stays
};

} // namespace neuronify::rewrite
