// Halves become their bits where they are moved and floats where something is computed from them.
#include "kernel/halves.h"

#include "parse.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>

namespace neuronify::kernel {
namespace {

int calls(llvm::Function &function, llvm::StringRef name) {
  int n = 0;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      n += call->getCalledFunction()->getName() == name;
  return n;
}

/// Widens the kernel and checks what holds of any.
llvm::Function &widened(Parsed &parsed) {
  llvm::Function &function = parsed.function();
  EXPECT_TRUE(uses_halves(function));
  EXPECT_TRUE(find_unsupported_halves(function).empty());
  widen_halves(function);
  EXPECT_FALSE(uses_halves(function));
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  return function;
}

TEST(Halves, ThatAreMovedStayBits) {
  auto p = parse(R"(define void @k(ptr %x, ptr %y, i1 %c) {
  entry:
    %a = load half, ptr %x
    br i1 %c, label %then, label %done
  then:
    %b = load half, ptr %y
    br label %done
  done:
    %h = phi half [ %a, %entry ], [ %b, %then ]
    %s = select i1 %c, half %h, half 0xH3C00
    %bits = bitcast half %s to i16
    store i16 %bits, ptr %x
    store half %s, ptr %y
    ret void
  })");
  llvm::Function &function = widened(*p);
  for (const char *name : {"neuronify.half_to_float", "neuronify.float_to_half"})
    EXPECT_EQ(calls(function, name), 0) << name;
  EXPECT_TRUE(p->value("h")->getType()->isIntegerTy(16)); // and keep their names
}

TEST(Halves, ThatAreComputedAreRoundedOnce) {
  auto p = parse(R"(define void @k(ptr %x, float %f) {
    %a = load half, ptr %x
    %p = fmul half %a, %a
    %s = fadd half %p, 0xH3C00
    store half %s, ptr %x
    ret void
  })");
  llvm::Function &function = widened(*p);
  EXPECT_EQ(calls(function, "neuronify.half_to_float"), 1);
  EXPECT_EQ(calls(function, "neuronify.round_half"), 1);    // the product
  EXPECT_EQ(calls(function, "neuronify.float_to_half"), 1); // the sum, which is only stored
}

TEST(Halves, OfALoopAreFloatsInIt) {
  auto p = parse(R"(define void @k(ptr %x, i32 %n) {
  entry:
    %first = load half, ptr %x
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %sum = phi half [ %first, %entry ], [ %more, %loop ]
    %at = getelementptr half, ptr %x, i32 %i
    %h = load half, ptr %at
    %more = fadd half %sum, %h
    %next = add i32 %i, 1
    %c = icmp slt i32 %next, %n
    br i1 %c, label %loop, label %done
  done:
    %last = phi half [ %more, %loop ]
    store half %last, ptr %x
    ret void
  })");
  llvm::Function &function = widened(*p);
  EXPECT_TRUE(p->value("sum")->getType()->isFloatTy());
  EXPECT_EQ(calls(function, "neuronify.float_to_half"), 1);
  for (llvm::Instruction &instruction : *p->block("loop"))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      EXPECT_NE(call->getCalledFunction()->getName(), "neuronify.float_to_half");
}

TEST(Halves, NeedNoRoundingWhereTheFloatIsOne) {
  auto p = parse(R"(declare float @llvm.maxnum.f32(float, float)
  define void @k(ptr %x, ptr %y, i8 %small) {
    %a = load half, ptr %x
    %f = fpext half %a to float
    %m = call float @llvm.maxnum.f32(float %f, float 0.0)
    %h = fptrunc float %m to half
    %number = sitofp i8 %small to half
    %c = fcmp olt half %h, %number
    %flag = zext i1 %c to i32
    store i32 %flag, ptr %y
    ret void
  })");
  EXPECT_EQ(calls(widened(*p), "neuronify.round_half"), 0);
}

TEST(Halves, HaveFunctionsOfTheirOwnWhereFloatsRoundTwice) {
  auto p = parse(R"(declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
  declare bfloat @llvm.sqrt.bf16(bfloat)
  define void @k(ptr %x, i32 %n) {
    %a = load bfloat, ptr %x
    %f = call bfloat @llvm.fma.bf16(bfloat %a, bfloat %a, bfloat 0xR3F80)
    %q = fdiv bfloat %f, %a
    %r = call bfloat @llvm.sqrt.bf16(bfloat %q)
    %i = sitofp i32 %n to bfloat
    %s = fadd bfloat %r, %i
    store bfloat %s, ptr %x
    ret void
  })");
  llvm::Function &function = widened(*p);
  for (const char *name : {"neuronify.fma_bfloat", "neuronify.div_exact", "neuronify.sqrt_exact",
                           "neuronify.int_to_float_odd"})
    EXPECT_EQ(calls(function, name), 1) << name;
}

TEST(Halves, ThatNothingStandsForAreNamed) {
  auto p = parse(R"(declare half @llvm.sin.f16(half)
  declare half @unknown(half)
  define void @k(ptr %x, ptr %y, i64 %n) {
    %v = load <2 x half>, ptr %x
    %a = atomicrmw fmax ptr %y, half 0xH3C00 monotonic
    %b = sitofp i64 %n to bfloat
    store bfloat %b, ptr %y
    %c = call half @unknown(half %a)
    %d = call half @llvm.sin.f16(half %a)
    ret void
  })");
  std::vector<std::string> codes;
  for (const HalfUse &use : find_unsupported_halves(p->function()))
    codes.push_back(use.code);
  EXPECT_EQ(codes, (std::vector<std::string>{"NFY4009", "NFY4002", "NFY4009", "NFY4006"}));
}

} // namespace
} // namespace neuronify::kernel
