#include "device.h"

extern "C" {

__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = globalThread();
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__global__ void block_sum(const float *x, float *out, int n) {
  __shared__ float s[256];
  int i = globalThread();
  s[threadIdx.x] = i < n ? x[i] : 0.f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

// One number per thread of a 3-D launch, from all of its coordinates.
__global__ void coordinates(int *out) {
  Axes t = threadIdx, b = blockIdx, d = blockDim, g = gridDim;
  int block = (b.z * g.y + b.y) * g.x + b.x;
  int thread = (t.z * d.y + t.y) * d.x + t.x;
  int *place = out + 7 * (block * (int)(d.x * d.y * d.z) + thread);
  place[0] = t.x + 100 * t.y + 10000 * t.z;
  place[1] = b.x + 100 * b.y + 10000 * b.z;
  place[2] = d.x + 100 * d.y + 10000 * d.z;
  place[3] = g.x + 100 * g.y + 10000 * g.z;
  place[4] = __nvvm_read_ptx_sreg_laneid();
  place[5] = __nvvm_read_ptx_sreg_warpid();
  place[6] = __nvvm_read_ptx_sreg_lanemask_lt();
}

struct Job {
  const float *in;
  char pad;
  float *out;
  double factor;
  int counts[3];
};
__global__ void with_struct(Job job, bool twice, char shift, double more) {
  int i = threadIdx.x;
  job.factor += i; // its own copy
  if (i < job.counts[1])
    job.out[i] = job.in[i + shift] * (float)(job.factor + more) * (twice ? 2 : 1);
}

__constant__ float coefficients[4];
__device__ int counter;
__device__ const int table[5] = {3, 1, 4, 1, 5};
__global__ void with_constants(float *out) {
  int i = globalThread();
  out[i] = coefficients[i % 4] + table[i % 5];
  __nvvm_atom_add_gen_i(&counter, 2);
}

extern __shared__ float dynamic_floats[];
extern __shared__ int dynamic_ints[];
__global__ void dynamic_reverse(int *data, int n) {
  __shared__ int last;
  if (threadIdx.x == n - 1)
    last = data[threadIdx.x];
  dynamic_ints[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = dynamic_ints[n - 1 - threadIdx.x] + 1000 * last;
}

// The trip count differs between threads.
__global__ void collatz(const unsigned *start, int *steps, int n) {
  int i = globalThread();
  if (i >= n)
    return;
  unsigned value = start[i];
  int count = 0;
  while (value != 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    ++count;
  }
  steps[i] = count;
}

static __device__ __attribute__((noinline)) int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2) + 0 * (int)threadIdx.x;
}
typedef int (*Operation)(int, int);
static __device__ int plus(int a, int b) { return a + b; }
static __device__ int first_thread_plus(int a, int b) { return threadIdx.x == 0 ? a + b : 0; }
__global__ void indirect(int *out, int which) {
  Operation operation = which ? first_thread_plus : plus;
  out[threadIdx.x] = operation(fibonacci(threadIdx.x), 10);
}

__global__ void local_array(int *out, int k) {
  int local[8];
  for (int i = 0; i < 8; ++i)
    local[i] = i * threadIdx.x;
  local[k & 7] = -1;
  int sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += local[(i + k) & 7] * (i + 1);
  out[threadIdx.x] = sum;
}

__device__ int vprintf(const char *, void *);
__device__ int printf(const char *, ...);
__global__ void prints(int n, const char *word) {
  printf("%s %d of %-4d|%6.2f|%c|%%|%lld\n", "thread", threadIdx.x, n, 1.5 * n, 'x', 1ll << 40);
}

__device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
__global__ void asserts(int *out) {
  if (threadIdx.x == 3)
    __assertfail("out != nullptr", "basic.cu", 7, "asserts", 1);
  out[threadIdx.x] = 1;
}
__global__ void traps(int *out) {
  out[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 5)
    __builtin_trap();
}

__global__ void atomics(int *ints, unsigned *wrap, float *floats, unsigned long long *longs) {
  int i = globalThread();
  __nvvm_atom_add_gen_i(&ints[0], i);
  __nvvm_atom_max_gen_i(&ints[1], i % 37);
  __nvvm_atom_min_gen_i(&ints[2], -i);
  __nvvm_atom_xor_gen_i(&ints[3], i);
  __nvvm_atom_inc_gen_ui(wrap, 6);
  __nvvm_atom_add_gen_f(&floats[i % 2], 0.5f);
  for (unsigned long long old = *longs, seen;; old = seen) {
    seen = __nvvm_atom_cas_gen_ll((long long *)longs, old, old * 3 + 1);
    if (seen == old)
      break;
  }
}

__global__ void unused_with_unknown(float *x) { asm volatile("some.unknown.ptx %0;" ::"f"(*x)); }
__global__ void unknown_intrinsic(unsigned *x) { *x = __nvvm_read_ptx_sreg_pm0(); }
__device__ float library_of_another_unit(float);
__global__ void unknown_function(float *x) { *x = library_of_another_unit(*x); }

__device__ int counters[2];
__device__ int *const pointer_table[2] = {&counters[0], &counters[1]};
__global__ void constant_with_address(int *out, int which) { out[0] = *pointer_table[which & 1]; }
}

struct Shape {
  __device__ virtual int area(int scale) const { return 1 + scale; }
};
struct Square : Shape {
  int side;
  __device__ Square(int side) : side(side) {}
  __device__ int area(int scale) const override { return side * side * scale + (int)threadIdx.x; }
};
template <class F> __device__ void apply(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }
extern "C" __global__ void virtual_calls(int *out, int which) {
  Square square(3);
  Shape plain;
  const Shape *shape = which ? &square : &plain;
  apply(out, [=](int i) { return shape->area(i); });
}
