#include "kernel/order.h"

#include "parse.h"

namespace neuronify::kernel {
namespace {

TEST(Order, ACounterThatIsAskedOnceHasNone) {
  auto p = parse(R"(define void @k(ptr %count, ptr %out) {
    %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %old = atomicrmw add ptr %count, i32 1 monotonic
    %place = getelementptr i32, ptr %out, i32 %i
    store i32 %old, ptr %place
    ret void
  })");
  EXPECT_EQ(find_order_dependence(p->function()), nullptr);
}

// As relaxing the edges of a graph does.
TEST(Order, LoadsOfWhatAtomicsChangeInDeviceMemory) {
  auto p = parse(R"(define void @k(ptr %dist, ptr %from) {
    %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %edge = getelementptr i32, ptr %from, i32 %i
    %u = load i32, ptr %edge
    %source = getelementptr i32, ptr %dist, i32 %u
    %d = load i32, ptr %source
    %target = getelementptr i32, ptr %dist, i32 %i
    %min = atomicrmw min ptr %target, i32 %d monotonic
    ret void
  })");
  EXPECT_EQ(find_order_dependence(p->function()), p->value("min"));
}

TEST(Order, HistogramsInSharedMemoryHaveNone) {
  auto p = parse(R"(@bins = internal addrspace(3) global [32 x i32] undef
  define void @k(ptr %in, ptr %out) {
    %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %at = getelementptr i32, ptr %in, i32 %i
    %b = load i32, ptr %at
    %bin = getelementptr i32, ptr addrspace(3) @bins, i32 %b
    %more = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic
    %own = getelementptr i32, ptr addrspace(3) @bins, i32 %i
    %n = load i32, ptr addrspace(3) %own
    %to = getelementptr i32, ptr %out, i32 %i
    store i32 %n, ptr %to
    ret void
  })");
  EXPECT_EQ(find_order_dependence(p->function()), nullptr);
}

} // namespace
} // namespace neuronify::kernel
