#include "kernel/prepare.h"

#include "kernel/analysis.h"
#include "parse.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace neuronify::kernel {
namespace {

template <class T> int count(llvm::Function &function) {
  int n = 0;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    n += llvm::isa<T>(instruction);
  return n;
}

bool chooses_pointers(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.getType()->isPointerTy() &&
        (llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::SelectInst>(instruction)))
      return true;
  return false;
}

TEST(Prepare, BumpedPointersBecomeOffsets) {
  auto p = parse(R"(define void @k(ptr %x, i32 %n) {
  entry:
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %at = phi ptr [ %x, %entry ], [ %bumped, %loop ]
    store i32 %i, ptr %at
    %bumped = getelementptr i32, ptr %at, i64 3
    %next = add i32 %i, 1
    %more = icmp slt i32 %next, %n
    br i1 %more, label %loop, label %done
  done:
    ret void
  })");
  prepare(p->function());
  EXPECT_FALSE(chooses_pointers(p->function()));
  Analysis a(p->function());
  for (llvm::Instruction &instruction : llvm::instructions(p->function()))
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      EXPECT_EQ(a.object(store->getPointerOperand()).value, p->value("x"));
    }
}

// A block that nobody reaches has no mask, and so would count as one that all lanes come from.
TEST(Prepare, BranchesWithNothingOnEitherSideLeaveNoBlocksBehind) {
  auto p = parse(R"(define void @k(ptr %x, i32 %a, i1 %c, i1 %d, i1 %e) {
  entry:
    br i1 %c, label %left, label %right
  left:
    br i1 %d, label %then, label %join
  then:
    %b = add i32 %a, 1
    br label %join
  right:
    br i1 %e, label %exit, label %join
  join:
    %dead = phi i32 [ %a, %right ], [ %a, %left ], [ %b, %then ]
    %deader = mul i32 %dead, %a
    store i32 %a, ptr %x
    br label %exit
  exit:
    ret void
  })");
  prepare(p->function());
  for (llvm::BasicBlock &block : p->function())
    EXPECT_TRUE(&block == &p->function().getEntryBlock() || !llvm::pred_empty(&block))
        << block.getName().str();
}

TEST(Prepare, ChoicesBetweenObjectsStayPointers) {
  auto p = parse(R"(define void @k(ptr %x, ptr %y, i1 %c) {
    %at = select i1 %c, ptr %x, ptr %y
    store i32 1, ptr %at
    ret void
  })");
  prepare(p->function());
  EXPECT_TRUE(chooses_pointers(p->function()));
}

TEST(Prepare, ComparedAndSubtractedPointersBecomeOffsets) {
  auto p = parse(R"(define void @k(ptr %x, i64 %i, ptr %out) {
    %a = getelementptr float, ptr %x, i64 %i
    %b = getelementptr float, ptr %x, i64 9
    %less = icmp ult ptr %a, %b
    %ia = ptrtoint ptr %a to i64
    %ib = ptrtoint ptr %b to i64
    %d = sub i64 %ia, %ib
    %r = select i1 %less, i64 %d, i64 0
    store i64 %r, ptr %out
    ret void
  })");
  prepare(p->function());
  EXPECT_EQ(count<llvm::PtrToIntInst>(p->function()), 0);
  for (llvm::Instruction &instruction : llvm::instructions(p->function()))
    if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
      EXPECT_TRUE(compare->getOperand(0)->getType()->isIntegerTy(64));
      EXPECT_EQ(compare->getPredicate(), llvm::CmpInst::ICMP_SLT) << "offsets are signed";
    }
}

TEST(Prepare, SmallCopiesReadEverythingBeforeTheyWrite) {
  auto p = parse(R"(define void @k(ptr %x, ptr %y) {
    call void @llvm.memcpy.p0.p0.i64(ptr align 4 %x, ptr align 4 %y, i64 12, i1 false)
    ret void
  })");
  prepare(p->function());
  EXPECT_EQ(count<llvm::CallInst>(p->function()), 0);
  EXPECT_EQ(count<llvm::StoreInst>(p->function()), 3);
  bool wrote = false;
  for (llvm::Instruction &instruction : llvm::instructions(p->function())) {
    wrote |= llvm::isa<llvm::StoreInst>(instruction);
    EXPECT_FALSE(wrote && llvm::isa<llvm::LoadInst>(instruction));
  }
}

TEST(Prepare, ComparedChoicesOfConstantsBecomeChoicesOfTruthValues) {
  auto p = parse(R"(define void @k(ptr %x, i1 %c) {
  entry:
    br i1 %c, label %a, label %b
  a:
    br label %b
  b:
    %state = phi i32 [ 3, %a ], [ 0, %entry ]
    %leave = icmp eq i32 %state, 3
    br i1 %leave, label %d, label %e
  e:
    store i32 1, ptr %x
    br label %d
  d:
    ret void
  })");
  prepare(p->function());
  EXPECT_EQ(count<llvm::ICmpInst>(p->function()), 0);
}

const char *const kRetry = R"(define void @k(ptr %p, ptr %q, float %v) {
  entry:
    %start = load i32, ptr %p
    br label %loop
  loop:
    %old = phi i32 [ %start, %entry ], [ %found, %loop ]
    %as_float = bitcast i32 %old to float
    %sum = fadd float %as_float, %v
    %next = bitcast float %sum to i32
    EXTRA
    %pair = cmpxchg ptr %p, i32 %old, i32 %next seq_cst seq_cst
    %found = extractvalue { i32, i1 } %pair, 0
    %again = icmp ne i32 %found, %old
    br i1 %again, label %loop, label %done
  done:
    ret void
  })";

std::string retry_with(const std::string &extra) {
  std::string text = kRetry;
  return text.replace(text.find("EXTRA"), 5, extra);
}

TEST(Prepare, CompareAndSwapLoopsThatAreOneOperationBecomeIt) {
  auto p = parse(retry_with(""));
  prepare(p->function());
  EXPECT_EQ(count<llvm::AtomicCmpXchgInst>(p->function()), 0);
  ASSERT_EQ(count<llvm::AtomicRMWInst>(p->function()), 1);
  for (llvm::Instruction &instruction : llvm::instructions(p->function()))
    if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      EXPECT_EQ(atomic->getOperation(), llvm::AtomicRMWInst::FAdd);
      EXPECT_EQ(atomic->getValOperand(), p->value("v"));
    }
}

TEST(Prepare, CompareAndSwapLoopsThatDoMoreStayLoops) {
  for (const char *extra : {"store i32 %next, ptr %q", "%other = load volatile i32, ptr %p"}) {
    auto p = parse(retry_with(extra));
    prepare(p->function());
    EXPECT_EQ(count<llvm::AtomicCmpXchgInst>(p->function()), 1) << extra;
  }
}

TEST(Prepare, GuardedCompareAndSwapLoopsBecomeMaxima) {
  auto p = parse(R"(define void @k(ptr %p, i32 %v) {
  entry:
    %start = load i32, ptr %p
    br label %ask
  ask:
    %old = phi i32 [ %start, %entry ], [ %found, %try ]
    %more = icmp ugt i32 %v, %old
    br i1 %more, label %try, label %done
  try:
    %pair = cmpxchg ptr %p, i32 %old, i32 %v seq_cst seq_cst
    %found = extractvalue { i32, i1 } %pair, 0
    %ended = icmp eq i32 %found, %old
    br i1 %ended, label %done, label %ask
  done:
    ret void
  })");
  prepare(p->function());
  EXPECT_EQ(count<llvm::AtomicCmpXchgInst>(p->function()), 0);
  for (llvm::Instruction &instruction : llvm::instructions(p->function()))
    if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      EXPECT_EQ(atomic->getOperation(), llvm::AtomicRMWInst::UMax);
    }
}

} // namespace
} // namespace neuronify::kernel
