#include "kernel/analysis.h"

#include "parse.h"

namespace neuronify::kernel {
namespace {

TEST(Widths, AddressesAndTruncationsNeedTheLowWordOnly) {
  auto p = parse(R"(define void @k(ptr %x, i64 %n) {
    %a = load i64, ptr %x
    %sum = add i64 %a, %n
    %scaled = mul i64 %sum, 12
    %place = getelementptr i8, ptr %x, i64 %scaled
    %b = load i64, ptr %place
    %masked = and i64 %b, 4294967295
    %shifted = shl i64 %b, 7
    %cut = trunc i64 %shifted to i32
    store i32 %cut, ptr %x
    store i64 %masked, ptr %x
    ret void
  })");
  Analysis a(p->function());
  for (const char *name : {"a", "sum", "scaled", "b", "masked", "shifted"})
    EXPECT_FALSE(a.is_wide(p->value(name))) << name;
  EXPECT_TRUE(a.extension(p->value("masked")).zero);
}

TEST(Widths, WhatIsStoredComparedOrShiftedDownIsThereWhole) {
  auto p = parse(R"(define void @k(ptr %x, i64 %n) {
    %stored = load i64, ptr %x
    store i64 %stored, ptr %x
    %summand = load i64, ptr %x
    %sum = add i64 %summand, 1
    %less = icmp slt i64 %sum, %n
    %upper = load i64, ptr %x
    %down = lshr i64 %upper, 32
    %word = trunc i64 %down to i32
    %counted = load i64, ptr %x
    %far = shl i64 %counted, %n
    ret void
  })");
  Analysis a(p->function());
  for (const char *name : {"stored", "summand", "sum", "upper", "counted", "far"})
    EXPECT_TRUE(a.is_wide(p->value(name))) << name;
  EXPECT_FALSE(a.is_wide(p->value("down"))) << "an extension of its low word";
}

TEST(Widths, DemandGoesRoundLoops) {
  auto p = parse(R"(define void @k(ptr %x, i32 %n) {
  entry:
    br label %loop
  loop:
    %state = phi i64 [ 1, %entry ], [ %next, %loop ]
    %index = phi i64 [ 0, %entry ], [ %following, %loop ]
    %k = phi i32 [ 0, %entry ], [ %more, %loop ]
    %data = load i64, ptr %x
    %next = mul i64 %state, %data
    %place = getelementptr i8, ptr %x, i64 %index
    %step = load i64, ptr %place
    %following = add i64 %index, %step
    %more = add i32 %k, 1
    %again = icmp slt i32 %more, %n
    br i1 %again, label %loop, label %exit
  exit:
    store i64 %state, ptr %x
    ret void
  })");
  Analysis a(p->function());
  for (const char *name : {"state", "next", "data"})
    EXPECT_TRUE(a.is_wide(p->value(name))) << name;
  for (const char *name : {"index", "following", "step"})
    EXPECT_FALSE(a.is_wide(p->value(name))) << name;
}

TEST(Widths, OperationsOnExtensionsAreNarrowWhereTheLowWordsDecide) {
  auto p = parse(R"(define void @k(ptr %x) {
    %a = load i32, ptr %x
    %b = load i32, ptr %x
    %s = sext i32 %a to i64
    %t = sext i32 %b to i64
    %u = zext i32 %a to i64
    %v = zext i32 %b to i64
    %product = mul i64 %s, %t
    %less = icmp slt i64 %u, %v
    %mixed = icmp slt i64 %s, %u
    %signed = sdiv i64 %s, %t
    %unsigned = udiv i64 %u, %v
    %wrong = udiv i64 %s, %t
    %down = lshr i64 %u, 9
    %far = lshr i64 %u, 40
    %copies = ashr i64 %u, 9
    store i64 %product, ptr %x
    ret void
  })");
  Analysis a(p->function());
  auto narrow = [&](const char *name) {
    return a.is_narrow(*llvm::cast<llvm::Instruction>(p->value(name)));
  };
  for (const char *name : {"product", "less", "signed", "unsigned", "down"})
    EXPECT_TRUE(narrow(name)) << name;
  for (const char *name : {"mixed", "wrong", "far", "copies"})
    EXPECT_FALSE(narrow(name)) << name;
  EXPECT_TRUE(a.is_wide(p->value("product")));
  EXPECT_FALSE(a.is_wide(p->value("s")));
}

} // namespace
} // namespace neuronify::kernel
