// nvcc's atomic functions with a memory order and a thread scope (CUDA 12.8).
#pragma once

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM

// The scope may be left out; the second word after the arguments is then the default.
#define NEURONIFY_SCOPE(scope, ...) scope
#define __nv_atomic_load_n(address, order, ...)                                                    \
  __scoped_atomic_load_n(address, order,                                                           \
                         NEURONIFY_SCOPE(__VA_ARGS__ __VA_OPT__(, ) __MEMORY_SCOPE_SYSTEM))
#define __nv_atomic_store_n(address, value, order, ...)                                            \
  __scoped_atomic_store_n(address, value, order,                                                   \
                          NEURONIFY_SCOPE(__VA_ARGS__ __VA_OPT__(, ) __MEMORY_SCOPE_SYSTEM))
#define __nv_atomic_exchange_n(address, value, order, ...)                                         \
  __scoped_atomic_exchange_n(address, value, order,                                                \
                             NEURONIFY_SCOPE(__VA_ARGS__ __VA_OPT__(, ) __MEMORY_SCOPE_SYSTEM))
#define __nv_atomic_compare_exchange_n(address, expected, value, weak, order, failure, ...)        \
  __scoped_atomic_compare_exchange_n(                                                              \
      address, expected, value, weak, order, failure,                                              \
      NEURONIFY_SCOPE(__VA_ARGS__ __VA_OPT__(, ) __MEMORY_SCOPE_SYSTEM))
#define NEURONIFY_NV_FETCH(operation, address, value, order, ...)                                  \
  __scoped_atomic_fetch_##operation(                                                               \
      address, value, order, NEURONIFY_SCOPE(__VA_ARGS__ __VA_OPT__(, ) __MEMORY_SCOPE_SYSTEM))
#define __nv_atomic_fetch_add(...) NEURONIFY_NV_FETCH(add, __VA_ARGS__)
#define __nv_atomic_fetch_sub(...) NEURONIFY_NV_FETCH(sub, __VA_ARGS__)
#define __nv_atomic_fetch_and(...) NEURONIFY_NV_FETCH(and, __VA_ARGS__)
#define __nv_atomic_fetch_or(...) NEURONIFY_NV_FETCH(or, __VA_ARGS__)
#define __nv_atomic_fetch_xor(...) NEURONIFY_NV_FETCH(xor, __VA_ARGS__)
#define __nv_atomic_fetch_min(...) NEURONIFY_NV_FETCH(min, __VA_ARGS__)
#define __nv_atomic_fetch_max(...) NEURONIFY_NV_FETCH(max, __VA_ARGS__)
#define __nv_atomic_add(...) ((void)__nv_atomic_fetch_add(__VA_ARGS__))
#define __nv_atomic_sub(...) ((void)__nv_atomic_fetch_sub(__VA_ARGS__))
#define __nv_atomic_and(...) ((void)__nv_atomic_fetch_and(__VA_ARGS__))
#define __nv_atomic_or(...) ((void)__nv_atomic_fetch_or(__VA_ARGS__))
#define __nv_atomic_xor(...) ((void)__nv_atomic_fetch_xor(__VA_ARGS__))
#define __nv_atomic_min(...) ((void)__nv_atomic_fetch_min(__VA_ARGS__))
#define __nv_atomic_max(...) ((void)__nv_atomic_fetch_max(__VA_ARGS__))
#define __nv_atomic_thread_fence(order, scope) __scoped_atomic_thread_fence(order, scope)
