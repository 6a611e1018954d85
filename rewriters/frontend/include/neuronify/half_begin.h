// The environment that narrow/half_names.inc wants, in CUDA. May be included many times.
#define NEURONIFY_HD __host__ __device__
#define NEURONIFY_FN static __host__ __device__ __forceinline__
#define NEURONIFY_FMA __builtin_elementwise_fma
#define NEURONIFY_ABS __builtin_elementwise_abs
#define NEURONIFY_SQRT __builtin_elementwise_sqrt
#ifdef __CUDA_ARCH__
#define NEURONIFY_ON_DEVICE true
#else
#define NEURONIFY_ON_DEVICE false
#endif
