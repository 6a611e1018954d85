// Both sides run from the same memory, everything is compared, and what remains is the reference's.
#include "host/side_by_side.h"
#include "host/snapshot.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace neuronify;

namespace {

class SideBySideTest : public testing::Test {
protected:
  DeviceMemory memory{size_t(1) << 30};
  BufferTypes types;
  Snapshot snapshot;
  Tolerances tolerances;
  bool continue_from_port = false;
  FindWriter find_writer;

  int *ints(size_t n, MemoryKind kind = MemoryKind::device, const char *name = "") {
    auto p = reinterpret_cast<int *>(memory.allocate(n * 4, kind, name)->start);
    std::memset(p, 0, n * 4);
    types.note(memory, *memory.find(p), read_layout("i32"));
    return p;
  }
  Outcome run(const RunSide &reference, const RunSide &port) {
    return run_side_by_side({memory, snapshot, types, tolerances, continue_from_port, find_writer},
                            reference, port);
  }
};

std::string nothing() { return ""; }

TEST_F(SideBySideTest, EqualResultsMatchAndBothSidesStartFromTheSameMemory) {
  int *p = ints(100);
  p[3] = 7;
  auto increment = [&] {
    for (int i = 0; i < 100; ++i)
      p[i] += 1;
    return std::string();
  };
  Outcome o = run(increment, increment);
  EXPECT_EQ(o.verdict, Verdict::match);
  EXPECT_EQ(o.message, "");
  EXPECT_EQ(o.compared_bytes, 400u);
  EXPECT_EQ(p[3], 8); // once, not twice
}

TEST_F(SideBySideTest, ADifferenceIsNamedAndMemoryContinuesFromTheReference) {
  ints(10);
  int *p = ints(50000);
  auto write = [&](int value) { return [=] { return p[49000] = value, std::string(); }; };
  Outcome o = run(write(5), write(6));
  EXPECT_EQ(o.verdict, Verdict::mismatch);
  EXPECT_EQ(o.comparison.mismatches, 1u);
  ASSERT_TRUE(o.buffer);
  EXPECT_EQ(o.buffer->number, 2u);
  EXPECT_EQ(o.comparison.first->index, 49000u);
  EXPECT_EQ(o.message, "allocation 2 (200000 bytes), i32 49000: reference 5, port 6 (1 of 50000 "
                       "elements differ)");
  EXPECT_EQ(p[49000], 5);
}

TEST_F(SideBySideTest, CanContinueFromThePort) {
  int *p = ints(4);
  continue_from_port = true;
  run([&] { return p[0] = 5, std::string(); }, [&] { return p[0] = 6, std::string(); });
  EXPECT_EQ(p[0], 6);
}

TEST_F(SideBySideTest, TheWriterIsLookedForFromTheMemoryBeforeTheLaunch) {
  int *p = ints(50000), *q = ints(3);
  std::vector<int> seen;
  find_writer = [&](const char *address, size_t bytes) -> std::optional<reference::Writer> {
    seen = {p[0], p[49000], q[0], int(bytes)};
    EXPECT_EQ(address, reinterpret_cast<char *>(p + 49000));
    p[0] = q[0] = 99; // as running again would
    return reference::Writer{{1, 2, 3}, {4, 5, 6}, "k.cu", 7, 3};
  };
  auto write = [&](int value) {
    return [=] { return p[0] = q[0] = 1, p[49000] = value, std::string(); };
  };
  for (bool port : {false, true}) {
    continue_from_port = port;
    p[0] = p[49000] = q[0] = -1;
    Outcome o = run(write(5), write(6));
    EXPECT_EQ(seen, (std::vector<int>{-1, -1, -1, 4}));
    EXPECT_EQ(p[0], 1);
    EXPECT_EQ(q[0], 1);
    EXPECT_EQ(p[49000], port ? 6 : 5);
    EXPECT_NE(o.message.find("; written by thread (4,5,6) of block (1,2,3) at k.cu:7, the last of "
                             "3 writes"),
              std::string::npos)
        << o.message;
  }
  seen.clear();
  EXPECT_EQ(run(write(5), write(5)).verdict, Verdict::match);
  EXPECT_TRUE(seen.empty()) << "nothing is run again where all is well";
}

TEST_F(SideBySideTest, AStoreThatOnlyThePortMakesHasNoWriter) {
  int *p = ints(4);
  find_writer = [](const char *, size_t) { return std::optional<reference::Writer>(); };
  Outcome o = run(nothing, [&] { return p[2] = 1, std::string(); });
  EXPECT_TRUE(o.message.ends_with("; no thread of the original writes there")) << o.message;
}

TEST_F(SideBySideTest, AStoreThatOnlyOneSideMakesIsFound) {
  int *p = ints(4), *q = ints(4);
  EXPECT_EQ(run([&] { return p[1] = 1, std::string(); }, nothing).verdict, Verdict::mismatch);
  EXPECT_EQ(p[1], 1);
  EXPECT_EQ(run(nothing, [&] { return q[3] = 1, std::string(); }).verdict, Verdict::mismatch);
  EXPECT_EQ(q[3], 0);
}

TEST_F(SideBySideTest, VariablesAreComparedByName) {
  int *p = ints(9, MemoryKind::symbol, "coefficients");
  Outcome o = run(nothing, [&] { return p[8] = 1, std::string(); });
  EXPECT_EQ(o.verdict, Verdict::mismatch);
  EXPECT_NE(o.message.find("variable 'coefficients' (36 bytes), i32 8"), std::string::npos);
}

TEST_F(SideBySideTest, APortThatFailsLeavesTheReferencesResult) {
  int *p = ints(4);
  Outcome o = run([&] { return p[0] = 5, std::string(); },
                  [&] { return p[0] = 6, p[1] = 7, std::string("nisa.memset: no"); });
  EXPECT_EQ(o.verdict, Verdict::failed);
  EXPECT_EQ(o.message, "nisa.memset: no");
  EXPECT_EQ(p[0], 5);
  EXPECT_EQ(p[1], 0);
}

TEST_F(SideBySideTest, AReferenceThatFailsIsUndoneAndThePortsResultStays) {
  int *p = ints(4);
  Outcome o = run([&] { return p[0] = 5, p[1] = 5, std::string("cannot"); },
                  [&] { return p[0] = 6, std::string(); });
  EXPECT_EQ(o.verdict, Verdict::reference_failed);
  EXPECT_EQ(o.message, "cannot");
  EXPECT_EQ(p[0], 6);
  EXPECT_EQ(p[1], 0);
}

TEST_F(SideBySideTest, AKernelThatWasNotPortedRunsOnTheReferenceOnly) {
  int *p = ints(4);
  Outcome o = run([&] { return p[0] = 5, std::string(); }, {});
  EXPECT_EQ(o.verdict, Verdict::not_ported);
  EXPECT_EQ(p[0], 5);
}

TEST_F(SideBySideTest, BuffersOfEarlierLaunchesHoldNothingBack) {
  int *p = ints(100), *q = ints(50);
  run(nothing, nothing);
  memory.release(p, MemoryKind::device);
  int *r = ints(70); // may take p's place with another size
  auto write = [&](int value) { return [=] { return r[69] = q[49] = value, std::string(); }; };
  EXPECT_EQ(run(write(1), write(1)).verdict, Verdict::match);
  EXPECT_EQ(run(write(2), write(3)).comparison.mismatches, 2u);
  EXPECT_EQ(r[69], 2);
  EXPECT_EQ(q[49], 2);
  EXPECT_EQ(run(write(2), nothing).verdict, Verdict::match); // both started from 2
  EXPECT_EQ(run(nothing, nothing).compared_bytes, 480u);
}

TEST_F(SideBySideTest, NoMemoryAtAllMatches) {
  EXPECT_EQ(run(nothing, nothing).verdict, Verdict::match);
}

TEST_F(SideBySideTest, TypesComeFromThePointersOfALaunch) {
  auto p = reinterpret_cast<float *>(memory.allocate(4096, MemoryKind::device)->start);
  std::memset(p, 0, 4096);
  auto almost = [&] { return p[600] = nextafterf(1, 2), std::string(); };
  auto one = [&] { return p[600] = 1, std::string(); };
  EXPECT_EQ(run(one, almost).verdict, Verdict::mismatch); // nobody has said it holds floats
  struct {
    int n;
    float *data;
  } argument{3, p + 100};
  void *arguments[] = {&argument};
  types.note(memory, read_pointer_types("0+8=f32"), arguments);
  p[600] = 0;
  EXPECT_EQ(run(one, almost).verdict, Verdict::match);
  EXPECT_EQ(run(one, almost).comparison.max_ulp, 1u);
}

TEST_F(SideBySideTest, TypesComeFromPointersInMemory) {
  struct Row {
    int length;
    float *data;
  };
  auto p = reinterpret_cast<float *>(memory.allocate(4096, MemoryKind::device)->start);
  auto q = reinterpret_cast<float *>(memory.allocate(4096, MemoryKind::device)->start);
  auto rows = reinterpret_cast<Row *>(memory.allocate(3 * sizeof(Row), MemoryKind::device)->start);
  std::memset(p, 0, 4096);
  std::memset(q, 0, 4096);
  std::memset(static_cast<void *>(rows), 0, 3 * sizeof(Row));
  rows[0] = {5, nullptr};
  rows[1] = {5, p + 7};
  rows[2] = {5, q};
  auto almost = [&] { return p[600] = q[2] = nextafterf(1, 2), std::string(); };
  auto one = [&] { return p[600] = q[2] = 1, std::string(); };
  EXPECT_EQ(run(one, almost).verdict, Verdict::mismatch);
  p[600] = q[2] = 0;
  void *arguments[] = {&rows};
  types.note(memory, read_pointer_types("i32 pad pad pad pad &f32"), arguments);
  EXPECT_EQ(run(one, almost).verdict, Verdict::match);
}

TEST_F(SideBySideTest, TypesOfAFreedBufferAreForgotten) {
  int *p = ints(64);
  ASSERT_FALSE(types.of(*memory.find(p)).empty());
  memory.release(p, MemoryKind::device);
  auto *again = memory.allocate(256, MemoryKind::device);
  if (again->start == reinterpret_cast<char *>(p)) {
    EXPECT_TRUE(types.of(*again).empty());
  }
}

TEST_F(SideBySideTest, NullAndForeignPointersTellNothing) {
  float *null = nullptr, outside, *foreign = &outside;
  void *arguments[] = {&null, &foreign};
  types.note(memory, read_pointer_types("f32,f32,f32,f32"), arguments);
  SUCCEED();
}

TEST(DeviceMemoryTest, FreshMemoryIsRecognisableToItsLastByte) {
  DeviceMemory memory(1 << 20);
  auto *a = memory.allocate(7, MemoryKind::device);
  EXPECT_EQ(std::memcmp(a->start, "\xFD\x7F\xFD\x7F\xFD\x7F\xFD", 7), 0);
}

TEST(DeviceMemoryTest, CapacityIsALimit) {
  DeviceMemory memory(1000);
  EXPECT_EQ(memory.allocate(1001, MemoryKind::device), nullptr);
  auto *a = memory.allocate(1000, MemoryKind::device);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(memory.allocate(1, MemoryKind::device), nullptr);
  EXPECT_TRUE(memory.release(a->start, MemoryKind::device));
  EXPECT_NE(memory.allocate(1000, MemoryKind::device), nullptr);
}

TEST(DeviceMemoryTest, FindsTheAllocationAroundAnAddressOnly) {
  DeviceMemory memory(1 << 20);
  auto *a = memory.allocate(100, MemoryKind::device);
  EXPECT_EQ(memory.find(a->start), a);
  EXPECT_EQ(memory.find(a->start + 99), a);
  EXPECT_EQ(memory.find(a->start + 100), nullptr);
  EXPECT_EQ(memory.find(a->start - 1), nullptr);
  EXPECT_EQ(memory.find(nullptr), nullptr);
}

SideResult printing(std::string text) {
  SideResult side;
  side.output = std::move(text);
  return side;
}
SideResult stopping(bool asserted, const char *text) {
  SideResult side(text);
  side.asserted = asserted;
  side.trapped = !asserted;
  return side;
}

TEST_F(SideBySideTest, WhatIsPrintedIsComparedAndHandedBackOnce) {
  ints(4);
  Outcome o = run([] { return printing("x 1\n"); }, [] { return printing("x 1\n"); });
  EXPECT_EQ(o.verdict, Verdict::match);
  EXPECT_EQ(o.side.output, "x 1\n");
  o = run([] { return printing("x 1\n"); }, [] { return printing("x 2\n"); });
  EXPECT_EQ(o.verdict, Verdict::mismatch);
  EXPECT_EQ(o.message, "printed line 1: reference \"x 1\", port \"x 2\"");
  EXPECT_EQ(o.side.output, "x 1\n");
  continue_from_port = true;
  o = run([] { return printing("x 1\n"); }, [] { return printing("x 2\n"); });
  EXPECT_EQ(o.side.output, "x 2\n");
}

TEST_F(SideBySideTest, LaunchesThatEndInTheSameWayMatch) {
  int *p = ints(4);
  auto stop = [&](bool asserted, int value) {
    return [=] { return p[0] = value, stopping(asserted, "k.cu:3: it failed."); };
  };
  Outcome o = run(stop(true, 1), stop(true, 2));
  EXPECT_EQ(o.verdict, Verdict::match);
  EXPECT_TRUE(o.side.asserted);
  EXPECT_EQ(run(stop(true, 1), stop(false, 1)).verdict, Verdict::mismatch);
  o = run(stop(true, 1), nothing);
  EXPECT_EQ(o.verdict, Verdict::mismatch);
  EXPECT_EQ(o.message, "reference: an assertion fails, port: it runs to its end (k.cu:3: it "
                       "failed.)");
  o = run(nothing, stop(true, 1));
  EXPECT_EQ(o.verdict, Verdict::mismatch);
  EXPECT_FALSE(o.side.stopped());
}

} // namespace
