#include "compiler.h"
#include "passes.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Scalar/LowerAtomicPass.h>

#include <optional>

using namespace llvm;

namespace neuronify::reference {

namespace {

/// Keeps LLVM from printing its errors, and from ending the process on them.
class CollectDiagnostics : public DiagnosticHandler {
public:
  explicit CollectDiagnostics(std::string &text) : text_(text) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream out(text_);
    DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    return true;
  }

private:
  std::string &text_;
};

Expected<std::unique_ptr<Module>> parse(StringRef bitcode, LLVMContext &context) {
  Expected<std::unique_ptr<Module>> module = parseBitcodeFile({bitcode, "device bitcode"}, context);
  if (!module)
    return module.takeError();
  std::string problem;
  raw_string_ostream out(problem);
  if (verifyModule(**module, &out))
    return createStringError("the device bitcode is malformed: " + problem);
  return module;
}

/// The functions that the body of `function` names, also inside of constants.
SmallVector<Function *> namedIn(const Function &function) {
  SmallVector<Function *> found;
  SmallPtrSet<const Constant *, 16> seen;
  SmallVector<const Constant *> left;
  auto add = [&](const Use &use) {
    if (const auto *constant = dyn_cast<Constant>(use.get());
        constant && seen.insert(constant).second)
      left.push_back(constant);
  };
  for (const Instruction &instruction : instructions(function))
    for_each(instruction.operands(), add);
  while (!left.empty()) {
    const Constant *constant = left.pop_back_val();
    if (const auto *named = dyn_cast<Function>(constant))
      found.push_back(const_cast<Function *>(named));
    else // also what a variable starts with, and what an alias stands for
      for_each(constant->operands(), add);
  }
  return found;
}

/// The part of bitcode, known to be well formed, that a kernel needs: of a large file, most of the
/// time would go into reading functions only to drop them.
Expected<std::unique_ptr<Module>> parsePart(StringRef bitcode, LLVMContext &context,
                                            StringRef name) {
  Expected<std::unique_ptr<Module>> module =
      getLazyBitcodeModule({bitcode, "device bitcode"}, context, true);
  if (!module)
    return module.takeError();
  SmallPtrSet<Function *, 16> needed;
  SmallVector<Function *> left;
  auto need = [&](Function *function) {
    if (needed.insert(function).second)
      left.push_back(function);
  };
  if (Function *kernel = (*module)->getFunction(name))
    need(kernel);
  while (!left.empty()) {
    Function *function = left.pop_back_val();
    if (Error error = function->materialize())
      return std::move(error);
    for_each(namedIn(*function), need);
  }
  for (Function &function : **module)
    if (function.isMaterializable()) {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  if (Error error = (*module)->materializeAll())
    return std::move(error);
  return module;
}

bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel && !function.isDeclaration();
}

/// Optimises without touching what a float operation means; C library calls are not recognised by
/// name, since a device function may be called anything.
void optimise(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager groups;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  TargetLibraryInfoImpl libraries(machine.getTargetTriple());
  libraries.disableAllFunctions();
  for (LibFunc memory : {LibFunc_memcpy, LibFunc_memset, LibFunc_memmove})
    libraries.setAvailable(memory);
  functions.registerPass([&] { return TargetLibraryAnalysis(libraries); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(groups);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, groups, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, modules);
}

/// One thread of the grid runs at a time, so atomics need no bus lock.
void lowerAtomics(Module &module) {
  FunctionAnalysisManager functions;
  PassBuilder().registerFunctionAnalyses(functions);
  for (Function &function : module)
    if (!function.isDeclaration())
      LowerAtomicPass().run(function, functions);
}

/// Twice the locals, and room for spills, the C library and the runner's own calls.
size_t stackNeeded(const Module &module) {
  size_t locals = 0;
  unsigned functions = 0;
  for (const Function &function : module) {
    functions += !function.isDeclaration();
    for (const Instruction &instruction : instructions(function))
      if (const auto *local = dyn_cast<AllocaInst>(&instruction))
        locals +=
            local->getAllocationSize(module.getDataLayout()).value_or(TypeSize::getFixed(4096));
  }
  bool recursive = functions > 1; // what could not be inlined calls itself
  return 96 * 1024 + 2 * locals + (recursive ? 512 * 1024 : 0);
}

constexpr const char *constants_name = "neuronify_constants";

/// Emits a table of the module's own constant data: { address, size } each. Returns its length.
size_t listConstants(Module &module) {
  LLVMContext &context = module.getContext();
  Type *word = Type::getInt64Ty(context), *pointer = PointerType::getUnqual(context);
  StructType *entry = StructType::get(pointer, word);
  std::vector<Constant *> entries;
  for (GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration())
      continue;
    Constant *address =
        ConstantExpr::getPointerBitCastOrAddrSpaceCast(&variable, cast<PointerType>(pointer));
    uint64_t size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    entries.push_back(ConstantStruct::get(entry, address, ConstantInt::get(word, size)));
  }
  ArrayType *type = ArrayType::get(entry, entries.size());
  new GlobalVariable(module, type, true, GlobalValue::ExternalLinkage,
                     ConstantArray::get(type, entries), constants_name);
  return entries.size();
}

class OrcCompiler : public Compiler {
public:
  static Expected<std::unique_ptr<OrcCompiler>> load(StringRef bitcode) {
    std::unique_ptr<OrcCompiler> compiler(new OrcCompiler(bitcode));
    if (Error error = compiler->readModule())
      return std::move(error);
    if (Error error = compiler->startJit())
      return std::move(error);
    return compiler;
  }

  const std::vector<DeviceVariable> &variables() const override { return variables_; }

  const CompiledKernel *kernel(std::string_view mangled, bool checked,
                               std::string &error) override {
    auto [found, is_new] = kernels_.try_emplace({std::string(mangled), checked});
    Variant &variant = found->second;
    if (is_new) {
      Expected<CompiledKernel> compiled = compile(mangled, checked);
      if (compiled)
        variant.kernel = std::move(*compiled);
      else
        variant.error = toString(compiled.takeError());
    }
    error = variant.error;
    return variant.kernel ? &*variant.kernel : nullptr;
  }

private:
  struct Variant {
    std::optional<CompiledKernel> kernel;
    std::string error;
  };

  explicit OrcCompiler(StringRef bitcode) : bitcode_(bitcode) {}

  Error readModule() {
    LLVMContext context;
    std::string diagnostics;
    context.setDiagnosticHandler(std::make_unique<CollectDiagnostics>(diagnostics));
    Expected<std::unique_ptr<Module>> module = parse(bitcode_, context);
    if (!module)
      return module.takeError();
    if (!(*module)->getTargetTriple().isNVPTX())
      return createStringError("this is code for '" + (*module)->getTargetTriple().str() +
                               "', not for a CUDA device");
    for (GlobalVariable &variable : (*module)->globals())
      if (isDeviceVariable(variable)) {
        variable_index_[variable.getName().str()] = variables_.size();
        size_t size = (*module)->getDataLayout().getTypeAllocSize(variable.getValueType());
        variables_.push_back({variable.getName().str(), size});
      }
    return Error::success();
  }

  Error startJit() {
    static const bool initialized =
        !InitializeNativeTarget() && !InitializeNativeTargetAsmPrinter();
    if (!initialized)
      return createStringError("this LLVM cannot make code for its own host");
    Triple triple(sys::getProcessTriple());
    orc::JITTargetMachineBuilder machine{triple};
    if (triple.getArch() == Triple::x86_64) {
      StringMap<bool> features = sys::getHostCPUFeatures();
      for (const char *needed : {"avx2", "fma", "bmi2", "f16c"})
        if (!features.lookup(needed))
          return createStringError(Twine("the reference needs a processor with ") + needed +
                                   " (x86-64-v3)");
      machine.setCPU("x86-64-v3");
    }
    // Results must not depend on the host: no contraction, and always the same instructions.
    machine.getOptions().AllowFPOpFusion = FPOpFusion::Strict;
    machine.setRelocationModel(Reloc::PIC_).setCodeModel(CodeModel::Small);
    Expected<std::unique_ptr<TargetMachine>> made = machine.createTargetMachine();
    if (!made)
      return made.takeError();
    machine_ = std::move(*made);
    auto jit = orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(machine)
                   .setPlatformSetUp(orc::setUpInactivePlatform)
                   .setLinkProcessSymbolsByDefault(false)
                   .create();
    if (!jit)
      return jit.takeError();
    jit_ = std::move(*jit);
    // Errors come back by value; the session would print them as well.
    jit_->getExecutionSession().setErrorReporter(
        [](Error error) { consumeError(std::move(error)); });
    return Error::success();
  }

  Expected<CompiledKernel> compile(std::string_view mangled, bool checked) {
    auto context = std::make_unique<LLVMContext>();
    std::string diagnostics;
    context->setDiagnosticHandler(std::make_unique<CollectDiagnostics>(diagnostics));
    Expected<std::unique_ptr<Module>> module = parsePart(bitcode_, *context, mangled);
    if (!module)
      return module.takeError();
    CompiledKernel result;
    size_t constants = 0;
    if (Error error = buildKernel(**module, mangled, checked, result, constants))
      return std::move(error);
    session_errors_.clear();
    Error error = generate(std::move(*module), std::move(context), constants, result);
    if (!error && diagnostics.empty())
      return result;
    return createStringError("no host code for kernel " + Twine(mangled) + ": " + session_errors_ +
                             diagnostics + toString(std::move(error)));
  }

  /// All that happens to a kernel before code is made of it, in order.
  Error buildKernel(Module &module, StringRef name, bool checked, CompiledKernel &result,
                    size_t &constants) {
    Function *kernel = module.getFunction(name);
    if (!kernel || !isKernel(*kernel))
      return createStringError("the device bitcode has no kernel " + name);
    result.parameters = kernel->arg_size();

    Expected<std::unique_ptr<Module>> library =
        getLazyBitcodeModule({deviceLibrary(), "device library"}, module.getContext());
    if (!library)
      return library.takeError();
    keepOnly(module, name);
    retarget(module, (*library)->getTargetTriple(), (*library)->getDataLayout());
    defineBehaviour(module);
    addCoordinates(module);
    result.static_shared_bytes = placeShared(module);
    result.variables = placeVariables(module, variable_index_);
    replaceAssembly(module);
    if (Error error = linkDeviceLibrary(module, std::move(*library)))
      return error;
    inlineCalls(module);
    keepLockStep(module);
    result.sites = numberSites(module);
    if (checked)
      insertAccessChecks(module, result.sites);
    result.waits = threadsWait(module);
    const Function *grid_barrier = module.getFunction("neuronify_wait_grid");
    result.waits_for_grid = grid_barrier && !grid_barrier->use_empty();
    result.stack_bytes = stackNeeded(module);
    buildEntry(module, *module.getFunction(kernel_name), result.waits);
    if (checked)
      constants = listConstants(module);
    StripDebugInfo(module);

    std::string problem;
    raw_string_ostream out(problem);
    if (verifyModule(module, &out))
      return createStringError("kernel " + name + " was made malformed: " + problem);
    lowerAtomics(module);
    optimise(module, *machine_);
    return Error::success();
  }

  Error generate(std::unique_ptr<Module> module, std::unique_ptr<LLVMContext> context,
                 size_t constants, CompiledKernel &result) {
    auto dylib = jit_->createJITDylib("kernel" + std::to_string(kernels_.size()));
    if (!dylib)
      return dylib.takeError();
    orc::SymbolMap symbols;
    for (const auto &[name, address] : hostSymbols())
      symbols[jit_->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                              JITSymbolFlags::Exported | JITSymbolFlags::Callable};
    if (Error error = dylib->define(orc::absoluteSymbols(std::move(symbols))))
      return error;
    if (Error error = jit_->addIRModule(*dylib, {std::move(module), std::move(context)}))
      return error;
    auto entry = jit_->lookup(*dylib, entry_name);
    if (!entry)
      return entry.takeError();
    result.entry = entry->toPtr<const void *>();
    if (!constants)
      return Error::success();
    auto table = jit_->lookup(*dylib, constants_name);
    if (!table)
      return table.takeError();
    auto *first = table->toPtr<const ConstantObject *>();
    result.constants.assign(first, first + constants);
    return Error::success();
  }

  std::string bitcode_;
  std::vector<DeviceVariable> variables_;
  std::map<std::string, size_t> variable_index_;
  std::map<std::pair<std::string, bool>, Variant> kernels_;
  std::string session_errors_;
  std::unique_ptr<TargetMachine> machine_;
  std::unique_ptr<orc::LLJIT> jit_;
};

} // namespace

std::unique_ptr<Compiler> Compiler::create(const void *bitcode, size_t size, std::string &error) {
  auto compiler = OrcCompiler::load({static_cast<const char *>(bitcode), size});
  if (compiler)
    return std::move(*compiler);
  error = toString(compiler.takeError());
  return nullptr;
}

} // namespace neuronify::reference
