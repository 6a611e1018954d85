// Kernels for tests, written as LLVM IR.
#pragma once

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/Support/SourceMgr.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace neuronify::kernel {

struct Parsed {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  llvm::Function &function() { return *module->getFunction("k"); }
  llvm::Value *value(const char *name) { return function().getValueSymbolTable()->lookup(name); }
  llvm::BasicBlock *block(const char *name) { return llvm::cast<llvm::BasicBlock>(value(name)); }
};

inline std::unique_ptr<Parsed> parse(const std::string &body) {
  auto parsed = std::make_unique<Parsed>();
  llvm::SMDiagnostic error;
  parsed->module =
      llvm::parseAssemblyString("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                                "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
                                "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n" +
                                    body,
                                error, parsed->context);
  EXPECT_TRUE(parsed->module) << error.getMessage().str();
  return parsed;
}

} // namespace neuronify::kernel
