// As much of cooperative groups as the tests need.
#pragma once
namespace cooperative_groups {
struct thread_block {};
__device__ thread_block this_thread_block();
} // namespace cooperative_groups
