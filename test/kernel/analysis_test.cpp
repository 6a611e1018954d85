#include "kernel/analysis.h"
#include "kernel/unsupported.h"

#include "parse.h"

namespace neuronify::kernel {
namespace {

TEST(Known, ScalarsAreHostCoordinatesLaunchAndLoadsChip) {
  auto p = parse(R"(define void @k(ptr %x, i32 %n) {
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
    %twice = mul i32 %d, 2
    %i = add i32 %t, %n
    %v = load i32, ptr %x
    %w = add i32 %v, %i
    %f = sitofp i32 %i to float
    %h = sitofp i32 %n to float
    ret void
  })");
  Analysis a(p->function());
  EXPECT_EQ(a.known(p->value("n")), Known::host);
  EXPECT_EQ(a.known(p->value("twice")), Known::host);
  EXPECT_EQ(a.known(p->value("i")), Known::launch);
  EXPECT_EQ(a.known(p->value("v")), Known::chip);
  EXPECT_EQ(a.known(p->value("w")), Known::chip);
  EXPECT_EQ(a.known(p->value("f")), Known::chip) << "floats of lanes live on the chip";
  EXPECT_EQ(a.known(p->value("h")), Known::host);
}

TEST(Known, AJoinIsAsLateAsTheBranchThatTellsLanesApart) {
  auto p = parse(R"(define void @k(ptr %x, i32 %n) {
  entry:
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %v = load i32, ptr %x
    %by_lane = icmp slt i32 %t, %n
    br i1 %by_lane, label %a, label %b
  a:
    br label %b
  b:
    %launch = phi i32 [ 1, %a ], [ 2, %entry ]
    %by_data = icmp slt i32 %v, %n
    br i1 %by_data, label %c, label %d
  c:
    br label %d
  d:
    %chip = phi i32 [ 1, %c ], [ 2, %b ]
    %by_host = icmp slt i32 %n, 5
    br i1 %by_host, label %e, label %f
  e:
    br label %f
  f:
    %host = phi i32 [ 1, %e ], [ 2, %d ]
    ret void
  })");
  Analysis a(p->function());
  EXPECT_EQ(a.known(p->value("launch")), Known::launch);
  EXPECT_EQ(a.known(p->value("chip")), Known::chip);
  EXPECT_EQ(a.known(p->value("host")), Known::host);
}

// A loop whose lanes leave when the data says so.
const char *kDivergentLoop = R"(define void @k(ptr %x, i32 %n) {
  entry:
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %latch ]
    %more = icmp slt i32 %i, %n
    br i1 %more, label %body, label %done
  body:
    %v = load i32, ptr %x
    %found = icmp eq i32 %v, %i
    br i1 %found, label %out, label %latch
  latch:
    %next = add i32 %i, 1
    br label %loop
  out:
    %at = phi i32 [ %i, %body ]
    ret void
  done:
    ret void
  })";

TEST(Known, ACounterIsHostInALoopAndChipForLanesThatHaveLeft) {
  auto p = parse(kDivergentLoop);
  Analysis a(p->function());
  EXPECT_EQ(a.known(p->value("i")), Known::host);
  EXPECT_EQ(a.known(p->value("at")), Known::chip);
}

TEST(Known, LanesThatLeaveInDifferentRoundsByAHostConditionKeepDifferentValues) {
  auto p = parse(R"(define void @k(ptr %x, i32 %n) {
  entry:
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %latch ]
    %v = load i32, ptr %x
    %some = icmp eq i32 %v, %i
    br i1 %some, label %test, label %latch
  test:
    %enough = icmp sgt i32 %i, %n
    br i1 %enough, label %out, label %latch
  latch:
    %next = add i32 %i, 1
    br label %loop
  out:
    %at = phi i32 [ %i, %test ]
    ret void
  })");
  Analysis a(p->function());
  EXPECT_EQ(a.known(p->value("i")), Known::host);
  EXPECT_EQ(a.known(p->value("at")), Known::chip);
}

TEST(Exits, AreUniformWhereTheHostDecidesForAllActiveLanes) {
  auto p = parse(kDivergentLoop);
  Analysis a(p->function());
  const llvm::Loop *loop = a.loops.getLoopFor(p->block("loop"));
  EXPECT_TRUE(a.is_uniform_exit(loop, p->block("loop")));
  EXPECT_FALSE(a.is_uniform_exit(loop, p->block("body")));
  EXPECT_TRUE(a.always_reaches(loop, p->block("loop"), p->block("body")))
      << "a uniform exit does not count";
  EXPECT_FALSE(a.always_reaches(loop, p->block("loop"), p->block("latch")));
}

TEST(Fields, AreLoadsAtConstantOffsetsOfByValueParameters) {
  auto p = parse(R"(define void @k(ptr byval({ptr, i32}) %s, i32 %j) {
    %base = load ptr, ptr %s
    %at = getelementptr i8, ptr %s, i64 8
    %n = load i32, ptr %at
    %v = load float, ptr %base
    ret void
  })");
  Analysis a(p->function());
  auto field = a.field(p->value("n"));
  ASSERT_TRUE(field);
  EXPECT_EQ(field->offset, 8u);
  EXPECT_EQ(a.known(p->value("n")), Known::host);
  EXPECT_FALSE(a.field(p->value("v")));
  EXPECT_EQ(a.object(p->value("base")).space, Object::Space::argument);
}

TEST(Objects, TellSharedFromDynamicSharedAndSymbols) {
  auto p = parse(R"(
    @s = internal addrspace(3) global [8 x float] undef
    @d = external addrspace(3) global [0 x float]
    @c = addrspace(4) global [2 x i32] zeroinitializer
    define void @k(i64 %j) {
    %a = getelementptr float, ptr addrspace(3) @s, i64 %j
    %b = getelementptr float, ptr addrspace(3) @d, i64 %j
    %e = getelementptr i32, ptr addrspace(4) @c, i64 %j
    %v = load float, ptr addrspace(3) %a
    ret void
  })");
  Analysis a(p->function());
  EXPECT_EQ(a.object(p->value("a")).space, Object::Space::shared);
  EXPECT_EQ(a.object(p->value("b")).space, Object::Space::dynamic_shared);
  EXPECT_EQ(a.object(p->value("e")).space, Object::Space::symbol);
  EXPECT_TRUE(a.uses_shared);
}

TEST(Unsupported, ASwitchIsNeverLeftWithoutAWord) {
  auto p = parse(R"(define void @k(ptr %x, i32 %n) {
  entry:
    switch i32 %n, label %b [ i32 7, label %a ]
  a:
    store i32 1, ptr %x
    br label %b
  b:
    ret void
  })");
  const std::vector<Unsupported> found = find_unsupported(p->function());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "NFY4999");
}

} // namespace
} // namespace neuronify::kernel
