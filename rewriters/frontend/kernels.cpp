#include "frontend/kernels.h"

#include "frontend/element_layout.h"
#include "frontend/fields.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>

namespace neuronify::frontend {

namespace {

struct Place {
  std::string file;
  unsigned line = 0, column = 0;
};

/// Where a name stands in the file as written; a macro's name where it is expanded.
Place place_of(const clang::Decl &decl, const clang::SourceManager &sources) {
  const auto place = sources.getPresumedLoc(sources.getFileLoc(decl.getLocation()));
  if (place.isInvalid())
    return {};
  return {place.getFilename(), place.getLine(), place.getColumn()};
}

clang::PrintingPolicy policy_of(const clang::ASTContext &context) {
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true; // no "(anonymous namespace)::"
  policy.SuppressInlineNamespace =
      llvm::to_underlying(clang::PrintingPolicy::SuppressInlineNamespaceMode::All);
  return policy;
}

/// "(lambda at /home/me/a.cu:12:5)" becomes "(lambda:12)": where this machine has the file is no
/// part of a name.
std::string without_paths(llvm::StringRef text) {
  std::string out;
  for (size_t at; (at = text.find(" at ")) != llvm::StringRef::npos;) {
    const auto [place, rest] = text.substr(at + 4).split(')');
    const llvm::StringRef line = place.rsplit(':').first.rsplit(':').second;
    out += (text.substr(0, at) + ":" + line + ")").str();
    text = rest;
  }
  return out + text.str();
}

std::string full_name(const clang::NamedDecl &decl, const clang::PrintingPolicy &policy) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  decl.getNameForDiagnostic(stream, policy, /*Qualified=*/true);
  return without_paths(text);
}

Kernel make_kernel(const clang::FunctionDecl &function, llvm::StringRef mangled,
                   const clang::ASTContext &context) {
  const clang::PrintingPolicy policy = policy_of(context);
  const Place place = place_of(function, context.getSourceManager());
  Kernel kernel;
  kernel.name = full_name(function, policy);
  kernel.mangled = mangled.str();
  kernel.file = place.file;
  kernel.line = place.line;
  kernel.column = place.column;
  for (const clang::ParmVarDecl *parameter : function.parameters())
    kernel.parameters.push_back(make_parameter(*parameter, context, policy));
  return kernel;
}

/// In source order. Instantiations of one template keep the order in which code asked for them.
void sort(std::vector<std::pair<const clang::FunctionDecl *, Kernel>> &found,
          const clang::SourceManager &sources) {
  std::map<std::string, size_t> position;
  for (size_t i = 0; i < found.size(); ++i)
    position[found[i].second.mangled] = i;
  std::ranges::sort(found, [&](const auto &a, const auto &b) {
    const auto at_a = a.first->getLocation(), at_b = b.first->getLocation();
    if (at_a != at_b)
      return sources.isBeforeInTranslationUnit(at_a, at_b);
    return position[a.second.mangled] < position[b.second.mangled];
  });
}

void read_kernels(const clang::ASTContext &context, clang::CodeGenerator &generator, Unit &unit) {
  std::vector<std::pair<const clang::FunctionDecl *, Kernel>> found;
  for (const llvm::Function &function : *generator.GetModule()) {
    if (function.isDeclaration() || function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
      continue;
    const auto *decl = llvm::dyn_cast_or_null<clang::FunctionDecl>(
        generator.GetDeclForMangledName(function.getName()));
    // No code of the user's is in the kernels of a library, and the port of its host code is not
    // there.
    if (decl && !context.getSourceManager().isInSystemHeader(decl->getLocation()))
      found.emplace_back(decl, make_kernel(*decl, function.getName(), context));
  }
  sort(found, context.getSourceManager());
  llvm::StringSet<> taken;
  for (auto &[decl, kernel] : found) {
    const std::string base = make_identifier(kernel.name);
    kernel.identifier = base;
    for (unsigned n = 2; !taken.insert(kernel.identifier).second; ++n)
      kernel.identifier = base + '_' + std::to_string(n);
    unit.kernels.push_back(std::move(kernel));
  }
}

/// Whether code at the end of the file may use this name, if the port has it.
bool is_reachable(const clang::VarDecl &variable) {
  if (variable.isLocalVarDecl())
    return false;
  const clang::Decl *part = &variable;
  for (; part && !llvm::isa<clang::TranslationUnitDecl>(part);
       part = llvm::dyn_cast_or_null<clang::Decl>(part->getDeclContext()))
    if (part->getAccess() == clang::AS_private || part->getAccess() == clang::AS_protected)
      return false;
  return true;
}

/// By Clang's attribute, or by the mark that our own headers put there.
bool is_managed(const clang::VarDecl &variable) {
  const auto *mark = variable.getAttr<clang::AnnotateAttr>();
  return variable.hasAttr<clang::HIPManagedAttr>() ||
         (mark && mark->getAnnotation() == "neuronify.managed");
}

void read_variables(const clang::ASTContext &context, clang::CodeGenerator &generator, Unit &unit) {
  const clang::PrintingPolicy policy = policy_of(context);
  for (llvm::GlobalVariable &global : generator.GetModule()->globals()) {
    if (global.isDeclaration())
      continue;
    const auto *decl =
        llvm::dyn_cast_or_null<clang::VarDecl>(generator.GetDeclForMangledName(global.getName()));
    if (!decl || decl->hasAttr<clang::CUDASharedAttr>())
      continue;
    if (!is_reachable(*decl) || context.getSourceManager().isInSystemHeader(decl->getLocation())) {
      // Its class may write it from the host.
      const bool is_written = !decl->getType().isConstQualified();
      global.addAttribute(kNameless, is_written && decl->isStaticDataMember() ? kOfClass : "");
      if (is_written)
        global.setExternallyInitialized(true);
      continue;
    }
    const bool constant = decl->hasAttr<clang::CUDAConstantAttr>();
    const bool reference = decl->getType()->isCUDADeviceBuiltinTextureType() ||
                           decl->getType()->isCUDADeviceBuiltinSurfaceType();
    if (!constant && !reference && !decl->hasAttr<clang::CUDADeviceAttr>() &&
        !decl->hasAttr<clang::HIPManagedAttr>())
      continue;
    if (decl->getDeclName().isIdentifier() && decl->getName() == "warpSize")
      continue; // Clang's own built-in
    const Place place = place_of(*decl, context.getSourceManager());
    unit.variables.push_back(
        {.name = full_name(*decl, policy),
         .mangled = global.getName().str(),
         .file = place.file,
         .line = place.line,
         .size = static_cast<uint64_t>(context.getTypeSizeInChars(decl->getType()).getQuantity()),
         .constant = constant,
         .layout = reference ? "" : element_layout(decl->getType(), context),
         .managed = is_managed(*decl)});
  }
}

/// Looks for kernel templates in a namespace, and in those inside it.
class UninstantiatedKernels {
public:
  UninstantiatedKernels(const clang::ASTContext &context, Unit &unit)
      : context(context), policy(policy_of(context)), unit(unit) {}

  void visit(const clang::DeclContext &scope) {
    for (const clang::Decl *decl : scope.decls()) {
      if (context.getSourceManager().isInSystemHeader(decl->getLocation()))
        continue;
      if (const auto *inner = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
        check(*inner);
      else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl))
        visit(*llvm::cast<clang::DeclContext>(decl));
      else if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(decl))
        visit(*record);
    }
  }

private:
  const clang::ASTContext &context;
  clang::PrintingPolicy policy;
  Unit &unit;

  void check(const clang::FunctionTemplateDecl &kernel) {
    const clang::FunctionDecl *pattern = kernel.getTemplatedDecl();
    if (!pattern->hasAttr<clang::CUDAGlobalAttr>() || !kernel.isThisDeclarationADefinition())
      return;
    for (const clang::FunctionDecl *instance : kernel.specializations())
      if (instance->isDefined())
        return;
    const std::string name = full_name(kernel, policy);
    const Place place = place_of(kernel, context.getSourceManager());
    unit.uninstantiated.push_back(name);
    unit.messages.push_back({.file = place.file,
                             .line = place.line,
                             .column = place.column,
                             .level = "warning",
                             .code = "NFY1004",
                             .text = "nothing instantiates kernel template '" + name +
                                     "'; --instantiate='" + name + "<...>' does"});
  }
};

/// What stands for a character that no identifier has; empty for mere separators.
llvm::StringRef word_for(char c) {
  switch (c) {
  case '*':
    return "ptr";
  case '&':
    return "ref";
  case '-':
    return "minus";
  case '.':
    return "point";
  default:
    return "";
  }
}

} // namespace

static bool is_keyword(llvm::StringRef word) {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus20 = options.Bool = true;
  options.CXXOperatorNames = true;
  clang::IdentifierTable words(options);
  return words.get(word).isKeyword(options);
}

std::string make_identifier(const std::string &name) {
  std::string result;
  const auto separate = [&result] {
    if (!result.empty() && result.back() != '_')
      result += '_';
  };
  for (const char c : name) {
    if (llvm::isAlnum(c) || c == '_') {
      result += c;
      continue;
    }
    separate();
    if (const llvm::StringRef word = word_for(c); !word.empty()) {
      result += word;
      separate();
    }
  }
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  const bool bare = result.empty() || llvm::isDigit(result.front());
  if (bare || is_keyword(result)) // `class_` is a name, `class` is not
    return "kernel_" + result;
  return result;
}

void read_declarations(clang::ASTContext &context, clang::CodeGenerator &generator, Unit &unit) {
  read_kernels(context, generator, unit);
  read_variables(context, generator, unit);
  UninstantiatedKernels(context, unit).visit(*context.getTranslationUnitDecl());
}

} // namespace neuronify::frontend
