// The calls by which a running kernel reaches the runner, and what they are told. Shared by the
// device library (bitcode) and the runner (native code).
#pragma once

#include <stdint.h>

/// What the lanes of a warp do together.
enum WarpOperation : uint32_t {
  WarpSynchronize,
  WarpShuffleUp,
  WarpShuffleDown,
  WarpShuffleXor,
  WarpShuffleIndex,
  WarpVote, ///< result: ballot in the low word, the lanes that took part in the high word
  WarpMatchAny,
  WarpMatchAll, ///< result: mask in the low word, predicate in bit 32
  WarpAdd,
  WarpMinSigned,
  WarpMaxSigned,
  WarpMinUnsigned,
  WarpMaxUnsigned,
  WarpAnd,
  WarpOr,
  WarpXor,
};

enum AccessFlags : uint32_t {
  AccessWrite = 1,
  AccessAtomic = 2,
  AccessBulk = 4 ///< a copy or fill of many bytes
};

extern "C" {
/// Waits until `count` threads of the block (0: all) are at barrier `id`. Returns, over those
/// threads, how many had `predicate` set in the low word, and how many there were in the high word.
uint64_t neuronify_wait_barrier(void *context, uint32_t thread, uint32_t site, uint32_t id,
                                uint32_t count, uint32_t predicate);
/// Counts as arrived at barrier `id` without waiting.
void neuronify_arrive_barrier(void *context, uint32_t thread, uint32_t site, uint32_t id,
                              uint32_t count);
/// Waits for the lanes of `mask` that still run, then does `operation` over them. Shuffles: `value`
/// is exchanged, `lane` and `clamp` are the second and third operand of PTX's `shfl`; the result
/// holds the value in the low word and the predicate in bit 32.
uint64_t neuronify_wait_warp(void *context, uint32_t thread, uint32_t site, uint32_t mask,
                             uint32_t operation, uint64_t value, uint32_t lane, uint32_t clamp);
/// The lanes of the warp that are at the same place: waits until no lane can come any more.
uint32_t neuronify_wait_converge(void *context, uint32_t thread, uint32_t site);
/// Waits for all threads of the grid that still run.
void neuronify_wait_grid(void *context, uint32_t thread, uint32_t site);
/// Lets the other threads of the block go on first.
void neuronify_wait_others(void *context, uint32_t thread, uint32_t site);
/// Ends the calling thread. Needs a fiber of its own.
void neuronify_wait_exit(void *context, uint32_t thread, uint32_t site);
/// Ends the launch with an error.
[[noreturn]] void neuronify_trap(void *context, uint32_t thread, uint32_t site);
[[noreturn]] void neuronify_assert_failed(void *context, uint32_t thread, uint32_t site,
                                          const char *condition, const char *file, uint32_t line,
                                          const char *function);
int neuronify_print(void *context, uint32_t thread, uint32_t site, const char *format,
                    const void *arguments);
/// Whether `address` lies in the block's shared memory.
uint32_t neuronify_is_shared(void *context, uint32_t thread, uint32_t site, const void *address);
uint64_t neuronify_clock(void *context, uint32_t thread, uint32_t site);

/// Looks at an access before it happens; false: it must not happen. `value` is what a store is
/// about to write, or null.
bool neuronify_check_access(void *context, uint32_t thread, uint32_t site, const void *address,
                            uint64_t size, uint32_t flags, const void *value);
}
