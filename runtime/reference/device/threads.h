// What threads of a block do together, and what they ask about themselves.
#pragma once
#include "definitions.h"
#include "operations.h"

#define CALLER context, thread, site

// Barriers. The aligned forms promise that all threads of a warp come to the same one.
#define BARRIER(tail)                                                                              \
  NVVM(void, "barrier.cta.sync" tail ".all", (uint32_t id, CONTEXT),                               \
       (void)neuronify_wait_barrier(CALLER, id, 0, 0))                                             \
  NVVM(void, "barrier.cta.sync" tail ".count", (uint32_t id, uint32_t count, CONTEXT),             \
       (void)neuronify_wait_barrier(CALLER, id, count, 0))                                         \
  NVVM(void, "barrier.cta.arrive" tail ".count", (uint32_t id, uint32_t count, CONTEXT),           \
       neuronify_arrive_barrier(CALLER, id, count))                                                \
  REDUCING(tail ".all", (uint32_t id, bool predicate, CONTEXT), 0)                                 \
  REDUCING(tail ".count", (uint32_t id, uint32_t count, bool predicate, CONTEXT), count)
#define REDUCING(tail, parameters, count)                                                          \
  NVVM(int, "barrier.cta.red.popc" tail, parameters,                                               \
       (int)neuronify_wait_barrier(CALLER, id, count, predicate))                                  \
  NVVM(bool, "barrier.cta.red.and" tail, parameters,                                               \
       everyThread(neuronify_wait_barrier(CALLER, id, count, predicate)))                          \
  NVVM(bool, "barrier.cta.red.or" tail, parameters,                                                \
       (uint32_t)neuronify_wait_barrier(CALLER, id, count, predicate) != 0)
static inline bool everyThread(uint64_t counts) { return (uint32_t)counts == counts >> 32; }
BARRIER("")
BARRIER(".aligned")

DEVICE void __neuronify_grid_sync(CONTEXT) { neuronify_wait_grid(CALLER); }

NVVM(void, "bar.warp.sync", (uint32_t mask, CONTEXT),
     (void)neuronify_wait_warp(CALLER, mask, WarpSynchronize, 0, 0, 0))

// Shuffles. The forms with a predicate return it in bit 32.
#define SHUFFLE(name, operation)                                                                   \
  NVVM(int, "shfl.sync." name ".i32",                                                              \
       (uint32_t mask, int value, uint32_t lane, uint32_t clamp, CONTEXT),                         \
       (int)neuronify_wait_warp(CALLER, mask, operation, (uint32_t)value, lane, clamp))            \
  NVVM(float, "shfl.sync." name ".f32",                                                            \
       (uint32_t mask, float value, uint32_t lane, uint32_t clamp, CONTEXT),                       \
       bits<float>((uint32_t)neuronify_wait_warp(CALLER, mask, operation, bits<uint32_t>(value),   \
                                                 lane, clamp)))                                    \
  NVVM(uint64_t, "shfl.sync." name ".i32p",                                                        \
       (uint32_t mask, int value, uint32_t lane, uint32_t clamp, CONTEXT),                         \
       neuronify_wait_warp(CALLER, mask, operation, (uint32_t)value, lane, clamp))                 \
  NVVM(uint64_t, "shfl.sync." name ".f32p",                                                        \
       (uint32_t mask, float value, uint32_t lane, uint32_t clamp, CONTEXT),                       \
       neuronify_wait_warp(CALLER, mask, operation, bits<uint32_t>(value), lane, clamp))           \
  NVVM(int, "shfl." name ".i32", (int value, uint32_t lane, uint32_t clamp, CONTEXT),              \
       (int)neuronify_wait_warp(CALLER, neuronify_wait_converge(CALLER), operation,                \
                                (uint32_t)value, lane, clamp))                                     \
  NVVM(float, "shfl." name ".f32", (float value, uint32_t lane, uint32_t clamp, CONTEXT),          \
       bits<float>((uint32_t)neuronify_wait_warp(CALLER, neuronify_wait_converge(CALLER),          \
                                                 operation, bits<uint32_t>(value), lane, clamp)))
SHUFFLE("up", WarpShuffleUp)
SHUFFLE("down", WarpShuffleDown)
SHUFFLE("bfly", WarpShuffleXor)
SHUFFLE("idx", WarpShuffleIndex)

// Votes: the ballot, and the lanes that took part.
static inline uint64_t vote(CONTEXT, uint32_t mask, bool predicate) {
  return neuronify_wait_warp(CALLER, mask, WarpVote, predicate, 0, 0);
}
static inline bool sameInAll(uint64_t votes) { return !(uint32_t)votes || everyThread(votes); }
#define VOTE(tail, mask, ...)                                                                      \
  NVVM(bool, "vote.all" tail, (__VA_ARGS__ bool predicate, CONTEXT),                               \
       everyThread(vote(CALLER, mask, predicate)))                                                 \
  NVVM(bool, "vote.any" tail, (__VA_ARGS__ bool predicate, CONTEXT),                               \
       (uint32_t)vote(CALLER, mask, predicate) != 0)                                               \
  NVVM(bool, "vote.uni" tail, (__VA_ARGS__ bool predicate, CONTEXT),                               \
       sameInAll(vote(CALLER, mask, predicate)))                                                   \
  NVVM(uint32_t, "vote.ballot" tail, (__VA_ARGS__ bool predicate, CONTEXT),                        \
       (uint32_t)vote(CALLER, mask, predicate))
#define MASK_PARAMETER uint32_t mask,
VOTE(".sync", mask, MASK_PARAMETER)
VOTE("", neuronify_wait_converge(CALLER), )
NVVM(uint32_t, "activemask", (CONTEXT), neuronify_wait_converge(CALLER))

NVVM(uint32_t, "match.any.sync.i32", (uint32_t mask, uint32_t value, CONTEXT),
     (uint32_t)neuronify_wait_warp(CALLER, mask, WarpMatchAny, value, 0, 0))
NVVM(uint32_t, "match.any.sync.i64", (uint32_t mask, uint64_t value, CONTEXT),
     (uint32_t)neuronify_wait_warp(CALLER, mask, WarpMatchAny, value, 0, 0))
NVVM(uint64_t, "match.all.sync.i32p", (uint32_t mask, uint32_t value, CONTEXT),
     neuronify_wait_warp(CALLER, mask, WarpMatchAll, value, 0, 0))
NVVM(uint64_t, "match.all.sync.i64p", (uint32_t mask, uint64_t value, CONTEXT),
     neuronify_wait_warp(CALLER, mask, WarpMatchAll, value, 0, 0))

#define REDUCTION(name, operation)                                                                 \
  NVVM(uint32_t, "redux.sync." name, (uint32_t value, uint32_t mask, CONTEXT),                     \
       (uint32_t)neuronify_wait_warp(CALLER, mask, operation, value, 0, 0))
REDUCTION("add", WarpAdd)
REDUCTION("min", WarpMinSigned)
REDUCTION("max", WarpMaxSigned)
REDUCTION("umin", WarpMinUnsigned)
REDUCTION("umax", WarpMaxUnsigned)
REDUCTION("and", WarpAnd)
REDUCTION("or", WarpOr)
REDUCTION("xor", WarpXor)

// Fences order nothing here: one thread of the grid runs at a time.
NVVM(void, "membar.cta", (), (void)0)
NVVM(void, "membar.gl", (), (void)0)
NVVM(void, "membar.sys", (), (void)0)
NVVM(void, "fence.sc.cluster", (), (void)0)
NVVM(void, "prefetch.L1", (const void *), (void)0)
NVVM(void, "prefetch.L2", (const void *), (void)0)
NVVM(void, "prefetch.global.L1", (const void *), (void)0)
NVVM(void, "prefetch.global.L2", (const void *), (void)0)
NVVM(void, "prefetchu.L1", (const void *), (void)0)
NVVM(void, "pm.event.mask", (uint16_t), (void)0)
NVVM(void, "nanosleep", (uint32_t, CONTEXT), neuronify_wait_others(CALLER))

// Asynchronous copies to shared memory: done at once.
#define ASYNC_COPY(name, n)                                                                        \
  NVVM(void, name, (void *to, const void *from), (void)__builtin_memcpy(to, from, n))              \
  NVVM(void, name ".s", (void *to, const void *from, uint32_t valid),                              \
       copyAndFill(to, from, n, valid))
static inline void copyAndFill(void *to, const void *from, uint32_t size, uint32_t valid) {
  valid = valid < size ? valid : size;
  __builtin_memcpy(to, from, valid);
  __builtin_memset((char *)to + valid, 0, size - valid);
}
ASYNC_COPY("cp.async.ca.shared.global.4", 4)
ASYNC_COPY("cp.async.ca.shared.global.8", 8)
ASYNC_COPY("cp.async.ca.shared.global.16", 16)
ASYNC_COPY("cp.async.cg.shared.global.16", 16)
NVVM(void, "cp.async.commit.group", (), (void)0)
NVVM(void, "cp.async.wait.group", (uint32_t), (void)0)
NVVM(void, "cp.async.wait.all", (), (void)0)

NVVM(bool, "isspacep.shared", (const void *address, CONTEXT),
     neuronify_is_shared(CALLER, address) != 0)
NVVM(bool, "isspacep.global", (const void *address, CONTEXT),
     neuronify_is_shared(CALLER, address) == 0)
NVVM(bool, "isspacep.const", (const void *), false)
NVVM(bool, "isspacep.local", (const void *), false)

NVVM(uint32_t, "read.ptx.sreg.laneid", (CONTEXT), thread & 31)
NVVM(uint32_t, "read.ptx.sreg.warpid", (CONTEXT), thread >> 5)
NVVM(uint32_t, "read.ptx.sreg.warpsize", (), 32)
NVVM(uint32_t, "read.ptx.sreg.lanemask.eq", (CONTEXT), 1u << (thread & 31))
NVVM(uint32_t, "read.ptx.sreg.lanemask.lt", (CONTEXT), (1u << (thread & 31)) - 1)
NVVM(uint32_t, "read.ptx.sreg.lanemask.le", (CONTEXT), (2u << (thread & 31)) - 1)
NVVM(uint32_t, "read.ptx.sreg.lanemask.ge", (CONTEXT), ~((1u << (thread & 31)) - 1))
NVVM(uint32_t, "read.ptx.sreg.lanemask.gt", (CONTEXT), ~((2u << (thread & 31)) - 1))
NVVM(uint32_t, "read.ptx.sreg.smid", (), 0)
NVVM(uint32_t, "read.ptx.sreg.nsmid", (), 1)
NVVM(uint32_t, "read.ptx.sreg.gridid", (), 0)
NVVM(uint32_t, "read.ptx.sreg.clock", (CONTEXT), (uint32_t)neuronify_clock(CALLER))
NVVM(uint64_t, "read.ptx.sreg.clock64", (CONTEXT), neuronify_clock(CALLER))
NVVM(uint64_t, "read.ptx.sreg.globaltimer", (CONTEXT), neuronify_clock(CALLER))
NVVM(void, "exit", (CONTEXT), neuronify_wait_exit(CALLER))
NVVM(void, "trap", (CONTEXT), neuronify_trap(CALLER))

DEVICE int vprintf(const char *format, const void *arguments, CONTEXT) {
  return neuronify_print(CALLER, format, arguments);
}
DEVICE void __assertfail(const char *condition, const char *file, uint32_t line,
                         const char *function, size_t, CONTEXT) {
  neuronify_assert_failed(CALLER, condition, file, line, function);
}
DEVICE void __assert_fail(const char *condition, const char *file, uint32_t line,
                          const char *function, CONTEXT) {
  neuronify_assert_failed(CALLER, condition, file, line, function);
}
