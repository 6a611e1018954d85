#include "host/kernel_keys.h"

#include "host/kernel_symbols.h"
#include "host/template_arguments.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace neuronify::rewrite {

namespace {

const clang::FunctionDecl *written(const clang::FunctionDecl &kernel) {
  const clang::FunctionDecl *pattern = kernel.getTemplateInstantiationPattern();
  return (pattern ? pattern : &kernel)->getCanonicalDecl();
}

unsigned key_of(clang::SourceLocation location) { return location.getRawEncoding(); }

/// The templates around a declaration, outermost first: arguments of an instantiation.
bool arguments_around(const clang::DeclContext *scope, std::vector<clang::TemplateArgument> &out) {
  if (!scope)
    return true;
  if (!arguments_around(scope->getParent(), out))
    return false;
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(scope)) {
    const clang::TemplateArgumentList *list = function->getTemplateSpecializationArgs();
    if (list && function->getTemplateSpecializationKind() != clang::TSK_ExplicitSpecialization)
      llvm::append_range(out, list->asArray());
  } else if (const auto *record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(scope)) {
    if (record->isExplicitSpecialization())
      return true;
    if (llvm::isa<clang::ClassTemplatePartialSpecializationDecl *>(
            record->getSpecializedTemplateOrPartial()))
      return false;
    llvm::append_range(out, record->getTemplateArgs().asArray());
  }
  return true;
}

/// Parameters of a template as arguments of ours: `T`, `Ts...`, `neuronify::Value<N>`. Those
/// without a name get one from `names`, if that is given.
std::optional<std::vector<std::string>>
spell_parameters(const clang::TemplateParameterList &list,
                 const std::map<const clang::NamedDecl *, std::string> *names = nullptr) {
  std::vector<std::string> out;
  for (const clang::NamedDecl *parameter : list) {
    std::string name = parameter->getNameAsString();
    if (names && names->contains(parameter))
      name = names->at(parameter);
    if (name.empty() || parameter->isImplicit() ||
        llvm::isa<clang::TemplateTemplateParmDecl>(parameter))
      return std::nullopt;
    if (llvm::isa<clang::NonTypeTemplateParmDecl>(parameter))
      name = "neuronify::Value<" + name + ">";
    out.push_back(name + (parameter->isParameterPack() ? "..." : ""));
  }
  return out;
}

/// The same for all templates around a declaration as it is written.
bool parameters_around(const clang::DeclContext *scope, std::vector<std::string> &out) {
  if (!scope)
    return true;
  if (llvm::isa<clang::ClassTemplatePartialSpecializationDecl>(scope) ||
      !parameters_around(scope->getParent(), out))
    return false;
  const clang::TemplateParameterList *list = nullptr;
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(scope)) {
    if (const clang::FunctionTemplateDecl *described = function->getDescribedFunctionTemplate())
      list = described->getTemplateParameters();
  } else if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(scope)) {
    if (const clang::ClassTemplateDecl *described = record->getDescribedClassTemplate())
      list = described->getTemplateParameters();
  }
  if (!list)
    return true;
  auto names = spell_parameters(*list);
  if (names)
    llvm::append_range(out, *names);
  return names.has_value();
}

std::string with_arguments(const std::string &name, const std::vector<std::string> &arguments) {
  return arguments.empty() ? name : name + "<" + llvm::join(arguments, ", ") + ">";
}

} // namespace

KernelKeys::KernelKeys(Context &context) : context_(context) {
  for (const auto &[symbol, kernel] : context.kernels)
    if (const clang::TemplateArgumentList *list = kernel->getTemplateSpecializationArgs())
      for (const clang::TemplateArgument &argument : list->asArray())
        collect(argument);
  for (const auto &[location, closures] : closures_)
    ++lambdas_at_[place(*closures.front())];
}

// ---- what has a name, and which lambdas are concerned

void KernelKeys::collect(const clang::TemplateArgument &argument) {
  if (argument.getKind() == clang::TemplateArgument::Pack)
    for (const clang::TemplateArgument &part : argument.pack_elements())
      collect(part);
  else if (argument.getKind() == clang::TemplateArgument::Type)
    collect_type(argument.getAsType());
}

void KernelKeys::collect_type(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record)
    return;
  if (record->isLambda()) {
    auto &known = closures_[key_of(record->getLocation())];
    if (llvm::is_contained(known, record))
      return;
    known.push_back(record);
  }
  std::vector<clang::TemplateArgument> around;
  if (const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record))
    llvm::append_range(around, instance->getTemplateArgs().asArray());
  arguments_around(record->getDeclContext(), around);
  for (const clang::TemplateArgument &argument : around)
    collect(argument);
}

bool KernelKeys::unnamed(const clang::FunctionDecl &kernel) const {
  const clang::TemplateArgumentList *list = kernel.getTemplateSpecializationArgs();
  return list && llvm::any_of(list->asArray(), [&](const auto &one) { return unnamed(one); });
}

bool KernelKeys::any_unnamed(const clang::FunctionDecl &kernel) const {
  return llvm::any_of(context_.kernels, [&](const auto &entry) {
    return written(*entry.second) == written(kernel) && unnamed(*entry.second);
  });
}

bool KernelKeys::unnamed(const clang::TemplateArgument &argument) const {
  if (argument.getKind() == clang::TemplateArgument::Pack)
    return llvm::any_of(argument.pack_elements(), [&](const auto &one) { return unnamed(one); });
  return argument.getKind() == clang::TemplateArgument::Type && unnamed_type(argument.getAsType());
}

bool KernelKeys::unnamed_type(clang::QualType type) const {
  type = type.getCanonicalType().getNonReferenceType();
  while (type->isPointerType() || type->isArrayType())
    type = type->isPointerType() ? type->getPointeeType()
                                 : clang::QualType(type->getArrayElementTypeNoTypeQual(), 0);
  const clang::TagDecl *tag = type->getAsTagDecl();
  if (!tag)
    return false;
  if ((!tag->getDeclName() && !tag->getTypedefNameForAnonDecl()) ||
      tag->getParentFunctionOrMethod())
    return true;
  if (const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag))
    if (llvm::any_of(instance->getTemplateArgs().asArray(),
                     [&](const auto &one) { return unnamed(one); }))
      return true;
  // A private member of a class has no name at the end of the file either.
  const auto *outer = llvm::dyn_cast<clang::CXXRecordDecl>(tag->getDeclContext());
  return outer &&
         (tag->getAccess() == clang::AS_private || tag->getAccess() == clang::AS_protected ||
          unnamed_type(context_.ast.getCanonicalTagType(outer)));
}

// ---- which kernels are called

void KernelKeys::call(const clang::FunctionDecl &kernel) { called_.insert(written(kernel)); }

bool KernelKeys::called(const clang::FunctionDecl &kernel) const {
  return called_.contains(written(kernel));
}

// ---- keys

/// A kernel of the main file bears the namespace of the ports, so that it stays apart from those of
/// other files; one that several files include is the same in all of them.
std::string KernelKeys::name(const clang::FunctionDecl &kernel) const {
  const clang::FunctionDecl *pattern = written(kernel);
  std::string text = without_anonymous(pattern->getQualifiedNameAsString());
  if (context_.file(pattern->getLocation()) == &context_.main())
    text = context_.options.kernels_namespace + "::" + text;
  if (!is_overloaded(kernel))
    return text;
  std::vector<std::string> types;
  for (const clang::ParmVarDecl *parameter : pattern->parameters())
    types.push_back(parameter->getType().getUnqualifiedType().getAsString(
        clang::PrintingPolicy(context_.ast.getLangOpts())));
  return text + "(" + llvm::join(types, ", ") + ")";
}

std::optional<std::string> KernelKeys::key(const clang::FunctionDecl &kernel) const {
  std::vector<std::string> arguments;
  if (const clang::TemplateArgumentList *list = kernel.getTemplateSpecializationArgs()) {
    Texts texts = spell_all(list->asArray());
    if (!texts)
      return std::nullopt;
    arguments = std::move(*texts);
  }
  return with_arguments("neuronify::kernel_key", arguments) + "(\"" + name(kernel) + "\")";
}

std::map<const clang::NamedDecl *, std::string>
KernelKeys::new_names(const clang::FunctionDecl &definition) {
  std::map<const clang::NamedDecl *, std::string> names;
  auto name = [&](const clang::NamedDecl *parameter) {
    if (!parameter->getDeclName() && !parameter->isImplicit())
      names.insert({parameter, "unnamed_" + std::to_string(names.size() + 1)});
  };
  if (const clang::FunctionTemplateDecl *described = definition.getDescribedFunctionTemplate())
    llvm::for_each(*described->getTemplateParameters(), name);
  llvm::for_each(definition.parameters(), name);
  return names;
}

std::optional<std::string> KernelKeys::stub(const clang::FunctionDecl &definition) const {
  const auto names = new_names(definition);
  Texts arguments(std::in_place);
  if (const clang::FunctionTemplateDecl *described = definition.getDescribedFunctionTemplate())
    arguments = spell_parameters(*described->getTemplateParameters(), &names);
  else if (const clang::TemplateArgumentList *list = definition.getTemplateSpecializationArgs())
    arguments = spell_all(list->asArray());
  if (!arguments)
    return std::nullopt;
  std::string text =
      with_arguments("neuronify::kernel_call", *arguments) + "(\"" + name(definition) + "\"";
  for (const clang::ParmVarDecl *parameter : definition.parameters()) {
    auto fresh = names.find(parameter);
    if (parameter->getName().empty() && fresh == names.end())
      return std::nullopt;
    text += ", " + (fresh == names.end() ? parameter->getNameAsString() : fresh->second) +
            (parameter->isParameterPack() ? "..." : "");
  }
  return text + ");";
}

KernelKeys::Texts KernelKeys::spell_all(llvm::ArrayRef<clang::TemplateArgument> arguments) const {
  std::vector<std::string> out;
  for (const clang::TemplateArgument &argument : arguments) {
    using Kind = clang::TemplateArgument::ArgKind;
    std::optional<std::string> text;
    if (argument.getKind() == Kind::Pack) {
      Texts parts = spell_all(argument.pack_elements());
      if (!parts)
        return std::nullopt;
      llvm::append_range(out, *parts);
      continue;
    }
    if (argument.getKind() == Kind::Type)
      text = spell_type(argument.getAsType());
    else if (argument.getKind() == Kind::Integral || argument.getKind() == Kind::NullPtr ||
             argument.getKind() == Kind::Declaration)
      text = "neuronify::Value<" + spell_value(context_, argument) + ">";
    if (!text)
      return std::nullopt;
    out.push_back(std::move(*text));
  }
  return out;
}

std::optional<std::string> KernelKeys::spell_type(clang::QualType type) const {
  if (!unnamed_type(type))
    return spell(context_, type);
  const clang::TagDecl *tag = type->getAsTagDecl();
  if (!tag || type.hasQualifiers())
    return std::nullopt;
  if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(tag); record && record->isLambda())
    return spell_closure(*record);
  const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag);
  if (!instance)
    return spell_local(*tag);
  bool types_only = llvm::all_of(
      *instance->getSpecializedTemplate()->getTemplateParameters(),
      [](const auto *parameter) { return llvm::isa<clang::TemplateTypeParmDecl>(parameter); });
  Texts arguments = spell_all(instance->getTemplateArgs().asArray());
  if (!types_only || !arguments || tag->getParentFunctionOrMethod() ||
      tag->getAccess() == clang::AS_private || tag->getAccess() == clang::AS_protected)
    return std::nullopt;
  return with_arguments(without_anonymous(instance->getQualifiedNameAsString()), *arguments);
}

std::optional<std::string> KernelKeys::spell_closure(const clang::CXXRecordDecl &closure) const {
  std::vector<clang::TemplateArgument> around;
  if (!closures_.contains(key_of(closure.getLocation())) ||
      !context_.in_user_file(closure.getLocation()) ||
      !arguments_around(closure.getDeclContext(), around))
    return std::nullopt;
  Texts arguments = spell_all(around);
  if (!arguments)
    return std::nullopt;
  int64_t bytes =
      context_.ast.getTypeSizeInChars(context_.ast.getCanonicalTagType(&closure)).getQuantity();
  arguments->insert(arguments->begin(), {"\"" + place(closure) + "\"", std::to_string(bytes)});
  return with_arguments("neuronify::LambdaAt", *arguments);
}

/// By the name that run-time type information has. Types of CUDA have other names in a port.
std::optional<std::string> KernelKeys::spell_local(const clang::TagDecl &tag) const {
  if (!tag.getDeclName())
    return std::nullopt;
  std::unique_ptr<clang::MangleContext> names(context_.ast.createMangleContext());
  std::string text;
  llvm::raw_string_ostream stream(text);
  names->mangleCanonicalTypeName(context_.ast.getCanonicalTagType(&tag), stream);
  llvm::StringRef mangled(text);
  if (!mangled.consume_front("_ZTS") || mangled.contains("cuda") || mangled.contains("CU") ||
      mangled.contains("$_") || mangled.contains("Ul"))
    return std::nullopt;
  return "neuronify::LocalType<\"" + mangled.str() + "\">";
}

// ---- lambdas

llvm::ArrayRef<const clang::CXXRecordDecl *>
KernelKeys::closures(const clang::LambdaExpr &lambda) const {
  auto found = closures_.find(key_of(lambda.getLambdaClass()->getLocation()));
  if (found == closures_.end())
    return {};
  return found->second;
}

bool KernelKeys::shares_place(const clang::LambdaExpr &lambda) const {
  auto here = lambdas_at_.find(place(*lambda.getLambdaClass()));
  return here != lambdas_at_.end() && here->second > 1;
}

std::optional<std::string> KernelKeys::mark(const clang::LambdaExpr &lambda) const {
  const clang::CXXRecordDecl &closure = *lambda.getLambdaClass();
  std::vector<std::string> arguments{"\"" + place(closure) + "\""};
  if (!parameters_around(closure.getDeclContext(), arguments))
    return std::nullopt;
  return llvm::join(arguments, ", ");
}

/// "app.cu:12", with the column where another such lambda stands on the line. The main file goes by
/// its name in the project, which no other has; a header by its folder too.
std::string KernelKeys::place(const clang::CXXRecordDecl &closure) const {
  auto presumed = [&](clang::SourceLocation location) {
    return context_.sources.getPresumedLoc(context_.sources.getFileLoc(location));
  };
  const clang::PresumedLoc here = presumed(closure.getLocation());
  const SourceFile *file = context_.file(closure.getLocation());
  llvm::StringRef path = file ? llvm::StringRef(file->path()) : here.getFilename();
  std::string text = llvm::sys::path::filename(path).str();
  if (file == &context_.main())
    text =
        llvm::StringRef(context_.options.kernels_header).drop_back(sizeof("_kernels.h") - 1).str() +
        llvm::sys::path::extension(path).str();
  else
    text = llvm::sys::path::filename(llvm::sys::path::parent_path(path)).str() + "/" + text;
  text += ":" + std::to_string(here.getLine());
  for (const auto &[location, others] : closures_) {
    const clang::PresumedLoc there = presumed(clang::SourceLocation::getFromRawEncoding(location));
    if (there.getFileID() == here.getFileID() && there.getLine() == here.getLine() &&
        there.getColumn() != here.getColumn())
      return text + ":" + std::to_string(here.getColumn());
  }
  return text;
}

} // namespace neuronify::rewrite
