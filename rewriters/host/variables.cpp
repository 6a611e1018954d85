// __device__ and __constant__ variables become plain shadow variables with the same initial value
// (their qualifiers go with all others); what only device code used is marked so.
#include "host/kernel_symbols.h"
#include "host/rewriter.h"
#include "host/text.h"
#include "host/usage.h"

#include "clang/AST/Attr.h"

#include <algorithm>

namespace neuronify::rewrite {

namespace {

class Variables : public HostRewriter {
public:
  using HostRewriter::HostRewriter;

  void declaration(const clang::Decl &declaration) override {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
    if (!variable || !variable->hasGlobalStorage() || variable->isStaticLocal())
      return;
    if (variable->hasAttr<clang::CUDASharedAttr>()) {
      // Dynamic shared memory may be declared outside of kernels; only kernels can use it.
      if (std::optional<Span> span = whole_declaration(context, *variable)) {
        Span gone = with_lines(*span);
        gone.file->edits.replace(gone.begin, gone.end, "");
      }
      return;
    }
    bool on_device =
        variable->hasAttr<clang::CUDADeviceAttr>() || variable->hasAttr<clang::CUDAConstantAttr>();
    if (!variable->isExternallyVisible() && variable->isFirstDecl() &&
        !variable->isStaticDataMember() && !(on_device && is_registered(*variable)) &&
        context.usage->used_by_device_only(*variable))
      mark_unused(context, *variable);
  }

private:
  bool is_registered(const clang::VarDecl &variable) {
    std::string name = without_anonymous(variable.getQualifiedNameAsString());
    return std::ranges::any_of(context.options.variables, [&](const auto &known) {
      return without_anonymous(known.name) == name;
    });
  }
};

} // namespace

std::unique_ptr<HostRewriter> variables(Context &context) {
  return std::make_unique<Variables>(context);
}

} // namespace neuronify::rewrite
