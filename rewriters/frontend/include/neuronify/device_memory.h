// malloc, free, printf, assert and address spaces in device code.
#pragma once

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line,
                             const char *function, size_t char_size);
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
__device__ int printf(const char *, ...); // Clang turns calls into vprintf
}

namespace std {
__device__ static inline void free(void *p) { ::free(p); }
__device__ static inline void *malloc(size_t size) { return ::malloc(size); }
} // namespace std

#define NEURONIFY_IS_SPACE(name, builtin)                                                          \
  static __device__ __forceinline__ __attribute__((const)) unsigned int name(const void *p) {      \
    return builtin(p);                                                                             \
  }
NEURONIFY_IS_SPACE(__isGlobal, __nvvm_isspacep_global)
NEURONIFY_IS_SPACE(__isShared, __nvvm_isspacep_shared)
NEURONIFY_IS_SPACE(__isConstant, __nvvm_isspacep_const)
NEURONIFY_IS_SPACE(__isLocal, __nvvm_isspacep_local)
#undef NEURONIFY_IS_SPACE

// Generic addresses and those of one space, as integers (spaces are numbered as in NVPTX).
#define NEURONIFY_CONVERT_SPACE(name, number)                                                      \
  static __device__ __forceinline__ size_t __cvta_generic_to_##name(const void *p) {               \
    return (size_t)(const void __attribute__((address_space(number))) *)p;                         \
  }                                                                                                \
  static __device__ __forceinline__ void *__cvta_##name##_to_generic(size_t p) {                   \
    return (void *)(void __attribute__((address_space(number))) *)p;                               \
  }
NEURONIFY_CONVERT_SPACE(global, 1)
NEURONIFY_CONVERT_SPACE(shared, 3)
NEURONIFY_CONVERT_SPACE(constant, 4)
NEURONIFY_CONVERT_SPACE(local, 5)
#undef NEURONIFY_CONVERT_SPACE
